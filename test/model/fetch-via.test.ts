import { describe, expect, it } from "vitest";
import { toFetchVia } from "../../src/model/variables";

describe("FETCH_VIA", () => {
  it.each([
    [undefined, "fetch"],
    ["", "fetch"],
    ["fetch", "fetch"],
    [" socket ", "socket"],
  ])("%j means %s", (text, via) => {
    expect(toFetchVia(text)).toBe(via);
  });

  it("must be a known value", () => {
    expect(() => toFetchVia("sockets")).toThrow('FETCH_VIA is "sockets". It must be "fetch", "socket" or empty.');
  });
});
