import { newNonce, sha256Hex } from "../lib/crypto";
import { newId } from "../lib/id";
import { AppError } from "../model/errors";
import { INVITATION_MS } from "../model/limits";
import type { Role } from "../model/role";
import { insertAudit } from "../store/audit";
import { acceptInvitation, getInvitation, type Invitation, insertInvitation } from "../store/invitations";
import { isMember, MAX_MEMBERS } from "../store/memberships";
import { isEmail } from "./users";

/** The actor of audit entries about actions of an account's members. The entry's detail names the member. */
export const MEMBER = "member";

/**
 * Creates an invitation, which works once, within 7 days. Returns the token for its link, which isn't stored. An `email`
 * of null allows any user who has the link. Throws AppError if the email address is invalid, or at the maximum number
 * of members.
 */
export async function createInvitation(
  env: Env,
  {
    accountId,
    email,
    role,
    by,
    now,
  }: { accountId: string; email: string | null; role: Role; by: { id: string; email: string }; now: number },
): Promise<string> {
  if (email !== null && !isEmail(email)) throw atEmail("This is not a valid email address. Please check it.");
  const token = newNonce() + newNonce();
  const invitation = { id: newId(), accountId, email, role, invitedBy: by.email, inviterId: by.id, createdAt: now };
  const hash = await sha256Hex(token);
  if (!(await insertInvitation(env.DB, { ...invitation, expiresAt: now + INVITATION_MS }, hash)))
    throw atEmail(`An account has at most ${MAX_MEMBERS} members and open invitations. Remove or revoke one first.`);
  await insertAudit(env.DB, {
    actor: MEMBER,
    action: "member.invite",
    accountId,
    at: now,
    detail: { by: by.email, email, role },
  });
  return token;
}

function atEmail(message: string): AppError {
  return new AppError("invalid_request", message, { details: [{ path: "email", message }] });
}

/** Returns the open invitation with this token. Returns null if it was used or revoked, or has expired. */
export async function findInvitation(
  env: Env,
  token: string,
  now: number,
): Promise<(Invitation & { accountName: string }) | null> {
  return await getInvitation(env.DB, await sha256Hex(token), now);
}

/**
 * Adds the user to the account of the invitation. Returns the account's id, or null if the user can't accept the
 * invitation. If the user already belongs to the account, the invitation stays open.
 */
export async function joinAccount(
  env: Env,
  { token, user, now }: { token: string; user: { id: string; email: string }; now: number },
): Promise<string | null> {
  const invitation = await findInvitation(env, token, now);
  if (invitation === null) return null;
  const { accountId, role, invitedBy } = invitation;
  if (await isMember(env.DB, { userId: user.id, accountId })) return accountId;
  const accepted = { tokenHash: await sha256Hex(token), userId: user.id, email: user.email, now };
  if (!(await acceptInvitation(env.DB, accepted))) return null;
  await insertAudit(env.DB, {
    actor: MEMBER,
    action: "member.join",
    accountId,
    at: now,
    detail: { by: user.email, role, invited_by: invitedBy },
  });
  return accountId;
}
