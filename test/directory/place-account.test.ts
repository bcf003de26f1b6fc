import { describe, expect, it } from "vitest";
import { placeAccount } from "../../src/directory/accounts";

describe("the location of an account", () => {
  it.each("wnam enam sam weur eeur apac apac-ne apac-se oc afr me".split(" "))("can be set to %s", (location) => {
    expect(placeAccount({ ACCOUNT_LOCATION: location, ACCOUNT_JURISDICTION: "" } as Env)).toEqual({
      location,
      jurisdiction: null,
    });
  });

  it.each([
    ["JP", "AS", "139.7", "apac-ne"],
    ["HK", "AS", "114.2", "apac-ne"],
    ["SG", "AS", "103.8", "apac-se"],
    ["IN", "AS", "77.2", "apac"],
    ["AE", "AS", "55.3", "me"],
    ["KZ", "AS", "76.9", "eeur"],
    ["DE", "EU", "13.4", "weur"],
    ["PL", "EU", "21.0", "eeur"],
    ["NZ", "OC", "174.8", "oc"],
    ["ZA", "AF", "18.4", "afr"],
    ["BR", "SA", "-46.6", "sam"],
    ["US", "NA", "-122.4", "wnam"],
    ["US", "NA", "-74.0", "enam"],
    ["CA", "NA", undefined, "enam"],
    ["AQ", "AN", "0", null],
    ["T1", undefined, undefined, null],
    [undefined, undefined, undefined, null],
  ])("is near a user who signs up in %s (%s, %s): %s", (country, continent, longitude, location) => {
    const env = { ACCOUNT_LOCATION: "", ACCOUNT_JURISDICTION: "", JURISDICTION: "" } as Env;
    const place = { country, continent, longitude };
    expect(placeAccount(env, place)).toEqual({ location, jurisdiction: null });
    expect(placeAccount({ ...env, ACCOUNT_LOCATION: "weur" }, place)).toMatchObject({ location: "weur" });
    // The jurisdiction decides where the object is.
    expect(placeAccount({ ...env, JURISDICTION: "eu" }, place)).toEqual({ location: null, jurisdiction: "eu" });
  });

  it("is Cloudflare's choice without a setting and a place", () => {
    const env = { ACCOUNT_LOCATION: "", ACCOUNT_JURISDICTION: " fedramp " };
    expect(placeAccount(env as Env)).toEqual({ location: null, jurisdiction: "fedramp" });
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
