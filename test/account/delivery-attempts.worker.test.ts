import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { AttemptReport, BegunAttempt } from "../../src/account/deliveries/delivery-types";
import { newTaggedId } from "../../src/lib/id";
import type { AccountRef } from "../../src/model/account";
import type { Delivery } from "../../src/model/delivery";
import { DAY_MS, EARLIER_ATTEMPTS_KEPT, MINUTE_MS, SECOND_MS } from "../../src/model/limits";
import { newJob, objectOf, sqlIn, stubOf } from "../support/account";
import { ORIGIN } from "../support/client";
import { openSilentObject } from "../support/silent-object";

afterEach(() => void vi.useRealTimers());

/** Stops the clock. Returns the time (Unix ms). */
function stopClock(): number {
  vi.useFakeTimers({ toFake: ["Date"] });
  return Date.now();
}

/** Ends a job that has a webhook URL. Returns the message of the first attempt to deliver its event. */
async function endJob(account: AccountRef, webhookUrl = "https://a.example/hook"): Promise<BegunAttempt> {
  const job = newJob(account, { webhookUrl });
  await stubOf(account).createJob(job);
  await stubOf(account).cancel(job);
  return { account, mode: "live", delivery: job.id, round: 1, attempt: 1, token: "token" };
}

const FAILURE = {
  kind: "sent",
  url: "https://a.example/hook",
  statusCode: 500,
  durationMs: 7,
  error: "It failed.",
  response: "no",
  timedOut: false,
} as const;
const SUCCESS = { ...FAILURE, statusCode: 204, error: null, response: null } as const;

async function attempt(message: BegunAttempt, report: AttemptReport) {
  expect((await stubOf(message.account).beginAttempt(message)).kind).toBe("send");
  return await stubOf(message.account).reportAttempt(message, report);
}

async function read({ account, mode, delivery }: BegunAttempt): Promise<Delivery> {
  const reply = await stubOf(account).getDelivery({ mode, id: delivery });
  if (reply === null || "kind" in reply) throw new Error("There is no delivery.");
  return reply.delivery;
}

async function rowOf({ account, delivery }: BegunAttempt) {
  const [row] = await sqlIn(
    account,
    "SELECT stage, attempt, token, due_at, resends, unprepared_since, postponements FROM deliveries WHERE id = ?1",
    delivery,
  );
  return row;
}

