import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { callAccount } from "../../src/account/client";
import type { AttemptReport } from "../../src/account/deliveries/delivery-types";
import { newTaggedId } from "../../src/lib/id";
import type { AccountRef } from "../../src/model/account";
import type { DeliveryMessage } from "../../src/model/delivery";
import { DAY_MS, MINUTE_MS } from "../../src/model/limits";
import { redeliver } from "../../src/webhooks/deliveries";
import { rotate } from "../../src/webhooks/settings";
import { countRows, newJob, objectOf, sqlIn, stubOf, withFailingAccounts } from "../support/account";
import { ORIGIN } from "../support/client";
import { openSilentObject } from "../support/silent-object";

afterEach(() => void vi.useRealTimers());

async function sendTo(account: AccountRef, host: string): Promise<void> {
  const url = `https://${host}/hook`;
  const delivery = { mode: "live", id: newTaggedId(account.tag), endpointId: "request", url, origin: ORIGIN } as const;
  expect(await stubOf(account).sendTest(delivery)).toMatchObject({ id: delivery.id });
  // Turn the test event into the event of a job, because test events aren't retried.
  await sqlIn(account, "UPDATE deliveries SET event = 'job.completed' WHERE mode = 'live' AND id = ?1", delivery.id);
}

type Row = {
  id: string;
  url: string;
  host: string;
  status: string;
  stage: "scheduled" | "waiting" | "sending" | null;
  round: number;
  attempt: number;
  due_at: number | null;
};

async function rowsOf(account: AccountRef): Promise<Row[]> {
  return await sqlIn<Row>(
    account,
    "SELECT id, url, host, status, stage, round, attempt, due_at FROM deliveries ORDER BY id",
  );
}

async function sendingOf(account: AccountRef): Promise<Row[]> {
  return (await rowsOf(account)).filter(({ stage }) => stage === "sending");
}

function messageOf(account: AccountRef, { id, round, attempt }: Row): DeliveryMessage {
  return { kind: "delivery", account, mode: "live", delivery: id, round, attempt };
}

const OUTCOMES = {
  ok: sent({ statusCode: 204 }),
  failure: sent({ statusCode: 500, error: "The receiver responded with status 500." }),
  timeout: sent({ error: "The receiver did not respond within 30 seconds.", timedOut: true }),
  unprepared: { kind: "unprepared", reason: null },
} satisfies Record<string, AttemptReport>;

function sent(outcome: Partial<Extract<AttemptReport, { kind: "sent" }>>): AttemptReport {
  return {
    ...{ kind: "sent", url: "", statusCode: null, durationMs: 1, error: null, response: null, timedOut: false },
    ...outcome,
  };
}

/** Makes an attempt of a delivery that is being sent: reports its start and its outcome. */
async function attempt(account: AccountRef, row: Row, outcome: keyof typeof OUTCOMES): Promise<void> {
  const begun = { ...messageOf(account, row), token: "token" };
  const reported = { ...OUTCOMES[outcome], url: row.url };
  expect((await callAccount(env, account, (object) => object.beginAttempt(begun))).kind).toBe("send");
  const report = await callAccount(env, account, (object) => object.reportAttempt(begun, reported));
  expect(report.kind).toBe("recorded");
}

