import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { toOrigin } from "../../http/origin";
import { hasSharedAddress } from "../../keys/caller-address";
import type { RateDecision } from "../../keys/window";
import { now } from "../../lib/clock";
import { equalsInConstantTime, hmacHex, newNonce } from "../../lib/crypto";
import { toCallerNetwork } from "../../lib/ip-ranges";
import { DAY_MS, MAX_EMAIL_CHARS, MINUTE_MS, SECOND_MS } from "../../model/limits";
import type { DashboardEnv } from "../ui/env";
import type { Letter } from "./protocol";

/** Tries of one user's password a minute, of each browser and each network that has signed the user in before. */
const KNOWN_TRIES_PER_MINUTE = 10;
/** Tries of one user's password a minute, of all other callers together. */
const STRANGERS_TRIES_PER_MINUTE = 30;
const KNOWN_NETWORK_MS = 90 * DAY_MS;

const BROWSER_COOKIE = "extraction.known";
const BROWSER_COOKIE_MS = 365 * DAY_MS;
const BROWSER_ID = /^([0-9a-f]{32})\.([0-9a-f]{64})$/;

/** Emails per minute to one address, from all callers together. */
const LETTERS_PER_MINUTE = 3;
/** Anyone can cause the mail about a sign-up, so it has a budget of its own and can't hold back a reset link. */
const REGISTERED_LETTERS_PER_MINUTE = 1;

export interface Guard {
  /** Counts a try. Returns the seconds to wait if there were too many, otherwise null. */
  take: (email: string) => Promise<number | null>;
  /** Takes the counted try back: the password was right. */
  forgive: () => Promise<void>;
  /** Makes the caller's browser and network known, because the user has just signed in with them. */
  remember: (email: string) => Promise<void>;
}

type Gate = ReturnType<typeof toGate>;

/**
 * Limits the guesses of one user's password from many addresses. Browsers and networks that have signed the user in before
 * have budgets of their own, so that strangers can't lock the owner out. Whether the user exists makes no difference.
 */
export function toGuard(c: Context<DashboardEnv>): Guard {
  let counted: Gate | null = null;
  return {
    take: async (email) => {
      const { gate, decision } = await count(c, toKey(email));
      counted = gate;
      const { allowed, resetAt } = decision;
      return allowed ? null : Math.max(1, Math.ceil(Math.min(resetAt - now(), MINUTE_MS) / SECOND_MS));
    },
    forgive: async () => await counted?.forgive(),
    remember: async (email) => {
      await rememberBrowser(c, toKey(email));
      // Otherwise all callers would share one trusted network.
      if (c.var.address !== null && !hasSharedAddress(c.env))
        await toNetworkGate(c, toKey(email)).trust(now() + KNOWN_NETWORK_MS);
    },
  };
}

/** Returns true if this address may be sent one more mail of this kind. */
export async function mayWrite(env: Env, kind: Letter["kind"], email: string): Promise<boolean> {
  const [name, limit] =
    kind === "registered" ? ["letters-registered", REGISTERED_LETTERS_PER_MINUTE] : ["letters", LETTERS_PER_MINUTE];
  return (await toGate(env, `${name}:${toKey(email)}`).take(Number(limit))).allowed;
}

/** Counts the attempt against the known browser, the known network, or all strangers together. */
async function count(c: Context<DashboardEnv>, user: string): Promise<{ gate: Gate; decision: RateDecision }> {
  const browserId = await readKnownBrowser(c, user);
  if (browserId !== null) {
    const gate = toGate(c.env, `sign-in-browser:${browserId}`);
    return { gate, decision: await gate.take(KNOWN_TRIES_PER_MINUTE) };
  }
  const network = toNetworkGate(c, user);
  const decision = await network.takeIfTrusted(KNOWN_TRIES_PER_MINUTE);
  if (decision !== null) return { gate: network, decision };
  const strangers = toGate(c.env, `sign-in:${user}`);
  return { gate: strangers, decision: await strangers.take(STRANGERS_TRIES_PER_MINUTE) };
}

/** Returns the id of a browser that has signed this user in before. Returns null when its cookie doesn't prove that. */
async function readKnownBrowser(c: Context<DashboardEnv>, user: string): Promise<string | null> {
  const cookie = isSecure(c) ? getCookie(c, BROWSER_COOKIE, "secure") : getCookie(c, BROWSER_COOKIE);
  const [, id = "", signature = ""] = BROWSER_ID.exec(cookie ?? "") ?? [];
  if (id === "") return null;
  return equalsInConstantTime(signature, await sign(c.env, id, user)) ? id : null;
}

async function rememberBrowser(c: Context<DashboardEnv>, user: string): Promise<void> {
  const id = (await readKnownBrowser(c, user)) ?? newNonce();
  setCookie(c, BROWSER_COOKIE, `${id}.${await sign(c.env, id, user)}`, {
    path: "/dashboard",
    httpOnly: true,
    sameSite: "Lax",
    maxAge: BROWSER_COOKIE_MS / SECOND_MS,
    ...(isSecure(c) ? { secure: true, prefix: "secure" } : {}),
  });
}

async function sign(env: Env, id: string, user: string): Promise<string> {
  return await hmacHex(env.SIGNING_SECRET, `known browser:${id}:${user}`);
}

function isSecure(c: Context<DashboardEnv>): boolean {
  return toOrigin(c.env, c.req.url).startsWith("https:");
}

function toNetworkGate(c: Context<DashboardEnv>, user: string): Gate {
  return toGate(c.env, `sign-in-network:${toCallerNetwork(c.var.address)}:${user}`);
}

function toGate(env: Env, name: string) {
  return env.ADDRESS_GATE.getByName(name);
}

function toKey(email: string): string {
  return email.toLowerCase().slice(0, MAX_EMAIL_CHARS);
}
