import { expect, it } from "vitest";
import { toLoadOptions } from "../../../src/endpoints/shared/load-options";

const DEFAULTS = { limit: null, waitUntil: "quiet", waitMs: 0, blockAds: false };

it.each([
  [{ timeout_ms: 5_000 }, { limit: { ms: 5_000, usedMs: 0 } }],
  [{ wait_until: "load" }, { waitUntil: "load" }],
  [{ wait_ms: 1 }, { waitMs: 1 }],
  [{ block_ads: true }, { blockAds: true }],
] as const)("a request with only %j has this option and the defaults", (request, options) => {
  expect(toLoadOptions(request)).toEqual({ ...DEFAULTS, ...options });
});

it("a request with the default values has no options", () => {
  expect(toLoadOptions({ wait_until: "quiet", wait_ms: 0, block_ads: false })).toBeUndefined();
});
