import { expect, it } from "vitest";
import { COUNTRIES, ZONES } from "../../../src/search/places/tables";

it("every country has a time zone that exists, and a location on earth", () => {
  for (const { code } of COUNTRIES) {
    const zone = ZONES.get(code);
    expect([code, zone]).toEqual([
      code,
      { timezone: expect.any(String), latitude: expect.any(Number), longitude: expect.any(Number) },
    ]);
    expect(() => new Intl.DateTimeFormat("en", { timeZone: zone?.timezone ?? "" })).not.toThrow();
    expect(Math.abs(zone?.latitude ?? Number.NaN)).toBeLessThanOrEqual(90);
    expect(Math.abs(zone?.longitude ?? Number.NaN)).toBeLessThanOrEqual(180);
  }
});

it.each([
  ["US", "America/New_York", 38.9, -77],
  ["AU", "Australia/Sydney", -35.3, 149.1],
  ["BR", "America/Sao_Paulo", -15.8, -47.9],
  ["RU", "Europe/Moscow", 55.8, 37.6],
  ["CH", "Europe/Zurich", 46.9, 7.4],
])("the place of %s is its capital", (code, timezone, latitude, longitude) => {
  expect(ZONES.get(code)).toEqual({ timezone, latitude, longitude });
});
