import { env, exports } from "cloudflare:workers";
import { expect, inject } from "vitest";
import type { AccountStub } from "../../src/account/client";
import type { RenderRequest } from "../../src/browser/protocol";
import { pushEntries } from "../../src/directory/push";
import { sha256Hex } from "../../src/lib/crypto";
import { newId, newTag } from "../../src/lib/id";
import { lazy } from "../../src/lib/lazy";
import type { AccountRef } from "../../src/model/account";
import { type Mode, newSecret, SCOPES, type Scope, toLabel } from "../../src/model/api-key";
import type { Plan } from "../../src/model/plan";
import { accountStub } from "../../src/store/account-stub";
import { insertAccount, mustGetAccount, toAccountRef } from "../../src/store/accounts";
import { getAccountEntry } from "../../src/store/outbox";
import { Contract, expectNoProblems } from "./contract";
import { countUnfinished } from "./unfinished";
import "./provided";

export const ORIGIN = "https://api.extraction.example";
export const site = inject("site");
export const forbidden = inject("forbidden");

/** An address of the test site that no other test uses: `behaviour` says what it does. */
export function page(behaviour: string): string {
  return `${site}/${crypto.randomUUID()}/${behaviour}`;
}

/** What the site has to say: how often a path was asked, what ever arrived where nothing may. */
export async function querySite<T>(question: "hits" | "arrivals" | "release", url?: string): Promise<T> {
  const query = url === undefined ? "" : `?path=${encodeURIComponent(new URL(url).pathname)}`;
  const response = await fetch(`${site}/__${question}${query}`);
  return await response.json<T>();
}

/** What a browser host is asked. */
export function newRenderRequest(url: string, more: Partial<RenderRequest> = {}): RenderRequest {
  return {
    id: crypto.randomUUID(),
    account: "test",
    maxRenders: 100,
    url,
    waitFor: null,
    screenshot: false,
    maxHtmlBytes: 1_000_000,
    allowedPrivateHosts: [site, inject("hostile")].map((origin) => new URL(origin).host).join(),
    ownOrigins: [],
    proxy: null,
    visit: null,
    ...more,
  };
}

export interface Client {
  accountId: string;
  keyId: string;
  secret: string;
  call: (method: string, path: string, body?: unknown, init?: RequestInit) => Promise<Response>;
  /** A scrape that waits for its result. */
  scrape: (body: Record<string, unknown>) => Promise<Response>;
}

/** An account of its own, rich and hardly limited unless the test says otherwise. Its object is open. Returns its id. */
export async function createAccount({
  credits = 100_000,
  plan = "enterprise",
  ratePerMinute = 100_000,
}: {
  credits?: number;
  plan?: Plan;
  ratePerMinute?: number | null;
} = {}): Promise<string> {
  const id = newId();
  await insertAccount(env.DB, {
    ...{ id, tag: newTag(), object: id, jurisdiction: null, location: null, name: "Test", plan, ratePerMinute },
    ...{ monthlyCredits: credits, grantsEnabled: true, createdAt: Date.now() },
  });
  await openObject(id);
  return id;
}

/** Opens the object of an account whose row a test has inserted. */
export async function openObject(accountId: string): Promise<void> {
  const entry = await getAccountEntry(env.DB, accountId);
  if (entry !== null) await pushEntries(env, [entry]);
}

/** An account's credits, as its object has them. */
export async function creditsOf(accountId: string): Promise<{ balance: number; granted: number; used: number }> {
  const usage = await (await objectOf(accountId)).usage({ mode: "live", since: new Date().toISOString().slice(0, 10) });
  if (usage.kind === "gone") throw new Error(`The object of the account ${accountId} isn't open.`);
  return { balance: usage.balance, granted: usage.period.granted, used: usage.period.used };
}

/** How the object of an account is reached. */
export async function refOf(accountId: string): Promise<AccountRef> {
  return toAccountRef(await mustGetAccount(env.DB, accountId));
}

/** The methods of an account's object. */
export async function objectOf(accountId: string): Promise<AccountStub> {
  return accountStub(env, await refOf(accountId)) as unknown as AccountStub;
}

/** A key of its own, on an account of its own unless one is given. */
export async function createClient({
  accountId,
  mode = "live",
  scopes = [...SCOPES],
  revoked = false,
  allowedIps = [],
}: {
  accountId?: string;
  mode?: Mode;
  scopes?: Scope[];
  revoked?: boolean;
  allowedIps?: string[];
} = {}): Promise<Client> {
  const account = accountId ?? (await createAccount());
  const secret = newSecret(mode);
  const keyId = newId();
  const { prefix, last4 } = toLabel(secret);
  await env.DB.prepare(
    `INSERT INTO api_keys (id, account_id, hash, mode, prefix, last4, scopes, created_at, revoked_at, allowed_ips)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 0, ?8, ?9)`,
  )
    .bind(
      keyId,
      account,
      await sha256Hex(secret),
      mode,
      prefix,
      last4,
      JSON.stringify(scopes),
      revoked ? Date.now() : null,
      JSON.stringify(allowedIps),
    )
    .run();
  const call: Client["call"] = (method, path, body, init = {}) =>
    request(path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...init,
      headers: {
        authorization: `Bearer ${secret}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...init.headers,
      },
    });
  return { accountId: account, keyId, secret, call, scrape: (body) => call("POST", "/v1/scrape?wait=true", body) };
}

/**
 * A request to the Worker itself, from an address of its own unless one is given: failures are counted by address. What
 * comes back is held against the OpenAPI document.
 */
export async function request(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  if (!headers.has("cf-connecting-ip")) headers.set("cf-connecting-ip", randomAddress());
  const response = await exports.default.fetch(new Request(`${ORIGIN}${path}`, { ...init, headers }));
  const body = typeof init.body === "string" ? init.body : undefined;
  const sent = { method: init.method ?? "GET", path, body };
  const contract = await readContract();
  expectNoProblems(sent, response, await contract.problemsOf(sent, response.clone() as Response));
  return response;
}

/** The document is read once a file, of the Worker that the file tests. */
export const readContract = lazy(async () => {
  const response = await exports.default.fetch(new Request(`${ORIGIN}/openapi.json`));
  return new Contract(await response.json());
});

/** An address that no other test's caller has. */
export function randomAddress(): string {
  const hextet = () => Math.floor(Math.random() * 0xffff).toString(16);
  return `2001:db8:${hextet()}:${hextet()}::1`;
}

export interface Answer {
  success: boolean;
  data: Record<string, string>;
  meta: Record<string, number>;
  job_id: string;
  status: string;
  error: { code: string; message: string; retryable: boolean; details?: { path: string; message: string }[] };
}

export async function read(response: Response): Promise<Answer & Record<string, unknown>> {
  return await response.json();
}

/** Waits until no job of any account is under way. */
export async function waitForAllJobs(): Promise<void> {
  await expect.poll(countUnfinished, { timeout: 20_000 }).toBe(0);
}
