import { execFileSync } from "node:child_process";
import { createPrivateKey } from "node:crypto";
import { expect, it } from "vitest";
import { describeInvalidBotKey, importBotKey } from "../../src/net/bot-auth";

const createKey = () => execFileSync(process.execPath, ["scripts/admin.ts", "bot-key"], { encoding: "utf8" });

it("admin bot-key prints a new key, without a running service", async () => {
  const seed = createKey().trim();
  expect(describeInvalidBotKey({ BOT_PRIVATE_KEY: seed, PUBLIC_URL: "https://bot.example" })).toBeNull();
  const { publicKey } = await importBotKey(seed);
  const key = createPrivateKey({ key: { ...publicKey, d: seed }, format: "jwk" });
  expect(key.asymmetricKeyType).toBe("ed25519");
  expect(createKey()).not.toBe(seed);
});
