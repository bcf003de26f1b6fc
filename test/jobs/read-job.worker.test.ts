import { runDurableObjectAlarm } from "cloudflare:test";
import { afterEach, expect, it, vi } from "vitest";
import { DAY_MS } from "../../src/model/limits";
import { objectOf, sqlIn } from "../support/account";
import { createClient, page, read, refOf } from "../support/client";

afterEach(() => vi.useRealTimers());

it("a job stays after its result was deleted, for small and large results", async () => {
  const { accountId, scrape, call } = await createClient();
  const small = await read(await scrape({ url: page("article") }));
  const large = await read(await scrape({ url: `${page("large")}?words=20000`, formats: ["text"] }));
  const account = await refOf(accountId);
  const passDays = async (days: number) => {
    vi.setSystemTime(Date.now() + days * DAY_MS);
    await sqlIn(account, "UPDATE account SET maintenance_at = 1");
    await runDurableObjectAlarm(objectOf(account));
  };
  await passDays(29);
  for (const { job_id, data } of [small, large]) {
    const job = await read(await call("GET", `/v1/jobs/${job_id}`));
    expect(job).toMatchObject({ status: "completed", result: data });
  }
  await passDays(2);
  for (const { job_id } of [small, large]) {
    const job = await read(await call("GET", `/v1/jobs/${job_id}`));
    expect(job).toMatchObject({ status: "completed", result: null, meta: { credits_used: 1 } });
  }
  expect((await read(await call("GET", "/v1/jobs"))).pagination).toMatchObject({ total: 2 });
});
