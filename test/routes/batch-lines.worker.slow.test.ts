import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { streamPages } from "../../src/jobs/batch-stream";
import { getOwnBatch } from "../../src/jobs/batches";
import { awaitBatch, getBatch, postBatch } from "../support/batches";
import { type Client, createClient, page, querySite, read, readEnded, refOf } from "../support/client";
import { openFolder } from "../support/crawls";

interface Line {
  number: number;
  status: string;
  result?: Record<string, string>;
  error?: { code: string };
  next_cursor?: string;
}

async function readLines(client: Client, id: string, query = "", kind = "batch"): Promise<Line[]> {
  const init = { headers: { accept: "application/x-ndjson" } };
  const response = await client.call("GET", `/v1/${kind}/${id}${query}`, undefined, init);
  expect(response.headers.get("content-type")).toBe("application/x-ndjson");
  return toLines(await response.text());
}

function toLines(text: string): Line[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
}

describe("the pages of a batch as NDJSON", () => {
  it("have complete results, also large ones, and continue after a cursor", async () => {
    const client = await createClient({ mode: "test" });
    const requests = ["https://example.com/", "https://large.test/", "https://dns.test/", "https://example.com/b"];
    const { batch_id } = await postBatch(client, { requests: requests.map((url) => ({ url })) });
    const { pages } = await awaitBatch(client, batch_id);
    expect(JSON.stringify(pages[1]?.result).length).toBeGreaterThan(1_000_000);
    const lines = await readLines(client, batch_id);
    expect(lines.map(({ number, status, error }) => [number, status, error?.code])).toEqual([
      [1, "completed", undefined],
      [2, "completed", undefined],
      [3, "failed", "dns_failure"],
      [4, "completed", undefined],
    ]);
    expect(lines[1]).not.toHaveProperty("result_truncated");
    expect(JSON.stringify(lines[1]?.result).length).toBeGreaterThan(1_000_000);
    expect((await readLines(client, batch_id, "?cursor=2")).map(({ number }) => number)).toEqual([3, 4]);
  });

  it("are complete in JSON, with at most 10 MB of results in each response", async () => {
    const client = await createClient({ mode: "test" });
    const requests = Array.from({ length: 12 }, (_, i) => ({ url: `https://large.test/${i}` }));
    const { batch_id } = await postBatch(client, { requests });
    await awaitBatch(client, batch_id);
    const sizes: number[] = [];
    const numbers: number[] = [];
    for (let query = "?limit=100"; query !== ""; ) {
      const text = await (await client.call("GET", `/v1/batch/${batch_id}${query}`)).text();
      const { pages, next_cursor } = JSON.parse(text) as { pages: Line[]; next_cursor?: string };
      sizes.push(text.length);
      numbers.push(...pages.map(({ number, result }) => (result === null ? Number.NaN : number)));
      query = next_cursor === undefined ? "" : `?limit=100&cursor=${next_cursor}`;
    }
    expect(numbers).toEqual(requests.map((_, i) => i + 1));
    expect(sizes.length).toBeGreaterThan(1);
    expect(Math.max(...sizes)).toBeLessThan(11 * 1024 * 1024);
    const { pages } = await getBatch(client, batch_id, "?results=none");
    expect(pages[0]).toMatchObject({ status: "completed", result: null, result_truncated: true });
  });

  it("leave out pages that haven't ended", async () => {
    const client = await createClient();
    const held = page("held");
    const { batch_id } = await postBatch(client, { requests: [{ url: held }, { url: page("article") }] });
    await expect.poll(async () => (await readLines(client, batch_id)).map(({ number }) => number)).toEqual([2]);
    await expect.poll(() => querySite("hits", held)).toBe(1);
    await querySite("release", held);
    await awaitBatch(client, batch_id);
    expect((await readLines(client, batch_id)).map(({ number }) => number)).toEqual([1, 2]);
  });

  it("are read from the store one after another, as the caller reads them", async () => {
    const client = await createClient({ mode: "test" });
    const requests = ["a", "b", "c"].map((name) => ({ url: `https://large.test/${name}` }));
    const { batch_id } = await postBatch(client, { requests });
    await awaitBatch(client, batch_id);
    const account = await refOf(client.accountId);
    const batch = await getOwnBatch(env, account, { mode: "test", id: batch_id, kind: "batch" });
    const opened: string[] = [];
    const get = (key: string) => {
      opened.push(key);
      return env.STORE.get(key);
    };
    const counting = Object.create(env, { STORE: { value: { get } } }) as Env;
    const reader = streamPages(counting, batch, { after: 0 }).getReader();
    // The second chunk belongs to the first result.
    for (const _ of [1, 2]) await reader.read();
    // If the stream didn't wait for its reader, it would open all results while another reader reads all lines.
    await new Response(streamPages(env, batch, { after: 0 })).arrayBuffer();
    expect(opened).toHaveLength(1);
    while (!(await reader.read()).done);
    expect(opened).toHaveLength(3);
  });

  it("end with a cursor if one response can't have them all", async () => {
    const client = await createClient({ mode: "test" });
    const requests = Array.from({ length: 60 }, (_, i) => ({ url: `https://example.com/${i}` }));
    const { batch_id } = await postBatch(client, { requests });
    await awaitBatch(client, batch_id);
    const account = await refOf(client.accountId);
    const batch = await getOwnBatch(env, account, { mode: "test", id: batch_id, kind: "batch" });
    const lines = toLines(await new Response(streamPages(env, batch, { after: 0, maxCalls: 22 })).text());
    expect([lines.length, lines.at(-1)]).toEqual([41, { next_cursor: "40" }]);
    expect(await readLines(client, batch_id, "?cursor=50")).toHaveLength(10);
  });
});

