import type { Context } from "hono";
import { toOrigin } from "../../http/origin";
import { hasSharedAddress } from "../../keys/caller-address";
import { hmacHex } from "../../lib/crypto";
import { toText } from "../../lib/env";
import { hasMail } from "../../net/email";
import type { DashboardEnv } from "../ui/env";
import type { Auth, AuthOptions } from "./auth";
import { toGuard } from "./guard";
import { toSender } from "./mail";
import { ADDRESS_HEADER, AUTH_PATH, WAIT_HEADER } from "./protocol";

const MAX_USER_AGENT_CHARS = 300;

/** better-auth for this request. Loaded here and not with the Worker: an API call starts without it. */
export async function openAuth(c: Context<DashboardEnv>, more: Partial<AuthOptions> = {}): Promise<Auth> {
  const { createAuth } = await import("./auth");
  const clientId = toText(c.env.GITHUB_CLIENT_ID);
  const clientSecret = toText(c.env.GITHUB_CLIENT_SECRET);
  const origin = toOrigin(c.env, c.req.url);
  return createAuth({
    db: c.env.DB,
    origin,
    secret: await toSecret(c.env),
    signUp: isSignUpOpen(c.env) ? "open" : "closed",
    github: clientId === null || clientSecret === null ? null : { clientId, clientSecret },
    send: toSender(c.env),
    verifiedOnly: hasMail(c.env),
    sharesAddress: hasSharedAddress(c.env),
    guard: toGuard(c),
    waitUntil: (promise) => c.executionCtx.waitUntil(promise),
    ...more,
  });
}

/** Returns the address that a verification link's token is for. Returns null when the token is forged or has expired. */
export async function readTokenEmail(env: Env, token: string): Promise<string | null> {
  const { verifyJWT } = await import("better-auth/crypto");
  const payload = await verifyJWT(token, await toSecret(env));
  return typeof payload?.email === "string" ? payload.email : null;
}

async function toSecret(env: Env): Promise<string> {
  return await hmacHex(env.SIGNING_SECRET, "dashboard sessions");
}

export function isSignUpOpen(env: Env): boolean {
  return env.SIGNUP.trim().toLowerCase() !== "closed";
}

export function hasGitHub(env: Env): boolean {
  return toText(env.GITHUB_CLIENT_ID) !== null && toText(env.GITHUB_CLIENT_SECRET) !== null;
}

/** What better-auth answered: cookies to be passed on, and what was wrong. */
export interface AuthAnswer {
  response: Response;
  body: Record<string, unknown>;
  /** Null: it went well. */
  problem: { code: string; message: string; retryAfterSeconds: number | null } | null;
}

/**
 * Asks better-auth as its own client would, over its own HTTP interface: only there are attempts counted and origins
 * checked. Its cookies are set on our answer.
 */
export async function askAuth(
  c: Context<DashboardEnv>,
  auth: Auth,
  { method, path, body }: { method: "GET" | "POST"; path: string; body?: Record<string, unknown> },
): Promise<AuthAnswer> {
  const origin = toOrigin(c.env, c.req.url);
  const headers = toHeaders(c, origin);
  if (body !== undefined) headers.set("content-type", "application/json");
  const request = new Request(`${origin}${AUTH_PATH}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return await toAnswer(c, await auth.handler(request));
}

/** Gives a password to a user who has none yet: something that better-auth does for servers alone, not over HTTP. */
export async function setPassword(c: Context<DashboardEnv>, auth: Auth, newPassword: string): Promise<AuthAnswer> {
  const headers = toHeaders(c, toOrigin(c.env, c.req.url));
  return await toAnswer(c, await auth.api.setPassword({ body: { newPassword }, headers, asResponse: true }));
}

function toHeaders(c: Context<DashboardEnv>, origin: string): Headers {
  // It's kept with the session: enough of it to know the device by.
  const userAgent = (c.req.header("user-agent") ?? "").slice(0, MAX_USER_AGENT_CHARS);
  const headers = new Headers({ origin, "user-agent": userAgent });
  const cookie = c.req.header("cookie");
  if (cookie !== undefined) headers.set("cookie", cookie);
  const address = c.var.address;
  if (address !== null) headers.set(ADDRESS_HEADER, address);
  return headers;
}

async function toAnswer(c: Context<DashboardEnv>, response: Response): Promise<AuthAnswer> {
  // An accident, not an answer: nobody is told that the password was wrong when the database couldn't be asked.
  if (response.status >= 500) throw new Error(`better-auth answered with status ${response.status}.`);
  for (const value of response.headers.getSetCookie()) c.header("set-cookie", value, { append: true });
  const answer = (await response.json().catch(() => ({}))) as Record<string, unknown> | null;
  return { response, body: answer ?? {}, problem: toProblem(response, answer ?? {}) };
}

function toProblem(response: Response, body: Record<string, unknown>): AuthAnswer["problem"] {
  if (response.status < 400) return null;
  const code = response.status === 429 ? "RATE_LIMITED" : String(body.code ?? response.status);
  const wait = Number(response.headers.get(WAIT_HEADER));
  return { code, message: String(body.message ?? "That did not work."), retryAfterSeconds: wait > 0 ? wait : null };
}
