import { describe, expect, it } from "vitest";
import { placeAccount } from "../../src/directory/accounts";

describe("the location of an account", () => {
  it.each("wnam enam sam weur eeur apac apac-ne apac-se oc afr me".split(" "))("can be set to %s", (location) => {
    expect(placeAccount({ ACCOUNT_LOCATION: location, ACCOUNT_JURISDICTION: "" } as Env)).toEqual({
      location,
      jurisdiction: null,
    });
  });

  it("is Cloudflare's choice without a setting", () => {
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
