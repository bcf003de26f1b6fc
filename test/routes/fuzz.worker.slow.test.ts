import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { readContract, waitForAllJobs } from "../support/client";
import { fuzzApi } from "./fuzz/run";

const { FUZZ_REQUESTS, FUZZ_SEED } = env as unknown as { FUZZ_REQUESTS: string; FUZZ_SEED: string };
const requests = Number(FUZZ_REQUESTS);

it("responds to random requests as the OpenAPI document describes, and never with internal_error", {
  timeout: requests * 200 + 60_000,
}, async () => {
  const seed = Number(FUZZ_SEED);
  const { tally, problems } = await fuzzApi({ requests, seed, settle: waitForAllJobs });
  console.log(JSON.stringify({ seed, requests, ...Object.fromEntries([...tally].sort()) }, null, 1));
  expect(Object.fromEntries(problems)).toEqual({});
  // Every operation must have succeeded (20x) at least once. Otherwise, all generated requests for it may have been
  // invalid.
  const { document } = await readContract();
  for (const { operationId } of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    if (operationId !== "getScreenshot" && operationId !== "getPdf")
      expect([...tally.keys()].join()).toMatch(new RegExp(`\\b${operationId} 20\\d`));
  }
});
