import type { Context } from "hono";
import { z } from "zod";
import { callAuth } from "../../auth/auth-client";
import type { Auth } from "../../auth/better-auth";
import type { DashboardEnv } from "../../ui/env";

/** Where the user is signed in. Its token is what a browser's cookie holds: it never leaves the server. */
export interface Session {
  id: string;
  token: string;
  address: string | null;
  userAgent: string;
  /** Unix ms. */
  since: number;
  isThis: boolean;
}

const Listed = z.array(
  z.object({
    id: z.string(),
    token: z.string(),
    ipAddress: z.string().nullish(),
    userAgent: z.string().nullish(),
    createdAt: z.iso.datetime(),
  }),
);

/** All sessions of the user that haven't run out: this one first, then the newest. */
export async function listSessions(c: Context<DashboardEnv>, auth: Auth): Promise<Session[]> {
  const { body } = await callAuth(c, auth, { method: "GET", path: "/list-sessions" });
  const sessions = Listed.parse(body).map(({ id, token, ipAddress, userAgent, createdAt }) => ({
    id,
    token,
    address: ipAddress || null,
    userAgent: userAgent ?? "",
    since: Date.parse(createdAt),
    isThis: token === c.var.sessionToken,
  }));
  return sessions.sort((a, b) => Number(b.isThis) - Number(a.isThis) || b.since - a.since);
}

const Identities = z.array(z.object({ providerId: z.string() }));

/** How the user can sign in: `credential` is a password, others are named after who vouches for them. */
export async function listWaysIn(c: Context<DashboardEnv>, auth: Auth): Promise<string[]> {
  const { body } = await callAuth(c, auth, { method: "GET", path: "/list-accounts" });
  return Identities.parse(body).map(({ providerId }) => providerId);
}
