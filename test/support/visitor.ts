import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { onTestFinished } from "vitest";
import { app } from "../../src/app";
import { changeAccount } from "../../src/directory/accounts";
import { createLink } from "../../src/directory/users";
import type { Role } from "../../src/model/role";
import { insertMember } from "../../src/store/memberships";
import { type Client, createClient, ORIGIN, randomAddress } from "./client";

/** The variable that enables email. The test bindings already have all other variables for email. */
export const WITH_EMAIL = { PUBLIC_URL: ORIGIN };

/**
 * A browser without JavaScript. It keeps cookies and sends an Origin header with forms, but doesn't follow redirects.
 */
export class Visitor {
  readonly cookies = new Map<string, string>();
  /** A unique IP address, because the service counts sign-in attempts by address. */
  address = randomAddress();
  /** The properties that Cloudflare adds to each request. */
  cf: { country?: string; continent?: string } = {};
  readonly #bindings: Partial<Env>;

  /** `bindings` override the Worker's test bindings. */
  constructor(bindings: Partial<Env> = {}) {
    this.#bindings = bindings;
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return await this.#send(path, { method: "GET", headers });
  }

  async post(
    path: string,
    fields: Record<string, string | string[]> | FormData = {},
    headers: Record<string, string> = {},
  ): Promise<Response> {
    if (fields instanceof FormData)
      return await this.#send(path, { method: "POST", body: fields, headers: { origin: ORIGIN, ...headers } });
    const body = new URLSearchParams();
    for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) body.append(name, one);
    return await this.#send(path, { method: "POST", body, headers: { origin: ORIGIN, ...headers } });
  }

  /** Returns the HTML of a page. Throws if the status isn't 200. */
  async read(path: string): Promise<string> {
    const response = await this.get(path);
    if (response.status !== 200) throw new Error(`${path} returned status ${response.status}.`);
    return await response.text();
  }

  /** Returns true if the overview opens, which requires a session. */
  async isSignedIn(): Promise<boolean> {
    return (await this.get("/dashboard")).status === 200;
  }

  async #send(
    path: string,
    { headers, ...init }: { method: string; body?: URLSearchParams | FormData; headers: Record<string, string> },
  ) {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const request = new Request(`${ORIGIN}${path}`, {
      ...init,
      redirect: "manual",
      cf: this.cf,
      headers: { "cf-connecting-ip": this.address, ...(cookie === "" ? {} : { cookie }), ...headers },
    });
    const response = await this.#fetch(request);
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      const at = pair.indexOf("=");
      if (/max-age=0/i.test(line)) this.cookies.delete(pair.slice(0, at));
      else this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return response;
  }

  async #fetch(request: Request): Promise<Response> {
    if (Object.keys(this.#bindings).length === 0) return await exports.default.fetch(request);
    const ctx = createExecutionContext();
    const response = await app.fetch(request, { ...env, ...this.#bindings }, ctx);
    await waitOnExecutionContext(ctx);
    return response;
  }
}

/** Signs in with an operator's link, which verifies the address. `email` must be in ADMIN_EMAILS. */
export async function signInAsAdmin(email: string): Promise<Visitor> {
  const link = { kind: "sign-in" as const, email, name: email };
  const url = await createLink(env, { link, origin: ORIGIN, accountId: null, actor: "operator", now: Date.now() });
  const visitor = new Visitor();
  const response = await visitor.post("/dashboard/link", { token: new URL(url).searchParams.get("token") ?? "" });
  if (response.status >= 400) throw new Error(`The sign-in returned status ${response.status}.`);
  return visitor;
}

export interface SignedUp {
  visitor: Visitor;
  email: string;
  password: string;
}

/** Signs up a new user, who is then signed in. Throws if the sign-up fails. */
export async function signUp(
  email = `${crypto.randomUUID()}@example.com`,
  bindings: Partial<Env> = {},
): Promise<SignedUp> {
  const visitor = new Visitor(bindings);
  const password = `a good password ${crypto.randomUUID()}`;
  const response = await visitor.post("/dashboard/sign-up", { email, password });
  if (response.status !== 303)
    throw new Error(`The sign-up returned status ${response.status}: ${await response.text()}`);
  return { visitor, email, password };
}

/** Returns an address of a range for tests (RFC 2544). The service stores it unchanged, unlike an IPv6 address. */
export function randomIpv4(): string {
  return `198.18.${crypto.getRandomValues(new Uint8Array(2)).join(".")}`;
}

/**
 * Changes the count of the visitor's attempts at a path of better-auth until the test ends. The visitor needs an IPv4
 * address and one real attempt.
 */
export async function countAttempts(
  { address }: Visitor,
  { path, count, secondsAgo }: { path: string; count: number; secondsAgo: number },
): Promise<void> {
  const key = `${address}|${path}`;
  onTestFinished(async () => {
    await env.DB.prepare("DELETE FROM sign_in_attempts WHERE key = ?1").bind(key).run();
  });
  const sql = "UPDATE sign_in_attempts SET count = ?2, last_request = ?3 WHERE key = ?1";
  await env.DB.prepare(sql)
    .bind(key, count, Date.now() - secondsAgo * 1_000)
    .run();
}

/** Signs up a user before email is enabled. The session stays valid afterwards. */
export async function signUpBeforeEmail(): Promise<SignedUp> {
  const { visitor: before, ...user } = await signUp();
  const visitor = new Visitor(WITH_EMAIL);
  visitor.address = before.address;
  for (const [name, value] of before.cookies) visitor.cookies.set(name, value);
  return { visitor, ...user };
}

/** Signs up a user while email is enabled. The user has no session until the address is verified. */
export async function signUpByEmail(email = `${crypto.randomUUID()}@example.com`): Promise<SignedUp> {
  const visitor = new Visitor(WITH_EMAIL);
  const password = `a good password ${crypto.randomUUID()}`;
  const response = await visitor.post("/dashboard/sign-up", { email, password });
  if (response.status !== 200) throw new Error(`The sign-up returned status ${response.status}.`);
  return { visitor, email, password };
}

/**
 * Returns a response without the parts that always differ: the request id, the date, the length, the nonce and the email
 * address.
 */
export async function toComparable(response: Response, email: string) {
  const [, nonce = ""] = /'nonce-([^']+)'/.exec(response.headers.get("content-security-policy") ?? "") ?? [];
  const withoutNonce = (value: string) => (nonce === "" ? value : value.replaceAll(nonce, "<the nonce>"));
  const text = withoutNonce(await response.text()).replaceAll(email, "<the address>");
  const headers = [...response.headers]
    .filter(([name]) => !["x-request-id", "date", "content-length"].includes(name))
    .map(([name, value]) => [name, withoutNonce(value)]);
  return { status: response.status, text, headers, cookies: response.headers.getSetCookie() };
}

