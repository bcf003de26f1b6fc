// An account with its own prices. Every part of the service must use them.
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { app } from "../../src/app";
import { ENDPOINTS } from "../../src/endpoints/endpoints";
import { runJob } from "../../src/jobs/run-job";
import { type PriceVariables, toPrices } from "../../src/model/prices";
import { call } from "../support/admin";
import {
  type Client,
  createAccount,
  createClient,
  creditsOf,
  ORIGIN,
  page,
  read,
  readEnded,
  refOf,
} from "../support/client";
import { createTestJob } from "../support/jobs";
import { accountIdOf, signUp } from "../support/visitor";

const PRICES = { scrape: 3, rendering: 4, parse: 9, parse_without_model: 6, serp: 7, map: 11 };

async function createPricedClient(prices: Partial<typeof PRICES> = PRICES): Promise<Client> {
  const client = await createClient();
  expect((await call("PATCH", `/accounts/${client.accountId}`, { prices })).data).toMatchObject({ prices });
  return client;
}

async function send(client: Client, path: string, body: Record<string, unknown>) {
  return await read(await client.call("POST", path, body));
}

const schema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
const product = `<title>Tide lamp</title><main itemscope itemtype="https://schema.org/Product">
  <h1 itemprop="name">Tide lamp</h1><p>A lamp that follows the tide.</p>
  <p itemprop="offers" itemscope itemtype="https://schema.org/Offer"><b itemprop="price">19.50</b> EUR</p></main>`;

