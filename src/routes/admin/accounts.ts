import { Hono } from "hono";
import { z } from "zod";
import { callAccountOrGone } from "../../account/client";
import { toKeyPeriod } from "../../account/credits/credit-limits";
import { type Finding, search } from "../../account/search";
import { changeAccount, createAccount, createAccountKey } from "../../directory/accounts";
import { adjustCredits, toMonthlyCredits } from "../../directory/credits";
import { OwnPricesSchema } from "../../directory/directory-export";
import { pushEntries, RETRY_MS } from "../../directory/push";
import { createLink } from "../../directory/users";
import { now, toIso } from "../../lib/clock";
import { toOrigin } from "../../lib/env";
import { JURISDICTIONS, LOCATIONS } from "../../model/account";
import { MODES } from "../../model/api-key";
import type { AppEnv } from "../../model/env";
import { AppError } from "../../model/errors";
import { PLANS, toPlanLimits } from "../../model/plan";
import { type ListedAccount, listAccounts } from "../../store/account-summaries";
import { type Account, getAccount, toAccountRef, updateAccount } from "../../store/accounts";
import { listKeys } from "../../store/keys";
import { findUser } from "../../store/users";
import { toKeyRecord } from "../keys";
import { OPERATOR, readAccount, readBody, readNextAccounts, readQuery } from "./input";

const MAX_LIMIT = 500;
const MAX_KEYS = 1_000;

export const accounts = new Hono<AppEnv>();

const count = z.coerce.number().int().min(0);
const limit = z.int().min(1).nullable().optional();
const monthlyCredits = z.int().min(0).nullable().optional();

const ListQuery = z.strictObject({
  search: z.string().default(""),
  limit: count.max(MAX_LIMIT).default(100),
  offset: count.default(0),
});

accounts.get("/accounts", async (c) => {
  const query = readQuery(c, ListQuery);
  const found = await listAccounts(c.env.DB, query);
  const data = found.slice(0, query.limit).map(toListed);
  return c.json({ success: true, data, pagination: { ...query, has_more: found.length > query.limit } });
});

const NewAccountBody = z.strictObject({
  name: z.string().min(1),
  plan: z.enum(PLANS).default("free"),
  rate_per_minute: limit,
  monthly_credits: monthlyCredits,
  location: z.enum(LOCATIONS).nullable().optional(),
  jurisdiction: z.enum(JURISDICTIONS).nullable().optional(),
});

accounts.post("/accounts", async (c) => {
  const body = await readBody(c, NewAccountBody);
  const account = await createAccount(c.env, {
    name: body.name,
    plan: body.plan,
    ratePerMinute: body.rate_per_minute ?? null,
    monthlyCredits: body.monthly_credits ?? null,
    ...(body.location === undefined ? {} : { location: body.location }),
    ...(body.jurisdiction === undefined ? {} : { jurisdiction: body.jurisdiction }),
    actor: OPERATOR,
    now: now(),
  });
  return c.json({ success: true, data: await toDetailed(c.env, account) }, 201);
});

accounts.get("/accounts/:id", async (c) =>
  c.json({ success: true, data: await toDetailed(c.env, await readAccount(c)) }),
);

const ChangeBody = z.strictObject({
  name: z.string().min(1).optional(),
  plan: z.enum(PLANS).optional(),
  rate_per_minute: limit,
  monthly_credits: monthlyCredits,
  concurrent_jobs: limit,
  concurrent_renders: limit,
  charge_free_outcomes: z.boolean().optional(),
  daily_credits: limit,
  prices: OwnPricesSchema.nullable().optional(),
  suspended: z.boolean().optional(),
});

