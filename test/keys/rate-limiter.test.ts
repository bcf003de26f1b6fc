import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { sha256Hex } from "../../src/lib/crypto";
import { DAY_MS, MINUTE_MS } from "../../src/model/limits";
import { createAccount, createClient } from "../support/client";

afterEach(() => void vi.useRealTimers());

const newLimiter = () => env.RATE_LIMITER.getByName(`network:${crypto.randomUUID()}`);

describe("a refund", () => {
  it("subtracts one request, but never more than were counted", async () => {
    const limiter = newLimiter();
    await limiter.refund();
    for (let i = 0; i < 3; i++) await limiter.consume(5);
    await limiter.refund();
    expect(await limiter.consume(5)).toMatchObject({ remaining: 2 });
    for (let i = 0; i < 9; i++) await limiter.refund();
    expect(await limiter.consume(5)).toMatchObject({ remaining: 4 });
  });
});

describe("a trusted caller", () => {
  const alarmOf = (limiter: ReturnType<typeof newLimiter>) =>
    runInDurableObject(limiter, async (_, { storage }) => ({
      until: await storage.get<number>("trustedUntil"),
      alarm: await storage.getAlarm(),
    }));

  it("is trusted until the given time", async () => {
    const limiter = newLimiter();
    const until = Date.now() + DAY_MS;
    await limiter.trust(until);
    expect(await alarmOf(limiter)).toEqual({ until, alarm: until });
    vi.useFakeTimers({ toFake: ["Date"], now: until - 1 });
    expect(await limiter.consumeIfTrusted(2)).toMatchObject({ allowed: true, remaining: 1 });
    vi.setSystemTime(until);
    expect(await limiter.consumeIfTrusted(2)).toBeNull();
  });

  it("causes at most one write per day", async () => {
    const limiter = newLimiter();
    const until = Date.now() + 10 * DAY_MS;
    await limiter.trust(until);
    await limiter.trust(until + DAY_MS - 1);
    expect(await alarmOf(limiter)).toEqual({ until, alarm: until });
    await limiter.trust(until + DAY_MS);
    expect(await alarmOf(limiter)).toEqual({ until: until + DAY_MS, alarm: until + DAY_MS });
  });
});

describe("a verifier", () => {
  const storedIn = (stub: ReturnType<Env["KEY_VERIFIER"]["getByName"]>) =>
    runInDurableObject(stub, async (_, { storage }) => [...(await storage.list()).keys()]);

  it("removes the mark of a change after it has loaded the record again", async () => {
    const { secret } = await createClient();
    const hash = await sha256Hex(secret);
    const stub = env.KEY_VERIFIER.getByName(hash);
    expect(await stub.refresh(hash)).toBe(true);
    expect(await storedIn(stub)).toEqual(["held"]);
    expect(await stub.revoke(hash, 1)).toBe(true);
    expect(await storedIn(stub)).not.toContain("changing");
  });

  it("informs the directory at most every 15 minutes, even if it is evicted", async () => {
    const { secret } = await createClient();
    const hash = await sha256Hex(secret);
    const stub = env.KEY_VERIFIER.getByName(hash);
    const verify = () => stub.verify(hash, { address: null, countedAs: "request" });
    await verify();
    await vi.waitUntil(async () => (await storedIn(stub)).includes("windows"), { timeout: 5_000 });
    await evictDurableObject(stub);
    const sent: unknown[] = [];
    await runInDurableObject(stub, (instance) => {
      const holder = instance as unknown as { env: Env };
      const send = async (message: unknown) => void sent.push(message);
      holder.env = { ...holder.env, SUMMARIES: { send } as unknown as Queue };
    });
    expect((await verify()).kind).toBe("verified");
    expect(sent).toEqual([]);
  });

  it("retries a failed refresh after a minute, and not with each request", async () => {
    const { secret } = await createClient();
    const hash = await sha256Hex(secret);
    const stub = env.KEY_VERIFIER.getByName(hash);
    const verify = async () => (await stub.verify(hash, { address: null, countedAs: "request" })).kind;
    await verify();
    let reads = 0;
    await runInDurableObject(stub, (instance) => {
      const holder = instance as unknown as { env: Env };
      const prepare = () => {
        reads++;
        throw new Error("D1_ERROR: the database is down");
      };
      holder.env = { ...holder.env, DB: { prepare, withSession: () => ({ prepare }) } as unknown as D1Database };
    });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 10 * MINUTE_MS });
    for (let i = 0; i < 3; i++) expect(await verify()).toBe("verified");
    expect(reads).toBe(1);
    vi.setSystemTime(Date.now() + MINUTE_MS);
    for (let i = 0; i < 3; i++) expect(await verify()).toBe("verified");
    expect(reads).toBe(2);
  });
});

describe("the rate of a verified key", () => {
  async function newVerifier() {
    const { secret } = await createClient({ accountId: await createAccount({ ratePerMinute: 3 }) });
    const hash = await sha256Hex(secret);
    const stub = env.KEY_VERIFIER.getByName(hash);
    const verify = (countedAs: "request" | "poll" | "nothing") => stub.verify(hash, { address: null, countedAs });
    return { stub, verify };
  }

  it("isn't changed by a request that only authenticates, which is allowed even without remaining requests", async () => {
    const { verify } = await newVerifier();
    const remaining = [];
    for (const countedAs of ["nothing", "request", "nothing", "request", "request", "nothing", "request"] as const) {
      const { kind, rate } = await verify(countedAs);
      remaining.push([kind, rate.limit, rate.remaining]);
    }
    expect(remaining).toEqual([
      ["verified", 3, 3],
      ["verified", 3, 2],
      ["verified", 3, 2],
      ["verified", 3, 1],
      ["verified", 3, 0],
      ["verified", 3, 0],
      ["refused", 3, 0],
    ]);
    expect(await verify("poll")).toMatchObject({ kind: "verified", rate: { limit: 30, remaining: 29 } });
  });

  it("is known while the database can't be reached and the record is too old", async () => {
    const { stub, verify } = await newVerifier();
    await verify("request");
    await runInDurableObject(stub, (instance) => {
      const holder = instance as unknown as { env: Env };
      const prepare = () => {
        throw new Error("D1_ERROR: the database is down");
      };
      holder.env = { ...holder.env, DB: { prepare, withSession: () => ({ prepare }) } as unknown as D1Database };
    });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + DAY_MS + MINUTE_MS });
    expect(await verify("request")).toMatchObject({ kind: "unavailable", rate: { limit: 3, remaining: 3 } });
    expect(await verify("poll")).toMatchObject({ kind: "unavailable", rate: { limit: 30, remaining: 30 } });
  });
});
