import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { waitForAllJobs } from "../support/client";
import { formNoise, type Noise, problemsOf, rpcNoise } from "./fuzz/neighbors";

const { FUZZ_REQUESTS, FUZZ_SEED } = env as unknown as { FUZZ_REQUESTS: string; FUZZ_SEED: string };
const seed = Number(FUZZ_SEED);
const each = Math.ceil(Number(FUZZ_REQUESTS) / 3);

it.each<[string, RegExp, (count: number, from: number) => Promise<Noise[]>]>([
  ["/mcp", /^\/mcp 200$/, (count, from) => rpcNoise(from, count)],
  ["the dashboard", /^\/dashboard\/sign-in 200$/, (count, from) => formNoise(from, count, false)],
  [
    "the dashboard, signed in",
    /^\/dashboard\/(?:jobs|keys|plan|playground|webhooks) 200$/,
    (count, from) => formNoise(from, count, true),
  ],
])(
  "never responds to random requests with internal_error: %s",
  { timeout: each * 300 + 60_000 },
  async (_, sign, make) => {
    const tally = new Map<string, number>();
    const problems: Record<string, string> = {};
    for (let sent = 0; sent < each; sent += 100) {
      Object.assign(problems, await problemsOf(await make(Math.min(100, each - sent), seed + sent), tally));
    }
    await waitForAllJobs();
    console.log(JSON.stringify({ seed, ...Object.fromEntries([...tally].sort()) }, null, 1));
    expect(problems).toEqual({});
    expect([...tally.keys()]).toContainEqual(expect.stringMatching(sign));
  },
);
