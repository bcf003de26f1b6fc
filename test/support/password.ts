import { randomBytes, scryptSync, timingSafeEqual } from "node:crypto";

/**
 * Replaces the password hashes of better-auth in the tests. Its scrypt takes about 90 ms, which is intended against
 * attackers but slows down each sign-up. This one has the lowest cost. The tests of `npm start` use the real one.
 */
const COST = { N: 2, r: 1, p: 1 };

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16).toString("hex");
  return `${salt}:${scryptSync(password.normalize("NFKC"), salt, 64, COST).toString("hex")}`;
}

export async function verifyPassword(hash: string, password: string): Promise<boolean> {
  const [salt = "", key = ""] = hash.split(":");
  const actual = scryptSync(password.normalize("NFKC"), salt, 64, COST);
  return timingSafeEqual(actual, Buffer.from(key, "hex"));
}
