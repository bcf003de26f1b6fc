import { describe, expect, it } from "vitest";
import { awaitBatch, postBatch } from "../support/batches";
import { type Client, createClient, creditsOf, page, querySite, read, readEnded } from "../support/client";
import { openFolder } from "../support/crawls";

const hits = (url: string) => querySite<number>("hits", url);

async function runBatch(client: Client, body: Record<string, unknown>) {
  const { batch_id } = await postBatch(client, body);
  return await awaitBatch(client, batch_id);
}

interface Crawl {
  status: string;
  counts: { total: number; completed: number };
  credits: { used: number; given_back: number };
  pages: { url: string; meta: { capture_id?: string; credits_used: number } }[];
}

async function runCrawl(client: Client, body: Record<string, unknown>): Promise<Crawl> {
  const { crawl_id } = await (await client.call("POST", "/v1/crawl", body)).json<{ crawl_id: string }>();
  await readEnded(client, `/v1/crawl/${crawl_id}`);
  return await (await client.call("GET", `/v1/crawl/${crawl_id}?limit=100`)).json<Crawl>();
}

describe("captures in a batch", () => {
  it("are kept by its pages, and used by those of a later batch, for free and without a request", async () => {
    const client = await createClient();
    const urls = [page("article"), page("article")];
    const requests = urls.map((url) => ({ url }));
    const first = await runBatch(client, { requests, defaults: { max_age: 60 } });
    expect(first.credits).toEqual({ reserved: 0, used: 2, given_back: 0 });
    for (const { job_id, meta } of first.pages) expect(meta).toMatchObject({ capture_id: job_id, credits_used: 1 });
    const second = await runBatch(client, { requests, defaults: { max_age: 60, formats: ["text"] } });
    expect(second.credits).toEqual({ reserved: 0, used: 0, given_back: 2 });
    expect(second.pages.map(({ meta }) => (meta as { capture_id?: string }).capture_id)).toEqual(
      first.pages.map(({ job_id }) => job_id),
    );
    expect(await Promise.all(urls.map(hits))).toEqual([1, 1]);
    expect((await creditsOf(client.accountId)).used).toBe(2);
  });

  it("cost what a single job from a capture costs, also if only one of the pages has max_age", async () => {
    const client = await createClient();
    const url = page("article");
    const prompt = `The page. [[good ${crypto.randomUUID()} ${JSON.stringify({ place: "Łeba" })}]]`;
    const parse = (requests: object[]) => runBatch(client, { endpoint: "parse", requests, defaults: { prompt } });
    expect((await parse([{ url, capture: true }])).credits.used).toBe(5);
    const second = await parse([{ url, max_age: 60 }, { url }]);
    expect(second.pages.map(({ meta }) => meta?.receipt)).toEqual([
      { total: 4, lines: [{ item: "parse", credits: 4, reason: "capture" }] },
      expect.objectContaining({ total: 5 }),
    ]);
    expect(second.credits).toEqual({ reserved: 0, used: 9, given_back: 1 });
    expect(await hits(url)).toBe(2);
  });

  it("can be read by their ids with a single request, but not with another batch", async () => {
    const client = await createClient();
    const url = page("article");
    const [kept] = (await runBatch(client, { requests: [{ url, capture: true }] })).pages;
    const again = await read(await client.scrape({ capture_id: kept?.job_id, formats: ["text"] }));
    expect(again.meta).toMatchObject({ credits_used: 0, capture_id: kept?.job_id });
    expect(await hits(url)).toBe(1);
    const refused = [
      { requests: [{ capture_id: kept?.job_id }] },
      { requests: [{ url }], defaults: { capture_id: kept?.job_id } },
    ];
    const paths = await Promise.all(
      refused.map(async (body) => (await postBatch(client, body)).error.details?.map(({ path }) => path)),
    );
    expect(paths).toEqual([["requests.0.capture_id"], ["defaults.capture_id"]]);
  });
});

describe.concurrent("captures in a crawl", () => {
  it("are used by a later crawl, which follows their links for free and without a request", async () => {
    const [client, folder] = [await createClient(), openFolder()];
    const body = { url: folder.page("tree/1"), max_depth: 2, sitemap: "skip", scrape: { max_age: 60 } };
    const first = await runCrawl(client, body);
    expect(first).toMatchObject({ counts: { total: 7, completed: 7 }, credits: { used: 7, given_back: 0 } });
    const visited = (await folder.visits()).paths.length;
    const second = await runCrawl(client, body);
    expect(second).toMatchObject({ counts: { total: 7, completed: 7 }, credits: { used: 0, given_back: 7 } });
    expect(second.pages.map(({ url }) => url).sort()).toEqual(first.pages.map(({ url }) => url).sort());
    expect((await folder.visits()).paths).toHaveLength(visited);
    expect((await creditsOf(client.accountId)).used).toBe(7);
  });

  it("can't be named, because a crawl finds its pages itself", async () => {
    const client = await createClient();
    const scrape = { capture_id: "0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b" };
    const response = await client.call("POST", "/v1/crawl", { url: "https://example.com/", scrape });
    expect(await read(response)).toMatchObject({ error: { details: [{ path: "scrape.capture_id" }] } });
  });
});
