import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { eraseAccount } from "../../src/account/restore-account";
import { newTaggedId, toIdStart } from "../../src/lib/id";
import type { AccountRef } from "../../src/model/account";
import { DAY_MS } from "../../src/model/limits";
import { newJob, sqlIn, stubOf } from "../support/account";
import { COMPLETED, finishErasure, tablesOf } from "../support/admin";
import { awaitBatch, getBatch, postBatch } from "../support/batches";
import { type Client, createClient, page, querySite, read, refOf } from "../support/client";
import { retain } from "../support/retention";

const NOW = Date.now();
const URLS = ["https://example.com/a", "https://http-404.test/b", "https://example.com/c"];

async function endBatch(client: Client, requests: object[], more: Record<string, unknown> = {}): Promise<string> {
  const { batch_id } = await postBatch(client, { requests, ...more });
  await awaitBatch(client, batch_id);
  return batch_id;
}

const toRequests = (urls: readonly string[]) => urls.map((url) => ({ url }));

/** Moves a batch to an earlier day, but not its jobs. The result is the same as for a batch that ran over midnight. */
async function backdate(account: AccountRef, id: string, days: number): Promise<string> {
  const older = toIdStart(NOW - days * DAY_MS) + newTaggedId(account.tag).slice(13);
  await sqlIn(account, "UPDATE batches SET id = ?2 WHERE id = ?1", id, older);
  await sqlIn(account, "UPDATE batch_pages SET batch_id = ?2 WHERE batch_id = ?1", id, older);
  await sqlIn(account, "UPDATE jobs SET batch_id = ?2 WHERE batch_id = ?1", id, older);
  return older;
}

const totalOf = async (client: Client, query = "") =>
  (await (await client.call("GET", `/v1/jobs?limit=1${query}`)).json<{ pagination: { total: number } }>()).pagination
    .total;

describe("the retention of a batch", () => {
  it("deletes its request and labels with the results, and keeps its counts until its jobs are archived", async () => {
    const client = await createClient({ mode: "test" });
    const account = await refOf(client.accountId);
    const more = { tags: ["night"], defaults: { formats: ["text"] } };
    const id = await endBatch(client, toRequests(URLS), more);
    const before = await getBatch(client, id);
    expect(before).toMatchObject({ tags: ["night"], counts: { total: 3, completed: 2, failed: 1 } });
    await retain(account, NOW + 29 * DAY_MS);
    expect(await getBatch(client, id)).toEqual(before);
    await retain(account, NOW + 31 * DAY_MS);
    const { tags: _, pages: _1, ...kept } = before;
    const after = await getBatch(client, id);
    expect(after).toMatchObject({ ...kept, pages: URLS.map((url) => ({ url })) });
    expect([after.tags, after.pages[0]?.result]).toEqual([undefined, null]);
    const rows = await sqlIn(account, "SELECT request, defaults, secrets, metadata FROM batches");
    expect(rows).toEqual([{ request: null, defaults: null, secrets: null, metadata: null }]);
    await retain(account, NOW + 402 * DAY_MS);
    expect((await client.call("GET", `/v1/batch/${id}`)).status).toBe(404);
    expect(await sqlIn(account, "SELECT 1 FROM batches UNION ALL SELECT 1 FROM batch_pages")).toEqual([]);
    const archived = await read(await client.call("GET", `/v1/jobs/${before.pages[0]?.job_id}`));
    expect(archived).toMatchObject({ status: "completed", batch_id: id, page: 1, result: null });
  });

  it("counts the listed jobs of a batch that began on an archived day", async () => {
    const client = await createClient({ mode: "test" });
    const account = await refOf(client.accountId);
    const id = await backdate(account, await endBatch(client, toRequests(URLS)), 402);
    await (await client.scrape({ url: "https://example.com/single" })).text();
    const old = toIdStart(NOW - 402 * DAY_MS) + newTaggedId(account.tag).slice(13);
    const single = { mode: "test", id: old } as const;
    await stubOf(account).createJob(newJob(account, { ...single, keyId: client.keyId, waiting: true }));
    await stubOf(account).finish(single, 1, COMPLETED);
    await retain(account, NOW);
    const [{ archived_before } = {}] = await sqlIn(account, "SELECT archived_before FROM account");
    expect(archived_before).not.toBe("");
    expect(await totalOf(client)).toBe(1);
    expect(await totalOf(client, "&include=children")).toBe(4);
    expect(await totalOf(client, "&status=failed")).toBe(0);
    expect(await totalOf(client, "&status=failed&include=children")).toBe(1);
    expect(await totalOf(client, `&batch_id=${id}`)).toBe(3);
    expect((await getBatch(client, id)).counts).toMatchObject({ total: 3, completed: 2, failed: 1 });
  });
});

describe("an account with batches and captures", () => {
  it("keeps neither its rows nor its objects in R2 when it is erased, also while a batch runs", async () => {
    const client = await createClient();
    const account = await refOf(client.accountId);
    await endBatch(client, [{ url: page("article"), capture: true }]);
    const held = page("held");
    await postBatch(client, { requests: [{ url: held }, { url: held }] });
    await expect.poll(() => querySite<number>("hits", held)).toBeGreaterThan(0);
    const listOf = async () => (await env.STORE.list({ prefix: `captures/${account.tag}/` })).objects;
    expect(await listOf()).toHaveLength(1);
    await eraseAccount(env, { accountId: client.accountId, actor: "operator" });
    await querySite("release", held);
    await finishErasure(account);
    expect(await listOf()).toEqual([]);
    expect(await tablesOf(account)).toEqual([]);
  });
});
