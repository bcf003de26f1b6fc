import { expect, it } from "vitest";
import { readChoice } from "../../src/model/variables";

it.each([
  ["", null],
  ["fetch", "fetch"],
  [" socket ", "socket"],
])("reads %j as %s", (text, via) => {
  expect(readChoice({ FETCH_VIA: text }, "FETCH_VIA")).toBe(via);
});

it("refuses an unknown value", () => {
  const read = () => readChoice({ FETCH_VIA: "sockets" }, "FETCH_VIA");
  expect(read).toThrow('FETCH_VIA is "sockets". It must be "fetch", "socket" or empty.');
});