accounts.patch("/accounts/:id", async (c) => {
  const { id } = await readAccount(c);
  const body = await readBody(c, ChangeBody);
  const at = now();
  const change = {
    ...(body.name === undefined ? {} : { name: body.name }),
    ...(body.plan === undefined ? {} : { plan: body.plan }),
    ...(body.rate_per_minute === undefined ? {} : { ratePerMinute: body.rate_per_minute }),
    ...(body.monthly_credits === undefined ? {} : { monthlyCredits: body.monthly_credits }),
    ...(body.concurrent_jobs === undefined ? {} : { concurrentJobs: body.concurrent_jobs }),
    ...(body.concurrent_renders === undefined ? {} : { concurrentRenders: body.concurrent_renders }),
    ...(body.charge_free_outcomes === undefined ? {} : { chargeFreeOutcomes: body.charge_free_outcomes }),
    ...(body.daily_credits === undefined ? {} : { dailyCredits: body.daily_credits }),
    ...(body.prices === undefined ? {} : { prices: body.prices }),
    ...(body.suspended === undefined ? {} : { suspendedAt: body.suspended ? at : null }),
  };
  await changeAccount(c.env, { accountId: id, change, actor: OPERATOR, now: at });
  return c.json({ success: true, data: await toDetailed(c.env, await readAccount(c)) });
});

/** `key` is an idempotency key: a second call with the same key changes nothing. */
const CreditsBody = z.strictObject({ amount: z.int(), key: z.string().min(1).max(200).optional() });

accounts.post("/accounts/:id/credits", async (c) => {
  const account = await readAccount(c);
  const { amount, key } = await readBody(c, CreditsBody);
  const change = { accountId: account.id, by: amount, ...(key === undefined ? {} : { key }) };
  await adjustCredits(c.env, { ...change, actor: OPERATOR, now: now() });
  return c.json({ success: true, data: await toDetailed(c.env, account) });
});

accounts.get("/accounts/:id/keys", async (c) => {
  const account = await readAccount(c);
  const filter = { accountId: account.id, mode: null, now: now(), limit: MAX_KEYS, offset: 0 };
  const { keys } = await listKeys(c.env.DB, filter);
  const reply = await callAccountOrGone(c.env, toAccountRef(account), (stub) => stub.keyCredits());
  // A new account has no object yet.
  const credits = "kind" in reply ? { period: toKeyPeriod(account.createdAt, filter.now), used: {} } : reply;
  return c.json({ success: true, data: keys.map((key) => toKeyRecord(key, credits)) });
});

const KeyBody = z.strictObject({
  mode: z.enum(MODES).default("live"),
  name: z.string().max(100).nullable().default(null),
});

accounts.post("/accounts/:id/keys", async (c) => {
  const { id } = await readAccount(c);
  const key = await createAccountKey(c.env, {
    accountId: id,
    ...(await readBody(c, KeyBody)),
    actor: OPERATOR,
    now: now(),
  });
  return c.json({ success: true, data: { key } }, 201);
});

const LinkBody = z.strictObject({ kind: z.enum(["sign-in", "reset"]), email: z.string(), origin: z.url().optional() });

/** Creates a sign-in link or a password reset link for a user. */
accounts.post("/links", async (c) => {
  const { kind, email, origin = toOrigin(c.env, c.req.url) } = await readBody(c, LinkBody);
  const user = await findUser(c.env.DB, email);
  if (kind === "reset" && user === null) throw new AppError("not_found", `There is no user '${email}'.`);
  const url = await createLink(c.env, {
    link: kind === "reset" ? { kind, userId: user?.id ?? "" } : { kind, email, name: email.split("@")[0] ?? email },
    origin: new URL(origin).origin,
    accountId: user?.account_id ?? null,
    actor: OPERATOR,
    now: now(),
  });
  return c.json({ success: true, data: { url } }, 201);
});

/** Returns an account for the list. Its credits come from the account's last summary and can be 15 minutes old. */
function toListed(account: ListedAccount) {
  return { ...toRecord(account), balance: account.balance, used: account.used };
}

