import { z } from "zod";
import { readAuthSecrets } from "../../directory/auth-secrets";
import { hasSharedAddress } from "../../keys/errors";
import { toOrigin, toText } from "../../lib/env";
import { lazyModule } from "../../lib/lazy";
import { MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS } from "../../model/limits";
import { isSignUpOpen } from "../../model/operator";
import { canSendEmail } from "../../net/email";
import { rateLimiter } from "../../store/namespaces";
import { type DashboardContext, requireSignedIn } from "../ui/env";
import { FormErrors } from "../ui/form";
import type { Auth, AuthOptions } from "./better-auth";
import { ADDRESS_HEADER, AUTH_PATH, RETRY_AFTER_HEADER } from "./constants";
import { createEmailSender } from "./emails";
import { createSignInLimiter } from "./sign-in-limiter";

const loadBetterAuth = lazyModule(() => import("./better-auth"));
const loadCrypto = lazyModule(() => import("better-auth/crypto"));

const MAX_USER_AGENT_CHARS = 300;
/** The maximum number of wrong passwords per minute that one signed-in user can enter. */
const PASSWORDS_PER_MINUTE = 10;
const RATE_LIMITED = { code: "RATE_LIMITED", message: "", retryAfterSeconds: 60 };

/** Returns better-auth, configured for this request. Imports it on the first use, so that API requests start faster. */
async function openAuth(c: DashboardContext, more: Partial<AuthOptions> = {}): Promise<Auth> {
  const { createAuth } = await loadBetterAuth();
  const clientId = toText(c.env.GITHUB_CLIENT_ID);
  const clientSecret = toText(c.env.GITHUB_CLIENT_SECRET);
  const origin = toOrigin(c.env, c.req.url);
  return createAuth({
    db: c.env.DB,
    origin,
    secrets: await readAuthSecrets(c.env),
    signUp: isSignUpOpen(c.env) ? "open" : "closed",
    github: clientId === null || clientSecret === null ? null : { clientId, clientSecret },
    send: createEmailSender(c.env),
    verifiedOnly: canSendEmail(c.env),
    sharesAddress: hasSharedAddress(c.env),
    invitation: null,
    limiter: createSignInLimiter(c),
    waitUntil: (promise) => c.executionCtx.waitUntil(promise),
    ...more,
  });
}

interface VerificationToken {
  /** The user's current email address. */
  email: string;
  /** The address that replaces it, or null if the link verifies the current address. */
  newEmail: string | null;
}

const TokenPayload = z.union([
  z.object({ email: z.string(), updateTo: z.string(), requestType: z.literal("change-email-verification") }),
  z.object({ email: z.string(), updateTo: z.undefined().optional() }),
]);

/** Returns the contents of a verification link's token, or null if the token is forged or has expired. */
export async function readVerificationToken(env: Env, token: string): Promise<VerificationToken | null> {
  const { verifyJWT } = await loadCrypto();
  for (const { value } of await readAuthSecrets(env)) {
    const payload = TokenPayload.safeParse(await verifyJWT(token, value)).data;
    if (payload !== undefined) return { email: payload.email, newEmail: payload.updateTo ?? null };
  }
  return null;
}

export function hasGitHub(env: Env): boolean {
  return toText(env.GITHUB_CLIENT_ID) !== null && toText(env.GITHUB_CLIENT_SECRET) !== null;
}

export interface AuthResult {
  response: Response;
  body: Record<string, unknown>;
  /** Null if the call succeeded. */
  error: { code: string; message: string; retryAfterSeconds: number | null } | null;
}

/**
 * Calls better-auth's HTTP handler, because only the handler counts attempts and checks origins. Sends a POST request
 * if there is a body, otherwise a GET request. Copies the cookies of its response to our response.
 */
export async function callAuth(
  c: DashboardContext,
  path: string,
  body?: Record<string, unknown>,
  options?: Partial<AuthOptions>,
): Promise<AuthResult> {
  const auth = await openAuth(c, options);
  const headers = toHeaders(c);
  const url = `${toOrigin(c.env, c.req.url)}${AUTH_PATH}${path}`;
  if (body === undefined) return await toResult(c, await auth.handler(new Request(url, { headers })));
  headers.set("content-type", "application/json");
  const request = new Request(url, { method: "POST", headers, body: JSON.stringify(body) });
  return await toResult(c, await auth.handler(request));
}

/** Sets the first password of a user. better-auth has a function for it, but no HTTP path. */
export async function setPassword(c: DashboardContext, newPassword: string): Promise<AuthResult> {
  const { api } = await openAuth(c);
  const response = await api.setPassword({ body: { newPassword }, headers: toHeaders(c), asResponse: true });
  return await toResult(c, response);
}

/**
 * Checks the password of the signed-in user, before an action that a stolen session must not suffice for. Counts the
 * attempts of each user. Returns the form's errors, or null if the password is right.
 */
export async function checkPassword(c: DashboardContext, password: string): Promise<FormErrors | null> {
  const user = requireSignedIn(c);
  const limiter = rateLimiter(c.env, `password:${user.id}`);
  const { allowed } = await limiter.consume(PASSWORDS_PER_MINUTE);
  const error = allowed ? await verifyPassword(c, password) : RATE_LIMITED;
  if (error === null) {
    await limiter.refund();
    return null;
  }
  const errors = refuseAuth(c, error);
  if (error.code === "RATE_LIMITED") return errors;
  return FormErrors.ofField("current", errors.message ?? "");
}

