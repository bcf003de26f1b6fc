import { env, exports } from "cloudflare:workers";
import { expect, inject } from "vitest";
import type { AccountStub } from "../../src/account/client";
import type { RenderRequest } from "../../src/browser/protocol";
import { pushEntries } from "../../src/directory/push";
import { newSecret, toLabel } from "../../src/keys/secret";
import { sha256Hex } from "../../src/lib/crypto";
import { newId, newTag } from "../../src/lib/id";
import { lazy } from "../../src/lib/lazy";
import type { AccountRef } from "../../src/model/account";
import { type Mode, SCOPES, type Scope } from "../../src/model/api-key";
import { AppError, type ErrorCode } from "../../src/model/errors";
import type { Plan } from "../../src/model/plan";
import { insertAccount, mustGetAccount, toAccountRef } from "../../src/store/accounts";
import { accountStub } from "../../src/store/namespaces";
import { getAccountEntry } from "../../src/store/outbox";
import { Contract, expectNoProblems } from "./contract";
import { ORIGIN } from "./origin";
import { countUnfinished } from "./unfinished";
import "./provided";

export { ORIGIN };

export const site = inject("site");
export const forbidden = inject("forbidden");

/** Returns a URL of the test site that no other test uses. `behavior` selects the site's response. */
export function page(behavior: string): string {
  return `${site}/${crypto.randomUUID()}/${behavior}`;
}

/**
 * Queries or controls the test site. `hits` returns the number of requests to `url`. `arrivals` returns the requests
 * that reached the forbidden host. `release` ends the delayed responses of `url`.
 */
export async function querySite<T>(action: "hits" | "arrivals" | "release" | "recorded", url?: string): Promise<T> {
  const query = url === undefined ? "" : `?path=${encodeURIComponent(new URL(url).pathname)}`;
  const response = await fetch(`${site}/__${action}${query}`);
  return await response.json<T>();
}

/** Returns a request to a BrowserHost, with defaults for tests. */
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
    visibility: false,
    visit: null,
    ...more,
  };
}

export interface Client {
  accountId: string;
  keyId: string;
  secret: string;
  call: (method: string, path: string, body?: unknown, init?: RequestInit) => Promise<Response>;
  /** Sends a scrape and returns the response of the ended job. */
  scrape: (body: Record<string, unknown>) => Promise<Response>;
}

/**
 * Creates an account and its Durable Object, and returns its id. By default, it has 100,000 credits and a high rate
 * limit.
 */
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

/** Opens the Durable Object of an account that a test inserted into D1. */
export async function openObject(accountId: string): Promise<void> {
  const entry = await getAccountEntry(env.DB, accountId);
  if (entry !== null) await pushEntries(env, [entry]);
}

/** Reads an account's credits from its Durable Object. */
export async function creditsOf(accountId: string): Promise<{ balance: number; granted: number; used: number }> {
  const usage = await (await objectOf(accountId)).usage({ mode: "live", since: new Date().toISOString().slice(0, 10) });
  if ("kind" in usage) throw new Error(`The object of the account ${accountId} isn't open.`);
  return { balance: usage.balance, granted: usage.period.granted, used: usage.period.used };
}

/** Returns the account's reference, which identifies its Durable Object. */
export async function refOf(accountId: string): Promise<AccountRef> {
  return toAccountRef(await mustGetAccount(env.DB, accountId));
}

/** Returns a stub of the account's Durable Object. */
export async function objectOf(accountId: string): Promise<AccountStub> {
  return accountStub(env, await refOf(accountId)) as unknown as AccountStub;
}

/** Creates an API key. Without `accountId`, it also creates an account. */
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
  return { accountId: account, keyId, secret, call, scrape: (body) => scrapeUntilEnded(call, body) };
}

/**
 * Sends a synchronous scrape. On a slow machine, the job can need more time than the service waits for, and the response
 * is a 202. In that case, waits until the job has ended, and returns the response of a job that ended in time.
 */
async function scrapeUntilEnded(call: Client["call"], body: Record<string, unknown>): Promise<Response> {
  const response = await call("POST", "/v1/scrape?wait=true", body);
  if (response.status !== 202) return response;
  const { job_id } = await read(response);
  const { status, result: data, error, meta } = await readEnded({ call }, `/v1/jobs/${job_id}`);
  if (status === "completed") return Response.json({ success: true, data, meta, job_id });
  const failure = new AppError(error.code as ErrorCode, error.message);
  const refused = { success: false, error: { ...error, retryable: failure.retryable }, job_id };
  return Response.json(refused, { status: failure.status });
}

/** Waits until the job, batch or crawl at this path has ended, and returns it. */
export async function readEnded({ call }: Pick<Client, "call">, path: string): ReturnType<typeof read> {
  for (;;) {
    const body = await read(await call("GET", `${path}?wait=20`));
    if (!body.success || body.completed_at !== undefined) return body;
  }
}

/**
 * Sends a request to the Worker. Checks the request and the response against the OpenAPI document. By default, each
 * request comes from a new IP address, because the Worker counts failures by address.
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

/** Returns the OpenAPI document of this test file's Worker. Loads it only once. */
export const readContract = lazy(async () => {
  const response = await exports.default.fetch(new Request(`${ORIGIN}/openapi.json`));
  return new Contract(await response.json());
});

/** Returns a random IPv6 address in a /64 that no other test uses. */
export function randomAddress(): string {
  const hextet = () => Math.floor(Math.random() * 0xffff).toString(16);
  return `2001:db8:${hextet()}:${hextet()}::1`;
}

export interface ResponseBody {
  success: boolean;
  data: Record<string, string>;
  meta: Record<string, number>;
  job_id: string;
  status: string;
  error: {
    code: string;
    message: string;
    retryable: boolean;
    details?: { path: string; message: string }[];
    hint?: string;
    doc_url?: string;
    request_id?: string;
  };
}

export async function read(response: Response): Promise<ResponseBody & Record<string, unknown>> {
  return await response.json();
}

/** Waits until all jobs of all accounts have ended. */
export async function waitForAllJobs(): Promise<void> {
  await expect.poll(countUnfinished).toBe(0);
}