describe("an attempt", () => {
  it("gets the delivery with its job, and the secrets that sign at that time", async () => {
    const account = await openSilentObject();
    const now = stopClock();
    const message = await endJob(account);
    const rotation = { kind: "rotation", from: null, secret: "new", previousSecret: "old", previousExpiresAt: now + 1 };
    await stubOf(account).webhook("live", rotation as Parameters<ReturnType<typeof stubOf>["webhook"]>[1]);
    expect(await stubOf(account).beginAttempt(message)).toEqual({
      kind: "send",
      delivery: {
        ...{ id: message.delivery, mode: "live", jobId: message.delivery, event: "job.failed", origin: ORIGIN },
        ...{ url: "https://a.example/hook", status: "pending", round: 1, attempts: [], earlierAttempts: [] },
        ...{ endpointId: "request", payload: null, hook: null, nextAttemptAt: now, delayedBy: null, createdAt: now },
      },
      ...{ number: 1, job: expect.objectContaining({ id: message.delivery, status: "failed" }) },
      ...{ signedBy: "default", secret: "new", previousSecret: "old" },
    });
    expect(await rowOf(message)).toMatchObject({ stage: "sending", token: "token", due_at: now + MINUTE_MS });
    vi.setSystemTime(now + 1);
    expect(await stubOf(account).beginAttempt(message)).toMatchObject({ kind: "send", previousSecret: null });
  });

  it("has no job and no secrets if it is for a test event of an account without a secret", async () => {
    const account = await openSilentObject();
    const id = newTaggedId(account.tag);
    const sent = await stubOf(account).sendTest({ mode: "test", id, url: "https://a.example/", origin: ORIGIN });
    expect(sent).toMatchObject({ id, jobId: null, event: "webhook.test", mode: "test" });
    const message = { account, mode: "test" as const, delivery: id, round: 1, attempt: 1, token: "token" };
    expect(await stubOf(account).beginAttempt(message)).toMatchObject({
      job: null,
      secret: null,
      previousSecret: null,
    });
  });

  it("is started by one Worker only, and only while it is being sent", async () => {
    const account = await openSilentObject();
    const object = stubOf(account);
    const message = await endJob(account);
    for (const other of [
      { round: 2 },
      { attempt: 2 },
      { mode: "test" as const },
      { delivery: newTaggedId(account.tag) },
    ]) {
      expect(await object.beginAttempt({ ...message, ...other })).toEqual({ kind: "stale" });
    }
    expect(await object.reportAttempt(message, FAILURE)).toEqual({ kind: "stale" });
    expect((await object.beginAttempt(message)).kind).toBe("send");
    expect((await object.beginAttempt(message)).kind).toBe("send");
    expect(await object.beginAttempt({ ...message, token: "other" })).toEqual({ kind: "stale" });
    expect(await object.reportAttempt({ ...message, token: "other" }, FAILURE)).toEqual({ kind: "stale" });
    expect(await object.reportAttempt(message, FAILURE)).toEqual({ kind: "recorded", status: "pending" });
    expect(await object.reportAttempt(message, FAILURE)).toEqual({ kind: "stale" });
    expect((await read(message)).attempts).toHaveLength(1);
  });

  it("that fails is logged, and the next one is scheduled", async () => {
    const account = await openSilentObject();
    const now = stopClock();
    const message = await endJob(account);
    await stubOf(account).beginAttempt(message);
    vi.setSystemTime(now + 3 * SECOND_MS);
    await stubOf(account).reportAttempt(message, FAILURE);
    const at = now + 33 * SECOND_MS;
    expect(await read(message)).toMatchObject({
      attempts: [{ at: now, status_code: 500, duration_ms: 7, error: "It failed.", response: "no" }],
      ...{ status: "pending", nextAttemptAt: at },
    });
    expect(await rowOf(message)).toMatchObject({ stage: "scheduled", token: null, due_at: at });
    vi.setSystemTime(at);
    await runDurableObjectAlarm(objectOf(account));
    expect(await rowOf(message)).toMatchObject({ stage: "sending", attempt: 2, token: null, due_at: at + MINUTE_MS });
    const next = await stubOf(account).beginAttempt({ ...message, attempt: 2 });
    expect(next).toMatchObject({ kind: "send", number: 2 });
    expect(await stubOf(account).reportAttempt({ ...message, attempt: 2 }, SUCCESS)).toMatchObject({
      status: "succeeded",
    });
    expect(await rowOf(message)).toMatchObject({ stage: null, due_at: null });
    expect(await read(message)).toMatchObject({ status: "succeeded", nextAttemptAt: null, attempts: [{}, {}] });
  });

  it("of a test event isn't repeated", async () => {
    const account = await openSilentObject();
    const id = newTaggedId(account.tag);
    await stubOf(account).sendTest({ mode: "live", id, url: "https://a.example/", origin: ORIGIN });
    const message = { account, mode: "live" as const, delivery: id, round: 1, attempt: 1, token: "token" };
    expect(await attempt(message, FAILURE)).toEqual({ kind: "recorded", status: "abandoned" });
  });

  it("without a report ends after a minute, counts as a timeout, and doesn't count as an attempt once", async () => {
    const account = await openSilentObject();
    const now = stopClock();
    const message = await endJob(account);
    await stubOf(account).beginAttempt(message);
    vi.setSystemTime(now + MINUTE_MS);
    await runDurableObjectAlarm(objectOf(account));
    const delivery = await read(message);
    expect(delivery.attempts).toMatchObject([{ at: now, status_code: null, duration_ms: null, interrupted: true }]);
    expect(delivery.attempts[0]?.error).toContain("was interrupted by an error on our side");
    expect(await sqlIn(account, "SELECT host, timeouts FROM failing_receivers")).toEqual([
      { host: "a.example", timeouts: 1 },
    ]);
    await runDurableObjectAlarm(objectOf(account));
    const next = await stubOf(account).beginAttempt({ ...message, attempt: 2 });
    expect(next).toMatchObject({ kind: "send", number: 1 });
  });

  it("whose message was lost is sent again, with increasing delays", async () => {
    const account = await openSilentObject();
    let now = stopClock();
    const message = await endJob(account);
    for (const [resends, minutes] of [
      [1, 2],
      [2, 4],
    ] as const) {
      now = ((await rowOf(message))?.due_at as number) ?? 0;
      vi.setSystemTime(now);
      await runDurableObjectAlarm(objectOf(account));
      expect(await rowOf(message)).toMatchObject({
        stage: "sending",
        attempt: 1,
        resends,
        due_at: now + minutes * MINUTE_MS,
      });
    }
    expect((await stubOf(account).beginAttempt(message)).kind).toBe("send");
  });

  it("can get the response body after its report", async () => {
    const account = await openSilentObject();
    const message = await endJob(account);
    await attempt(message, FAILURE);
    for (const other of [{ round: 2 }, { attempt: 2 }, { delivery: newTaggedId(account.tag) }]) {
      await stubOf(account).recordResponse({ ...message, ...other }, "wrong");
    }
    expect((await read(message)).attempts).toMatchObject([{ response: "no" }]);
    await stubOf(account).recordResponse(message, "later");
    expect((await read(message)).attempts).toMatchObject([
      { response: "later", error: "It failed.", status_code: 500 },
    ]);
  });

  it("that times out slows down its receiver until a response, and for at most a day", async () => {
    const account = await openSilentObject();
    const now = stopClock();
    const timeout = { ...FAILURE, statusCode: null, timedOut: true };
    const slow = () => sqlIn(account, "SELECT host, timeouts FROM failing_receivers WHERE timeouts > 0 ORDER BY host");
    await attempt(await endJob(account), timeout);
    await attempt(await endJob(account), timeout);
    await attempt(await endJob(account, "https://b.example/"), { ...timeout, url: "https://b.example/" });
    expect(await slow()).toEqual([
      { host: "a.example", timeouts: 2 },
      { host: "b.example", timeouts: 1 },
    ]);
    await attempt(await endJob(account, "https://b.example/"), { ...FAILURE, url: "https://b.example/" });
    expect(await slow()).toEqual([{ host: "a.example", timeouts: 2 }]);
    vi.setSystemTime(now + DAY_MS);
    await attempt(await endJob(account, "https://c.example/"), { ...timeout, url: "https://c.example/" });
    expect(await slow()).toHaveLength(2);
    vi.setSystemTime(now + DAY_MS + 1);
    await attempt(await endJob(account, "https://d.example/"), { ...timeout, url: "https://d.example/" });
    expect((await slow()).map(({ host }) => host)).toEqual(["c.example", "d.example"]);
  });
});

