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
 * Returns the token in `to` if `to` is the path of an invitation's page. Otherwise returns null. `to` is the path to
 * which a sign-up redirects.
 */
export function toInvitationToken(to: string): string | null {
  const [path, query] = toReturnPath(to).split("?");
  return path === INVITATION_PATH ? readToken(new URLSearchParams(query).get("token") ?? "") : null;
}

/** Returns the text if it has the format of an invitation's token. Otherwise returns null. */
export function readToken(text: string): string | null {
  return TOKEN.test(text) ? text : null;
}

/**
 * Returns the open invitation with this token. Returns null if the token is missing, or if no open invitation has it.
 */
export async function findNamedInvitation(c: DashboardContext, token: string | null): Promise<NamedInvitation | null> {
  return token === null ? null : await findInvitation(c.env, token, now());
}

/**
 * Adds the user to the account of the invitation and selects this account. Returns the path of the next page: the
 * account's page, or the invitation's page, which explains why the user can't join.
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
