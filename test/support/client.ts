import { env, exports } from "cloudflare:workers";
import { inject } from "vitest";
import { type Mode, SCOPES, type Scope, toLabel, toSecret } from "../../src/keys/api-key";
import { sha256Hex } from "../../src/lib/crypto";
import "./provided";

export const ORIGIN = "https://api.extraction.example";
export const site = inject("site");
export const forbidden = inject("forbidden");

/** An address of the test site that no other test uses: `behaviour` says what it does. */
export function page(behaviour: string): string {
  return `${site}/${crypto.randomUUID()}/${behaviour}`;
}

/** What the site has to say: how often a path was asked, what arrived where nothing may, how many browsers run. */
export async function ask<T>(
  question: "hits" | "arrivals" | "browsers" | "kill-browsers" | "release",
  url?: string,
): Promise<T> {
  const query = url === undefined ? "" : `?path=${encodeURIComponent(new URL(url).pathname)}`;
  const response = await fetch(`${site}/__${question}${query}`);
  return await response.json<T>();
}

export interface Client {
  accountId: string;
  secret: string;
  call: (method: string, path: string, body?: unknown, init?: RequestInit) => Promise<Response>;
  /** A scrape that waits for its result. */
  scrape: (body: Record<string, unknown>) => Promise<Response>;
}

export async function createAccount(): Promise<string> {
  const id = crypto.randomUUID();
  await env.DB.prepare("INSERT INTO accounts (id, name, created_at) VALUES (?1, 'Test', 0)").bind(id).run();
  return id;
}

/** A key of its own, on an account of its own unless one is given. */
export async function createClient({
  accountId,
  mode = "live",
  scopes = [...SCOPES],
  revoked = false,
}: {
  accountId?: string;
  mode?: Mode;
  scopes?: Scope[];
  revoked?: boolean;
} = {}): Promise<Client> {
  const account = accountId ?? (await createAccount());
  const secret = toSecret(mode, crypto.getRandomValues(new Uint8Array(64)));
  if (secret === null) return createClient({ accountId: account, mode, scopes, revoked });
  const { prefix, last4 } = toLabel(secret);
  await env.DB.prepare(
    `INSERT INTO api_keys (id, account_id, hash, mode, prefix, last4, scopes, created_at, revoked_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 0, ?8)`,
  )
    .bind(
      crypto.randomUUID(),
      account,
      await sha256Hex(secret),
      mode,
      prefix,
      last4,
      JSON.stringify(scopes),
      revoked ? 1 : null,
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
  return { accountId: account, secret, call, scrape: (body) => call("POST", "/v1/scrape?wait=true", body) };
}

/** A request to the Worker itself. */
export function request(path: string, init?: RequestInit): Promise<Response> {
  return exports.default.fetch(new Request(`${ORIGIN}${path}`, init));
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
