import { describe, expect, it } from "vitest";
import { type CallerPlace, placeAccount } from "../../src/directory/location";

const NO_SETTING = { ACCOUNT_LOCATION: "", ACCOUNT_JURISDICTION: "" } as Env;
const toLocation = (caller: CallerPlace) => placeAccount(NO_SETTING, caller).location;

describe("the location of an account", () => {
  it.each([
    ["NA", "US", "-122.4", "wnam"],
    ["NA", "US", "-74.0", "enam"],
    ["NA", "MX", undefined, "enam"],
    ["SA", "BR", "-46.6", "sam"],
    ["EU", "DE", "13.4", "weur"],
    ["EU", "PL", "21.0", "eeur"],
    ["NA", "US", "-100", "enam"],
    ["NA", "US", "-100.1", "wnam"],
    ["EU", "SE", "17", "weur"],
    ["EU", "SE", "17.1", "eeur"],
    ["EU", "SE", undefined, "weur"],
    ["AS", "JP", "139.7", "apac"],
    ["AS", "AE", "55.3", "me"],
    ["AF", "EG", "31.2", "me"],
    ["AF", "KE", "36.8", "afr"],
    ["OC", "AU", "151.2", "oc"],
    ["AN", "AQ", "0", null],
    [undefined, undefined, undefined, null],
  ] as const)("for a caller in %s, %s, at longitude %s is %s", (continent, country, longitude, location) => {
    const place = {
      ...(continent === undefined ? {} : { continent }),
      ...(country === undefined ? {} : { country }),
      ...(longitude === undefined ? {} : { longitude }),
    };
    expect(toLocation(place)).toBe(location);
  });

  it.each([
    "AE",
    "BH",
    "CY",
    "EG",
    "IL",
    "IQ",
    "IR",
    "JO",
    "KW",
    "LB",
    "OM",
    "PS",
    "QA",
    "SA",
    "SY",
    "TR",
    "YE",
  ] as const)("for a caller in %s is the Middle East", (country) => {
    expect(toLocation({ continent: "AS", country })).toBe("me");
  });

  it.each("wnam enam sam weur eeur apac oc afr me".split(" "))("can be set to %s", (location) => {
    expect(placeAccount({ ACCOUNT_LOCATION: location, ACCOUNT_JURISDICTION: "" } as Env)).toEqual({
      location,
      jurisdiction: null,
    });
  });

  it("is near the caller without a setting", () => {
    const env = { ACCOUNT_LOCATION: "", ACCOUNT_JURISDICTION: " fedramp " };
    expect(placeAccount(env as Env, { continent: "SA" })).toEqual({ location: "sam", jurisdiction: "fedramp" });
    expect(placeAccount(env as Env)).toEqual({ location: null, jurisdiction: "fedramp" });
  });

  it("is the operator's setting, if there is one", () => {
    const env = { ACCOUNT_LOCATION: " weur ", ACCOUNT_JURISDICTION: "eu" };
    expect(placeAccount(env as Env, { continent: "SA" })).toEqual({ location: "weur", jurisdiction: "eu" });
  });

  it("has the jurisdiction of all objects if accounts have no setting", () => {
    const env = { ACCOUNT_LOCATION: "", ACCOUNT_JURISDICTION: "", JURISDICTION: "eu" };
    expect(placeAccount(env as Env)).toEqual({ location: null, jurisdiction: "eu" });
    expect(placeAccount({ ...env, ACCOUNT_JURISDICTION: "fedramp" } as Env).jurisdiction).toBe("fedramp");
  });

  it.each([
    [{ ACCOUNT_LOCATION: "mars", ACCOUNT_JURISDICTION: "" }, 'ACCOUNT_LOCATION is "mars". It must be "wnam",'],
    [{ ACCOUNT_LOCATION: "", ACCOUNT_JURISDICTION: "EU" }, 'ACCOUNT_JURISDICTION is "EU". It must be "eu",'],
    [{ ACCOUNT_JURISDICTION: "", JURISDICTION: "EU" }, 'JURISDICTION is "EU". It must be "eu",'],
  ])("can't be an unknown value: %j", (env, message) => {
    expect(() => placeAccount(env as Env)).toThrow(message);
  });
});
