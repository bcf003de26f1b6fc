import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  equalsInConstantTime,
  hmacHex,
  newNonce,
  newWebhookSecret,
  seal,
  sha256Hex,
  unseal,
} from "../../src/lib/crypto";

const KEY = "a key of more than 16 characters";

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

describe("a sealed text", () => {
  it("can be read with the same key and context", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), fc.string(), async (text, context) => {
        expect(await unseal(KEY, await seal(KEY, text, context), context)).toBe(text);
      }),
      { numRuns: 30 },
    );
  });

  it("differs each time, so that equal secrets can't be recognized", async () => {
    expect(await seal(KEY, "text", "account")).not.toBe(await seal(KEY, "text", "account"));
  });

  it("can't be read with another key or context, or after a change", async () => {
    const sealed = await seal(KEY, "text", "account");
    const at = sealed.lastIndexOf(".") + 1;
    const changed = `${sealed.slice(0, at)}${sealed[at] === "A" ? "B" : "A"}${sealed.slice(at + 1)}`;
    await expect(unseal(`${KEY}!`, sealed, "account")).rejects.toThrow();
    await expect(unseal(KEY, sealed, "other account")).rejects.toThrow();
    await expect(unseal(KEY, changed, "account")).rejects.toThrow();
    await expect(unseal(KEY, "text", "account")).rejects.toThrow("The value is not a sealed text.");
  });

  it("needs a key of at least 16 characters", async () => {
    await expect(seal("x".repeat(15), "text", "account")).rejects.toThrow("shorter than 16 characters");
    await expect(seal("x".repeat(16), "text", "account")).resolves.toMatch(/^v1\./);
  });
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
