import { expect, it } from "vitest";
import { equalsInConstantTime, hmacHex, newNonce, newWebhookSecret, sha256Hex } from "../../src/lib/crypto";

it("computes SHA-256 of the UTF-8 bytes", async () => {
  // The hash is from FIPS 180-2, appendix B.1.
  expect(await sha256Hex("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect(await sha256Hex("é")).toBe("4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c");
});

it("refuses to sign with a missing secret", async () => {
  for (const secret of ["", undefined as unknown as string])
    await expect(hmacHex(secret, "text")).rejects.toThrow("The secret for a signature is missing.");
});

it("computes HMAC-SHA256", async () => {
  // The values are test case 2 of RFC 4231.
  expect(await hmacHex("Jefe", "what do ya want for nothing?")).toBe(
    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
  );
});

it("creates different nonces of 16 bytes and different webhook secrets of 32 bytes", () => {
  const nonces = Array.from({ length: 50 }, newNonce);
  expect(new Set(nonces).size).toBe(50);
  for (const nonce of nonces) expect(nonce).toMatch(/^[0-9a-f]{32}$/);
  const secrets = Array.from({ length: 50 }, newWebhookSecret);
  expect(new Set(secrets).size).toBe(50);
  for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
});

it.each([
  ["abc", "abc", true],
  ["", "", true],
  ["abc", "abd", false],
  ["abc", "abcd", false],
  ["é", "e", false],
])("compares %j with %j: %s", (a, b, expected) => {
  expect(equalsInConstantTime(a, b)).toBe(expected);
});
