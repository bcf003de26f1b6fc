import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { changeAccount, createAccount, createAccountKey, updateGrants } from "../../src/directory/accounts";
import { adjustCredits, toMonthlyCredits } from "../../src/directory/credits";
import { pushDueEntries, pushEntries, RETRY_MS } from "../../src/directory/push";
import { newId } from "../../src/lib/id";
import { SCOPES } from "../../src/model/api-key";
import { PLAN_LIMITS, type Plan } from "../../src/model/plan";
import { type AccountChange, getAccount, mustGetAccount, updateAccount } from "../../src/store/accounts";
import { listAudit } from "../../src/store/audit";
import { insertMember } from "../../src/store/memberships";
import { getAccountEntry } from "../../src/store/outbox";
import { sqlIn, updateAllGrants, withFailingAccounts } from "../support/account";
import { createClient, createAccount as createTestAccount, creditsOf, objectOf, refOf } from "../support/client";
import { openAccount } from "../support/open-account";
import { WITH_EMAIL } from "../support/visitor";

const actor = "me";
const unreachable = () => withFailingAccounts(() => "before");

async function newUser(verified = false) {
  const id = newId();
  await env.DB.prepare(
    "INSERT INTO users (id, name, email, email_verified, created_at, updated_at) VALUES (?1, 'Ada', ?1 || '@example.com', ?2, '', '')",
  )
    .bind(id, Number(verified))
    .run();
  return { id, name: "Ada", emailVerified: verified };
}

async function settingsOf(accountId: string) {
  const [row] = await sqlIn(
    await refOf(accountId),
    `SELECT version, plan, monthly_credits AS monthly, suspended_at AS suspended, concurrent_jobs AS jobs,
       concurrent_renders AS renders, grants_enabled AS grants, charge_free_outcomes AS charged FROM account`,
  );
  return row;
}

describe("the settings in an account's Durable Object", () => {
  it.each<[Plan, AccountChange, Record<string, unknown>]>([
    ["pro", {}, { plan: "pro", monthly: 20_000, jobs: 25, renders: 10, suspended: null, grants: 1, charged: 0 }],
    [
      "business",
      { concurrentJobs: 1, concurrentRenders: 2 },
      { plan: "business", monthly: 100_000, jobs: 1, renders: 2 },
    ],
    ["free", { concurrentJobs: 0, concurrentRenders: 0 }, { monthly: 500, jobs: 0, renders: 0 }],
    ["free", { chargeFreeOutcomes: true }, { charged: 1 }],
    ["free", { suspendedAt: 5, grantsEnabled: false, monthlyCredits: 3 }, { suspended: 5, grants: 0, monthly: 3 }],
  ])("of the plan %s with %j", async (plan, change, expected) => {
    const account = await createAccount(env, {
      name: "A",
      plan,
      ratePerMinute: null,
      monthlyCredits: null,
      actor,
      now: 5,
    });
    await changeAccount(env, { accountId: account.id, change, actor, now: 6 });
    expect(await settingsOf(account.id)).toMatchObject({ version: 2, ...expected });
    expect(await getAccountEntry(env.DB, account.id)).toBeNull();
  });

  it("are sent by the cron a minute after a failed update", async () => {
    const { accountId } = await createClient();
    await changeAccount(unreachable(), { accountId, change: { plan: "pro" }, actor, now: 1_000 });
    expect(await settingsOf(accountId)).toMatchObject({ plan: "enterprise" });
    expect(await getAccountEntry(env.DB, accountId)).toMatchObject({ version: 2 });
    await pushDueEntries(env, 1_000 + RETRY_MS - 1);
    expect(await getAccountEntry(env.DB, accountId)).toMatchObject({ version: 2 });
    expect(await pushDueEntries(env, 1_000 + RETRY_MS)).toBeGreaterThan(0);
    expect(await settingsOf(accountId)).toMatchObject({ plan: "pro" });
    expect(await getAccountEntry(env.DB, accountId)).toBeNull();
  });
});

describe("the changes that are pushed", () => {
  it("stay in the outbox if they can't be sent, and are counted if they can", async () => {
    const ids = await Promise.all(Array.from({ length: 3 }, () => createTestAccount()));
    const [first, second, erased] = ids as [string, string, string];
    const entries = (
      await Promise.all(ids.map((id) => updateAccount(env.DB, { id, change: { name: "B" }, dueAt: 5 })))
    ).flat();
    await env.DB.prepare("UPDATE accounts SET erased_at = 1 WHERE id = ?1").bind(erased).run();
    const failing = {
      ...env,
      ACCOUNT: {
        getByName: (name: string) => {
          if (name === second) throw new Error("The object is down.");
          return env.ACCOUNT.getByName(name);
        },
      },
    } as unknown as Env;
    // An erased account needs no update.
    expect(await pushEntries(failing, entries)).toBe(2);
    expect(await getAccountEntry(env.DB, first)).toBeNull();
    expect(await getAccountEntry(env.DB, second)).not.toBeNull();
    expect(await getAccountEntry(env.DB, erased)).toBeNull();
    expect(await pushEntries(env, [])).toBe(0);
  });

  it("are all sent, even if there are more than 50", async () => {
    const entries = Array.from({ length: 120 }, () => ({ kind: "account" as const, target: newId(), version: 1 }));
    expect(await pushEntries(env, entries)).toBe(120);
  });
});

