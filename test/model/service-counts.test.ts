import { expect, it } from "vitest";
import { toPeriod } from "../../src/model/service-counts";

it.each([
  ["12:00:00.000Z", "12:00:00.000Z"],
  ["12:09:59.999Z", "12:00:00.000Z"],
  ["12:10:00.000Z", "12:10:00.000Z"],
])("a count at %s belongs to the ten minutes that begin at %s", (time, start) => {
  expect(new Date(toPeriod(Date.parse(`2026-11-26T${time}`))).toISOString()).toBe(`2026-11-26T${start}`);
});