describe("the pages of a crawl as NDJSON", () => {
  const startCrawl = async (client: Client, url: string, more: Record<string, unknown> = {}) =>
    String((await read(await client.call("POST", "/v1/crawl", { url, sitemap: "skip", ...more }))).crawl_id);

  it("have complete results in the order of their numbers, and continue after a cursor", async () => {
    const client = await createClient({ mode: "test" });
    // Each page of large.test has a result of over 1 MB.
    const id = await startCrawl(client, "https://large.test/");
    await readEnded(client, `/v1/crawl/${id}`);
    const lines = await readLines(client, id, "", "crawl");
    expect(lines.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6]);
    for (const line of lines) {
      expect(line).toMatchObject({ status: "completed" });
      expect(line).not.toHaveProperty("result_truncated");
      expect(JSON.stringify(line.result).length).toBeGreaterThan(1_000_000);
    }
    expect((await readLines(client, id, "?cursor=4", "crawl")).map(({ number }) => number)).toEqual([5, 6]);
  });

  it("have the errors of failed pages", async () => {
    const client = await createClient();
    const folder = openFolder();
    const id = await startCrawl(client, folder.page("hub/missing,leaf%2F1"), { scrape: { formats: ["text"] } });
    await readEnded(client, `/v1/crawl/${id}`);
    const lines = await readLines(client, id, "", "crawl");
    expect(lines.map(({ status, error }) => [status, error?.code])).toEqual([
      ["completed", undefined],
      ["failed", "target_http_error"],
      ["completed", undefined],
    ]);
  });

  it("leave out pages that are still running", async () => {
    const client = await createClient();
    const folder = openFolder();
    const id = await startCrawl(client, folder.page("held"));
    await expect.poll(async () => (await folder.visits()).paths).toEqual(["held"]);
    expect(await readLines(client, id, "", "crawl")).toEqual([]);
    await folder.release();
    await readEnded(client, `/v1/crawl/${id}`);
    expect(await readLines(client, id, "", "crawl")).toMatchObject([{ number: 1, status: "completed" }]);
  });
});