describe("an operator's change", () => {
  it.each<[AccountChange, Record<string, unknown>]>([
    [{ name: "New" }, { name: "New" }],
    [{ plan: "pro" }, { plan: "pro" }],
    [
      { ratePerMinute: null, monthlyCredits: 0 },
      { rate_per_minute: null, monthly_credits: 0 },
    ],
    [
      { concurrentJobs: 4, concurrentRenders: null },
      { concurrent_jobs: 4, concurrent_renders: null },
    ],
    [{ chargeFreeOutcomes: true }, { charge_free_outcomes: true }],
    [{ chargeFreeOutcomes: false }, { charge_free_outcomes: false }],
    [{ suspendedAt: 5 }, { suspended: true }],
    [{ suspendedAt: null }, { suspended: false }],
  ])("to %j is audited as %j", async (change, detail) => {
    const accountId = await createTestAccount();
    await changeAccount(env, { accountId, change, actor, now: 7 });
    const [entry] = await listAudit(env.DB, { accountId, limit: 1, before: null });
    expect(entry).toEqual({ id: expect.any(Number), actor, action: "account.change", accountId, detail, at: 7 });
  });

  it("of the plans' limits applies to accounts without an own limit", async () => {
    const bindings = { ...env, PLAN_LIMITS: '{"pro": {"concurrent_jobs": 7, "rate_per_minute": 8}}' } as unknown as Env;
    const input = { name: "A", plan: "pro" as Plan, ratePerMinute: null, monthlyCredits: 10, actor, now: 7 };
    const { id } = await createAccount(bindings, input);
    expect(await settingsOf(id)).toMatchObject({ jobs: 7 });
    await pushEntries(env, await updateAccount(env.DB, { id, change: {}, dueAt: 7 }));
    expect(await settingsOf(id)).toMatchObject({ jobs: PLAN_LIMITS.pro.concurrentJobs });
  });

  it("creates an account in the given place", async () => {
    const create = async (more: object, bindings: Partial<Env> = {}) => {
      const input = { name: "A", plan: "pro" as Plan, ratePerMinute: 9, monthlyCredits: 10, actor, now: 7, ...more };
      return await createAccount({ ...env, ...bindings } as Env, input);
    };
    const account = await create({ location: "apac" });
    expect(account).toMatchObject({
      ...{ name: "A", plan: "pro", ratePerMinute: 9, monthlyCredits: 10, grantsEnabled: true, createdAt: 7 },
      ...{ object: account.id, location: "apac", jurisdiction: null },
    });
    const [entry] = await listAudit(env.DB, { accountId: account.id, limit: 1, before: null });
    expect(entry).toMatchObject({ actor, action: "account.create", detail: { name: "A", plan: "pro" }, at: 7 });
    expect(await settingsOf(account.id)).toMatchObject({ monthly: 10, jobs: PLAN_LIMITS.pro.concurrentJobs });
    const place = { ACCOUNT_LOCATION: "weur" } as unknown as Partial<Env>;
    expect(await create({}, place)).toMatchObject({ location: "weur" });
    expect(await create({ location: null }, place)).toMatchObject({ location: null });
    await expect(create({ jurisdiction: "eu" })).rejects.toMatchObject({ code: "invalid_request" });
  });

  it("creates a key with all scopes, which works immediately", async () => {
    const accountId = await createTestAccount();
    const secret = await createAccountKey(env, { accountId, mode: "test", name: "Main", actor, now: 7 });
    const key = await env.DB.prepare(
      "SELECT mode, name, scopes, allowed_ips, created_at, last4 FROM api_keys WHERE account_id = ?1",
    )
      .bind(accountId)
      .first<Record<string, string>>();
    expect(key).toMatchObject({
      mode: "test",
      name: "Main",
      allowed_ips: "[]",
      created_at: 7,
      last4: secret.slice(-4),
    });
    expect(JSON.parse(key?.scopes ?? "")).toEqual([...SCOPES]);
    const [entry] = await listAudit(env.DB, { accountId, limit: 1, before: null });
    expect(entry).toMatchObject({ actor, action: "key.create", detail: { mode: "test", name: "Main" }, at: 7 });
  });
});

