import { describe, expect, it } from "vitest";
import type { PageRecord } from "../../src/contract/batches";
import { awaitBatch, getBatch, postBatch } from "../support/batches";
import { type Client, createClient, creditsOf, page, querySite, read } from "../support/client";
import { bodyOf, expectPosts, receiver } from "../support/webhooks";

const URL = "https://example.com/";
const LARGE = "https://large.test/";

/** The body of a response with a view. */
interface Viewed {
  job_id: string;
  data?: Record<string, unknown>;
  result?: Record<string, unknown> | null;
  meta: { total_chars?: number; next_offset?: number | null; truncated?: boolean; credits_used: number };
  error?: { code: string; message: string; details: { path: string; message: string }[] };
}

async function start(mode: "test" | "live" = "test") {
  const client = await createClient({ mode });
  const get = async (id: string, query: string) => {
    const response = await client.call("GET", `/v1/jobs/${id}?${query}`);
    return { ...(await response.json<Viewed>()), status: response.status };
  };
  const scrape = async (body: object) => {
    const response = await client.scrape({ url: URL, ...body });
    return { ...(await response.json<Viewed>()), status: response.status };
  };
  return { client, get, scrape };
}

/** Reads the pages of a batch as NDJSON, with views. */
async function readLines(client: Client, id: string): Promise<PageRecord[]> {
  const init = { headers: { accept: "application/x-ndjson" } };
  const response = await client.call("GET", `/v1/batch/${id}?max_chars=60`, undefined, init);
  const lines = (await response.text()).trim().split("\n");
  return lines.map((line) => JSON.parse(line));
}