describe("an event that can't be prepared", () => {
  const unprepared = (reason: string | null = null): AttemptReport => ({ kind: "unprepared", reason });

  it("is tried again without counting an attempt, until a day has passed", async () => {
    const account = await openSilentObject();
    const now = stopClock();
    const message = await endJob(account);
    expect(await attempt(message, unprepared())).toEqual({ kind: "recorded", status: "pending" });
    expect(await read(message)).toMatchObject({ attempts: [], nextAttemptAt: now + 5 * SECOND_MS });
    expect(await rowOf(message)).toMatchObject({ stage: "scheduled", unprepared_since: now, postponements: 1 });
    vi.setSystemTime(now + 5 * SECOND_MS);
    await runDurableObjectAlarm(objectOf(account));
    await attempt(message, unprepared());
    expect(await rowOf(message)).toMatchObject({
      due_at: now + 15 * SECOND_MS,
      unprepared_since: now,
      postponements: 2,
    });
    vi.setSystemTime(now + DAY_MS + 1);
    await runDurableObjectAlarm(objectOf(account));
    expect(await attempt(message, unprepared())).toEqual({ kind: "recorded", status: "abandoned" });
    const { attempts, nextAttemptAt } = await read(message);
    expect(attempts).toMatchObject([
      { at: Date.now(), interrupted: true, error: expect.stringContaining("For one day") },
    ]);
    expect([nextAttemptAt, (await rowOf(message))?.stage]).toEqual([null, null]);
  });

  it("is abandoned immediately with the reason if it can never be prepared", async () => {
    const message = await endJob(await openSilentObject());
    expect(await attempt(message, unprepared("The job was deleted."))).toMatchObject({ status: "abandoned" });
    expect(await read(message)).toMatchObject({ attempts: [{ error: "The job was deleted." }], nextAttemptAt: null });
  });

  it("starts a new day after an attempt", async () => {
    const account = await openSilentObject();
    const message = await endJob(account);
    await attempt(message, unprepared());
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 5 * SECOND_MS });
    await runDurableObjectAlarm(objectOf(account));
    await attempt(message, FAILURE);
    expect(await rowOf(message)).toMatchObject({ unprepared_since: null, postponements: 0 });
  });
});

