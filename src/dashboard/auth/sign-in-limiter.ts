import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { hasSharedAddress } from "../../keys/errors";
import type { RateDecision } from "../../keys/rate-window";
import { now } from "../../lib/clock";
import { newNonce } from "../../lib/crypto";
import { toOrigin } from "../../lib/env";
import { toCallerNetwork } from "../../lib/ip-ranges";
import { isSigned, sign } from "../../lib/signing";
import { DAY_MS, MAX_EMAIL_CHARS, MINUTE_MS, SECOND_MS } from "../../model/limits";
import { rateLimiter } from "../../store/namespaces";
import type { DashboardEnv } from "../ui/env";

/** The sign-in attempts per minute for one user, of each known browser and each known network. */
const KNOWN_ATTEMPTS_PER_MINUTE = 10;
/** The maximum number of attempts per minute to sign in as one user, for all other callers together. */
const STRANGERS_ATTEMPTS_PER_MINUTE = 30;
const KNOWN_NETWORK_MS = 90 * DAY_MS;

const BROWSER_COOKIE = "extraction.known";
const BROWSER_COOKIE_MS = 365 * DAY_MS;
const BROWSER_ID = /^([0-9a-f]{32})\.([0-9a-f]{64})$/;

export interface SignInLimiter {
  /** Counts an attempt. Returns null if it is allowed, otherwise the seconds to wait. */
  consume: (email: string) => Promise<number | null>;
  /** Subtracts the counted attempt, because the password was right. */
  refund: () => Promise<void>;
  /** Marks the caller's browser and network as known for this user, after a sign-in. */
  remember: (email: string) => Promise<void>;
}

type Limiter = ReturnType<typeof rateLimiter>;

/**
 * Limits attempts to guess one user's password from many IP addresses. Browsers and networks in which the user has
 * signed in before have separate limits, so that strangers can't lock the user out. Unknown email addresses have the
 * same limits.
 */
export function createSignInLimiter(c: Context<DashboardEnv>): SignInLimiter {
  let counted: Limiter | null = null;
  return {
    consume: async (email) => {
      const { limiter, decision } = await count(c, toUserKey(email));
      counted = limiter;
      const { allowed, resetAt } = decision;
      return allowed ? null : Math.max(1, Math.ceil(Math.min(resetAt - now(), MINUTE_MS) / SECOND_MS));
    },
    refund: async () => await counted?.refund(),
    remember: async (email) => {
      await rememberBrowser(c, toUserKey(email));
      // Doesn't mark a shared or unknown IP address as known, because this would make all callers trusted.
      if (c.var.address !== null && !hasSharedAddress(c.env))
        await getNetworkLimiter(c, toUserKey(email)).trust(now() + KNOWN_NETWORK_MS);
    },
  };
}

/** Counts the attempt for the known browser, otherwise for the known network, otherwise for all strangers together. */
async function count(c: Context<DashboardEnv>, user: string): Promise<{ limiter: Limiter; decision: RateDecision }> {
  const browserId = await readKnownBrowser(c, user);
  if (browserId !== null) {
    const limiter = rateLimiter(c.env, `sign-in-browser:${browserId}`);
    return { limiter, decision: await limiter.consume(KNOWN_ATTEMPTS_PER_MINUTE) };
  }
  const network = getNetworkLimiter(c, user);
  const decision = await network.consumeIfTrusted(KNOWN_ATTEMPTS_PER_MINUTE);
  if (decision !== null) return { limiter: network, decision };
  const strangers = rateLimiter(c.env, `sign-in:${user}`);
  return { limiter: strangers, decision: await strangers.consume(STRANGERS_ATTEMPTS_PER_MINUTE) };
}

/** Returns the id of a browser in which this user has signed in before, or null if no valid cookie proves that. */
async function readKnownBrowser(c: Context<DashboardEnv>, user: string): Promise<string | null> {
  const cookie = isSecure(c) ? getCookie(c, BROWSER_COOKIE, "secure") : getCookie(c, BROWSER_COOKIE);
  const [, id = "", signature = ""] = BROWSER_ID.exec(cookie ?? "") ?? [];
  if (id === "") return null;
  return (await isSigned(c.env, toSignedText(id, user), signature)) ? id : null;
}

async function rememberBrowser(c: Context<DashboardEnv>, user: string): Promise<void> {
  const id = (await readKnownBrowser(c, user)) ?? newNonce();
  setCookie(c, BROWSER_COOKIE, `${id}.${await sign(c.env, toSignedText(id, user))}`, {
    path: "/dashboard",
    httpOnly: true,
    sameSite: "Lax",
    maxAge: BROWSER_COOKIE_MS / SECOND_MS,
    ...(isSecure(c) ? { secure: true, prefix: "secure" } : {}),
  });
}

function toSignedText(id: string, user: string): string {
  return `known browser:${id}:${user}`;
}

function isSecure(c: Context<DashboardEnv>): boolean {
  return toOrigin(c.env, c.req.url).startsWith("https:");
}

function getNetworkLimiter(c: Context<DashboardEnv>, user: string): Limiter {
  return rateLimiter(c.env, `sign-in-network:${toCallerNetwork(c.var.address)}:${user}`);
}

/** Returns the key that identifies the user in the names of rate limiters. */
export function toUserKey(email: string): string {
  return email.toLowerCase().slice(0, MAX_EMAIL_CHARS);
}
