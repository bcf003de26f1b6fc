import { describe, expect, it } from "vitest";
import { isWellFormed, newSecret, parseBearer, toLabel, toSecret } from "../../src/keys/secret";

const random = (seed: number) => Uint8Array.from({ length: 64 }, (_, i) => (seed * 31 + i * 17) % 248);

describe("an API key", () => {
  it("has a checksum that detects every changed character", () => {
    const secret = toSecret("live", random(1)) ?? "";
    expect(secret).toMatch(/^sk_live_[0-9A-Za-z]{38}$/);
    expect(isWellFormed(secret)).toBe(true);
    for (let at = 0; at < secret.length; at++) {
      const other = secret[at] === "x" ? "y" : "x";
      expect(isWellFormed(secret.slice(0, at) + other + secret.slice(at + 1))).toBe(false);
    }
  });

  it("has a checksum that equals the CRC-32 of zlib", () => {
    const zeroes = toSecret("live", new Uint8Array(64)) ?? "";
    expect(zeroes.slice(0, 40)).toBe(`sk_live_${"0".repeat(32)}`);
    const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    const value = [...zeroes.slice(40)].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0);
    expect(value).toBe(CRC_OF_ZEROES);
  });

  it("has 32 characters, and each is equally likely", () => {
    // The bytes from 248 to 255 are skipped, because the first eight characters would otherwise be more likely.
    expect(toSecret("test", Uint8Array.from([248, 255, ...Array(32).fill(247)]))).toMatch(/^sk_test_z{32}/);
    expect(toSecret("test", Uint8Array.from([248, ...Array(31).fill(0)]))).toBeNull();
    expect(
      toSecret(
        "live",
        Uint8Array.from({ length: 62 }, (_, byte) => byte),
      )?.slice(0, 40),
    ).toBe("sk_live_0123456789ABCDEFGHIJKLMNOPQRSTUV");
  });

  it("is different each time, well-formed and of the given mode", () => {
    const secrets = Array.from({ length: 50 }, () => newSecret("live"));
    expect(new Set(secrets).size).toBe(50);
    for (const secret of secrets) expect(isWellFormed(secret)).toBe(true);
    expect(newSecret("test")).toMatch(/^sk_test_/);
  });

  it.each([
    ["another prefix", (secret: string) => secret.replace("sk_", "pk_")],
    ["another mode", (secret: string) => secret.replace("live", "test")],
    ["an unknown mode", (secret: string) => secret.replace("live", "prod")],
    ["a character more", (secret: string) => `${secret}0`],
    ["a character before it", (secret: string) => `x${secret}`],
    ["a line break", (secret: string) => `${secret}\n`],
  ])("isn't well-formed with %s", (_, change) => {
    expect(isWellFormed(change(toSecret("live", random(3)) ?? ""))).toBe(false);
  });

  it("is listed with its first 12 and its last 4 characters", () => {
    expect(toLabel("sk_live_4fGhTTTTTTTTTTTTx9Qa")).toEqual({ prefix: "sk_live_4fGh", last4: "x9Qa" });
  });

  it("isn't created from too little randomness", () => {
    expect(toSecret("test", new Uint8Array(16))).toBeNull();
    expect(toSecret("test", new Uint8Array(64).fill(255))).toBeNull();
  });
});

// The output of `node -e "console.log(require(\"zlib\").crc32(\"sk_live_\" + \"0\".repeat(32)))"`
const CRC_OF_ZEROES = 2_283_820_664;

describe("the Authorization header", () => {
  const secret = toSecret("test", random(2)) ?? "";
  it.each([
    [`Bearer ${secret}`, { secret }],
    [`bearer ${secret}`, { secret }],
    [`Bearer   ${secret} `, { secret }],
    [undefined, { refused: "missing_api_key" }],
    ["", { refused: "missing_api_key" }],
    [secret, { refused: "malformed_authorization" }],
    [`Bearer ${secret}, Bearer ${secret}`, { refused: "malformed_authorization" }],
    [`Bearer\t${secret}`, { refused: "malformed_authorization" }],
    [`xBearer ${secret}`, { refused: "malformed_authorization" }],
    ["Bearer", { refused: "malformed_authorization" }],
    [" ", { refused: "malformed_authorization" }],
    [`Token ${secret}`, { refused: "malformed_authorization" }],
    [`Bearer ${"x".repeat(10_000)}`, { refused: "invalid_api_key" }],
    [`Bearer ${secret}x`, { refused: "invalid_api_key" }],
  ])("reads the Authorization header %s", (header, reading) => {
    expect(parseBearer(header)).toMatchObject(reading);
  });
});
