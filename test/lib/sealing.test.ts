import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reseal, seal, unseal } from "../../src/lib/sealing";

const OLD = { ENCRYPTION_KEY: "old key of 32 characters ........" };
const NEW = { ENCRYPTION_KEY: "new key of 32 characters ........" };
/** The configuration during a rotation from OLD to NEW. */
const BOTH = { ...NEW, ENCRYPTION_KEY_PREVIOUS: OLD.ENCRYPTION_KEY };

describe("a sealed text", () => {
  it("can be read with the same key and context", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), fc.string(), async (text, context) => {
        expect(await unseal(OLD, await seal(OLD, text, context), context)).toBe(text);
      }),
      { numRuns: 30 },
    );
  });

  it("differs each time, so that equal secrets can't be recognized", async () => {
    expect(await seal(OLD, "text", "account")).not.toBe(await seal(OLD, "text", "account"));
  });

  it("can't be read with another key or context, or after a change", async () => {
    const sealed = await seal(OLD, "text", "account");
    const at = sealed.lastIndexOf(".") + 1;
    const changed = `${sealed.slice(0, at)}${sealed[at] === "A" ? "B" : "A"}${sealed.slice(at + 1)}`;
    await expect(unseal(NEW, sealed, "account")).rejects.toThrow();
    await expect(unseal(OLD, sealed, "other account")).rejects.toThrow();
    await expect(unseal(OLD, changed, "account")).rejects.toThrow();
    await expect(unseal(OLD, "text", "account")).rejects.toThrow("The value is not a sealed text.");
  });

  it("needs a key of at least 16 characters", async () => {
    await expect(seal({ ENCRYPTION_KEY: "x".repeat(15) }, "text", "account")).rejects.toThrow(
      "shorter than 16 characters",
    );
    await expect(seal({ ENCRYPTION_KEY: "x".repeat(16) }, "text", "account")).resolves.toMatch(/^v1\./);
  });
});

describe("during a rotation of the key, a sealed text", () => {
  it("can be read with the previous key", async () => {
    expect(await unseal(BOTH, await seal(OLD, "text", "account"), "account")).toBe("text");
  });

  it("is encrypted with the new key", async () => {
    expect(await unseal(NEW, await seal(BOTH, "text", "account"), "account")).toBe("text");
  });

  it("is encrypted again only if it has the previous key", async () => {
    const sealed = await reseal(BOTH, await seal(OLD, "text", "account"), "account");
    expect(await unseal(NEW, sealed ?? "", "account")).toBe("text");
    expect(await reseal(BOTH, sealed ?? "", "account")).toBeNull();
  });

  it("isn't replaced if neither key fits", async () => {
    const sealed = await seal({ ENCRYPTION_KEY: "a third key of 32 characters ..." }, "text", "account");
    await expect(reseal(BOTH, sealed, "account")).rejects.toThrow();
    await expect(reseal({ ...NEW, ENCRYPTION_KEY_PREVIOUS: "" }, sealed, "account")).rejects.toThrow();
  });
});
