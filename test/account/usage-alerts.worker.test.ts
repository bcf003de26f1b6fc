import { evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { NewJob } from "../../src/account/storage/types";
import { consumeUsageAlerts } from "../../src/directory/usage-alerts";
import type { AccountRef } from "../../src/model/account";
import type { UsageAlertMessage } from "../../src/model/period";
import { newJob, objectOf, openObject, sqlIn, stubOf } from "../support/account";
import { ORIGIN } from "../support/client";
import { readEmails } from "../support/emails";
import { accountIdOf, signUpBeforeEmail } from "../support/visitor";

const HOOK = "https://hooks.example/usage";

/** Opens an account with 10 credits and a webhook URL that receives the event. */
async function open(credits = 10): Promise<AccountRef> {
  const account = await openObject({ credits });
  await stubOf(account).webhook("live", { kind: "url", url: HOOK });
  await stubOf(account).webhook("live", { kind: "events", events: ["usage.threshold"] });
  return account;
}

/** Creates a job and completes it with the full charge. Returns the kind of the reply. */
async function spend(account: AccountRef, credits: number, job: Partial<NewJob> = {}): Promise<string> {
  const created = newJob(account, { credits, waiting: true, ...job });
  const { kind } = await stubOf(account).createJob(created);
  const times = { processingTimeMs: 1, endedAt: Date.now() };
  await stubOf(account).finish(created, 1, {
    ...{ status: "completed", result: "{}", extras: null, charge: credits, ...times },
  });
  return kind;
}

/** Returns the bodies of the events, oldest first. */
async function readEvents(account: AccountRef): Promise<Record<string, unknown>[]> {
  const rows = await sqlIn<{ payload: string }>(
    account,
    "SELECT payload FROM deliveries WHERE event = 'usage.threshold' ORDER BY id",
  );
  return rows.map(({ payload }) => JSON.parse(payload));
}

const facts = async (account: AccountRef) =>
  (await readEvents(account)).map(({ threshold, key_id, used, limit }) => [threshold, key_id, used, limit]);

/** Returns the alerts whose emails must still be sent. */
const pending = async (account: AccountRef) =>
  await sqlIn(account, "SELECT subject, threshold FROM usage_alerts WHERE emailed = 0");

describe("the alerts of an account", () => {
  it("are sent at 80% and at 100%, once in a period", async () => {
    const account = await open();
    await spend(account, 7);
    expect(await facts(account)).toEqual([]);
    await spend(account, 1);
    expect(await facts(account)).toEqual([[80, null, 8, 10]]);
    await spend(account, 1);
    await spend(account, 1);
    expect(await spend(account, 1)).toBe("insufficient_credits");
    expect(await facts(account)).toEqual([
      [80, null, 8, 10],
      [100, null, 10, 10],
    ]);
    // The next period starts.
    await sqlIn(account, "UPDATE account SET used = 0, period_start = period_start + 1");
    await sqlIn(account, "UPDATE account SET funds = 10");
    await spend(account, 8);
    const events = await readEvents(account);
    expect(events).toHaveLength(3);
    expect(events[2]?.period).not.toEqual(events[0]?.period);
  });

  it("aren't sent to a webhook URL that was made for the events of jobs, but by email", async () => {
    const account = await openObject({ credits: 10 });
    await stubOf(account).webhook("live", { kind: "url", url: HOOK });
    await spend(account, 10);
    expect(await facts(account)).toEqual([]);
    expect(await pending(account)).toEqual([{ subject: "account", threshold: 100 }]);
  });

  it("count credits that were added, and only the highest threshold is sent", async () => {
    const account = await open();
    await stubOf(account).adjust({ key: "gift", amount: 10 });
    await spend(account, 10);
    expect(await facts(account)).toEqual([]);
    await spend(account, 10);
    expect(await facts(account)).toEqual([[100, null, 20, 20]]);
  });

  it("are sent again if credits were added since, when the threshold of the new limit is reached", async () => {
    const account = await open();
    await spend(account, 10);
    await stubOf(account).adjust({ key: "small", amount: 1 });
    await spend(account, 1);
    expect(await facts(account)).toEqual([
      [100, null, 10, 10],
      [100, null, 11, 11],
    ]);
    await stubOf(account).adjust({ key: "large", amount: 9 });
    await spend(account, 4);
    expect(await facts(account)).toHaveLength(2);
    await spend(account, 1);
    await spend(account, 1);
    expect((await facts(account)).slice(2)).toEqual([[80, null, 16, 20]]);
    await stubOf(account).adjust({ key: "taken", amount: -2 });
    await spend(account, 1);
    expect((await facts(account)).slice(3)).toEqual([[100, null, 18, 18]]);
  });

  it("write nothing while the alert of this period is recorded", async () => {
    const account = await open();
    await spend(account, 8);
    await runDurableObjectAlarm(objectOf(account));
    const rows = async () => await sqlIn(account, "SELECT * FROM usage_alerts");
    const before = await rows();
    await sqlIn(
      account,
      `CREATE TRIGGER refused BEFORE INSERT ON usage_alerts BEGIN SELECT RAISE(ABORT, 'A write'); END`,
    );
    expect(await spend(account, 1)).toBe("created");
    expect(await rows()).toEqual(before);
  });

  it("are sent when the rest is lower than the price of a request, but not while it is only reserved", async () => {
    const account = await open();
    await stubOf(account).createJob(newJob(account, { credits: 9 }));
    expect(await spend(account, 5)).toBe("insufficient_credits");
    expect(await facts(account)).toEqual([]);
    const spent = await open(4);
    expect(await spend(spent, 5)).toBe("insufficient_credits");
    expect(await facts(spent)).toEqual([[100, null, 0, 4]]);
  });
});

describe("the alerts of a key with a credit limit", () => {
  it("are sent at 80% and at 100% of the limit, also after a restart", async () => {
    const account = await open(1_000);
    const key = { keyId: "k1", creditLimit: 10 };
    await spend(account, 8, key);
    await evictDurableObject(objectOf(account));
    await spend(account, 1, key);
    expect(await spend(account, 5, key)).toBe("key_limit");
    await spend(account, 9, { keyId: "k2", creditLimit: 100 });
    expect(await facts(account)).toEqual([
      [80, "k1", 8, 10],
      [100, "k1", 9, 10],
    ]);
  });
});

describe("the email of an alert", () => {
  it("is handed to the queue by the alarm, once", async () => {
    const account = await open();
    await spend(account, 8);
    expect(await pending(account)).toEqual([{ subject: "account", threshold: 80 }]);
    await runDurableObjectAlarm(objectOf(account));
    expect(await pending(account)).toEqual([]);
  });

  it("is sent to the account's verified owners, with the amounts and the end of the period", async () => {
    const visitor = await signUpBeforeEmail();
    const accountId = await accountIdOf(visitor);
    await env.DB.prepare("UPDATE users SET email_verified = 1 WHERE email = ?1").bind(visitor.email).run();
    const retried: unknown[] = [];
    const message = {
      ...{ kind: "usage_alert", accountId, threshold: 100, keyId: null, used: 1_500, limit: 1_500, at: 0 },
      period: { start: Date.parse("2026-11-21T09:00:00Z"), end: Date.parse("2026-12-21T09:00:00Z") },
    } satisfies UsageAlertMessage;
    const sent = { body: message, retry: () => retried.push(1), ack: () => undefined };
    await consumeUsageAlerts([sent as unknown as Message<UsageAlertMessage>], { ...env, PUBLIC_URL: ORIGIN });
    expect(retried).toEqual([]);
    const [email] = await readEmails(visitor.email, 1);
    expect(email?.subject).toMatch(/^The account ".+" has used 100% of its credits$/);
    expect(email?.text).toContain("1,500 of 1,500 credits");
    expect(email?.text).toContain("21 December 2026 at 09:00 UTC");
    expect(email?.text).toContain(`${ORIGIN}/dashboard/usage`);
  });
});