describe("the send limits", () => {
  it("allow 4 deliveries to a receiver and 20 deliveries of an account in parallel", async () => {
    const account = await openSilentObject();
    for (let i = 0; i < 6; i++) await sendTo(account, "a.example");
    expect(await sendingOf(account)).toHaveLength(4);
    for (let host = 0; host < 20; host++) await sendTo(account, `${host}.example`);
    expect(await sendingOf(account)).toHaveLength(20);
  });

  it("allow one delivery to a receiver that timed out twice in a row, until it responds", async () => {
    const account = await openSilentObject();
    for (let i = 0; i < 12; i++) await sendTo(account, "a.example");
    const end = async (outcome: keyof typeof OUTCOMES) => {
      const [row] = await sendingOf(account);
      if (row !== undefined) await attempt(account, row, outcome);
      return (await sendingOf(account)).length;
    };
    expect(await end("timeout")).toBe(4);
    expect(await end("failure")).toBe(4);
    expect(await end("timeout")).toBe(4);
    expect([await end("timeout"), await end("timeout"), await end("timeout"), await end("timeout")]).toEqual([
      3, 2, 1, 1,
    ]);
    expect(await end("ok")).toBe(4);
  });

  it("allow one attempt a minute to a receiver that failed ten times in a row, until one succeeds", async () => {
    const account = await openSilentObject();
    const now = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now });
    for (let i = 0; i < 16; i++) await sendTo(account, "a.example");
    const end = async (outcome: keyof typeof OUTCOMES) => {
      const [row] = await sendingOf(account);
      if (row !== undefined) await attempt(account, row, outcome);
      return (await sendingOf(account)).length;
    };
    for (let i = 0; i < 10; i++) await end("failure");
    for (let left = 3; left > 0; left--) expect(await end("failure")).toBe(left - 1);
    const alarmAt = async (ms: number) => {
      vi.setSystemTime(now + ms);
      await runDurableObjectAlarm(objectOf(account));
      return (await sendingOf(account)).length;
    };
    expect(await alarmAt(MINUTE_MS - 1)).toBe(0);
    expect(await alarmAt(MINUTE_MS)).toBe(1);
    await sendTo(account, "a.example");
    expect(await end("failure")).toBe(0);
    expect(await alarmAt(2 * MINUTE_MS - 1)).toBe(0);
    expect(await alarmAt(2 * MINUTE_MS)).toBe(1);
    const next = (await rowsOf(account)).find((row) => row.due_at === now + 4 * MINUTE_MS);
    const reply = await stubOf(account).getDelivery({ mode: "live", id: next?.id ?? "" });
    const delivery = { status: "pending", delayedBy: "failing_receiver", nextAttemptAt: now + 4 * MINUTE_MS };
    expect(reply).toMatchObject({ delivery });
    expect(await end("ok")).toBe(4);
  });

  it("start the delivery that has waited the longest before one that has just failed", async () => {
    const account = await openSilentObject();
    for (let i = 0; i < 6; i++) await sendTo(account, "a.example");
    const [first] = await sendingOf(account);
    const waiting = (await rowsOf(account)).filter(({ stage }) => stage === "waiting");
    if (first === undefined) throw new Error("No delivery is being sent.");
    await attempt(account, first, "failure");
    // The first delivery is due again, but the other deliveries have waited longer.
    await sqlIn(
      account,
      "UPDATE deliveries SET stage = 'waiting', next_attempt_at = ?2 WHERE id = ?1",
      first.id,
      Date.now(),
    );
    const [second] = await sendingOf(account);
    if (second !== undefined) await attempt(account, second, "ok");
    expect((await sendingOf(account)).map(({ id }) => id)).toEqual(expect.arrayContaining(waiting.map(({ id }) => id)));
  });

  it("start waiting deliveries of different receivers in turn", async () => {
    const account = await openSilentObject();
    for (let host = 0; host < 5; host++) for (let i = 0; i < 4; i++) await sendTo(account, `${host}.example`);
    for (let i = 0; i < 5; i++) await sendTo(account, "0.example");
    await sendTo(account, "b.example");
    await sendTo(account, "c.example");
    const order: string[] = [];
    for (let i = 0; i < 3; i++) {
      const before = new Set((await sendingOf(account)).map(({ id }) => id));
      const row = (await sendingOf(account)).find(({ host }) => host === "0.example");
      if (row !== undefined) await attempt(account, row, "ok");
      order.push(...(await sendingOf(account)).filter(({ id }) => !before.has(id)).map(({ host }) => host));
    }
    expect(order).toEqual(["b.example", "c.example", "0.example"]);
  });

  it("hold after any sequence of events, and no delivery waits while a slot is free", async () => {
    const steps = fc.array(
      fc.record({
        what: fc.constantFrom(
          "send",
          "send",
          "send",
          "ok",
          "failure",
          "timeout",
          "unprepared",
          "die",
          "alarm",
          "redeliver",
        ),
        host: fc.constantFrom("a", "b", "c", "d", "e", "f", "g"),
        which: fc.nat(30),
      }),
      { minLength: 20, maxLength: 60 },
    );
    vi.useFakeTimers({ toFake: ["Date"] });
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const account = await openSilentObject();
        for (const { what, host, which } of all) {
          const rows = await rowsOf(account);
          const sending = rows.filter(({ stage }) => stage === "sending");
          const chosen = sending[which % Math.max(1, sending.length)];
          if (what === "send") for (let i = 0; i < 3; i++) await sendTo(account, `${host}.example`);
          else if (what === "alarm") await fireNextAlarm(account, rows);
          else if (what === "redeliver") {
            const row = rows[which % Math.max(1, rows.length)];
            if (row !== undefined) await stubOf(account).redeliver({ mode: "live", id: row.id }, row.round);
          } else if (chosen !== undefined && what === "die") {
            const begun = { ...messageOf(account, chosen), token: "token" };
            await callAccount(env, account, (object) => object.beginAttempt(begun));
          } else if (chosen !== undefined && what !== "die") {
            await attempt(account, chosen, what);
          }
          await expectLimits(account);
        }
      }),
      { numRuns: 12, interruptAfterTimeLimit: 20_000, endOnFailure: true },
    );
  });
});

