import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import type { AttemptRef } from "../src/model/delivery";
import type { JobRef } from "../src/model/job";
import type { SummaryMessage } from "../src/model/summary";
import { consumeBatch } from "../src/queue";

type Batch = Parameters<typeof consumeBatch>[0];

const account = { id: "a", tag: "", object: "a", jurisdiction: null };
const job: JobRef = { account, mode: "live", job: "1" };
const delivery: AttemptRef = { account, mode: "live", delivery: "1", round: 1, attempt: 1 };
const used: SummaryMessage = { kind: "key_used", keyId: "no such key", at: 1 };

/**
 * Handles a batch with these messages. Returns the calls of Durable Objects, the D1 statements, and the bodies of the
 * acknowledged messages.
 */
async function handle(queue: string, ...bodies: unknown[]): Promise<{ calls: string[]; acknowledged: unknown[] }> {
  const calls: string[] = [];
  const acknowledged: unknown[] = [];
  const call = (method: string) => async () => {
    calls.push(method);
    return { kind: "gone" };
  };
  const stub = { claim: call("claim"), beginAttempt: call("beginAttempt"), wake: call("wake") };
  const ACCOUNT = { getByName: () => stub, jurisdiction: () => ACCOUNT };
  const DB = {
    prepare: (sql: string) => {
      calls.push("statement");
      return env.DB.prepare(sql);
    },
  };
  const messages = bodies.map((body, i) => ({
    ...{ id: `message-${i}`, timestamp: new Date(), attempts: 1, body },
    ...{ ack: () => acknowledged.push(body), retry: () => undefined },
  }));
  const startRun = async () => {
    calls.push("startRun");
    return null;
  };
  const BROWSER_HOST = { getByName: () => ({ startRun }) };
  const bindings = { ...env, ACCOUNT, DB, BROWSER_HOST } as unknown as Env;
  await consumeBatch({ queue, messages } as unknown as Batch, bindings, { waitUntil: () => undefined });
  return { calls, acknowledged };
}

const callsOf = async (queue: string, body: unknown) => (await handle(queue, body)).calls;

it.each([
  ["a job", { kind: "job", ...job }, ["claim"]],
  ["an attempt of a delivery", { kind: "delivery", ...delivery }, ["beginAttempt"]],
  ["a summary", used, ["statement"]],
])("handles %s in a queue of any name", async (_, body, calls) => {
  for (const queue of ["jobs", "webhooks", "summaries", "scraper-staging"])
    expect(await callsOf(queue, body)).toEqual(calls);
});

it("gives the job of a queue for renders to the object that has the places", async () => {
  expect(await callsOf("scraper-staging-renders", { kind: "job", ...job })).toEqual(["startRun"]);
});

it("wakes the account of a job that is in a dead-letter queue of any environment", async () => {
  for (const queue of ["jobs-dead", "scraper-staging-renders-dead"])
    expect(await callsOf(queue, { kind: "job", ...job })).toEqual(["wake"]);
});

it.each([
  ["null", null, undefined],
  ["text", "job", undefined],
  ["a list", [job], undefined],
  ["a job without a kind", job, undefined],
  ["no members", {}, undefined],
  ["a job without an account", { kind: "job", mode: "live", job: "1" }, "job"],
  ["a job with an empty account", { kind: "job", ...job, account: null }, "job"],
  ["a job with an unknown jurisdiction", { kind: "job", ...job, account: { ...account, jurisdiction: "mars" } }, "job"],
  ["a job of an unknown mode", { kind: "job", ...job, mode: "dry" }, "job"],
  ["a delivery without an attempt", { kind: "delivery", ...delivery, attempt: undefined }, "delivery"],
  ["a summary without figures", { kind: "account", accountId: "a" }, "account"],
  ["a use of a key without a time", { kind: "key_used", keyId: "a" }, "key_used"],
  ["a kind of a later version", { ...job, kind: "export" }, "export"],
  ["a kind with the name of an object's member", { ...job, kind: "toString" }, "toString"],
  ["a kind that isn't text", { ...job, kind: 7 }, undefined],
])("refuses a message without affecting the other messages of the batch: %s", async (_, body, kind) => {
  const logged = vi.spyOn(console, "error").mockImplementation(() => {});
  const good = { kind: "job", ...job };
  for (const queue of ["jobs", "jobs-dead"]) {
    const { calls, acknowledged } = await handle(queue, body, good);
    expect(calls).toEqual([queue === "jobs" ? "claim" : "wake"]);
    expect(acknowledged).toEqual([body, good]);
    const line = JSON.parse(String(logged.mock.lastCall?.[0]));
    expect(line).toMatchObject({ event: "message_refused", queue, message_id: "message-0" });
    expect(line.kind).toBe(kind);
  }
  logged.mockRestore();
});

it("accepts a message with members of a later version", async () => {
  expect(await callsOf("jobs", { kind: "job", ...job, priority: 1, account: { ...account, shard: 2 } })).toEqual([
    "claim",
  ]);
});
