import { expect, it } from "vitest";
import { newJob, sqlIn, stubOf } from "../support/account";
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

it("the usage of a range of days can be grouped, and the range is validated", async () => {
  const client = await createClient();
  const account = await refOf(client.accountId);
  await completeJob(account, "ok");
  await completeJob(account, "login");
  const days = ["2026-01-05", "2026-01-06"];
  await sqlIn(account, "UPDATE usage SET date = CASE code WHEN 'ok' THEN ?1 ELSE ?2 END", ...days);
  await completeJob(account, "ok");
  const get = async (query: string) => {
    const response = await client.call("GET", `/v1/usage?${query}`);
    const body = await response.json<{ data: Record<string, unknown[]>; error: { details?: { path: string }[] } }>();
    return response.ok ? body.data : [response.status, body.error.details?.[0]?.path];
  };
  const range = "from=2026-01-05&to=2026-01-06";
  expect(await get(`${range}&group_by=day,code`)).toMatchObject({
    ...{ from: "2026-01-05", to: "2026-01-06" },
    by_code: [{ code: "login" }, { code: "ok", requests: 1 }],
    groups: [
      { date: "2026-01-06", code: "login", requests: 1, credits: 0 },
      { date: "2026-01-05", code: "ok", requests: 1, credits: 1 },
    ],
  });
  expect(await get("from=2026-01-05&to=2026-01-05&group_by=endpoint")).toMatchObject({
    groups: [{ endpoint: "scrape", requests: 1 }],
  });
  const ungrouped = await get("");
  expect(ungrouped).toMatchObject({ by_code: [{ code: "ok", requests: 1 }], period: { added: 0 } });
  expect(ungrouped).not.toHaveProperty("groups");
  for (const [query, path] of [
    ["from=2026-02-30", "from"],
    ["to=yesterday", "to"],
    ["from=2026-01-07&to=2026-01-06", "from"],
    ["from=2024-01-01&to=2026-01-06", "from"],
    ["group_by=month", "group_by"],
    ["group_by=", "group_by"],
    ["by=day", "by"],
  ]) {
    expect([query, await get(query ?? "")]).toEqual([query, [400, path]]);
  }
});
