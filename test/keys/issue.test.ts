import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { type Creator, createKey } from "../../src/keys/issue";
import { SCOPES } from "../../src/model/api-key";
import { createAccount } from "../support/client";

async function newCreator(allowedIps: string[]): Promise<Creator> {
  return { mode: "live", scopes: [...SCOPES], allowedIps, account: { id: await createAccount() } };
}

describe("a key that a key with allowed IPs creates", () => {
  it.each([
    ["one of its addresses", ["203.0.113.7"]],
    ["a smaller range", ["203.0.113.128/25"]],
    ["the same range", ["203.0.113.0/24"]],
  ])("can be limited to %s", async (_, allowed_ips) => {
    const { key } = await createKey(env, await newCreator(["203.0.113.0/24"]), { allowed_ips }, Date.now());
    expect(key.allowedIps).toEqual(allowed_ips);
  });

  it.each([
    ["a larger range", ["203.0.0.0/16"]],
    ["another address", ["198.51.100.7"]],
    ["every address", []],
  ])("can't be used from %s", async (_, allowed_ips) => {
    const creator = await newCreator(["203.0.113.0/24"]);
    await expect(createKey(env, creator, { allowed_ips }, Date.now())).rejects.toMatchObject({
      code: "ip_not_allowed",
    });
  });

  it("has the same allowed IPs by default", async () => {
    const { key } = await createKey(env, await newCreator(["203.0.113.0/24"]), {}, Date.now());
    expect(key.allowedIps).toEqual(["203.0.113.0/24"]);
  });
});
