import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import type { NewBatch, NewPage } from "../../src/account/batches/batch-types";
import type { JobEnd } from "../../src/account/storage/types";
import { newTaggedId } from "../../src/lib/id";
import type { AccountRef } from "../../src/model/account";
import type { JobMessage } from "../../src/model/job";
import { toPrices } from "../../src/model/prices";
import { objectOf, openObject, stubOf } from "../support/account";
import { ORIGIN } from "../support/client";

/** Opens an account whose queue messages are only recorded, so that only the test runs its jobs. */
async function openRecorded(concurrentJobs: number): Promise<{ account: AccountRef; sent: string[] }> {
  const account = await openObject({ concurrentJobs });
  const sent: string[] = [];
  const sendBatch = async (messages: MessageSendRequest<JobMessage>[]) => {
    sent.push(...messages.map(({ body }) => body.job));
  };
  await runInDurableObject(objectOf(account), (instance) => {
    const queue = { sendBatch } as unknown as Queue;
    const crawls = { getByName: () => ({ wake: async () => {} }) } as unknown as Env["CRAWL"];
    const bindings = { ...env, JOBS: queue, RENDERS: queue, WEBHOOKS: queue, CRAWL: crawls };
    (instance as unknown as { env: Env }).env = bindings;
  });
  return { account, sent };
}

function newPage(number: number): NewPage {
  const url = `https://example.com/${number}`;
  const price = {
    rendered: false,
    credits: 1,
    plan: { method: "plain" as const, lines: [{ item: "scrape", credits: 1 }] },
  };
  return { number, url, overrides: {}, secrets: null, ...price };
}

async function createBatch(account: AccountRef, count: number, kind: NewBatch["kind"] = "batch"): Promise<string> {
  const batch: NewBatch = {
    mode: "live",
    id: newTaggedId(account.tag),
    kind,
    keyId: "key",
    creditLimit: null,
    endpoint: "scrape",
    request: "{}",
    defaults: {},
    secrets: null,
    origin: ORIGIN,
    webhookUrl: null,
    pageEvents: false,
    labels: null,
    pages: Array.from({ length: count }, (_, n) => newPage(n + 1)),
    prices: toPrices({}),
    first: { credits: 1, rendered: false },
    idempotency: null,
  };
  const reply = await stubOf(account).createBatch(batch);
  if (reply.kind !== "created") throw new Error(reply.kind);
  return batch.id;
}

function toKey(id: string) {
  return { mode: "live", id } as const;
}

const END: JobEnd = { status: "completed", result: "{}", extras: null, charge: 1, processingTimeMs: 1, endedAt: 0 };

async function finish(account: AccountRef, id: string, token: string | null = null, pages: NewPage[] = []) {
  const reply = await stubOf(account).finish(toKey(id), 1, { ...END, endedAt: Date.now() }, { token, pages });
  if (reply.kind !== "ended") throw new Error(reply.kind);
  return reply.next ?? null;
}

async function claim(account: AccountRef, id: string, token: string) {
  const reply = await stubOf(account).claim(toKey(id), token);
  return reply.kind === "run" ? reply.job.page : reply.kind;
}

it("gives the next page to the run that has ended a page, without a message", async () => {
  const { account, sent } = await openRecorded(3);
  await createBatch(account, 4);
  const [first = "", second = ""] = [...sent];
  expect([await claim(account, first, "a"), await claim(account, second, "b")]).toEqual([1, 2]);
  const next = await finish(account, first, "c");
  expect(next).toMatchObject({ page: 3, run: 1, status: "processing" });
  // A call can be repeated, because its reply can be lost.
  expect(await finish(account, first, "c")).toMatchObject({ id: next?.id, run: 1 });
  expect(await finish(account, next?.id ?? "", "d")).toMatchObject({ page: 4 });
  expect(await finish(account, second, "e")).toBeNull();
  expect(sent).toHaveLength(2);
});