describe("an adjustment of credits", () => {
  const adjust = (accountId: string, by: number, key?: string, bindings: Env = env) =>
    adjustCredits(bindings, { accountId, by, ...(key === undefined ? {} : { key }), actor, now: 7 });

  it("is audited once for each key, also if its reply was lost", async () => {
    const accountId = await createTestAccount({ credits: 10 });
    const lost = withFailingAccounts((method) => (method === "adjust" ? "after" : null));
    await expect(adjust(accountId, -8, "a", lost)).rejects.toMatchObject({
      ...{ code: "unavailable", headers: { "Retry-After": "60" } },
    });
    // The balance is now lower than the amount of the repeated adjustment.
    await adjust(accountId, -8, "a");
    expect(await creditsOf(accountId)).toMatchObject({ balance: 2 });
    const entries = await listAudit(env.DB, { accountId, limit: 9, before: null });
    expect(entries).toMatchObject([{ actor, action: "credits.adjust", detail: { change: -8, key: "a" }, at: 7 }]);
  });

  it("that is refused isn't audited, and may use the whole balance", async () => {
    const accountId = await createTestAccount({ credits: 10 });
    await expect(adjust(accountId, -11)).rejects.toMatchObject({
      ...{ code: "invalid_request", message: "This change would make the balance negative." },
      details: [{ path: "credits", message: "would make the balance negative" }],
    });
    expect(await listAudit(env.DB, { accountId, limit: 9, before: null })).toEqual([]);
    await adjust(accountId, -10);
    await adjust(accountId, 3);
    await adjust(accountId, 3);
    expect(await creditsOf(accountId)).toMatchObject({ balance: 6 });
  });

  it("of an account whose Durable Object isn't open can't be made", async () => {
    const accountId = await createTestAccount();
    await (await objectOf(accountId)).discard();
    await expect(adjust(accountId, 1)).rejects.toMatchObject({ code: "unavailable", status: 503 });
  });
});

it.each<[Plan, number | null, Partial<Record<keyof Env, string>>, number]>([
  ["free", null, {}, 500],
  ["pro", null, {}, 20_000],
  ["business", null, {}, 100_000],
  ["enterprise", null, {}, 0],
  ["enterprise", 7, {}, 7],
  ["pro", 0, {}, 0],
  ["free", null, { CREDITS_FREE: "1", CREDITS_PRO: "2", CREDITS_BUSINESS: "3" }, 1],
  ["pro", null, { CREDITS_FREE: "1", CREDITS_PRO: "2", CREDITS_BUSINESS: "3" }, 2],
  ["business", null, { CREDITS_FREE: "1", CREDITS_PRO: "2", CREDITS_BUSINESS: "3" }, 3],
])(
  "the plan %s with the account's own number %s and the variables %j has %d monthly credits",
  (plan, own, variables, credits) => {
    expect(toMonthlyCredits(variables as unknown as Env, { plan, monthlyCredits: own })).toBe(credits);
  },
);

describe("the monthly credits of an account with members", () => {
  const withMail = { ...env, ...WITH_EMAIL } as Env;

  it("are enabled immediately if email isn't configured or the address is verified", async () => {
    const cases = [
      [env, false, true],
      [withMail, false, false],
      [withMail, true, true],
    ] as const;
    for (const [bindings, verified, grantsEnabled] of cases) {
      const account = await openAccount(bindings, await newUser(verified), 5);
      expect(account).toMatchObject({ name: "Ada", createdAt: 5, grantsEnabled });
      expect(await getAccount(env.DB, account.id)).toMatchObject({ grantsEnabled });
    }
  });

  it("stay enabled for an unverified member if another member is verified", async () => {
    const owner = await newUser(true);
    const account = await openAccount(withMail, owner, 5);
    const second = await newUser();
    await insertMember(env.DB, { role: "owner", userId: second.id, accountId: account.id, now: 5 });
    expect(await openAccount(withMail, second, 6)).toMatchObject({ id: account.id, grantsEnabled: true, version: 1 });
  });

  it("are disabled by the cron if no member is verified, and enabled again without email", async () => {
    const user = await newUser();
    const account = await openAccount(env, user, 5);
    await updateAllGrants(withMail, 6);
    expect(await mustGetAccount(env.DB, account.id)).toMatchObject({ grantsEnabled: false, version: 2 });
    expect(await settingsOf(account.id)).toMatchObject({ grants: 0 });
    await updateAllGrants(env, 7);
    expect(await settingsOf(account.id)).toMatchObject({ grants: 1, version: 3 });
    expect(await updateGrants(env, 8)).toBe(0);
  });
});