/** Returns the account with the current values from its Durable Object, or with `object_state: "unavailable"`. */
async function toDetailed(env: Env, { id }: Pick<Account, "id">) {
  const account = await getAccount(env.DB, id);
  if (account === null) throw new AppError("not_found", `There is no account '${id}'.`);
  const ref = toAccountRef(account);
  const found = await callAccountOrGone(env, ref, (stub) => stub.inspect()).catch(() => ({
    kind: "unavailable" as const,
  }));
  if (found.kind !== "open") return { ...toRecord(account), object_state: found.kind };
  return {
    ...toRecord(account),
    object_state: found.kind,
    balance: found.balance,
    reserved: found.reserved,
    granted: found.granted,
    used: found.used,
    next_grant_at: toIso(found.nextGrantAt),
    queued: found.queued,
    processing: found.processing,
    storage_bytes: found.storageBytes,
    storage_level: found.storageLevel,
    archived_before: found.archivedBefore,
  };
}

function toRecord(account: Account) {
  return {
    id: account.id,
    tag: account.tag,
    name: account.name,
    plan: account.plan,
    rate_per_minute: account.ratePerMinute,
    monthly_credits: account.monthlyCredits,
    concurrent_jobs: account.concurrentJobs,
    concurrent_renders: account.concurrentRenders,
    charge_free_outcomes: account.chargeFreeOutcomes,
    daily_credits: account.dailyCredits,
    prices: account.prices,
    suspended_at: account.suspendedAt === null ? null : toIso(account.suspendedAt),
    object: account.object,
    jurisdiction: account.jurisdiction,
    location: account.location,
    created_at: toIso(account.createdAt),
  };
}

const FindBody = z.strictObject({ query: z.string().trim().min(1).max(200) });

/** Finds a job, batch, crawl, delivery, request, key, account or address. Keys must not be in the URL. */
accounts.post("/find", async (c) => {
  const { query } = await readBody(c, FindBody);
  return c.json({ success: true, data: toData(await search(c.env, query), query) });
});

function toData(found: Finding, query: string) {
  switch (found.kind) {
    case "records":
      return { kind: found.kind, account: toFoundAccount(found.account), records: found.records };
    case "no_record":
      return {
        kind: found.kind,
        account: toFoundAccount(found.account),
        note: `The account has no job, batch or delivery with this id. If it's a request id, the request created no job. ${toLogHint(query)}`,
      };
    case "no_account":
      return {
        kind: found.kind,
        note: `No account has this id. If it's a request id, the request had no valid API key. ${toLogHint(query)}`,
      };
    case "keys":
      return {
        kind: found.kind,
        keys: found.keys.map(({ account, key: { id, mode, name, prefix, last4 } }) => ({
          id,
          mode,
          name,
          prefix,
          last4,
          account: toFoundAccount(account),
        })),
      };
    case "accounts":
      return { kind: found.kind, accounts: found.accounts.map(toFoundAccount) };
  }
}

function toLogHint(id: string): string {
  return `Search the log for request_id = "${id}".`;
}

function toFoundAccount({ id, tag, name, plan }: Account) {
  return { id, tag, name, plan };
}

/** Returns the limits and the monthly credits of each plan, as the variables set them. */
accounts.get("/plans", (c) => {
  const limits = toPlanLimits(c.env);
  const data = PLANS.map((plan) => ({
    plan,
    rate_per_minute: limits[plan].ratePerMinute,
    active_keys: limits[plan].activeKeys,
    concurrent_jobs: limits[plan].concurrentJobs,
    concurrent_renders: limits[plan].concurrentRenders,
    monthly_credits: plan === "enterprise" ? null : toMonthlyCredits(c.env, { plan, monthlyCredits: null }),
  }));
  return c.json({ success: true, data });
});

/** Applies the plans' current limits and credits to the next accounts. The cron retries those that can't be reached. */
accounts.post("/plans/apply", async (c) => {
  const { accounts, next } = await readNextAccounts(c);
  const dueAt = now() + RETRY_MS;
  for (const { id } of accounts) await pushEntries(c.env, await updateAccount(c.env.DB, { id, change: {}, dueAt }));
  return c.json({ success: true, data: { accounts: accounts.length, next } });
});
