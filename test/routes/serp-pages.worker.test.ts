import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { loadFoundPages } from "../../src/jobs/found-pages";
import { sleep } from "../../src/lib/clock";
import { newTaggedId } from "../../src/lib/id";
import type { ClaimedJob } from "../../src/model/job";
import { toPrices } from "../../src/model/prices";
import { getBatch } from "../support/batches";
import {
  type Client,
  createAccount,
  createClient,
  creditsOf,
  page,
  querySite,
  read,
  readEnded,
  refOf,
} from "../support/client";

interface Page {
  url: string;
  job_id: string | null;
  status: string;
  outcome?: string;
  result?: Record<string, unknown>;
  error?: { code: string };
  truncated?: true;
  total_chars?: number;
  meta?: { credits_used: number };
}

/** Returns a search whose results have the URL, each with another query. */
function searchFor(url: string, scrape: object, more: object = {}) {
  const query = `harbour cranes page:${url} [[good ${crypto.randomUUID()}]]`;
  return { query, engine: "bing", num_results: 3, scrape, ...more };
}

async function search(client: Client, body: object, headers: Record<string, string> = {}) {
  const response = await read(await client.call("POST", "/v1/serp?wait=true", body, { headers }));
  return response as unknown as {
    data: { organic: { url: string }[]; pages: Page[] };
    meta: { credits_used: number; pages_credits_used: number; batch_id?: string; receipt: object };
    job_id: string;
    error: { code: string; message: string; details?: object[] };
  };
}

const outcomesOf = (pages: Page[]) => pages.map(({ outcome, error }) => outcome ?? error?.code);

describe("a search with the contents of its pages", () => {
  it("returns the pages in the order of the results, each with its outcome and price", async () => {
    const client = await createClient();
    const { data, meta } = await search(client, searchFor(page("article"), { formats: ["markdown", "metadata"] }));
    expect(data.pages.map(({ url }) => url)).toEqual(data.organic.map(({ url }) => url));
    for (const { status, outcome, result, meta: pageMeta } of data.pages) {
      expect([status, outcome, pageMeta?.credits_used]).toEqual(["completed", "ok", 1]);
      expect(Object.keys(result ?? {})).toEqual(["markdown", "metadata"]);
      expect(result?.markdown).toContain("Tide tables");
    }
    expect(meta).toMatchObject({ credits_used: 2, pages_credits_used: 3, receipt: { total: 2 } });
    expect(await creditsOf(client.accountId)).toMatchObject({ used: 5, balance: 99_995 });
    const batch = await getBatch(client, meta.batch_id ?? "");
    expect(batch).toMatchObject({ status: "completed", counts: { completed: 3 }, credits: { used: 3 } });
  });

  it("doesn't charge failed pages, and loads at most `limit` pages", async () => {
    const client = await createClient();
    const { data, meta } = await search(client, searchFor(page("status?code=404"), { limit: 2 }));
    expect(outcomesOf(data.pages)).toEqual(["target_http_error", "target_http_error"]);
    expect([meta.credits_used, meta.pages_credits_used]).toEqual([2, 0]);
    expect(await creditsOf(client.accountId)).toMatchObject({ used: 2 });
  });

  it("cuts the contents after a block, and says so", async () => {
    const client = await createClient();
    const { data } = await search(client, searchFor(page("article"), { limit: 1, max_chars: 100 }));
    const [first] = data.pages;
    expect(String(first?.result?.markdown).length).toBeLessThanOrEqual(100);
    expect(first).toMatchObject({ truncated: true });
    expect(first?.total_chars).toBeGreaterThan(100);
  });

  it("returns the passages that answer a question", async () => {
    const client = await createClient();
    const scrape = { limit: 2, query: "When is high water?", max_passages: 1 };
    const { data } = await search(client, searchFor(page("article"), scrape));
    for (const { result, total_chars, truncated } of data.pages) {
      expect(result).toEqual({
        passages: [{ heading: expect.any(String), offset: expect.any(Number), text: expect.any(String) }],
      });
      expect([Number(total_chars) > 100, truncated]).toEqual([true, true]);
    }
  });

  it.each([["html"], ["text"]])("has no view together with %s", async (format) => {
    const client = await createClient();
    for (const view of [{ query: "When is high water?" }, { max_chars: 100 }]) {
      const scrape = { ...view, formats: ["markdown", format] };
      const { error } = await search(client, searchFor(page("article"), scrape));
      expect(error).toMatchObject({ code: "invalid_request", details: [{ path: `scrape.${Object.keys(view)[0]}` }] });
    }
  });

  it("costs at most `max_credits`", async () => {
    const client = await createClient();
    const body = searchFor(page("article"), {});
    const refused = await search(client, { ...body, max_credits: 4 });
    expect(refused.error).toMatchObject({
      code: "price_limit",
      message: expect.stringContaining("(serp 2, scrape 3)"),
    });
    const dryRun = await read(await client.call("POST", "/v1/serp", { ...body, dry_run: true }));
    expect(dryRun.data).toMatchObject({ max_credits: 5, lines: [{ credits: 2 }, { item: "scrape", credits: 3 }] });
    expect(await creditsOf(client.accountId)).toMatchObject({ used: 0 });
    expect((await search(client, { ...body, max_credits: 5 })).data.pages).toHaveLength(3);
  });

  it.each([
    [2, ["insufficient_credits", "insufficient_credits", "insufficient_credits"], 2],
    [4, ["ok", "ok", "insufficient_credits"], 4],
  ])("returns the results if the account's %i credits end before the last page", async (credits, outcomes, used) => {
    const accountId = await createAccount({ credits });
    const { data } = await search(await createClient({ accountId }), searchFor(page("article"), {}));
    expect(data.organic).toHaveLength(3);
    expect(outcomesOf(data.pages)).toEqual(outcomes);
    expect(await creditsOf(accountId)).toMatchObject({ used, balance: credits - used });
  });

  it("loads and charges the pages once, however often the request is sent", async () => {
    const client = await createClient();
    const url = page("article");
    const [body, headers] = [searchFor(url, {}), { "idempotency-key": crypto.randomUUID() }];
    const [first, second] = [await search(client, body, headers), await search(client, body, headers)];
    expect([second.job_id, second.data]).toEqual([first.job_id, first.data]);
    expect(await querySite("hits", url)).toBe(3);
    expect(await creditsOf(client.accountId)).toMatchObject({ used: 5 });
  });

  it("has the pages in the result of an asynchronous job too", async () => {
    const client = await createClient();
    const { job_id } = await read(await client.call("POST", "/v1/serp", searchFor(page("article"), {})));
    const job = await readEnded(client, `/v1/jobs/${job_id}`);
    expect(outcomesOf((job.result as { pages: Page[] }).pages)).toEqual(["ok", "ok", "ok"]);
    expect(job.meta).toMatchObject({ credits_used: 2, pages_credits_used: 3 });
  });

  it("loads pages of news too", async () => {
    const client = await createClient();
    const body = searchFor(page("article"), {}, { engine: "google", type: "news" });
    const { data } = await search(client, body);
    expect(data).toMatchObject({ organic: [], news: { length: 3 } });
    expect(outcomesOf(data.pages)).toEqual(["ok", "ok", "ok"]);
  });

  it("returns mock pages for a test key, and none without results", async () => {
    const client = await createClient({ mode: "test" });
    const { data, meta } = await search(client, { query: "cranes", num_results: 2, scrape: {} });
    expect(outcomesOf(data.pages)).toEqual(["ok", "ok"]);
    expect(meta).toMatchObject({ credits_used: 0, pages_credits_used: 0 });
    const none = { query: `harbour cranes [[none ${crypto.randomUUID()}]]`, engine: "bing", scrape: {} };
    expect((await search(await createClient(), none)).data).toMatchObject({ organic: [], pages: [] });
  });

  it("needs a key with the scope scrape", async () => {
    const client = await createClient({ scopes: ["serp", "jobs"] });
    expect((await search(client, searchFor(page("article"), {}))).error.code).toBe("insufficient_scope");
  });
});

