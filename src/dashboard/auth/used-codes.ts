import { getSessionFromCtx } from "better-auth/api";
import { symmetricDecrypt } from "better-auth/crypto";
import { now } from "../../lib/clock";
import { SECOND_MS } from "../../model/limits";
import { getTwoFactorSecret, useStep } from "../../store/two-factors";

type AuthContext = Parameters<typeof getSessionFromCtx>[0];

/** The duration of a time step (RFC 6238, section 5.2). */
const STEP_MS = 30 * SECOND_MS;
/** The number of time steps before and after the current one whose codes better-auth accepts. */
const WINDOW_STEPS = 1;

/** Replaces a code that was already used. This text isn't a valid code, so better-auth counts it as a wrong one. */
const USED = { context: { body: { code: "used" } } };

/**
 * Makes each code of the authenticator app work only once (RFC 6238, section 5.2). Call this before better-auth
 * verifies a code. If the code was already used, returns a changed request with a wrong code.
 */
export async function replaceUsedCode(ctx: AuthContext, db: D1Database): Promise<typeof USED | undefined> {
  const userId = await findUserId(ctx);
  const encrypted = userId === null ? null : await getTwoFactorSecret(db, userId);
  if (userId === null || encrypted === null) return undefined;
  const secret = await symmetricDecrypt({ key: ctx.context.secretConfig, data: encrypted });
  const step = await findStep(secret, String(ctx.body?.code), now());
  return step === null || (await useStep(db, { userId, step })) ? undefined : USED;
}

/** Returns the user whose code better-auth verifies: the signed-in user, or else the user who entered the password. */
async function findUserId(ctx: AuthContext): Promise<string | null> {
  const session = await getSessionFromCtx(ctx);
  if (session !== null) return session.user.id;
  const cookie = ctx.context.createAuthCookie("two_factor");
  const identifier = await ctx.getSignedCookie(cookie.name, ctx.context.secret);
  const challenge = identifier ? await ctx.context.internalAdapter.findVerificationValue(identifier) : null;
  return challenge?.value ?? null;
}

/** Returns the latest of the accepted time steps whose code is `code`. Returns null if the code is wrong. */
export async function findStep(secret: string, code: string, at: number): Promise<number | null> {
  const present = Math.floor(at / STEP_MS);
  for (let step = present + WINDOW_STEPS; step >= present - WINDOW_STEPS; step--)
    if ((await toCode(secret, step)) === code) return step;
  return null;
}

/** Returns the code of a time step (RFC 4226, section 5.3). */
async function toCode(secret: string, step: number): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-1" };
  const key = await crypto.subtle.importKey("raw", new TextEncoder().encode(secret), algorithm, false, ["sign"]);
  const counter = new DataView(new ArrayBuffer(8));
  counter.setBigUint64(0, BigInt(step));
  const hmac = new DataView(await crypto.subtle.sign("HMAC", key, counter.buffer));
  const offset = hmac.getUint8(hmac.byteLength - 1) & 15;
  return String((hmac.getUint32(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}
