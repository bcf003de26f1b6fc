import { runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { addToRecent } from "../../src/account/credits/recent-counts";
import { newTaggedId, toIdStart } from "../../src/lib/id";
import type { AccountRef } from "../../src/model/account";
import { AppError, type ErrorCode } from "../../src/model/errors";
import { MINUTE_MS, SECOND_MS } from "../../src/model/limits";
import { PERIOD_MS, toPeriod } from "../../src/model/service-counts";
import type { SummaryMessage } from "../../src/model/summary";
import { newJob, objectOf, openObject, stubOf } from "../support/account";

const NOW = Date.UTC(2026, 10, 24, 12, 5);

afterEach(() => vi.useRealTimers());

function at(time: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: time });
}

async function endJob(account: AccountRef, outcome: "ok" | ErrorCode, more: Parameters<typeof newJob>[1] = {}) {
  const job = newJob(account, { id: toIdStart(Date.now()) + newTaggedId(account.tag).slice(13), ...more });
  await stubOf(account).createJob(job);
  await stubOf(account).claim(job, "token");
  const times = { processingTimeMs: 100, endedAt: Date.now() };
  if (outcome === "ok") {
    await stubOf(account).finish(job, 1, { status: "completed", result: "{}", extras: null, charge: 1, ...times });
    return;
  }
  const { code, message, status, retryable } = new AppError(outcome, "It failed.");
  await stubOf(account).finish(job, 1, { status: "failed", error: { code, message, status, retryable }, ...times });
}

/** Runs the alarm and returns the summaries that it sent. */
async function sendSummaries(account: AccountRef): Promise<SummaryMessage[]> {
  const sent: SummaryMessage[] = [];
  await runInDurableObject(objectOf(account), async (instance) => {
    const object = instance as unknown as { env: Env; alarm: () => Promise<void> };
    const bindings = object.env;
    const SUMMARIES = { send: async (body: SummaryMessage) => void sent.push(body) } as unknown as Queue;
    object.env = { ...bindings, SUMMARIES };
    await object.alarm();
    object.env = bindings;
  });
  return sent;
}

describe("the counts of the last hour", () => {
  it("are in the summary by period, endpoint, method and code, without test keys", async () => {
    at(NOW);
    const account = await openObject();
    await endJob(account, "ok");
    await endJob(account, "ok", { mode: "test", credits: 0 });
    at(NOW + PERIOD_MS);
    await endJob(account, "ok", { rendered: true });
    await endJob(account, "ok", { keyId: "other" });
    await endJob(account, "ok", { keyId: "third" });
    await endJob(account, "target_timeout", { endpoint: "parse" });
    await stubOf(account).wake();
    const [summary] = await sendSummaries(account);
    expect(summary).toMatchObject({
      kind: "account",
      periods: [
        {
          start: toPeriod(NOW + PERIOD_MS),
          counts: { "job/scrape/rendered/ok/49": 1, "job/scrape/plain/ok/49": 2, "job/parse/plain/target_timeout/": 1 },
        },
        { start: toPeriod(NOW), counts: { "job/scrape/plain/ok/49": 1 } },
      ],
    });
  });

  it("don't keep periods that are older than an hour", () => {
    const job = { rendered: false, failed: false, durationMs: 0 };
    const first = addToRecent(null, job, NOW);
    const second = JSON.parse(addToRecent(first, job, NOW + 61 * MINUTE_MS));
    expect(Object.values(second)).toEqual([{ "plain/0": 1 }]);
    expect(Object.values(JSON.parse(addToRecent(first, job, NOW)))).toEqual([{ "plain/0": 2 }]);
  });

  it("include jobs that were created on the day before", async () => {
    const midnight = Date.UTC(2026, 10, 25);
    at(midnight + SECOND_MS);
    const account = await openObject();
    await endJob(account, "ok", { id: toIdStart(midnight - SECOND_MS) + newTaggedId(account.tag).slice(13) });
    await stubOf(account).wake();
    expect(await sendSummaries(account)).toMatchObject([{ periods: [{ start: midnight }] }]);
  });

  it("are sent within a minute after a failure of the service, but not after one of the target", async () => {
    const dueIn = async (account: AccountRef) => {
      const state = await stubOf(account).inspect();
      return state.kind === "open" ? (state.maintenanceAt ?? 0) - NOW : null;
    };
    at(NOW);
    const [own, outside, target] = [await openObject(), await openObject(), await openObject()];
    await endJob(own, "render_failed");
    await endJob(outside, "serp_unavailable");
    await endJob(target, "target_timeout");
    expect([await dueIn(own), await dueIn(outside), await dueIn(target)]).toEqual([
      MINUTE_MS,
      MINUTE_MS,
      15 * MINUTE_MS,
    ]);
  });
});

describe("the queue in the summary", () => {
  it("shows since when the oldest job waits for a run, and the jobs that wait for a browser", async () => {
    at(NOW);
    const account = await openObject();
    const [lost, full] = [newJob(account), newJob(account, { rendered: true })];
    await stubOf(account).createJob(lost);
    at(NOW + MINUTE_MS);
    await stubOf(account).createJob(full);
    await stubOf(account).claim(full, "token");
    await stubOf(account).release(full, 1, { kind: "no_capacity", retryAfterMs: SECOND_MS });
    await stubOf(account).wake();
    expect(await sendSummaries(account)).toMatchObject([{ queued: 2, queuedSince: NOW, browserWaits: 1, waiting: 0 }]);
    // At this time, and again later, the alarm resends the lost message.
    at(NOW + 2 * MINUTE_MS);
    await sendSummaries(account);
    await stubOf(account).wake();
    expect(await sendSummaries(account)).toMatchObject([{ queuedSince: NOW }]);
  });
});
