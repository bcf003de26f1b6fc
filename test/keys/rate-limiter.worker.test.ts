import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { DAY_MS, MINUTE_MS } from "../../src/model/limits";

afterEach(() => void vi.useRealTimers());

const newLimiter = () => env.RATE_LIMITER.getByName(`network:${crypto.randomUUID()}`);

describe("a caller without a key", () => {
  it("has a rate window for each name, which ends after a minute", async () => {
    const limiter = env.RATE_LIMITER.getByName(`account:${crypto.randomUUID()}`);
    const decisions = await Promise.all(Array.from({ length: 4 }, () => limiter.consume(3)));
    expect(decisions.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
      [true, 2],
      [true, 1],
      [true, 0],
      [false, 0],
    ]);
    expect(decisions[0]).toMatchObject({ limit: 3, resetAt: decisions[3]?.resetAt });
    expect(await env.RATE_LIMITER.getByName(`account:${crypto.randomUUID()}`).consume(3)).toMatchObject({
      remaining: 2,
    });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + MINUTE_MS });
    expect(await limiter.consume(3)).toMatchObject({ allowed: true, remaining: 2 });
  });
});

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

  it("has a rate window until the trust expires, and other callers aren't counted", async () => {
    const limiter = newLimiter();
    const stored = () => runInDurableObject(limiter, async (_, { storage }) => (await storage.list()).size);
    expect([await limiter.consumeIfTrusted(2), await stored()]).toEqual([null, 0]);
    await limiter.trust(Date.now() + MINUTE_MS);
    for (const remaining of [1, 0])
      expect(await limiter.consumeIfTrusted(2)).toMatchObject({ allowed: true, remaining });
    expect(await limiter.consumeIfTrusted(2)).toMatchObject({ allowed: false });
    expect(await runDurableObjectAlarm(limiter)).toBe(true);
    expect([await limiter.consumeIfTrusted(2), await stored()]).toEqual([null, 0]);
  });
});