it("a redelivery that has to wait leaves its slot to another receiver", async () => {
  const account = await openSilentObject();
  // Sends four deliveries to one receiver. The first two are in flight, and both of them time out.
  for (let i = 0; i < 4; i++) await sendTo(account, "slow.example");
  const [first, second] = await sendingOf(account);
  if (first === undefined || second === undefined) throw new Error("Two deliveries must be in flight.");
  await attempt(account, first, "timeout");
  await attempt(account, second, "timeout");
  // Two more deliveries of this receiver are pending. They and 18 deliveries to other receivers use all slots.
  for (let host = 0; host < 19; host++) await sendTo(account, `${host}.example`);
  const [third] = (await sendingOf(account)).filter(({ host }) => host === "slow.example");
  if (third === undefined) throw new Error("The receiver must have a delivery in flight.");
  expect((await rowsOf(account)).filter(({ stage }) => stage === "waiting")).toHaveLength(1);
  await stubOf(account).redeliver({ mode: "live", id: third.id }, third.round);
  expect((await rowsOf(account)).filter(({ stage }) => stage === "waiting")).toMatchObject([{ id: third.id }]);
  expect(await sendingOf(account)).toHaveLength(20);
});

it("a redelivery whose reply was lost starts only one round", async () => {
  const account = await openSilentObject();
  await sendTo(account, "a.example");
  const [row] = await sendingOf(account);
  if (row === undefined) throw new Error("There is no delivery.");
  await attempt(account, row, "ok");
  let failures = 1;
  const lost = withFailingAccounts((method) => (method === "redeliver" && failures-- > 0 ? "after" : null), {
    retryable: true,
  });
  const owner = { account, mode: "live" } as const;
  expect(await redeliver(lost, owner, row.id, { origin: ORIGIN })).toMatchObject({
    status: "pending",
    round: 2,
    earlierAttempts: [{}],
  });
  expect(failures).toBe(-1);
  // The same call for round 1 arrives again after round 2 has ended. It must not start round 3.
  const [next] = await sendingOf(account);
  if (next === undefined) throw new Error("There is no second round.");
  await attempt(account, next, "ok");
  await stubOf(account).redeliver({ mode: "live", id: row.id }, 1);
  expect(await rowsOf(account)).toMatchObject([{ status: "succeeded", round: 2 }]);
  expect(await redeliver(env, owner, row.id, { origin: ORIGIN })).toMatchObject({ status: "pending", round: 3 });
});

it("an attempt gets the previous secret for 24 hours after a rotation", async () => {
  const account = await openSilentObject();
  const owner = { account, mode: "live" } as const;
  vi.useFakeTimers({ toFake: ["Date"] });
  await rotate(env, owner, Date.now());
  vi.setSystemTime(Date.now() + DAY_MS);
  await rotate(env, owner, Date.now());
  await sendTo(account, "a.example");
  const [row] = await sendingOf(account);
  if (row === undefined) throw new Error("No delivery is being sent.");
  const begin = async () => await stubOf(account).beginAttempt({ ...messageOf(account, row), token: "token" });
  vi.setSystemTime(Date.now() + DAY_MS - 1);
  expect(await begin()).toMatchObject({ kind: "send", previousSecret: expect.any(String) });
  vi.setSystemTime(Date.now() + 1);
  expect(await begin()).toMatchObject({ kind: "send", previousSecret: null });
});

