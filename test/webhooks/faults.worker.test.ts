import { evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { verify } from "@octokit/webhooks-methods";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AccountRef } from "../../src/model/account";
import type { DeliveryMessage } from "../../src/model/delivery";
import { MINUTE_MS } from "../../src/model/limits";
import { consumeDeliveries } from "../../src/webhooks/consumer";
import { readSettings, rotate } from "../../src/webhooks/settings";
import { objectOf, openObject, sqlIn, stubOf, withFailingAccounts } from "../support/account";
import { page } from "../support/client";
import {
  bodyOf,
  type DeliveryRef,
  dropMessages,
  dueAt,
  endJob,
  expectAttempts,
  expectPosts,
  fireAlarm,
  postsTo,
  readDelivery,
  receiver,
} from "../support/webhooks";

// Fakes only the date, which stands still until a test moves it. The runtime's timers run normally.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

/** Ends a job whose delivery message is dropped. Later messages are delivered. */
async function endJobWithLostMessage(
  url: string,
  account?: AccountRef,
): Promise<DeliveryRef & { account: AccountRef }> {
  const owner = account ?? (await openObject());
  const restore = await dropMessages(owner);
  const delivery = await endJob(url, { account: owner });
  await restore();
  return delivery;
}

function messageOf({ account, mode, id }: DeliveryRef, attempt = 1): DeliveryMessage {
  return { kind: "delivery", account, mode, delivery: id, round: 1, attempt };
}

/**
 * Passes a message to the consumer and waits for the consumer's `waitUntil` promises. Returns the method that the
 * consumer called on the message, or null if it called none.
 */
async function consume(message: DeliveryMessage, bindings: Env = env): Promise<"ack" | "retry" | null> {
  let end: "ack" | "retry" | null = null;
  const one = {
    body: message,
    ack: () => {
      end = "ack";
    },
    retry: () => {
      end = "retry";
    },
  };
  const after: Promise<unknown>[] = [];
  await consumeDeliveries([one as unknown as Message<DeliveryMessage>], bindings, {
    waitUntil: (promise) => void after.push(promise),
  });
  await Promise.all(after);
  return end;
}

/** Returns the number of consecutive failures to prepare the delivery's event. */
async function postponementsOf({ account, id }: DeliveryRef): Promise<number | undefined> {
  const sql = "SELECT postponements FROM deliveries WHERE id = ?1";
  return (await sqlIn<{ postponements: number }>(account, sql, id))[0]?.postponements;
}

const numbersOf = async (url: string) => (await postsTo(url)).map((post) => post.headers["x-webhook-attempt"]);

