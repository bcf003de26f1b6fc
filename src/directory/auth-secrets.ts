// The secrets with which better-auth signs sessions and encrypts the secrets of two-factor sign-in. SIGNING_SECRET is
// the source of the secrets. During a rotation, SIGNING_SECRET_PREVIOUS is a second source.

import { hmacHex, sha256Hex } from "../lib/crypto";
import { signingSecrets } from "../lib/signing";

const VERSION_HEX_DIGITS = 7;

/** A secret with its version. Encrypted values start with the version of their secret. */
interface AuthSecret {
  version: number;
  value: string;
}

/** The current secret, followed by the previous one if there is one. */
export type AuthSecrets = [AuthSecret, ...AuthSecret[]];

/** Returns the secrets. Throws if SIGNING_SECRET is missing. */
export async function readAuthSecrets(env: Env): Promise<AuthSecrets> {
  const [current, ...previous] = signingSecrets(env);
  return [await derive(current), ...(await Promise.all(previous.map(derive)))];
}

/** The version is derived from the secret, so the operator doesn't have to number the versions. */
async function derive(signingSecret: string): Promise<AuthSecret> {
  const value = await hmacHex(signingSecret, "dashboard sessions");
  return { version: Number.parseInt((await sha256Hex(value)).slice(0, VERSION_HEX_DIGITS), 16), value };
}