it("sends a message for the next page if the run can't continue", async () => {
  const { account, sent } = await openRecorded(2);
  await createBatch(account, 2);
  const [first = ""] = [...sent];
  expect(await claim(account, first, "a")).toBe(1);
  expect(await finish(account, first)).toBeNull();
  expect(sent).toHaveLength(2);
  expect(await claim(account, sent[1] ?? "", "b")).toBe(2);
});

it("starts the next page with the message of a page that another run has taken", async () => {
  const { account, sent } = await openRecorded(3);
  await createBatch(account, 3);
  const [first = "", second = ""] = [...sent];
  expect(await claim(account, first, "a")).toBe(1);
  // The message of the second page hasn't claimed it yet.
  expect(await finish(account, first, "b")).toMatchObject({ id: second, page: 2 });
  expect(sent).toHaveLength(2);
  expect(await claim(account, second, "c")).toBe(3);
  expect(await claim(account, second, "c")).toBe(3);
  expect(await claim(account, second, "d")).toBe("gone");
});

it("continues with its own batch, and leaves the next turn to another batch", async () => {
  const { account, sent } = await openRecorded(1);
  const batches = [await createBatch(account, 4), await createBatch(account, 4)];
  const [first = ""] = [...sent];
  await claim(account, first, "a");
  const next = await finish(account, first, "b");
  expect(next).toMatchObject({ batchId: batches[0], page: 2 });
  expect(await finish(account, next?.id ?? "")).toBeNull();
  const other = await stubOf(account).get(toKey(sent[1] ?? ""));
  expect(other).toMatchObject({ batchId: batches[1], page: 1 });
});

it("doesn't run a page before the end of its delay", async () => {
  const { account, sent } = await openRecorded(3);
  await createBatch(account, 2);
  const [first = "", second = ""] = [...sent];
  expect([await claim(account, first, "a"), await claim(account, second, "b")]).toEqual([1, 2]);
  await stubOf(account).release(toKey(first), 1, { kind: "busy_target", retryAfterMs: 60_000 });
  expect(await finish(account, second, "c")).toBeNull();
});

it("starts the next pages of a crawl that a run brings along, and gives one of them to the run", async () => {
  const { account, sent } = await openRecorded(3);
  await createBatch(account, 1, "crawl");
  const [first = ""] = [...sent];
  expect(await claim(account, first, "a")).toBe(1);
  const pages = [newPage(1), newPage(2), newPage(3)];
  const second = await finish(account, first, "b", pages);
  expect(second).toMatchObject({ page: 2, run: 1, status: "processing" });
  // A call can be repeated, because its reply can be lost.
  expect(await finish(account, first, "b", pages)).toMatchObject({ id: second?.id });
  const [, third = ""] = [...sent];
  expect(sent).toHaveLength(2);
  expect(await claim(account, third, "c")).toBe(3);
});

it("sends messages for the next pages of a crawl if the run can't continue", async () => {
  const { account, sent } = await openRecorded(3);
  await createBatch(account, 1, "crawl");
  const [first = ""] = [...sent];
  expect(await claim(account, first, "a")).toBe(1);
  const pages = [newPage(2), newPage(3)];
  expect(await finish(account, first, null, pages)).toBeNull();
  expect(await finish(account, first, null, pages)).toBeNull();
  expect(sent).toHaveLength(3);
  expect([await claim(account, sent[1] ?? "", "b"), await claim(account, sent[2] ?? "", "c")]).toEqual([2, 3]);
});

it("ignores the next pages of a crawl if an earlier one is missing", async () => {
  const { account, sent } = await openRecorded(3);
  const id = await createBatch(account, 1, "crawl");
  const [first = ""] = [...sent];
  expect(await claim(account, first, "a")).toBe(1);
  expect(await finish(account, first, "b", [newPage(3)])).toBeNull();
  const reply = await stubOf(account).getBatch({ mode: "live", id });
  expect(reply).toMatchObject({ batch: { counts: { total: 1, completed: 1 } } });
});