describe("after a failure on our side", () => {
  it("a lost message is resent after a minute, and the event is sent once", async () => {
    const url = receiver("ok");
    const delivery = await endJobWithLostMessage(url);
    await fireAlarm(delivery, { early: 1 });
    expect(await readDelivery(delivery)).toMatchObject({ status: "pending", attempts: [] });
    await fireAlarm(delivery);
    await expectPosts(url, 1);
    expect(await expectAttempts(delivery, 1)).toMatchObject({ status: "succeeded" });
  });

  it("a message that is lost repeatedly is resent with increasing delays and doesn't count as an attempt", async () => {
    const account = await openObject();
    const restore = await dropMessages(account);
    const url = receiver("ok");
    const delivery = await endJob(url, { account });
    const delays: number[] = [];
    for (let i = 0; i < 8; i++) {
      delays.push(((await dueAt(delivery)) ?? 0) - Date.now());
      await fireAlarm(delivery);
    }
    expect(delays.map((ms) => ms / MINUTE_MS)).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    await restore();
    await fireAlarm(delivery);
    await expectPosts(url, 1);
    expect(await numbersOf(url)).toEqual(["1"]);
    expect((await expectAttempts(delivery, 1)).attempts[0]).toMatchObject({ status_code: 204 });
  });

  it("an event whose message arrives twice is sent once", async () => {
    const url = receiver("ok");
    const delivery = await endJobWithLostMessage(url);
    const ends = await Promise.all([consume(messageOf(delivery)), consume(messageOf(delivery))]);
    expect([...ends, await consume(messageOf(delivery))]).toEqual(["ack", "ack", "ack"]);
    await expectAttempts(delivery, 1);
    expect(await postsTo(url)).toHaveLength(1);
  });

  it("an alarm that fires too early sends nothing", async () => {
    const url = receiver("fail");
    const delivery = await endJob(url);
    await expectAttempts(delivery, 1);
    for (const early of [29_000, 1]) await fireAlarm(delivery, { early });
    expect(await postsTo(url)).toHaveLength(1);
    await fireAlarm(delivery);
    await expectPosts(url, 2);
    await expectAttempts(delivery, 2);
  });

  it("an attempt whose Worker died ends after a minute and doesn't count", async () => {
    const url = receiver("fail");
    const delivery = await endJob(url);
    await expectAttempts(delivery, 1);
    const restore = await dropMessages(delivery.account);
    await fireAlarm(delivery);
    const begun = await stubOf(delivery.account).beginAttempt({
      ...messageOf(delivery, 2),
      token: "a Worker that dies",
    });
    expect(begun.kind).toBe("send");
    await fireAlarm(delivery, { early: 1 });
    expect((await readDelivery(delivery))?.attempts).toHaveLength(1);
    await fireAlarm(delivery);
    expect((await readDelivery(delivery))?.attempts[1]?.error).toContain("interrupted by an error on our side");
    expect(await postsTo(url)).toHaveLength(1);
    await restore();
    for (let count = 3; count <= 6; count++) {
      await fireAlarm(delivery);
      await expectAttempts(delivery, count);
    }
    expect((await readDelivery(delivery))?.status).toBe("abandoned");
    expect(await numbersOf(url)).toEqual(["1", "2", "3", "4", "5"]);
  });

  it("a report from another Worker or after the attempt's end changes nothing", async () => {
    const url = receiver("fail");
    const delivery = await endJobWithLostMessage(url);
    const attempt = { ...messageOf(delivery), token: "slow" };
    const account = stubOf(delivery.account);
    await account.beginAttempt(attempt);
    const report = {
      kind: "sent",
      url: "https://receiver.example/",
      statusCode: 200,
      durationMs: 1,
      error: null,
      response: null,
      timedOut: false,
    } as const;
    expect(await account.reportAttempt({ ...attempt, token: "another Worker" }, report)).toEqual({ kind: "stale" });
    expect(await account.reportAttempt(attempt, report)).toEqual({ kind: "recorded", status: "succeeded" });
    expect(await account.reportAttempt(attempt, { ...report, statusCode: 500 })).toEqual({ kind: "stale" });
    expect(await readDelivery(delivery)).toMatchObject({ status: "succeeded", attempts: [{ status_code: 200 }] });
  });

  it("an event is delivered if the account's Durable Object restarts during an attempt", async () => {
    const url = receiver("ok");
    const delivery = await endJobWithLostMessage(url);
    await stubOf(delivery.account).beginAttempt({ ...messageOf(delivery), token: "a Worker that dies" });
    await evictDurableObject(objectOf(delivery.account));
    expect(await consume(messageOf(delivery))).toBe("ack");
    expect(await postsTo(url)).toEqual([]);
    await fireAlarm(delivery);
    await expectPosts(url, 1);
    expect(await expectAttempts(delivery, 2)).toMatchObject({
      status: "succeeded",
      attempts: [{ interrupted: true }, {}],
    });
  });

  it("a message stays in the queue if the account can't be reached", async () => {
    const url = receiver("ok");
    const delivery = await endJobWithLostMessage(url);
    expect(
      await consume(
        messageOf(delivery),
        withFailingAccounts(() => "before"),
      ),
    ).toBe("retry");
    expect(await postsTo(url)).toEqual([]);
    expect(await consume(messageOf(delivery))).toBe("ack");
    await expectPosts(url, 1);
  });

  it.each(["beginAttempt", "reportAttempt"])("an event is sent once if a reply to %s is lost", async (method) => {
    const url = receiver("ok");
    const delivery = await endJobWithLostMessage(url);
    let calls = 0;
    const shaky = withFailingAccounts((name) => (name === method && calls++ === 0 ? "after" : null), {
      retryable: true,
    });
    expect(await consume(messageOf(delivery), shaky)).toBe("ack");
    expect(calls).toBe(2);
    expect(await postsTo(url)).toHaveLength(1);
    expect(await readDelivery(delivery)).toMatchObject({ status: "succeeded", attempts: [{ status_code: 204 }] });
  });

  it("an event whose request can't be made doesn't count as an attempt, and isn't shown as a failed connection", async () => {
    const url = receiver("ok");
    const delivery = await endJobWithLostMessage(url);
    const broken = { ...env, USER_AGENT: "not a\nheader" };
    expect(await consume(messageOf(delivery), broken)).toBe("ack");
    expect(await postponementsOf(delivery)).toBe(1);
    expect(await readDelivery(delivery)).toMatchObject({ status: "pending", attempts: [] });
    await fireAlarm(delivery);
    await expectPosts(url, 1);
    expect(await numbersOf(url)).toEqual(["1"]);
  });

  it("an event that can't be signed is abandoned after a day, with an error in its log", async () => {
    const account = await openObject();
    await readSettings(env, { account, mode: "live" }, Date.now());
    await sqlIn(account, "UPDATE webhooks SET secret = 'v1.AAAAAAAAAAAAAAAA.AAAA'");
    const url = receiver("ok");
    const delivery = await endJob(url, { account });
    await expect.poll(() => postponementsOf(delivery)).toBe(1);
    vi.setSystemTime(Date.now() + 23 * 60 * MINUTE_MS);
    await fireAlarm(delivery);
    await expect.poll(() => postponementsOf(delivery)).toBe(2);
    expect(await readDelivery(delivery)).toMatchObject({ status: "pending", attempts: [] });
    vi.setSystemTime(Date.now() + 2 * 60 * MINUTE_MS);
    await fireAlarm(delivery);
    expect(await expectAttempts(delivery, 1)).toMatchObject({
      status: "abandoned",
      attempts: [{ error: expect.stringContaining("an error on our side prevented us from sending this event") }],
    });
    expect(await postsTo(url)).toEqual([]);
  });

  it("a rotation replaces a secret that a changed ENCRYPTION_KEY made unreadable", async () => {
    const account = await openObject();
    const owner = { account, mode: "live" as const };
    await readSettings({ ...env, ENCRYPTION_KEY: "the key before this one" }, owner, Date.now());
    const url = receiver("ok");
    const delivery = await endJob(url, { account });
    await expect.poll(() => postponementsOf(delivery)).toBe(1);
    const { secret, previousSecretExpiresAt } = await rotate(env, owner, Date.now());
    expect(previousSecretExpiresAt).toBeNull();
    await fireAlarm(delivery);
    const [post] = await expectPosts(url, 1);
    expect(await verify(secret, bodyOf(post), post?.headers["x-webhook-signature"] ?? "")).toBe(true);
    await expectAttempts(delivery, 1);
  });

  it("an event is sent later if its result isn't in R2 yet", async () => {
    const url = receiver("ok");
    const account = await openObject();
    const restore = await dropMessages(account);
    const delivery = await endJob(url, { account, url: `${page("large")}?words=20000` });
    await restore();
    const [stored] = (await env.STORE.list({ prefix: `results/${account.tag}/` })).objects;
    const json = await (await env.STORE.get(stored?.key ?? ""))?.text();
    await env.STORE.delete(stored?.key ?? "");
    await consume(messageOf(delivery));
    expect(await readDelivery(delivery)).toMatchObject({ status: "pending", attempts: [] });
    await env.STORE.put(stored?.key ?? "", json ?? "");
    await fireAlarm(delivery);
    const [post] = await expectPosts(url, 1);
    expect(JSON.parse(bodyOf(post)).result.text).toContain("word word");
    await expectAttempts(delivery, 1);
  });

  it("an event isn't sent if retention has deleted its result", async () => {
    const url = receiver("ok");
    const delivery = await endJobWithLostMessage(url);
    await sqlIn(delivery.account, "UPDATE jobs SET expired = 1");
    await sqlIn(delivery.account, "DELETE FROM payloads");
    await consume(messageOf(delivery));
    expect(await readDelivery(delivery)).toMatchObject({
      status: "abandoned",
      attempts: [
        {
          error:
            "Not sent: the job's result was deleted, because its retention period is over or its request has `store: false`.",
        },
      ],
    });
    expect(await postsTo(url)).toEqual([]);
  });

  it("a message to an account without tables is dropped and creates no tables", async () => {
    const account = { id: "unknown", tag: "0000000000", object: crypto.randomUUID(), jurisdiction: null };
    expect(await consume({ kind: "delivery", account, mode: "live", delivery: "1", round: 1, attempt: 1 })).toBe("ack");
    expect(await sqlIn(account, "SELECT name FROM sqlite_schema WHERE name = 'deliveries'")).toEqual([]);
    expect(await runDurableObjectAlarm(objectOf(account))).toBe(false);
  });
});
