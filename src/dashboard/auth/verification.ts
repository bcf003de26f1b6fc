import { z } from "zod";

const Payload = z.object({ email: z.string() });

/**
 * Whose address a verification link is about: what its token (a JWT) says, unchecked. better-auth checks the signature when
 * the link is used. Null: this is no such token.
 */
export function readTokenEmail(token: string): string | null {
  const [, payload = ""] = token.split(".");
  try {
    return Payload.parse(JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")))).email;
  } catch {
    return null; // Not a token at all: the answer is the same as for one that has run out.
  }
}
