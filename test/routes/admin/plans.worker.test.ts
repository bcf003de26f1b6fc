import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { PLAN_LIMITS } from "../../../src/model/plan";
import { updateAccount } from "../../../src/store/accounts";
import { sqlIn } from "../../support/account";
import { call } from "../../support/admin";
import { createAccount, refOf } from "../../support/client";

it("the admin API lists the plans with their limits and credits", async () => {
  const { status, data } = await call("GET", "/plans");
  expect(status).toBe(200);
  expect(data).toContainEqual({
    plan: "pro",
    rate_per_minute: PLAN_LIMITS.pro.ratePerMinute,
    active_keys: PLAN_LIMITS.pro.activeKeys,
    concurrent_jobs: PLAN_LIMITS.pro.concurrentJobs,
    concurrent_renders: PLAN_LIMITS.pro.concurrentRenders,
    monthly_credits: 20_000,
  });
  expect(data).toContainEqual(expect.objectContaining({ plan: "enterprise", monthly_credits: null }));
});

it("the admin API applies the plans to the accounts after an id", async () => {
  const id = await createAccount();
  const account = await refOf(id);
  const readJobs = async () => (await sqlIn(account, "SELECT concurrent_jobs AS jobs FROM account"))[0]?.jobs;
  // The account has its own limit, but its Durable Object doesn't know the limit yet.
  await updateAccount(env.DB, { id, change: { concurrentJobs: 3 }, dueAt: Number.MAX_SAFE_INTEGER });
  expect(await readJobs()).not.toBe(3);
  // All ids are UUIDs, so with this `after`, the list begins with this account.
  const { data } = await call("POST", "/plans/apply", { after: id.slice(0, -1) });
  expect(data.accounts).toBeGreaterThan(0);
  expect(await readJobs()).toBe(3);
  expect((await call("POST", "/plans/apply", { after: "~" })).data).toEqual({ accounts: 0, next: null });
});