/** Signs up a user in test mode, with a test key of the same account. */
export async function signUpWithTestKey(): Promise<SignedUp & { client: Client }> {
  const user = await signUp();
  await user.visitor.post("/dashboard/mode", { mode: "test" });
  return { ...user, client: await createClient({ accountId: await accountIdOf(user), mode: "test" }) };
}

/** Returns the id of the user's account. The first page that the user opens creates the account. */
export async function accountIdOf({ visitor, email }: Pick<SignedUp, "visitor" | "email">): Promise<string> {
  await visitor.read("/dashboard");
  const accountId = await env.DB.prepare(
    "SELECT account_id FROM memberships JOIN users ON users.id = memberships.user_id WHERE email = ?1",
  )
    .bind(email)
    .first<string>("account_id");
  if (accountId === null) throw new Error(`${email} has no account.`);
  return accountId;
}

export async function userIdOf(email: string): Promise<string> {
  const id = await env.DB.prepare("SELECT id FROM users WHERE email = ?1").bind(email).first<string>("id");
  if (id === null) throw new Error(`There is no user ${email}.`);
  return id;
}

/** Suspends the user's account as an operator. */
export async function suspend(user: SignedUp): Promise<void> {
  const accountId = await accountIdOf(user);
  const now = Date.now();
  await changeAccount(env, { accountId, change: { suspendedAt: now }, actor: "operator", now });
}

/** Signs up another user, adds the user to an account, and selects this account in the user's browser. */
export async function addMember(accountId: string, role: Role): Promise<SignedUp> {
  const user = await signUp();
  await user.visitor.read("/dashboard");
  const member = { userId: await userIdOf(user.email), accountId, role, now: Date.now() };
  await insertMember(env.DB, member);
  const switched = await user.visitor.post("/dashboard/account/switch", { account: accountId });
  if (switched.status !== 303) throw new Error(`The switch returned status ${switched.status}.`);
  return user;
}
