import { afterEach, describe, expect, it, vi } from "vitest";
import type { BegunAttempt } from "../../src/account/deliveries/delivery-types";
import { newTaggedId } from "../../src/lib/id";
import type { AccountRef } from "../../src/model/account";
import type { Delivery } from "../../src/model/delivery";
import { MINUTE_MS } from "../../src/model/limits";
import { newJob, sqlIn, stubOf } from "../support/account";
import { ORIGIN } from "../support/client";
import { openSilentObject } from "../support/silent-object";

afterEach(() => void vi.useRealTimers());

const OLD = "https://old.example/hook";
const NEW = "https://new.example/hook";
const OTHER = "https://other.example/hook";

const FAILURE = {
  kind: "sent",
  url: OLD,
  statusCode: 500,
  durationMs: 7,
  error: "It failed.",
  response: null,
  timedOut: false,
} as const;
const TIMEOUT = { ...FAILURE, statusCode: null, timedOut: true } as const;

/** Creates an endpoint with the URL OLD. It is the account's URL or an additional endpoint. */
async function createEndpoint(account: AccountRef, id: string): Promise<void> {
  const object = stubOf(account);
  if (id === "default") await object.webhook("live", { kind: "url", url: OLD });
  else await object.createEndpoint({ mode: "live", id, url: OLD, events: null, secret: "secret" });
}

/** Ends a job whose event is sent to the endpoints of its account. Returns the first attempt of the delivery. */
async function endJob(account: AccountRef): Promise<BegunAttempt> {
  const job = newJob(account);
  await stubOf(account).createJob(job);
  await stubOf(account).cancel(job);
  const reply = await stubOf(account).listDeliveries({ mode: "live", jobId: job.id, limit: 1, offset: 0 });
  const id = "kind" in reply ? "" : (reply.deliveries[0]?.id ?? "");
  return { account, mode: "live", delivery: id, round: 1, attempt: 1, token: "token" };
}

async function fail(attempt: BegunAttempt): Promise<void> {
  await stubOf(attempt.account).beginAttempt(attempt);
  await stubOf(attempt.account).reportAttempt(attempt, FAILURE);
}

async function read({ account, delivery }: BegunAttempt): Promise<Delivery> {
  const reply = await stubOf(account).getDelivery({ mode: "live", id: delivery });
  if (reply === null || "kind" in reply) throw new Error("There is no delivery.");
  return reply.delivery;
}

describe.each(["default", "0199b2c1-5d20-7a44-b1c3-9e8d7c6b5a40"])(
  "the pending deliveries of the endpoint '%s'",
  (id) => {
    it("are retried at the new URL after the endpoint's URL was changed", async () => {
      const account = await openSilentObject();
      await createEndpoint(account, id);
      const failed = await endJob(account);
      await fail(failed);
      const unsent = await endJob(account);
      await stubOf(account).webhook("live", { kind: "url", url: NEW }, id);
      expect(await read(failed)).toMatchObject({ url: NEW, status: "pending", attempts: [{ url: OLD }] });
      expect(await stubOf(account).beginAttempt(unsent)).toMatchObject({ kind: "send", delivery: { url: NEW } });
      const hosts = await sqlIn(account, "SELECT DISTINCT host FROM deliveries");
      expect(hosts).toEqual([{ host: "new.example" }]);
    });

    it("keep the URL of an attempt that is being sent during the change", async () => {
      const account = await openSilentObject();
      await createEndpoint(account, id);
      const begun = await endJob(account);
      await stubOf(account).beginAttempt(begun);
      await stubOf(account).webhook("live", { kind: "url", url: NEW }, id);
      await stubOf(account).reportAttempt(begun, { ...TIMEOUT, url: OLD });
      expect(await read(begun)).toMatchObject({ url: NEW, status: "pending", attempts: [{ url: OLD }] });
      expect(await sqlIn(account, "SELECT host FROM failing_receivers")).toEqual([{ host: "old.example" }]);
    });

    it("keep the URL of a redelivery to another URL", async () => {
      const account = await openSilentObject();
      await createEndpoint(account, id);
      const failed = await endJob(account);
      await fail(failed);
      await stubOf(account).redeliver({ mode: "live", id: failed.delivery }, 1, OTHER);
      await stubOf(account).webhook("live", { kind: "url", url: NEW }, id);
      expect(await read(failed)).toMatchObject({ url: OTHER });
    });

    it("are abandoned with the reason when the endpoint is deleted", async () => {
      const account = await openSilentObject();
      vi.useFakeTimers({ toFake: ["Date"] });
      await createEndpoint(account, id);
      const failed = await endJob(account);
      await fail(failed);
      const unsent = await endJob(account);
      const begun = await endJob(account);
      await stubOf(account).beginAttempt(begun);
      const begunAt = Date.now();
      vi.setSystemTime(begunAt + 1);
      expect(await stubOf(account).deleteEndpoint({ mode: "live", id })).toBe(true);
      const cause = id === "default" ? "the account's webhook URL was removed" : "the webhook endpoint was deleted";
      const stopped = { status: "abandoned", nextAttemptAt: null };
      const notSent = { at: begunAt + 1, status_code: null, error: `Not sent: ${cause}.` };
      expect(await read(failed)).toMatchObject({ ...stopped, attempts: [{ status_code: 500 }, notSent] });
      expect(await read(unsent)).toMatchObject({ ...stopped, attempts: [notSent] });
      const interrupted = `This attempt was interrupted because ${cause}. The receiver may have received the event.`;
      expect(await read(begun)).toMatchObject({ ...stopped, attempts: [{ at: begunAt, error: interrupted }] });
      expect(await stubOf(account).beginAttempt(unsent)).toEqual({ kind: "stale" });
      expect(await stubOf(account).reportAttempt(begun, FAILURE)).toEqual({ kind: "stale" });
      // There is no email, because the owner has deleted the endpoint.
      expect(await sqlIn(account, "SELECT * FROM webhook_alerts")).toEqual([]);
      expect(await sqlIn(account, "SELECT id FROM deliveries WHERE stage IS NOT NULL OR due_at IS NOT NULL")).toEqual(
        [],
      );
    });

    it("to other endpoints and to URLs of requests aren't changed", async () => {
      const account = await openSilentObject();
      const further = newTaggedId(account.tag);
      const object = stubOf(account);
      await object.createEndpoint({ mode: "live", id: further, url: OTHER, events: null, secret: "secret" });
      const ofFurther = await endJob(account);
      const job = newJob(account, { webhookUrl: OLD });
      await object.createJob(job);
      await object.cancel(job);
      const ofRequest = { ...ofFurther, delivery: job.id };
      await createEndpoint(account, id);
      await object.webhook("live", { kind: "url", url: NEW }, id);
      await object.deleteEndpoint({ mode: "live", id });
      expect(await read(ofFurther)).toMatchObject({ url: OTHER, status: "pending", attempts: [] });
      expect(await read(ofRequest)).toMatchObject({ url: OLD, status: "pending", attempts: [] });
    });
  },
);

