import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { runJob } from "../../src/jobs/run-job";
import { openObject, sqlIn, stubOf } from "../support/account";
import { page, querySite } from "../support/client";
import { createTestJob, messageOf } from "../support/jobs";

it("stops the render of a canceled job: closes its tab, and releases its credits", async () => {
  // The account has one render slot, so the second job is rendered only after the first job's tab was closed.
  const account = await openObject({ credits: 100, concurrentRenders: 1 });
  const held = page("held");
  const job = await createTestJob(held, { account, request: { js_render: true } });
  const running = runJob(env, messageOf(job));
  await expect.poll(() => querySite("hits", held)).toBe(1);
  expect(await stubOf(account).cancel(job)).toMatchObject({
    status: "failed",
    error: { code: "cancelled" },
    creditsUsed: 0,
  });
  // The run notices the end of its job when it renews its lease, at most 20 seconds later.
  expect(await running).toEqual({ kind: "lease_lost" });
  expect(await sqlIn(account, "SELECT funds, used FROM account")).toEqual([{ funds: 100, used: 0 }]);
  const next = await createTestJob(page("article"), { account, request: { js_render: true } });
  await expect.poll(async () => (await runJob(env, messageOf(next))).kind).toBe("completed");
  expect(await stubOf(account).get(job)).toMatchObject({ status: "failed", error: { code: "cancelled" } });
  await querySite("release", held);
});
