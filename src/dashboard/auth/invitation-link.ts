import { findInvitation, joinAccount } from "../../directory/invitations";
import { now } from "../../lib/clock";
import type { Invitation } from "../../store/invitations";
import type { DashboardContext } from "../ui/env";
import { INVITATION_PATH, toInvitationPath } from "./constants";
import { setAccountCookie, toReturnPath } from "./session";

const TOKEN = /^[0-9a-f]{64}$/;

/** An open invitation with the name of its account. */
export type NamedInvitation = Invitation & { accountName: string };

/**
 * Returns the token if `to`, the path for the redirect after a sign-up, is the page of an invitation. Otherwise returns
 * null.
 */
export function toInvitationToken(to: string): string | null {
  const [path, query] = toReturnPath(to).split("?");
  return path === INVITATION_PATH ? readToken(new URLSearchParams(query).get("token") ?? "") : null;
}

/** Returns the text if it has the form of an invitation's token, or else null. */
export function readToken(text: string): string | null {
  return TOKEN.test(text) ? text : null;
}

/** Returns the open invitation with this token. Returns null without a token or an open invitation. */
export async function findNamedInvitation(c: DashboardContext, token: string | null): Promise<NamedInvitation | null> {
  return token === null ? null : await findInvitation(c.env, token, now());
}

/**
 * Adds the user to the account of the invitation and selects this account. Returns the path of the next page: the
 * account, or the invitation's page, which says why the user can't join.
 */
export async function acceptInvitation(
  c: DashboardContext,
  { token, user }: { token: string; user: { id: string; email: string } },
): Promise<string> {
  const accountId = await joinAccount(c.env, { token, user, now: now() });
  if (accountId === null) return toInvitationPath(token);
  setAccountCookie(c, accountId);
  return "/dashboard/account?done=joined";
}
