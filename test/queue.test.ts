import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import type { AttemptRef } from "../src/model/delivery";
import type { JobRef } from "../src/model/job";
import type { SummaryMessage } from "../src/model/summary";
import { consumeBatch } from "../src/queue";

type Batch = Parameters<typeof consumeBatch>[0];

const account = { id: "a", tag: "", object: "a", jurisdiction: null };
const job: JobRef = { account, mode: "live", job: "1" };
const delivery: AttemptRef = { account, mode: "live", delivery: "1", round: 1, attempt: 1 };
const used: SummaryMessage = { kind: "key_used", keyId: "no such key", at: 1 };

/** Handles one message. Returns the calls of Durable Objects and the number of D1 statements. */
async function callsOf(queue: string, body: unknown): Promise<string[]> {
  const calls: string[] = [];
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
  const message = { id: "1", timestamp: new Date(), attempts: 1, body, ack: () => undefined, retry: () => undefined };
  const bindings = { ...env, ACCOUNT, DB } as unknown as Env;
  await consumeBatch({ queue, messages: [message] } as unknown as Batch, bindings, { waitUntil: () => undefined });
  return calls;
}

it.each([
  ["a job", { kind: "job", ...job }, ["claim"]],
  ["an attempt of a delivery", { kind: "delivery", ...delivery }, ["beginAttempt"]],
  ["a summary", used, ["statement"]],
  ["a job of an earlier version", job, ["claim"]],
  ["an attempt of a delivery of an earlier version", delivery, ["beginAttempt"]],
])("handles %s in a queue of any name", async (_, body, calls) => {
  for (const queue of ["jobs", "webhooks", "summaries", "scraper-staging-renders"])
    expect(await callsOf(queue, body)).toEqual(calls);
});

it("wakes the account of a job that is in a dead-letter queue of any environment", async () => {
  for (const queue of ["jobs-dead", "scraper-staging-renders-dead"])
    expect(await callsOf(queue, { kind: "job", ...job })).toEqual(["wake"]);
});
