import { runDurableObjectAlarm } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { planEvent } from "../../src/account/deliveries/delivery-rules";
import { newTaggedId } from "../../src/lib/id";
import type { AccountRef } from "../../src/model/account";
import type { Mode } from "../../src/model/api-key";
import type { Job } from "../../src/model/job";
import { HOUR_MS, UNVERIFIED_EVENTS_PER_HOUR } from "../../src/model/limits";
import { newJob, objectOf, openObject, sqlIn, stubOf } from "../support/account";
import { ORIGIN } from "../support/client";

const NOW = Date.parse("2026-11-28T10:20:00Z");
const NEXT_HOUR = Date.parse("2026-11-28T11:00:00Z");

const SETTINGS = {
  plan: "free",
  ...{ monthlyCredits: 0, suspendedAt: null, concurrentJobs: 2, concurrentRenders: 1 },
  ...{ chargeFreeOutcomes: false, dailyCredits: null },
} as const;

afterEach(() => void vi.useRealTimers());

async function openAt(now: number): Promise<AccountRef> {
  const account = await openObject();
  vi.useFakeTimers({ toFake: ["Date"], now });
  return account;
}

async function sendEvents(account: AccountRef, mode: Mode, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newTaggedId(account.tag));
  for (const id of ids)
    await stubOf(account).sendTest({ mode, id, endpointId: "request", url: "https://a.invalid/", origin: ORIGIN });
  return ids;
}

async function readDelivery(account: AccountRef, mode: Mode, id = "") {
  return (await stubOf(account).getDelivery({ mode, id })) as { delivery: Record<string, unknown> } | null;
}

describe("an event above the limit of events per hour", () => {
  it("waits for the next hour, says so, and is then sent", async () => {
    const account = await openAt(NOW);
    const ids = await sendEvents(account, "test", UNVERIFIED_EVENTS_PER_HOUR + 1);
    expect((await readDelivery(account, "test", ids.at(-2)))?.delivery).toMatchObject({ delayedBy: null });
    const last = await readDelivery(account, "test", ids.at(-1));
    expect(last?.delivery).toMatchObject({
      status: "pending",
      delayedBy: "hourly_limit",
      nextAttemptAt: NEXT_HOUR,
      attempts: [],
    });
    const stages = (stage: string) =>
      sqlIn<{ n: number }>(account, "SELECT COUNT(*) AS n FROM deliveries WHERE stage = ?1", stage);
    expect(await stages("scheduled")).toEqual([{ n: 1 }]);
    // The deliveries of this hour have ended.
    await sqlIn(
      account,
      "UPDATE deliveries SET status = 'succeeded', stage = NULL, due_at = NULL WHERE stage <> 'scheduled'",
    );
    vi.setSystemTime(NEXT_HOUR - 1);
    await runDurableObjectAlarm(objectOf(account));
    expect(await stages("scheduled")).toEqual([{ n: 1 }]);
    vi.setSystemTime(NEXT_HOUR);
    await runDurableObjectAlarm(objectOf(account));
    expect(await stages("scheduled")).toEqual([{ n: 0 }]);
    expect((await readDelivery(account, "test", ids.at(-1)))?.delivery).toMatchObject({ delayedBy: null });
  });

  it("delays no live event, unless the account has no verified address", async () => {
    const account = await openAt(NOW);
    await sendEvents(account, "test", UNVERIFIED_EVENTS_PER_HOUR + 1);
    const live = await sendEvents(account, "live", UNVERIFIED_EVENTS_PER_HOUR + 1);
    expect((await readDelivery(account, "live", live.at(-1)))?.delivery).toMatchObject({ delayedBy: null });
    await stubOf(account).update({ ...SETTINGS, version: 2, grantsEnabled: false });
    const [unverified] = await sendEvents(account, "live", 1);
    expect((await readDelivery(account, "live", unverified))?.delivery).toMatchObject({ delayedBy: "hourly_limit" });
    await stubOf(account).update({ ...SETTINGS, version: 3, grantsEnabled: true });
    const released = { delayedBy: null, nextAttemptAt: NOW };
    await runDurableObjectAlarm(objectOf(account));
    expect((await readDelivery(account, "live", unverified))?.delivery).toMatchObject(released);
  });

  it("keeps the result of its job, even if the request has store: false", async () => {
    const account = await openAt(NOW);
    await sendEvents(account, "test", 2 * UNVERIFIED_EVENTS_PER_HOUR);
    const job = newJob(account, { mode: "test", webhookUrl: "https://a.invalid/", isTemporary: true, credits: 0 });
    await stubOf(account).createJob(job);
    const claim = await stubOf(account).claim(job, "token");
    if (claim.kind !== "run") throw new Error(claim.kind);
    const times = { processingTimeMs: 1, endedAt: NOW };
    const end = { status: "completed", result: "{}", extras: null, charge: 0, isFree: false, ...times } as const;
    await stubOf(account).finish(job, claim.job.run, end);
    const hour = NEXT_HOUR + HOUR_MS;
    expect((await readDelivery(account, "test", job.id))?.delivery).toMatchObject({ nextAttemptAt: hour });
    const readResult = async () => ((await stubOf(account).get(job)) as Job | null)?.result;
    vi.setSystemTime(hour);
    await runDurableObjectAlarm(objectOf(account));
    expect(await readResult()).toBe("{}");
    vi.setSystemTime(hour + HOUR_MS);
    await runDurableObjectAlarm(objectOf(account));
    expect(await readResult()).toBeNull();
  });

  it("waits when it is sent again, too", async () => {
    const account = await openAt(NOW);
    const [first] = await sendEvents(account, "test", UNVERIFIED_EVENTS_PER_HOUR);
    await stubOf(account).redeliver({ mode: "test", id: first ?? "" }, 1);
    expect((await readDelivery(account, "test", first))?.delivery).toMatchObject({
      delayedBy: "hourly_limit",
      nextAttemptAt: NEXT_HOUR,
    });
  });
});

describe("the plan of events", () => {
  it("fills one hour after the other", () => {
    const hours: number[] = [];
    let last: ReturnType<typeof planEvent> | null = null;
    for (let i = 0; i < 5; i++) {
      last = planEvent(last, { limit: 2, now: NOW });
      hours.push((last.hour - (NEXT_HOUR - HOUR_MS)) / HOUR_MS);
    }
    expect(hours).toEqual([0, 0, 1, 1, 2]);
    expect(planEvent(last, { limit: 2, now: NOW + 5 * HOUR_MS })).toEqual({
      hour: NEXT_HOUR + 4 * HOUR_MS,
      events: 1,
    });
  });
});