describe("the pages of a search", () => {
  const ONE_PAGE = { options: { formats: ["text"] }, view: {}, waitMs: 20_000 };

  async function jobOf(client: Client): Promise<ClaimedJob> {
    const account = await refOf(client.accountId);
    const key = { account, mode: "live", id: newTaggedId(account.tag), keyId: client.keyId } as const;
    return { ...key, origin: "https://api.example", prices: toPrices(env), labels: null } as ClaimedJob;
  }

  it("are loaded once, even if the job runs again", async () => {
    const job = await jobOf(await createClient());
    const url = page("article");
    const request = { urls: [url, `${url}?b`], options: { formats: ["text"] }, view: {}, waitMs: 20_000 };
    const first = await loadFoundPages(env, job, request);
    const again = await loadFoundPages(env, job, { ...request, urls: [`${url}?b`, "https://new.example/"] });
    expect(again.batchId).toBe(first.batchId);
    expect(again.pages).toMatchObject([
      { url: `${url}?b`, status: "completed" },
      { url, status: "completed" },
    ]);
    expect(await querySite("hits", url)).toBe(2);
    expect(again.creditsUsed).toBe(2);
  });

  it("are canceled with the job", async () => {
    const client = await createClient();
    const url = page("held");
    const { job_id } = await read(await client.call("POST", "/v1/serp", searchFor(url, { limit: 1 })));
    while ((await querySite<number>("hits", url)) === 0) await sleep(50);
    expect((await client.call("DELETE", `/v1/jobs/${job_id}`)).status).toBe(200);
    const { data } = await read(await client.call("GET", "/v1/jobs?include=children&code=cancelled"));
    expect(data).toMatchObject([{ endpoint: "scrape" }, { endpoint: "serp" }]);
    expect(await creditsOf(client.accountId)).toMatchObject({ used: 0, balance: 100_000 });
    await querySite("release", url);
  });

  it("are canceled if the search was canceled before it loaded them", async () => {
    const client = await createClient();
    const body = { query: `cranes [[blocked ${crypto.randomUUID()}]]`, engine: "bing" };
    const { job_id } = await read(await client.call("POST", "/v1/serp", body));
    await client.call("DELETE", `/v1/jobs/${job_id}`);
    const url = page("held");
    const job = { ...(await jobOf(client)), id: job_id };
    const { pages, creditsUsed } = await loadFoundPages(env, job, { ...ONE_PAGE, urls: [url] });
    expect([pages[0]?.status, creditsUsed]).toEqual(["failed", 0]);
    await querySite("release", url);
    expect(await creditsOf(client.accountId)).toMatchObject({ used: 0, balance: 100_000 });
  });

  it("are in the batch if they don't end in time, and fail if they aren't allowed", async () => {
    const job = await jobOf(await createClient());
    const urls = [page("held"), "http://10.0.0.1/"];
    const { pages, batchId } = await loadFoundPages(env, job, { urls, options: {}, view: {}, waitMs: 0 });
    expect(pages).toMatchObject([
      { url: urls[0], status: expect.stringMatching(/^(?:queued|processing)$/) },
      { url: urls[1], job_id: null, status: "failed", error: { code: "invalid_target" } },
    ]);
    expect(batchId).not.toBe(job.id);
    await querySite("release", urls[0]);
  });
});
