import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { streamPages } from "../../src/jobs/batch-stream";
import { getOwnBatch } from "../../src/jobs/batches";
import { crawlStub } from "../../src/store/namespaces";
import { objectOf, sqlIn } from "../support/account";
import { awaitBatch, getBatch, postBatch } from "../support/batches";
import { type Client, page, read, readEnded } from "../support/client";
import { openFolder } from "../support/crawls";
import { callTool, connectMcp } from "../support/mcp-client";
import { expectNothing, objectsOf, startClient } from "../support/not-kept";
import { bodyOf, expectPosts, receiver } from "../support/webhooks";

const SMALL = { url: "https://example.com/lamps" };
const LARGE = { url: "https://large.test/", formats: ["text"] };
const FAILED = { url: "https://dns.test/" };

async function endBatch(client: Client, requests: object[], more: Record<string, unknown> = {}): Promise<string> {
  const { batch_id } = await postBatch(client, { requests, defaults: { store: false }, ...more });
  await awaitBatch(client, batch_id);
  return batch_id;
}

async function readLines(client: Client, path: string) {
  const init = { headers: { accept: "application/x-ndjson" } };
  const text = await (await client.call("GET", path, undefined, init)).text();
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { number: number; result?: unknown; url: string | null });
}

describe("the pages of a batch with store: false", () => {
  it("have no results in the response that callers poll, which deletes none", async () => {
    const { client, account } = await startClient("test");
    const id = await endBatch(client, [SMALL, LARGE, FAILED]);
    for (let i = 0; i < 2; i++) {
      expect((await getBatch(client, id)).pages).toMatchObject([
        { status: "completed", result: null, result_truncated: true, url: SMALL.url },
        { status: "completed", result: null, result_truncated: true },
        { status: "failed" },
      ]);
    }
    expect(await objectsOf(account)).toHaveLength(1);
    const first = (await getBatch(client, id)).pages[0]?.job_id;
    expect((await read(await client.call("GET", `/v1/jobs/${first}`))).result).not.toBeNull();
  });

  it("keep nothing after they were read as NDJSON", async () => {
    const { client, account } = await startClient("test");
    const id = await endBatch(client, [SMALL, LARGE]);
    const lines = await readLines(client, `/v1/batch/${id}`);
    expect(lines.map(({ result }) => JSON.stringify(result).length > 10)).toEqual([true, true]);
    await expectNothing(account, 2);
    const { pages } = await getBatch(client, id);
    expect(pages).toMatchObject(Array(2).fill({ status: "completed", url: null, result: null }));
    expect(pages[0]).not.toHaveProperty("result_truncated");
    const [batch] = await sqlIn(account, "SELECT request, defaults FROM batches");
    expect(batch).toEqual({ request: "{}", defaults: null });
  });

  it("keep their results if the NDJSON is interrupted", async () => {
    const { client, account } = await startClient("test");
    const id = await endBatch(client, [SMALL, LARGE]);
    const batch = await getOwnBatch(env, account, { mode: "test", id, kind: "batch" });
    const reader = streamPages(env, batch, { after: 0 }).getReader();
    await reader.read();
    await reader.cancel();
    expect(await readLines(client, `/v1/batch/${id}`)).toMatchObject([{ url: SMALL.url }, { url: LARGE.url }]);
    await expectNothing(account, 2);
  });

  it("keep nothing one hour after they ended, and nothing of failed pages and of pages that never started", async () => {
    const { client, account } = await startClient("test");
    const slow = { url: "https://slow-60.test/" };
    const { batch_id } = await postBatch(client, { requests: [SMALL, FAILED, slow, slow], defaults: { store: false } });
    const ended = async () => (await getBatch(client, batch_id)).counts;
    await expect.poll(ended).toMatchObject({ completed: 1, failed: 1 });
    await client.call("DELETE", `/v1/batch/${batch_id}`);
    const [planned] = await sqlIn<{ due: number }>(account, "SELECT MAX(due_at) AS due FROM temporary_results");
    vi.setSystemTime(planned?.due ?? 0);
    await runDurableObjectAlarm(objectOf(account));
    vi.useRealTimers();
    await expectNothing(account, null);
    expect(await sqlIn(account, "SELECT 1 FROM batch_pages WHERE overrides <> '{}' OR url <> ''")).toEqual([]);
  });

  it("keep nothing after their events were delivered, which name the URL", async () => {
    const { client, account } = await startClient();
    const hook = receiver("ok");
    const events = ["batch.completed", "batch.page"];
    const url = page("article");
    await endBatch(client, [{ url, formats: ["text"] }], { webhook_url: hook, webhook_events: events });
    const posts = await expectPosts(hook, 2);
    const sent = posts.map((post) => JSON.parse(bodyOf(post)) as { event: string; url?: string; result?: object });
    expect(sent.find(({ event }) => event === "batch.page")).toMatchObject({
      url,
      result: { text: expect.anything() },
    });
    await expectNothing(account, 1);
  });

  it("have no URL in an event that is sent again after it was deleted", async () => {
    const { client, account } = await startClient();
    const hook = receiver("ok");
    const events = ["batch.completed", "batch.page"];
    const url = page("status?code=404");
    const id = await endBatch(client, [{ url }], { webhook_url: hook, webhook_events: events });
    await expectPosts(hook, 2);
    await expect.poll(async () => (await getBatch(client, id)).pages[0]?.url).toBeNull();
    const [failed] = (await getBatch(client, id)).pages;
    await client.call("POST", `/v1/webhooks/deliveries/${failed?.job_id}/redeliver`);
    const sent = (await expectPosts(hook, 3)).map(
      (post) => JSON.parse(bodyOf(post)) as { event: string; url?: unknown },
    );
    expect(sent.filter(({ event }) => event === "batch.page").map((event) => event.url)).toEqual([url, null]);
    await expectNothing(account, null);
  });

  it("are shown without their content by the tools, until read reads it", async () => {
    const { client, account } = await startClient("test");
    const tools = await connectMcp(client);
    const id = await endBatch(client, [SMALL]);
    const { text } = await callTool(tools, "read", { id });
    expect(text).toContain("To get the content, call read with the job_id.");
    const [job] = (await getBatch(client, id)).pages;
    expect((await callTool(tools, "read", { id: job?.job_id })).text).toContain("untrusted-content");
    await expectNothing(account, 1);
  });
});

describe("a crawl with store: false", () => {
  it("keeps nothing after its pages were read, and its URLs for one hour", async () => {
    const { client, account } = await startClient();
    const folder = openFolder();
    const scrape = { formats: ["text"], store: false };
    const body = { url: folder.page("tree/1"), max_depth: 1, sitemap: "skip", scrape };
    const { crawl_id: id } = await (await client.call("POST", "/v1/crawl", body)).json<{ crawl_id: string }>();
    expect((await readEnded(client, `/v1/crawl/${id}`)).status).toBe("completed");
    const { data } = await read(await client.call("GET", `/v1/jobs?batch_id=${id}`));
    for (const { job_id } of data as unknown as { job_id: string }[])
      await (await client.call("GET", `/v1/jobs/${job_id}`)).text();
    await expectNothing(account, 3);
    const crawl = crawlStub(env, account, id);
    expect(await crawl.progress()).toMatchObject({ discovered: 8 });
    vi.setSystemTime(Date.now() + 3_600_000);
    await runDurableObjectAlarm(crawl);
    vi.useRealTimers();
    expect(await crawl.progress()).toBeNull();
  });
});