it("a redelivery of an abandoned event starts a full round of attempts, and keeps the attempts before", async () => {
  const account = await openSilentObject();
  await sendTo(account, "a.example");
  const owner = { account, mode: "live" } as const;
  const failRound = async () => {
    for (let number = 1; number <= 5; number++) {
      await sqlIn(account, "UPDATE deliveries SET due_at = 0 WHERE stage = 'scheduled'");
      await runDurableObjectAlarm(objectOf(account));
      const [row] = await sendingOf(account);
      if (row === undefined) throw new Error(`Attempt ${number} didn't start.`);
      expect(row.attempt).toBe(number);
      await attempt(account, row, "failure");
    }
    const [row] = await rowsOf(account);
    if (row === undefined) throw new Error("There is no delivery.");
    expect(row).toMatchObject({ status: "abandoned", stage: null });
    return row.id;
  };
  const id = await failRound();
  expect(await redeliver(env, owner, id, { origin: ORIGIN })).toMatchObject({
    status: "pending",
    round: 2,
    attempts: [],
    earlierAttempts: [{}, {}, {}, {}, {}],
  });
  await failRound();
});

/** Moves the clock to the next due time and fires the alarm. */
async function fireNextAlarm(account: AccountRef, rows: Row[]): Promise<void> {
  const due = rows.flatMap(({ due_at }) => due_at ?? []);
  if (due.length === 0) return;
  vi.setSystemTime(Math.max(Date.now(), Math.min(...due)));
  await runDurableObjectAlarm(objectOf(account));
  const left = (await rowsOf(account)).filter(({ due_at }) => due_at !== null && due_at < Date.now());
  expect(left, "an alarm handles everything that was due").toEqual([]);
}

async function expectLimits(account: AccountRef): Promise<void> {
  const rows = await rowsOf(account);
  const slow = await sqlIn<{ host: string }>(account, "SELECT host FROM failing_receivers WHERE timeouts >= 2");
  const slowHosts = new Set(slow.map(({ host }) => host));
  const sending = rows.filter(({ stage }) => stage === "sending");
  const inFlight = (host: string) => sending.filter((row) => row.host === host).length;
  expect(sending.length).toBeLessThanOrEqual(20);
  for (const row of rows) {
    expect(inFlight(row.host)).toBeLessThanOrEqual(4);
    expect(row.stage === null).toBe(row.status !== "pending");
    expect(row.due_at === null).toBe(row.stage === null || row.stage === "waiting");
    if (row.stage !== "waiting") continue;
    expect(sending.length === 20 || inFlight(row.host) >= (slowHosts.has(row.host) ? 1 : 4)).toBe(true);
  }
}

it("a delivery that succeeds at the first attempt writes five rows", async () => {
  const account = await openSilentObject();
  const run = (webhookUrl: string | null) => async () => {
    const job = newJob(account, { webhookUrl });
    await stubOf(account).createJob(job);
    const claim = await stubOf(account).claim(job, "token");
    if (claim.kind !== "run") throw new Error(claim.kind);
    await stubOf(account).finish(job, claim.job.run, {
      status: "completed",
      result: "{}",
      extras: null,
      charge: 1,
      processingTimeMs: 1,
      endedAt: Date.now(),
    });
    const [row] = await sendingOf(account);
    if (row !== undefined) await attempt(account, row, "ok");
  };
  await run(null)();
  const without = await countRows(account, run(null));
  expect(without.written).toBeGreaterThan(0);
  const having = await countRows(account, run("https://a.example/hook"));
  expect(having.written - without.written).toBe(5);
});

it("an account with many deliveries reads few rows for a new delivery, its alarm and its lists", async () => {
  const account = await openSilentObject();
  await sqlIn(
    account,
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
     INSERT INTO deliveries (mode, id, event, endpoint_id, url, host, origin, status, created_at)
     SELECT 'live', '0199b2c0-91f3-7d02-8f44-' || printf('%012d', i), 'webhook.test', 'default', '', '', '', 'succeeded', 0
     FROM n`,
  );
  const list = (status?: "pending" | "abandoned") => () =>
    stubOf(account).listDeliveries({ mode: "live", status, limit: 20, offset: 0 });
  const steps: [string, () => Promise<unknown>][] = [
    ["insert", () => sendTo(account, "a.example")],
    ["attempt", async () => attempt(account, (await sendingOf(account))[0] as Row, "failure")],
    ["alarm", () => runDurableObjectAlarm(objectOf(account))],
    ["pending", list("pending")],
    ["abandoned", list("abandoned")],
  ];
  for (const [name, step] of steps) {
    // The test itself reads all rows in the `attempt` step, to find the delivery that is being sent.
    const own = name === "attempt" ? 40_000 : 0;
    expect((await countRows(account, step)).read - own, name).toBeLessThan(100);
  }
  // The list must count at most 10,000 matches.
  expect((await countRows(account, list())).read).toBeLessThan(11_000);
});