describe("a scrape with max_chars", () => {
  it("returns a part, and the job continues without another request to the page", async () => {
    const { client, get, scrape } = await start("live");
    const url = page("article");
    const first = await scrape({ url, formats: ["markdown", "metadata"], max_chars: 300 });
    const { job_id, data, meta } = first;
    expect(String(data?.markdown).length).toBeLessThanOrEqual(300);
    expect(data?.metadata).toMatchObject({ title: "Harbour log" });
    expect(meta).toMatchObject({ truncated: true, credits_used: 1 });
    const whole = String((await get(job_id, "")).result?.markdown);
    expect(meta.total_chars).toBe(whole.length);
    let joined = String(data?.markdown);
    for (let offset = meta.next_offset; typeof offset === "number"; ) {
      const next = await get(job_id, `max_chars=300&offset=${offset}`);
      joined += next.result?.markdown;
      offset = next.meta.next_offset;
      expect(next.meta).toMatchObject({ total_chars: whole.length, truncated: offset !== null, credits_used: 1 });
    }
    // The table is shorter than a part, so it isn't cut, and no head is repeated.
    expect(joined).toBe(whole);
    expect(await querySite("hits", url)).toBe(1);
    expect(await creditsOf(client.accountId)).toMatchObject({ used: 1 });
  });

  it("views a large result, which is stored in R2", async () => {
    const { get, scrape } = await start();
    const { job_id, data, meta } = await scrape({ url: LARGE, max_tokens: 100 });
    expect(String(data?.markdown).length).toBeLessThan(1_000);
    expect(meta.total_chars).toBeGreaterThan(1_000_000);
    const end = await get(job_id, `offset=${Number(meta.total_chars) - 5}`);
    expect(end.result?.markdown).toHaveLength(5);
    expect(end.meta).toMatchObject({ next_offset: null, truncated: false });
    const beyond = await get(job_id, "offset=9000000&max_chars=10");
    expect(beyond).toMatchObject({ status: 200, result: { markdown: "" }, meta: { next_offset: null } });
  });

  it("returns the outline, and one of its sections", async () => {
    const { get, scrape } = await start();
    const { job_id, data } = await scrape({ outline: true, formats: ["markdown", "links"] });
    expect(Object.keys(data ?? {}).sort()).toEqual(["links", "outline"]);
    const headings = ["Mock page of example.com", "What is in stock", "How to order"];
    expect(data?.outline).toMatchObject(headings.map((heading, at) => ({ number: at + 1, heading })));
    const section = await get(job_id, "section=how%20to%20order");
    expect(section.result?.markdown).toMatch(/^## How to order\n\n```sh\n/);
    expect((await get(job_id, "section=3")).result).toEqual(section.result);
    expect((await scrape({ section: 3 })).data).toEqual({ markdown: section.result?.markdown });
  });
});

describe("a query", () => {
  const ORDER = {
    heading: "Mock page of example.com > How to order",
    text: expect.stringMatching(/^## How to order\n/),
  };

  it("returns passages instead of the text, from the response, the job and the pages of a batch", async () => {
    const { client, get, scrape } = await start();
    const query = "How can I order something?";
    const { job_id, data, meta } = await scrape({ query, max_passages: 1, formats: ["markdown", "links"] });
    expect(data).toEqual({ links: expect.any(Array), passages: [{ ...ORDER, offset: expect.any(Number) }] });
    expect(meta).toMatchObject({ next_offset: 0, truncated: true });
    const { passages = [] } = data as { passages?: { text: string; offset: number }[] };
    const { text, offset } = passages[0] ?? {};
    expect((await get(job_id, "")).result?.markdown).toContain(text);
    expect((await get(job_id, `max_chars=15&offset=${offset}`)).result?.markdown).toMatch(/^## How to order/);
    expect((await get(job_id, "query=order&max_passages=1")).result).toEqual(data);
    expect((await get(job_id, "query=order&section=2")).result?.passages).toEqual([]);
    expect((await get(job_id, "query=zebra&outline=true")).result).toMatchObject({
      passages: [],
      outline: [{}, {}, {}],
    });
    expect((await get(job_id, "query=order&max_chars=9")).result).toMatchObject({ passages: [{ text: "## How to" }] });
    const { batch_id } = await postBatch(client, { requests: [{ url: URL }, { url: "https://dns.test/" }] });
    await awaitBatch(client, batch_id);
    const { pages } = await getBatch(client, batch_id, "?query=order&max_passages=1");
    expect(pages[0]?.result).toEqual({ passages });
  });
});

describe("an unknown section", () => {
  it("is an error with the outline, and the job keeps its result", async () => {
    const { get, scrape } = await start();
    const failed = await scrape({ section: "Prices" });
    expect(failed).toMatchObject({
      status: 422,
      error: { code: "section_not_found", details: [{ path: "outline.1" }, { message: "What is in stock" }, {}] },
      job_id: expect.any(String),
    });
    expect(await get(failed.job_id, "section=Prices")).toMatchObject({
      status: 422,
      error: failed.error && { code: "section_not_found" },
    });
    expect((await get(failed.job_id, "")).result).toMatchObject({ markdown: expect.stringContaining("How to order") });
  });
});

it.each([
  [
    { formats: ["html"], max_chars: 9 },
    "max_chars",
    "can't be combined with the format 'html'; use only markdown or text",
  ],
  [{ formats: ["markdown", "text"], offset: 9 }, "offset", "needs one text format; use markdown or text, not both"],
  [{ formats: ["links"], max_tokens: 9 }, "max_tokens", "needs the format markdown or text"],
  [{ formats: ["text"], outline: true }, "outline", "needs the format markdown"],
  [{ max_chars: 9, max_tokens: 9 }, "max_tokens", "can't be combined with 'max_chars'; send only one of them"],
  [{ max_chars: 0 }, "max_chars", "must be a whole number from 1 to 10000000, not 0"],
  [{ max_passages: 2 }, "max_passages", "needs 'query'"],
  [
    { query: "q", formats: ["raw_html"] },
    "query",
    "can't be combined with the format 'raw_html'; use only markdown or text",
  ],
  [{ section: [] }, "section", "must be a heading, or the number of a heading in the outline"],
])("a scrape refuses %j", async (body, path, message) => {
  const { scrape } = await start();
  const { status, error } = await scrape(body);
  expect([status, error?.code, error?.details]).toEqual([400, "invalid_request", [{ path, message }]]);
});

it("a stored result without one text format is refused", async () => {
  const { client, get, scrape } = await start();
  const html = await scrape({ formats: ["html", "markdown"] });
  const schema = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
  const parsed = await read(
    await client.call("POST", "/v1/parse?wait=true", { html: "<p>x</p>", prompt: "p", schema }),
  );
  for (const [id, query, path] of [
    [html.job_id, "max_chars=9", "max_chars"],
    [parsed.job_id, "outline=true", "outline"],
    [parsed.job_id, "max_chars=9", "max_chars"],
    [html.job_id, "max_tokens=9&max_chars=9", "max_tokens"],
    [html.job_id, "outline=yes", "outline"],
  ] as const)
    expect(await get(id, query)).toMatchObject({
      status: 400,
      error: { code: "invalid_request", details: [{ path }] },
    });
  expect((await get(html.job_id, "outline=false")).result).toHaveProperty("html");
});

describe("the pages of a batch", () => {
  it("have views, also of results in R2", async () => {
    const { client } = await start();
    const { batch_id } = await postBatch(client, {
      requests: [{ url: URL }, { url: LARGE }, { url: "https://dns.test/" }],
    });
    await awaitBatch(client, batch_id);
    const { pages } = await getBatch(client, batch_id, "?max_chars=60");
    for (const { result, total_chars, next_offset, truncated } of pages.slice(0, 2)) {
      const { markdown } = result as { markdown: string };
      expect(markdown.length).toBeLessThanOrEqual(60);
      expect({ next_offset, truncated }).toEqual({ next_offset: markdown.length, truncated: true });
      expect(total_chars).toBeGreaterThan(60);
    }
    expect(pages[1]).not.toHaveProperty("result_truncated");
    expect(pages[2]).not.toHaveProperty("total_chars");
    expect(await readLines(client, batch_id)).toEqual(pages);
    const outlined = await getBatch(client, batch_id, "?section=Prices");
    expect(outlined.pages[0]?.result).toHaveProperty("outline");
    const whole = await getBatch(client, batch_id);
    expect(JSON.stringify(whole.pages[1]?.result).length).toBeGreaterThan(1_000_000);
    const none = await getBatch(client, batch_id, "?results=none&max_chars=60");
    expect(none.pages.map(({ result_truncated }) => result_truncated)).toEqual([true, true, undefined]);
  });

  it("are refused if they have no text, and omitted from NDJSON", async () => {
    const { client } = await start();
    const { batch_id } = await postBatch(client, { requests: [{ url: URL, formats: ["html"] }] });
    await awaitBatch(client, batch_id);
    expect(await getBatch(client, batch_id, "?max_chars=60")).toMatchObject({ error: { code: "invalid_request" } });
    expect(await readLines(client, batch_id)).toMatchObject([{ result: null, result_truncated: true }]);
  });

  it("stay hidden with store: false, except in NDJSON", async () => {
    const { client } = await start();
    const { batch_id } = await postBatch(client, { requests: [{ url: LARGE }], defaults: { store: false } });
    await awaitBatch(client, batch_id);
    const { pages } = await getBatch(client, batch_id, "?max_chars=60");
    expect(pages).toMatchObject([{ result: null, result_truncated: true }]);
    for (let times = 0; times < 2; times++)
      expect(await readLines(client, batch_id)).toMatchObject([{ result: { markdown: expect.any(String) } }]);
  });
});

describe("an event", () => {
  it("has the view that its request selects", async () => {
    const { client } = await start("live");
    const hook = receiver("ok");
    const requests = [{ url: page("article"), max_chars: 100 }, { url: page("article") }];
    const webhook = { webhook_url: hook, webhook_events: ["batch.completed", "batch.page"] };
    await postBatch(client, { requests, ...webhook });
    const events = (await expectPosts(hook, 3)).map((post) => JSON.parse(bodyOf(post)));
    const ofPage = (number: number) => events.find(({ page }) => page === number);
    expect(ofPage(1).result.markdown.length).toBeLessThanOrEqual(100);
    expect(ofPage(1).meta).toMatchObject({
      total_chars: expect.any(Number),
      next_offset: expect.any(Number),
      truncated: true,
    });
    expect(ofPage(2).result.markdown.length).toBe(ofPage(1).meta.total_chars);
    expect(ofPage(2).meta).not.toHaveProperty("next_offset");
  });
});

describe("a result with store: false", () => {
  it("is deleted only after its end was read", async () => {
    const { get, scrape } = await start();
    const { job_id, meta } = await scrape({ store: false, max_chars: 100 });
    for (const query of ["outline=true", "section=2", "max_chars=50"])
      expect((await get(job_id, query)).result).not.toBeNull();
    expect((await get(job_id, "offset=9999999")).result).toEqual({ markdown: "" });
    const last = await get(job_id, `offset=${meta.next_offset}`);
    expect(last.meta.next_offset).toBeNull();
    await expect.poll(async () => (await get(job_id, "")).result).toBeNull();
  });
});
