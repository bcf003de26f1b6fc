import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { createClient } from "../support/client";
import { fuzz } from "./fuzz";

const { FUZZ_SECONDS, FUZZ_SEED } = env as unknown as { FUZZ_SECONDS: string; FUZZ_SEED: string };

it("ends each generated page, response and URL with a result or an error code", {
  timeout: Number(FUZZ_SECONDS) * 1_000 + 60_000,
}, async () => {
  const seed = Number(FUZZ_SEED);
  const tally = await fuzz(await createClient(), { ms: Number(FUZZ_SECONDS) * 1_000, seed });
  const counts = Object.fromEntries([...tally].sort(([, a], [, b]) => b - a));
  console.log(JSON.stringify({ seed, runs: [...tally.values()].reduce((sum, n) => sum + n, 0), ...counts }));
  for (const kind of ["page", "response", "url"]) expect([...tally.keys()].join()).toContain(`${kind}: `);
});