describe("a redelivery", () => {
  it("starts a new round with an empty log, and keeps the last earlier attempts", async () => {
    const account = await openSilentObject();
    const message = await endJob(account);
    await attempt(message, FAILURE);
    const key = { mode: "live" as const, id: message.delivery };
    expect(await stubOf(account).redeliver(key, 1)).toMatchObject({
      kind: "restarted",
      delivery: { status: "pending", round: 2, attempts: [], earlierAttempts: [{ status_code: 500 }] },
    });
    const second = { ...message, round: 2 };
    await stubOf(account).beginAttempt(second);
    expect(await stubOf(account).redeliver(key, 2)).toMatchObject({
      delivery: { round: 3, earlierAttempts: [{ status_code: 500 }, { interrupted: true, status_code: null }] },
    });
    expect(await stubOf(account).reportAttempt(second, SUCCESS)).toEqual({ kind: "stale" });
    for (let round = 3; round < 25; round++) {
      await attempt({ ...message, round }, { ...(round % 2 === 0 ? SUCCESS : FAILURE), durationMs: round });
      await stubOf(account).redeliver(key, round);
    }
    const { earlierAttempts } = await read(message);
    expect(earlierAttempts).toHaveLength(EARLIER_ATTEMPTS_KEPT);
    expect(earlierAttempts.at(-1)).toMatchObject({ duration_ms: 24 });
  });

  it("of an unknown delivery returns missing", async () => {
    const account = await openSilentObject();
    const { delivery: id } = await endJob(account);
    expect(await stubOf(account).redeliver({ mode: "test", id }, 1)).toEqual({ kind: "missing" });
    expect(await stubOf(account).getDelivery({ mode: "test", id })).toBeNull();
    expect(await stubOf(account).getDelivery({ mode: "live", id })).toMatchObject({ delivery: { id } });
  });
});

describe("the list of deliveries", () => {
  it("returns one page, newest first, filtered by status or job", async () => {
    const account = await openSilentObject();
    const messages: BegunAttempt[] = [];
    for (let i = 0; i < 7; i++) messages.push(await endJob(account, `https://${i % 2}.example/`));
    const [first, second, third] = messages;
    if (first === undefined || second === undefined || third === undefined) throw new Error("There are no deliveries.");
    await attempt(first, SUCCESS);
    await attempt(second, { kind: "unprepared", reason: "gone" });
    await attempt(third, FAILURE);
    const ids = messages.map(({ delivery }) => delivery).reverse();
    const list = async (filter: Partial<Parameters<ReturnType<typeof stubOf>["listDeliveries"]>[0]>) => {
      const reply = await stubOf(account).listDeliveries({ mode: "live", limit: 10, offset: 0, ...filter });
      if ("kind" in reply) throw new Error("The account isn't open.");
      expect(reply.totalIsEstimate).toBe(false);
      return [reply.deliveries.map(({ id }) => id), reply.total];
    };
    expect(await list({})).toEqual([ids, 7]);
    expect(await list({ limit: 2, offset: 1 })).toEqual([ids.slice(1, 3), 7]);
    expect(await list({ offset: 7 })).toEqual([[], 7]);
    expect(await list({ mode: "test" })).toEqual([[], 0]);
    expect(await list({ status: "succeeded" })).toEqual([[first.delivery], 1]);
    expect(await list({ status: "abandoned" })).toEqual([[second.delivery], 1]);
    expect(await list({ status: "pending" })).toEqual([ids.slice(0, 5), 5]);
    expect(await list({ status: "pending", limit: 2, offset: 3 })).toEqual([ids.slice(3, 5), 5]);
    const jobId = third.delivery;
    expect(await list({ jobId })).toEqual([[jobId], 1]);
    expect(await list({ jobId, status: "pending" })).toEqual([[jobId], 1]);
    expect(await list({ jobId, status: "succeeded" })).toEqual([[], 0]);
    expect(await list({ jobId, offset: 1 })).toEqual([[], 1]);
    expect(await list({ jobId, mode: "test" })).toEqual([[], 0]);
    // A test event belongs to no job, although it has an id.
    const id = newTaggedId(account.tag);
    await stubOf(account).sendTest({ mode: "live", id, url: "https://2.example/", origin: ORIGIN });
    expect(await list({ jobId: id })).toEqual([[], 0]);
  });

  it("counts at most 10,000 deliveries", async () => {
    const account = await openSilentObject();
    await runInDurableObject(objectOf(account), (_, { storage }) =>
      storage.sql.exec(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10005)
         INSERT INTO deliveries (mode, id, event, endpoint_id, url, host, origin, status, created_at)
         SELECT 'live', printf('%012d', i), 'webhook.test', 'default', '', '', '', 'succeeded', 0 FROM n`,
      ),
    );
    const list = (offset: number) => stubOf(account).listDeliveries({ mode: "live", limit: 10, offset });
    expect(await list(0)).toMatchObject({ total: 10_000, totalIsEstimate: true });
    expect(await list(9_997)).toMatchObject({ total: 10_005, totalIsEstimate: true });
  });
});