describe("an account's own prices", () => {
  it.each([
    ["scrape", { url: page("article") }, [["scrape", 3]]],
    [
      "scrape",
      { url: page("article"), render: "always" },
      [
        ["scrape", 3],
        ["rendering", 4],
      ],
    ],
    [
      "scrape",
      { url: page("article"), formats: ["markdown", "summary"] },
      [
        ["scrape", 3],
        ["summary", 9],
      ],
    ],
    ["parse", { url: page("article"), prompt: "The title. [[good]]" }, [["parse", 9]]],
    ["parse", { html: product, prompt: "The product.", schema, strategy: "page" }, [["parse", 6]]],
    ["serp", { query: "harbour cranes [[good]]", engine: "bing" }, [["serp", 7]]],
    ["map", { url: page("article") }, [["map", 11]]],
  ])("are reserved, charged and shown for %s %j", async (endpoint, body, expected) => {
    const client = await createPricedClient();
    const total = expected.reduce((sum, [, credits]) => sum + Number(credits), 0);
    const { data } = await send(client, `/v1/${endpoint}`, { ...body, dry_run: true });
    expect(data).toMatchObject({ max_credits: total });
    const { error } = await send(client, `/v1/${endpoint}`, { ...body, max_credits: total - 1 });
    expect(error).toMatchObject({
      code: "price_limit",
      details: [{ message: `must be at least ${total} for this request` }],
    });
    const { meta } = await send(client, `/v1/${endpoint}?wait=true`, { ...body, max_credits: total });
    const receipt = meta.receipt as unknown as { lines: { item: string; credits: number }[] };
    expect(receipt.lines.map(({ item, credits }) => [item, credits])).toEqual(expected);
    expect(meta.credits_used).toBe(total);
    expect(await creditsOf(client.accountId)).toMatchObject({ used: total });
  });

  it("reduce the price of a page from a capture by the price of loading it", async () => {
    const client = await createPricedClient();
    const url = page("article");
    const { meta } = await send(client, "/v1/scrape?wait=true", { url, max_age: 3_600 });
    const body = { capture_id: meta.capture_id, prompt: "The title. [[good]]" };
    const { meta: parsed } = await send(client, "/v1/parse?wait=true", body);
    expect(parsed.receipt).toEqual({ total: 6, lines: [{ item: "parse", credits: 6, reason: "capture" }] });
  });

  it("apply to the pages of batches and crawls", async () => {
    const client = await createPricedClient();
    const requests = [{ url: page("article") }, { url: page("article"), render: "always" }];
    const { data } = await send(client, "/v1/batch", { endpoint: "scrape", requests, dry_run: true });
    expect(data).toMatchObject({ pages: 2, max_credits: 10 });
    const crawl = await send(client, "/v1/crawl", { url: page("article"), limit: 4, dry_run: true });
    expect(crawl.data).toMatchObject({ pages: 4, max_credits: 12 });
  });

  it("are charged for the pages of a batch, and for those of a crawl", async () => {
    const client = await createPricedClient();
    const batch = await send(client, "/v1/batch", { endpoint: "scrape", requests: [{ url: page("article") }] });
    const crawl = await send(client, "/v1/crawl", {
      url: page("article"),
      limit: 1,
      robots: "ignore",
      sitemap: "skip",
    });
    for (const path of [`/v1/batch/${batch.batch_id}`, `/v1/crawl/${crawl.crawl_id}`]) {
      const ended = await readEnded(client, path);
      expect(ended).toMatchObject({ status: "completed", credits: { used: 3 } });
    }
  });

  it("are on the account's page of prices, and in the playground", async () => {
    const user = await signUp();
    await call("PATCH", `/accounts/${await accountIdOf(user)}`, { prices: PRICES });
    const { visitor } = user;
    const text = (await visitor.read("/dashboard/plan")).replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
    expect(text).toContain("Scrape 3 credits Scrape with rendering");
    expect(text).toContain("rendering. 7 credits Scrape with JSON or a summary Each of these formats costs 9 credits");
    expect(text).toContain("Data without a language model Also the format JSON of a scrape. 6 credits");
    expect(await visitor.read("/dashboard/playground?endpoint=scrape")).toContain(
      "This request costs at most 3 credits.",
    );
  });

  it("are those of the request, even if they change before its job runs", async () => {
    const client = await createClient();
    const account = await refOf(client.accountId);
    const job = await createTestJob(page("article"), { account, prices: toPrices({}, { scrape: 3 }) });
    await runJob(env, { account, mode: "live", job: job.id });
    const { meta } = await read(await client.call("GET", `/v1/jobs/${job.id}`));
    expect(meta).toMatchObject({ credits_used: 3, receipt: { total: 3, lines: [{ item: "scrape", credits: 3 }] } });
  });

  it("apply from the next request of a key that was used before, until they are removed", async () => {
    const client = await createClient();
    const priceOf = async () =>
      (await send(client, "/v1/scrape", { url: page("article"), dry_run: true })).data as unknown;
    const change = async (prices: object | null) =>
      (await call("PATCH", `/accounts/${client.accountId}`, { prices })).data.prices;
    expect(await priceOf()).toMatchObject({ max_credits: 1 });
    expect(await change({ scrape: 5 })).toEqual({ scrape: 5 });
    expect(await priceOf()).toMatchObject({ max_credits: 5 });
    expect(await change({})).toBeNull();
    expect(await priceOf()).toMatchObject({ max_credits: 1 });
  });

  it("of 0 make every request free, even without credits", async () => {
    const client = await createPricedClient({ scrape: 0, rendering: 0, parse: 0, serp: 0, map: 0 });
    const { balance } = await creditsOf(client.accountId);
    await call("POST", `/accounts/${client.accountId}/credits`, { amount: -balance });
    for (const [endpoint, body] of [
      ["scrape", { url: page("article"), render: "auto", formats: ["markdown", "summary"] }],
      ["parse", { url: page("article"), prompt: "The title. [[good]]" }],
      ["parse", { html: product, prompt: "The product.", schema, strategy: "page" }],
      ["serp", { query: "harbour cranes [[good]]", engine: "bing" }],
      ["map", { url: page("article") }],
    ] as const) {
      const { success, meta } = await send(client, `/v1/${endpoint}?wait=true`, { ...body, max_credits: 0 });
      expect([endpoint, success]).toEqual([endpoint, true]);
      expect(meta).toMatchObject({ credits_used: 0, receipt: { total: 0 } });
    }
    const batch = await send(client, "/v1/batch", {
      endpoint: "scrape",
      requests: [{ url: page("article") }],
      max_credits: 0,
    });
    expect(await readEnded(client, `/v1/batch/${batch.batch_id}`)).toMatchObject({
      status: "completed",
      credits: { used: 0 },
    });
    expect(await creditsOf(client.accountId)).toMatchObject({ balance: 0, used: 0 });
  });

  it("of the account stay those of a batch and a crawl that started before a change", async () => {
    const client = await createPricedClient({ scrape: 3 });
    const url = page("article");
    const batch = await send(client, "/v1/batch", { endpoint: "scrape", requests: [{ url }, { url }, { url }] });
    const crawl = await send(client, "/v1/crawl", { url, limit: 1, robots: "ignore", sitemap: "skip" });
    await call("PATCH", `/accounts/${client.accountId}`, { prices: { scrape: 50 } });
    for (const [path, used] of [
      [`/v1/batch/${batch.batch_id}`, 9],
      [`/v1/crawl/${crawl.crawl_id}`, 3],
    ] as const) {
      expect(await readEnded(client, path)).toMatchObject({
        status: "completed",
        credits: { used },
      });
    }
  });

  it("that can't be read have no effect", async () => {
    const client = await createPricedClient({ scrape: 3 });
    for (const [stored, credits] of [
      ["{", 1],
      ["[]", 1],
      ['{"scrape":"free","rendering":-1,"map":4,"other":2}', 1],
    ] as const) {
      await env.DB.prepare("UPDATE accounts SET prices = ?2 WHERE id = ?1").bind(client.accountId, stored).run();
      // Reloads the record of the key.
      expect((await call("PATCH", `/accounts/${client.accountId}`, { name: "x" })).status).toBe(200);
      const { data } = await send(client, "/v1/scrape", { url: page("article"), dry_run: true });
      expect(data).toMatchObject({ max_credits: credits });
    }
    expect((await call("GET", `/accounts/${client.accountId}`)).data.prices).toEqual({ map: 4 });
  });

  it.each([{ scrape: -1 }, { scrape: 1.5 }, { scrape: 1_001 }, { search: 1 }])("can't be %j", async (prices) => {
    const { status, error } = await call("PATCH", `/accounts/${await createAccount()}`, { prices });
    expect([status, error.code]).toEqual([400, "invalid_request"]);
  });
});