/** Returns the session of the request's cookie, or null. Copies a renewed or deleted cookie to our response. */
export async function getSession(c: DashboardContext) {
  const { api } = await openAuth(c);
  const { response, headers } = await api.getSession({ headers: toHeaders(c), returnHeaders: true });
  copyCookies(c, headers);
  return response;
}

/** Returns the active sessions of the signed-in user. Their tokens are secrets and must not be sent to the browser. */
export async function listSessions(c: DashboardContext) {
  const { api } = await openAuth(c);
  return await api.listSessions({ headers: toHeaders(c) });
}

/** Returns the signed-in user's sign-in methods: `credential` for a password, otherwise the provider's name. */
export async function listSignInMethods(c: DashboardContext): Promise<string[]> {
  const { api } = await openAuth(c);
  return (await api.listUserAccounts({ headers: toHeaders(c) })).map(({ providerId }) => providerId);
}

/** Returns true if the signed-in user has a password. Users of GitHub and of sign-in links may have none. */
export async function hasPassword(c: DashboardContext): Promise<boolean> {
  return (await listSignInMethods(c)).includes("credential");
}

/** Returns the backup codes of a user who has just turned on two-factor sign-in. */
export async function viewBackupCodes(c: DashboardContext, userId: string): Promise<string[]> {
  const { api } = await openAuth(c);
  return (await api.viewBackupCodes({ body: { userId } })).backupCodes;
}

/** Calls the function of better-auth, because it has no HTTP path for checking a password. */
async function verifyPassword(c: DashboardContext, password: string): Promise<AuthResult["error"]> {
  const { api } = await openAuth(c);
  const response = await api.verifyPassword({ body: { password }, headers: toHeaders(c), asResponse: true });
  return (await toResult(c, response)).error;
}

function toHeaders(c: DashboardContext): Headers {
  // better-auth stores the User-Agent with the session. Its beginning is enough to recognize the device.
  const userAgent = (c.req.header("user-agent") ?? "").slice(0, MAX_USER_AGENT_CHARS);
  const headers = new Headers({ origin: toOrigin(c.env, c.req.url), "user-agent": userAgent });
  const cookie = c.req.header("cookie");
  if (cookie !== undefined) headers.set("cookie", cookie);
  const address = c.var.address;
  if (address !== null) headers.set(ADDRESS_HEADER, address);
  return headers;
}

async function toResult(c: DashboardContext, response: Response): Promise<AuthResult> {
  // Throws for 5xx. Otherwise, the form would say that the password is wrong when the database has failed.
  if (response.status >= 500) throw new Error(`better-auth responded with status ${response.status}.`);
  copyCookies(c, response.headers);
  const json = (await response.json().catch(() => ({}))) as Record<string, unknown> | null;
  const body = json ?? {};
  return { response, body, error: toAuthError(response, body) };
}

function copyCookies(c: DashboardContext, headers: Headers): void {
  for (const value of headers.getSetCookie()) c.header("set-cookie", value, { append: true });
}

function toAuthError(response: Response, body: Record<string, unknown>): AuthResult["error"] {
  if (response.status < 400) return null;
  const code = response.status === 429 ? "RATE_LIMITED" : String(body.code ?? response.status);
  const wait = Number(response.headers.get(RETRY_AFTER_HEADER));
  return {
    code,
    message: String(body.message ?? "The request failed. Try again."),
    retryAfterSeconds: wait > 0 ? wait : null,
  };
}

export type AuthError = NonNullable<AuthResult["error"]>;

interface Refusal {
  /** Default: 400. */
  status?: 400 | 401 | 503;
  /** Replaces every message except "Too many attempts". */
  message?: string;
}

/**
 * Returns the form's message for an error of better-auth, and sets the response's status. After too many attempts, the
 * status is 429 with a Retry-After header.
 */
export function refuseAuth(c: DashboardContext, error: AuthError, { status = 400, message }: Refusal = {}): FormErrors {
  if (error.code !== "RATE_LIMITED") {
    c.status(status);
    return new FormErrors(message ?? (MESSAGES[error.code] || `${error.message.replace(/\.$/, "")}.`));
  }
  const wait = error.retryAfterSeconds ?? 60;
  c.status(429);
  c.header("Retry-After", String(wait));
  return new FormErrors(
    `There were too many attempts. Try again in ${wait < 90 ? `${wait} seconds` : `${Math.ceil(wait / 60)} minutes`}.`,
  );
}

/** The messages for better-auth's error codes. */
const MESSAGES: Record<string, string> = {
  USER_ALREADY_EXISTS: "This email address is already registered. Sign in, or reset your password.",
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: "This email address is already registered. Sign in, or reset your password.",
  INVALID_PASSWORD: "That's not your current password.",
  VALIDATION_ERROR: "Please fill in every field.",
  INVALID_EMAIL: "This is not a valid email address. Please check it.",
  PASSWORD_TOO_SHORT: `The password is too short. Use at least ${MIN_PASSWORD_CHARS} characters.`,
  PASSWORD_TOO_LONG: `The password is too long. Use at most ${MAX_PASSWORD_CHARS} characters.`,
  INVALID_TOKEN: "This link was already used or has expired. Request a new one.",
  TURNSTILE_FAILED: "We couldn't check that you are human. Wait until the check is complete, and try again.",
  TURNSTILE_UNAVAILABLE: "The check that you are human isn't available right now. Try again in a minute.",
  EMAIL_PASSWORD_SIGN_UP_DISABLED: "Sign-up is closed. Ask the operator of this service for a sign-in link.",
};
