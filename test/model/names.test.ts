import { describe, expect, it } from "vitest";
import { INVALID_API_KEY_MESSAGE } from "../../src/keys/secret";
import { JURISDICTIONS, LOCATIONS } from "../../src/model/account";
import { MODES, SCOPES } from "../../src/model/api-key";
import { ENDPOINT_NAMES } from "../../src/model/endpoint";
import { ENGINE_NAMES, toOriginVariable } from "../../src/model/engine";
import { JOB_STATUSES, OUTCOMES } from "../../src/model/job";
import { NoCapacityError } from "../../src/model/run-context";

// Requests, responses, database rows and Analytics Engine use these names, so they can't change.
it.each<[string, readonly string[], string]>([
  ["endpoints", ENDPOINT_NAMES, "scrape parse serp map"],
  ["scopes", SCOPES, "scrape parse serp jobs keys"],
  ["modes", MODES, "live test"],
  ["job statuses", JOB_STATUSES, "queued processing completed failed"],
  ["outcomes", OUTCOMES, "ok needs_rendering empty soft_404 error_page login consent paywall parked maintenance"],
  ["search engines", ENGINE_NAMES, "google bing yandex"],
  ["jurisdictions", JURISDICTIONS, "eu us fedramp"],
  ["locations", LOCATIONS, "wnam enam sam weur eeur apac apac-ne apac-se oc afr me"],
])("the names of the %s don't change", (_, names, expected) => {
  expect(names.join(" ")).toBe(expected);
});

describe("the name of the variable that sets an engine's origin", () => {
  it.each([
    ["google", "SERP_GOOGLE_ORIGIN"],
    ["bing", "SERP_BING_ORIGIN"],
    ["yandex", "SERP_YANDEX_ORIGIN"],
  ] as const)("for %s is %s", (engine, variable) => {
    expect(toOriginVariable(engine)).toBe(variable);
  });
});

it("says no more about an unknown key than about a key of an erased account", () => {
  expect(INVALID_API_KEY_MESSAGE).toBe("This API key is not valid. Check that it is complete, or create a new key.");
});

it("keeps the delay and the cause of a run that found no free browser", () => {
  const cause = new Error("The browser is full.");
  const error = new NoCapacityError("No browser is free.", 3_000, { cause });
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({ name: "NoCapacityError", message: "No browser is free.", retryAfterMs: 3_000, cause });
});