describe("the service's prices", () => {
  const fetchWith = async (path: string) =>
    await (
      await app.fetch(
        new Request(`${ORIGIN}${path}`),
        { ...env, CREDITS_SCRAPE: "3", CREDITS_RENDERING: "4", CREDITS_SERP: "cheap" } as unknown as Env,
        createExecutionContext(),
      )
    ).text();

  it("are in the OpenAPI document and in llms.txt", async () => {
    const document = JSON.parse(await fetchWith("/openapi.json"));
    expect(document.paths["/v1/scrape"].post.description).toContain(
      "The price is 3 credits, or 7 credits if the page is rendered.",
    );
    expect(document.info.description).toContain("scrape 3, with rendering 7; parse 5; serp 2; map 1");
    expect(await fetchWith("/llms.txt")).toContain("scrape 3, with rendering 7; parse 5; serp 2; map 1");
  });

  it("are described without rendering if it costs nothing, and with the price without a model if it is lower", () => {
    const describeScrape = (variables: PriceVariables) => ENDPOINTS.scrape.describePrice(toPrices(variables));
    expect(describeScrape({ CREDITS_RENDERING: "0", CREDITS_PARSE: "1" })).toBe(
      "The price is 1 credit. The formats `json` and `summary` cost 1 more credit each. With `ocr`, each scanned page that was read costs 1 more credit.",
    );
    expect(describeScrape({ CREDITS_PARSE_WITHOUT_MODEL: "2" })).toBe(
      "The price is 1 credit, or 2 credits if the page is rendered. The formats `json` and `summary` cost 5 more credits each, or 2 if no language model was called for `json`. With `ocr`, each scanned page that was read costs 1 more credit.",
    );
  });

  it("make the service not ready if a variable is invalid", async () => {
    expect(await fetchWith("/health/ready")).toContain('CREDITS_SERP is \\"cheap\\". It must be a whole number');
  });
});
