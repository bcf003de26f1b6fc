import { expect, it } from "vitest";
import { newJob, stubOf } from "../support/account";
import { createClient, read, refOf } from "../support/client";
import { completeJob } from "../support/complete-job";

it("the usage has the median and the 95th percentile of the durations in milliseconds", async () => {
  const client = await createClient();
  const account = await refOf(client.accountId);
  for (const processingTimeMs of [100, 100, 100, 4_000, 4_000]) {
    const job = newJob(account, { keyId: client.keyId });
    await stubOf(account).createJob(job);
    await stubOf(account).claim(job, "token");
    await stubOf(account).finish(job, 1, {
      status: "completed",
      result: "{}",
      extras: null,
      charge: 1,
      outcome: "ok",
      processingTimeMs,
      endedAt: Date.now(),
    });
  }
  const { data } = await read(await client.call("GET", "/v1/usage"));
  const lists = [data.days, data.by_endpoint, data.by_key, data.by_code] as unknown as Record<string, number>[][];
  for (const [total = {}] of lists) {
    expect(total).toMatchObject({ requests: 5, credits: 5, failed: 0 });
    // A histogram's durations differ by up to 5%.
    expect(total.p50_ms).toBeGreaterThanOrEqual(95);
    expect(total.p50_ms).toBeLessThanOrEqual(105);
    expect(total.p95_ms).toBeGreaterThanOrEqual(3_800);
    expect(total.p95_ms).toBeLessThanOrEqual(4_200);
  }
});

it("the usage is added up by outcome", async () => {
  const client = await createClient();
  const account = await refOf(client.accountId);
  for (const outcome of ["login", "ok", "login", "empty", "ok", "login"] as const) await completeJob(account, outcome);
  const { data } = await read(await client.call("GET", "/v1/usage"));
  expect(data.by_code).toMatchObject([
    { code: "login", requests: 3, credits: 0, failed: 0 },
    { code: "ok", requests: 2, credits: 2, failed: 0 },
    { code: "empty", requests: 1, credits: 0, failed: 0 },
  ]);
});