describe("a job whose account's URL changes before the job ends", () => {
  it("is delivered to the new URL", async () => {
    const account = await openSilentObject();
    await createEndpoint(account, "default");
    const job = newJob(account);
    await stubOf(account).createJob(job);
    await stubOf(account).webhook("live", { kind: "url", url: NEW });
    await stubOf(account).cancel(job);
    const reply = await stubOf(account).getDelivery({ mode: "live", id: job.id });
    expect(reply).toMatchObject({ delivery: { url: NEW, endpointId: "default" } });
  });

  it("isn't delivered if the URL was removed", async () => {
    const account = await openSilentObject();
    await createEndpoint(account, "default");
    const job = newJob(account);
    await stubOf(account).createJob(job);
    await stubOf(account).webhook("live", { kind: "url", url: null });
    await stubOf(account).cancel(job);
    expect(await stubOf(account).getDelivery({ mode: "live", id: job.id })).toBeNull();
  });
});

it("starts other deliveries that waited for the slots of a deleted endpoint", async () => {
  const account = await openSilentObject();
  const object = stubOf(account);
  const same = "https://old.example/other";
  await createEndpoint(account, "default");
  for (let i = 0; i < 4; i++) await endJob(account);
  await object.sendTest({
    mode: "live",
    id: newTaggedId(account.tag),
    url: same,
    endpointId: "request",
    origin: ORIGIN,
  });
  const stageOf = () => sqlIn(account, "SELECT stage FROM deliveries WHERE event = 'webhook.test'");
  expect(await stageOf()).toEqual([{ stage: "waiting" }]);
  await object.webhook("live", { kind: "url", url: null });
  expect(await stageOf()).toEqual([{ stage: "sending" }]);
});

it("doesn't start a delivery twice for the same 'until', even if the caller's clock is ahead", async () => {
  const account = await openSilentObject();
  await createEndpoint(account, "default");
  const failed = await endJob(account);
  await fail(failed);
  const until = Date.now() + MINUTE_MS;
  const filter = { mode: "live", status: "all", endpointId: null, since: 0, until, limit: 10 } as const;
  expect(await stubOf(account).redeliverAll(filter)).toMatchObject({ redelivered: 1 });
  await fail({ ...failed, round: 2 });
  expect(await stubOf(account).redeliverAll(filter)).toMatchObject({ redelivered: 0 });
  expect(await read(failed)).toMatchObject({ round: 2 });
});

it("doesn't send an event again that another bulk redelivery has just started", async () => {
  const account = await openSilentObject();
  await createEndpoint(account, "default");
  const failed = await endJob(account);
  await fail(failed);
  const all = { mode: "live", status: "all", endpointId: null, since: 0, limit: 10 } as const;
  const until = Date.now() + 1;
  expect(await stubOf(account).redeliverAll({ ...all, until })).toMatchObject({ redelivered: 1 });
  expect(await stubOf(account).redeliverAll({ ...all, until: until + 1 })).toMatchObject({ redelivered: 0 });
  await stubOf(account).beginAttempt({ ...failed, round: 2 });
  expect(await stubOf(account).redeliverAll({ ...all, until: until + 2 })).toMatchObject({ redelivered: 0 });
});
