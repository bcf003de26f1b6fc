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

// The clock stands unless a test lets time go by. The runtime's timers go on.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

/** A delivery whose messages the queue has lost so far. */
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
  return { account, mode, delivery: id, round: 1, attempt };
}

/** Hands a message to the consumer, and waits until everything is done. Returns what became of the message. */
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
  const batch = { messages: [one] } as unknown as MessageBatch<DeliveryMessage>;
  await consumeDeliveries(batch, bindings, { waitUntil: (promise) => void after.push(promise) });
  await Promise.all(after);
  return end;
}

/** How often in a row the delivery couldn't be prepared. */
async function postponementsOf({ account, id }: DeliveryRef): Promise<number | undefined> {
  const sql = "SELECT postponements FROM deliveries WHERE id = ?1";
  return (await sqlIn<{ postponements: number }>(account, sql, id))[0]?.postponements;
}

const numbersOf = async (url: string) => (await postsTo(url)).map((post) => post.headers["x-webhook-attempt"]);

describe("whatever fails on our side", () => {
  it("a lost message is sent again after a minute, and nothing is sent twice for it", async () => {
    const url = receiver("ok");
    const delivery = await endJobWithLostMessage(url);
    await fireAlarm(delivery, { early: 1 });
    expect(await readDelivery(delivery)).toMatchObject({ status: "pending", attempts: [] });
    await fireAlarm(delivery);
    await expectPosts(url, 1);
    expect(await expectAttempts(delivery, 1)).toMatchObject({ status: "succeeded" });
  });

  it("a message that is lost again and again is sent ever more seldom, and takes no attempt from the receiver", async () => {
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

  it("a message that comes twice is sent once", async () => {
    const url = receiver("ok");
    const delivery = await endJobWithLostMessage(url);
    const ends = await Promise.all([consume(messageOf(delivery)), consume(messageOf(delivery))]);
    expect([...ends, await consume(messageOf(delivery))]).toEqual(["ack", "ack", "ack"]);
    await expectAttempts(delivery, 1);
    expect(await postsTo(url)).toHaveLength(1);
  });

  it("an alarm that rings again sends nothing again", async () => {
    const url = receiver("fail");
    const delivery = await endJob(url);
    await expectAttempts(delivery, 1);
    for (const early of [29_000, 1]) await fireAlarm(delivery, { early });
    expect(await postsTo(url)).toHaveLength(1);
    await fireAlarm(delivery);
    await expectPosts(url, 2);
    await expectAttempts(delivery, 2);
  });

  it("a Worker that dies during an attempt is settled after a minute, and not counted as the receiver's failure", async () => {
    const url = receiver("fail");
    const delivery = await endJob(url);
    await expectAttempts(delivery, 1);
    const restore = await dropMessages(delivery.account);
    await fireAlarm(delivery);
    const begun = await stubOf(delivery.account).beginAttempt({ ...messageOf(delivery, 2), token: "of one that dies" });
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

  it("what a Worker reports too late changes nothing", async () => {
    const url = receiver("fail");
    const delivery = await endJobWithLostMessage(url);
    const attempt = { ...messageOf(delivery), token: "slow" };
    const account = stubOf(delivery.account);
    await account.beginAttempt(attempt);
    const report = {
      kind: "sent",
      statusCode: 200,
      durationMs: 1,
      error: null,
      response: null,
      timedOut: false,
    } as const;
    expect(await account.reportAttempt({ ...attempt, token: "of another" }, report)).toEqual({ kind: "stale" });
    expect(await account.reportAttempt(attempt, report)).toEqual({ kind: "recorded", status: "succeeded" });
    expect(await account.reportAttempt(attempt, { ...report, statusCode: 500 })).toEqual({ kind: "stale" });
    expect(await readDelivery(delivery)).toMatchObject({ status: "succeeded", attempts: [{ status_code: 200 }] });
  });

  it("a restart of the account's object in the middle of an attempt loses nothing", async () => {
    const url = receiver("ok");
    const delivery = await endJobWithLostMessage(url);
    await stubOf(delivery.account).beginAttempt({ ...messageOf(delivery), token: "of one that dies" });
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

  it("an account that can't be reached leaves the message in the queue", async () => {
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

  it.each(["beginAttempt", "reportAttempt"])("a lost reply to %s sends nothing again", async (method) => {
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

  it("what never can be signed is given up after a day, and says so", async () => {
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
      attempts: [{ error: expect.stringContaining("could not be prepared") }],
    });
    expect(await postsTo(url)).toEqual([]);
  });

  it("a rotation heals what a changed ENCRYPTION_KEY made unreadable", async () => {
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

  it("a result that isn't in the store is waited for", async () => {
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

  it("a result whose time is over isn't sold as an empty one", async () => {
    const url = receiver("ok");
    const delivery = await endJobWithLostMessage(url);
    await sqlIn(delivery.account, "UPDATE jobs SET expired = 1");
    await sqlIn(delivery.account, "DELETE FROM payloads");
    await consume(messageOf(delivery));
    expect(await readDelivery(delivery)).toMatchObject({
      status: "abandoned",
      attempts: [{ error: "Not sent: the job's result was deleted at the end of its retention period." }],
    });
    expect(await postsTo(url)).toEqual([]);
  });

  it("a late message to an account without tables is dropped, and leaves no tables", async () => {
    const account = { id: "nobody", tag: "0000000000", object: crypto.randomUUID(), jurisdiction: null };
    expect(await consume({ account, mode: "live", delivery: "1", round: 1, attempt: 1 })).toBe("ack");
    expect(await sqlIn(account, "SELECT name FROM sqlite_schema WHERE name = 'deliveries'")).toEqual([]);
    expect(await runDurableObjectAlarm(objectOf(account))).toBe(false);
  });
});
