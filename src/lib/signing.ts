// Signs links and cookies. During a rotation, SIGNING_SECRET_PREVIOUS contains the previous secret. Signatures are
// created with SIGNING_SECRET, and accepted if either secret created them.

import { equalsInConstantTime, hmacHex } from "./crypto";
import { toText } from "./env";

interface SigningKeys {
  SIGNING_SECRET: string;
  SIGNING_SECRET_PREVIOUS?: string;
}

/** Returns the signature of a text: HMAC-SHA256 in hex. Throws if the secret is missing. */
export async function sign({ SIGNING_SECRET }: SigningKeys, text: string): Promise<string> {
  return await hmacHex(SIGNING_SECRET, text);
}

/** Returns true if the text was signed with the current or the previous secret. */
export async function isSigned(keys: SigningKeys, text: string, signature: string): Promise<boolean> {
  const candidates = await Promise.all(signingSecrets(keys).map(async (secret) => await hmacHex(secret, text)));
  return candidates.some((candidate) => equalsInConstantTime(candidate, signature));
}

/** Returns the current secret, followed by the previous one if there is one. */
export function signingSecrets({ SIGNING_SECRET, SIGNING_SECRET_PREVIOUS }: SigningKeys): [string, ...string[]] {
  const previous = toText(SIGNING_SECRET_PREVIOUS);
  return previous === null || previous === SIGNING_SECRET ? [SIGNING_SECRET] : [SIGNING_SECRET, previous];
}
