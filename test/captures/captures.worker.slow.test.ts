import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { PageCaptures } from "../../src/endpoints/shared/page-captures";
import { toTag } from "../../src/lib/id";
import { totalOf } from "../../src/model/receipt";
import type { RunContext } from "../../src/model/run-context";
import {
  type Client,
  createAccount,
  createClient,
  creditsOf,
  objectOf,
  page,
  querySite,
  read,
} from "../support/client";
import { callTool, connectMcp } from "../support/mcp-client";
import { run, runFailing } from "../support/run-endpoint";

/** A response of a scrape or parse as these tests read it. */
interface Body {
  job_id: string;
  data: Record<string, unknown>;
  meta: {
    credits_used: number;
    outcome?: string;
    rendered: boolean;
    capture_id?: string;
    captured_at?: string;
    receipt: { total: number; lines: { item: string; credits: number; reason?: string }[] };
  };
}

const TEXTS = ["markdown", "text", "clean_html", "metadata", "links", "images"];
const DOCUMENT = TEXTS.filter((format) => format !== "images");
const MARKUP = [...TEXTS, "html", "raw_html"];

let client: Client;
beforeAll(async () => {
  client = await createClient();
});

async function post(endpoint: "scrape" | "parse", body: Record<string, unknown>, by = client): Promise<Body> {
  const response = await by.call("POST", `/v1/${endpoint}?wait=true`, body);
  const json = await read(response);
  expect(json, JSON.stringify(json)).toMatchObject({ success: true });
  return json as unknown as Body;
}

async function refuse(endpoint: "scrape" | "parse", body: Record<string, unknown>, by = client) {
  const response = await by.call("POST", `/v1/${endpoint}?wait=true`, body);
  const { error } = await read(response);
  return { status: response.status, ...error };
}

const hits = (url: string) => querySite<number>("hits", url);

/** Returns a prompt that makes the model server return `output`. */
const promptFor = (output: object) => `The page. [[good ${crypto.randomUUID()} ${JSON.stringify(output)}]]`;

async function capturesOf({ accountId }: Client): Promise<string[]> {
  const job = await read(await client.call("GET", "/v1/jobs?limit=1"));
  expect(job.success).toBe(true);
  const { tag } = await accountOf(accountId);
  return (await env.STORE.list({ prefix: `captures/${tag}/` })).objects.map(({ key }) => key);
}

async function accountOf(id: string): Promise<{ tag: string }> {
  const row = await env.DB.prepare("SELECT tag FROM accounts WHERE id = ?1").bind(id).first<{ tag: string }>();
  if (row === null) throw new Error("The account isn't there.");
  return row;
}

const PAGES: { name: string; url: () => string; formats: string[]; more?: object }[] = [
  { name: "a plain page", url: () => page("article"), formats: MARKUP },
  { name: "a rendered page", url: () => page("script"), formats: MARKUP, more: { js_render: true } },
  { name: "a PDF", url: () => page("pdf"), formats: DOCUMENT },
  { name: "a Word document", url: () => `${page("document")}?name=report.docx`, formats: DOCUMENT },
  { name: "a CSV file", url: () => `${page("type")}?type=text/csv&body=a,b%0A1,2`, formats: MARKUP },
  { name: "a page that isn't UTF-8", url: () => page("latin1"), formats: MARKUP },
  { name: "a page behind a meta refresh", url: () => `${page("refreshes")}?times=1`, formats: MARKUP },
];

describe("a capture", () => {
  it.each(PAGES)("of $name gives every format of the first job, without a request", async ({ url, formats, more }) => {
    const target = url();
    const first = await post("scrape", { url: target, formats, capture: true, ...more });
    const { capture_id, captured_at } = first.meta;
    expect(capture_id).toBe(first.job_id);
    expect(Date.parse(captured_at ?? "")).toBeGreaterThan(0);
    const requests = await hits(target);
    const again = await post("scrape", { capture_id, formats });
    expect(again.data).toEqual(first.data);
    expect(again.meta).toMatchObject({ capture_id, captured_at, rendered: first.meta.rendered });
    expect(again.meta.receipt).toEqual({ total: 0, lines: [{ item: "scrape", credits: 0, reason: "capture" }] });
    for (const format of formats) {
      const only = await post("scrape", { capture_id, formats: [format] });
      expect(only.data).toEqual(format in first.data ? { [format]: first.data[format] } : {});
    }
    expect(await hits(target)).toBe(requests);
  });

  it("can be parsed for 4 credits, also if a scrape kept it, and scraped for the price of the model's formats", async () => {
    const own = await createClient();
    const url = page("article");
    const { meta } = await post("scrape", { url, capture: true }, own);
    const { capture_id } = meta;
    const parsed = await post("parse", { capture_id, prompt: promptFor({ place: "Łeba" }) }, own);
    expect(parsed.data).toEqual({ place: "Łeba" });
    expect(parsed.meta.receipt).toEqual({ total: 4, lines: [{ item: "parse", credits: 4, reason: "capture" }] });
    const json = await post(
      "scrape",
      { capture_id, formats: ["json"], json: { prompt: promptFor({ place: "Łeba" }) } },
      own,
    );
    expect(json.meta.receipt.lines).toEqual([
      { item: "scrape", credits: 0, reason: "capture" },
      { item: "json", credits: 5 },
    ]);
    expect(await hits(url)).toBe(1);
    expect((await creditsOf(own.accountId)).used).toBe(1 + 4 + 5);
  });

  it("costs what a dry run says, and is refused if max_credits is lower", async () => {
    const { meta } = await post("scrape", { url: page("article"), capture: true });
    const { capture_id } = meta;
    const preview = await read(
      await client.call("POST", "/v1/parse", { capture_id, prompt: "The place.", dry_run: true }),
    );
    expect(preview.data).toMatchObject({ max_credits: 4, method: "capture" });
    expect(await refuse("parse", { capture_id, prompt: "The place.", max_credits: 3 })).toMatchObject({
      status: 402,
      code: "price_limit",
    });
    expect((await post("scrape", { capture_id, max_credits: 0 })).meta.credits_used).toBe(0);
  });

  it.each([
    ["plain", {}, { total: 1, lines: [{ item: "scrape", credits: 1 }] }],
    [
      "rendered",
      { js_render: true },
      {
        total: 2,
        lines: [
          { item: "scrape", credits: 1 },
          { item: "rendering", credits: 1 },
        ],
      },
    ],
  ])(
    "of a free %s page costs what the page costs directly, if the format is html or raw_html",
    async (_, more, receipt) => {
      const own = await createClient();
      const body = "<!doctype html><title>404</title><h1>404 Not Found</h1><p>The page doesn't exist.</p>";
      const url = `${page("type")}?${new URLSearchParams({ type: "text/html", body })}`;
      const free = await post("scrape", { url, capture: true, ...more }, own);
      expect(free.meta).toMatchObject({ credits_used: 0, outcome: "soft_404" });
      const { capture_id } = free.meta;
      for (const format of ["html", "raw_html"]) {
        const direct = await post("scrape", { url, formats: [format], ...more }, own);
        const replayed = await post("scrape", { capture_id, formats: ["markdown", format] }, own);
        expect(direct.meta.receipt).toEqual(receipt);
        expect(replayed.meta.receipt).toEqual(receipt);
      }
      expect((await post("scrape", { capture_id, formats: ["markdown", "links"] }, own)).meta.credits_used).toBe(0);
      const ask = { capture_id, formats: ["html"] };
      expect(await refuse("scrape", { ...ask, max_credits: 0 }, own)).toMatchObject({ code: "price_limit" });
      const paid = await post("scrape", { url, formats: ["html"], capture: true, ...more }, own);
      const again = await post("scrape", { capture_id: paid.meta.capture_id, formats: ["html"] }, own);
      expect(again.meta.credits_used).toBe(0);
      expect((await creditsOf(own.accountId)).used).toBe(5 * receipt.total);
    },
  );

  it("of a free page costs what the page costs directly, if a model reads the page", async () => {
    const own = await createClient();
    const text = "We use cookies and data to deliver and maintain our services. If you accept all, we personalize ads.";
    const body = `<!doctype html><title>Before you continue</title><h1>Before you continue</h1><p>${text}</p><form><button>Accept all</button><button>Reject all</button></form>`;
    const url = `${page("type")}?${new URLSearchParams({ type: "text/html", body })}`;
    const free = await post("scrape", { url, capture: true }, own);
    expect(free.meta).toMatchObject({ credits_used: 0, outcome: "consent" });
    const { capture_id } = free.meta;
    const prompt = promptFor({ place: "Łeba" });
    const requests = [
      ["scrape", { formats: ["json"], json: { prompt } }, 6],
      ["parse", { prompt }, 5],
    ] as const;
    for (const [endpoint, request, price] of requests) {
      const direct = await post(endpoint, { url, ...request }, own);
      const replayed = await post(endpoint, { capture_id, ...request }, own);
      expect(direct.meta.receipt.total).toBe(price);
      expect(replayed.meta.receipt).toEqual(direct.meta.receipt);
      const max_credits = price - 1;
      const limited = await refuse(endpoint, { capture_id, ...request, max_credits }, own);
      expect(limited).toMatchObject({ code: "price_limit" });
    }
    expect((await post("scrape", { capture_id, max_credits: 0 }, own)).meta.credits_used).toBe(0);
  });

  it("of a page that was charged gives html without credits, also in a dry run and in MCP", async () => {
    const own = await createClient({ accountId: await createAccount({ credits: 1 }) });
    const { meta } = await post("scrape", { url: page("article"), capture: true }, own);
    expect((await creditsOf(own.accountId)).balance).toBe(0);
    const ask = { capture_id: meta.capture_id, formats: ["html", "raw_html"] };
    expect((await post("scrape", ask, own)).meta.credits_used).toBe(0);
    expect((await post("scrape", { ...ask, max_credits: 0 }, own)).meta.credits_used).toBe(0);
    const preview = await read(await own.call("POST", "/v1/scrape", { ...ask, dry_run: true }));
    expect(preview.data).toMatchObject({ max_credits: 0, balance: 0 });
    const tool = await callTool(await connectMcp(own), "scrape", { ...ask, max_credits: 0 });
    expect(tool.isError, tool.text).toBeUndefined();
  });

  it("of a free page calls no model whose price is above max_credits", async () => {
    const { meta, job_id: id } = await post("scrape", { url: page("article"), capture: true });
    const { capture_id } = meta;
    const schema = { type: "object", properties: { place: { type: "string" } }, required: ["place"] };
    const data = { prompt: promptFor({ place: "Łeba" }), schema, strategy: "auto" };
    const options = (isFree: boolean) => ({
      bindings: { CREDITS_PARSE_WITHOUT_MODEL: "2" } as Partial<Env>,
      findCapture: async () => ({ id, run: 1, capturedAt: 0, isFree }),
    });
    const requests = [
      ["parse", { capture_id, ...data, max_credits: 4 }, 4],
      ["scrape", { capture_id, formats: ["json"], json: data, max_credits: 5 }, 5],
    ] as const;
    for (const [endpoint, request, price] of requests) {
      expect(totalOf((await run(endpoint, request, options(false))).lines ?? [])).toBe(price);
      expect(await runFailing(endpoint, request, options(true))).toMatchObject({ code: "schema_mismatch" });
    }
  });

  it("is unknown to other accounts, to the other mode, and after it was deleted", async () => {
    const { meta } = await post("scrape", { url: page("article"), capture: true });
    const { capture_id = "" } = meta;
    const stranger = await createClient();
    const test = await createClient({ accountId: client.accountId, mode: "test" });
    for (const by of [stranger, test]) {
      const refusal = await refuse("scrape", { capture_id }, by);
      expect(refusal).toMatchObject({ status: 404, code: "not_found" });
      expect(refusal.message).toContain(capture_id);
    }
    for (const id of ["nothing", crypto.randomUUID()])
      expect(await refuse("parse", { capture_id: id, prompt: "x" })).toMatchObject({ status: 404, code: "not_found" });
    await env.STORE.delete(`captures/${toTag(capture_id)}/${capture_id}/1`);
    expect(await refuse("scrape", { capture_id })).toMatchObject({ status: 404, code: "not_found" });
  });

  it("is kept by default if the account says so, but not for a request that has capture: false or secrets", async () => {
    const own = await createClient();
    const url = page("article");
    expect((await post("scrape", { url }, own)).meta.capture_id).toBeUndefined();
    await (await objectOf(own.accountId)).keepsCaptures(true);
    expect((await post("scrape", { url }, own)).meta.capture_id).toBeDefined();
    const without = [{ capture: false }, { headers: { "x-key": "1" } }, { cookies: { a: "1" } }, { store: false }];
    const basic = { basic_auth: { username: "a", password: "b" } };
    for (const more of [...without, basic])
      expect((await post("scrape", { url, ...more }, own)).meta.capture_id, JSON.stringify(more)).toBeUndefined();
    expect(await capturesOf(own)).toHaveLength(1);
  });

  it("isn't kept if the page is larger than 5 MB", async () => {
    const url = `${page("bytes")}?count=${5 * 1024 * 1024 + 1}`;
    const bindings = { MAX_PAGE_BYTES: "10000000" } as Partial<Env>;
    const { capture, extras } = await run("scrape", { url, capture: true, formats: ["links"] }, { bindings });
    expect([capture, extras?.capture_id]).toEqual([undefined, undefined]);
  });

  it("isn't used if the job then loaded a page that is too large", async () => {
    const job = { id: crypto.randomUUID(), run: 1 } as RunContext["job"];
    const signal = new AbortController().signal;
    const context = { env, job, signal, findCapture: async () => null, acquireLargeLock: async () => undefined };
    const captures = new PageCaptures(context, { url: "https://a.example/", capture: true }, "auto");
    const facts = { url: "https://a.example/", status: 200, contentType: "text/html", partialLoad: false };
    const keep = async (source: Uint8Array) => {
      await captures.keep({ ...facts, rendered: false, header: () => null, source, visibility: null, body: null });
      return captures.kept;
    };
    expect(await keep(new Uint8Array(10))).toMatchObject({ id: job.id });
    expect(await keep(new Uint8Array(5 * 1024 * 1024 + 1))).toBeNull();
  });
});

describe("max_age", () => {
  it("uses a recent capture of the URL, which is free, and loads the page otherwise", async () => {
    const own = await createClient();
    const url = page("article");
    const first = await post("scrape", { url, max_age: 60 }, own);
    expect(first.meta).toMatchObject({ credits_used: 1, capture_id: first.job_id });
    const second = await post("scrape", { url: `${url}#part`, max_age: 60, formats: ["text"] }, own);
    expect(second.meta).toMatchObject({ credits_used: 0, capture_id: first.job_id });
    expect(second.meta.receipt).toEqual({
      total: 0,
      lines: [{ item: "scrape", credits: 0, reason: "capture" }],
    });
    expect(await hits(url)).toBe(1);
    expect((await post("scrape", { url }, own)).meta).toMatchObject({ credits_used: 1 });
    expect(await hits(url)).toBe(2);
    expect((await creditsOf(own.accountId)).used).toBe(2);
    expect((await creditsOf(own.accountId)).balance).toBe(99_998);
  });

  it("doesn't use a capture of another account, of other options, or one that is too old", async () => {
    const accountId = await createAccount();
    const [own, stranger] = [await createClient({ accountId }), await createClient()];
    const url = page("article");
    const first = await post("scrape", { url, capture: true }, own);
    for (const more of [{ locale: "de-CH" }, { device: "mobile" }, { user_agent: "Mozilla/5.0" }]) {
      const { meta } = await post("scrape", { url, max_age: 60, ...more }, own);
      expect(meta.capture_id, JSON.stringify(more)).not.toBe(first.job_id);
    }
    expect((await post("scrape", { url, max_age: 60 }, stranger)).meta).toMatchObject({ credits_used: 1 });
    const stub = await objectOf(accountId);
    const lookups = await stub.findCapture("live", { id: first.job_id });
    expect(lookups).toMatchObject({ id: first.job_id, run: 1 });
    expect(await stub.findCapture("test", { id: first.job_id })).toBeNull();
    await stub.keepsCaptures(false);
  });

  it("of a parse uses the capture of a parse and costs 4 credits", async () => {
    const own = await createClient();
    const url = page("article");
    const prompt = promptFor({ place: "Łeba" });
    expect((await post("parse", { url, prompt, max_age: 60 }, own)).meta).toMatchObject({ credits_used: 5 });
    const second = await post("parse", { url, prompt, max_age: 60 }, own);
    expect(second.meta.receipt).toEqual({
      total: 4,
      lines: [{ item: "parse", credits: 4, reason: "capture" }],
    });
    expect(await hits(url)).toBe(1);
    expect((await creditsOf(own.accountId)).used).toBe(9);
  });

  it("never finds a page whose outcome isn't ok", async () => {
    const url = `${page("type")}?${new URLSearchParams({ type: "text/html", body: "<html><body></body></html>" })}`;
    for (let i = 0; i < 2; i++) await post("scrape", { url, max_age: 60 });
    expect(await hits(url)).toBe(2);
  });

  it("loads the page for a screenshot", async () => {
    const url = page("article");
    await post("scrape", { url, js_render: true, max_age: 60 });
    const { data } = await post("scrape", { url, js_render: true, max_age: 60, formats: ["screenshot"] });
    expect(data.screenshot_url).toBeDefined();
    expect(await hits(url)).toBe(2);
  });
});

describe("a contradiction", () => {
  const capture_id = "0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b";
  const url = "https://example.com/";
  it.each<[string, "scrape" | "parse", Record<string, unknown>]>([
    ["url", "scrape", { url, capture_id }],
    ["url", "scrape", {}],
    ["url", "parse", { url, capture_id, prompt: "x" }],
    ["html", "parse", { html: "<p>", capture_id, prompt: "x" }],
    ["capture", "parse", { html: "<p>", capture: true, prompt: "x" }],
    ["max_age", "parse", { html: "<p>", max_age: 5, prompt: "x" }],
    ["js_render", "scrape", { capture_id, js_render: true }],
    ["render", "parse", { capture_id, render: "always", prompt: "x" }],
    ["wait_for", "scrape", { capture_id, wait_for: "#a" }],
    ["timeout_ms", "scrape", { capture_id, timeout_ms: 5_000 }],
    ["headers", "scrape", { capture_id, headers: { a: "1" } }],
    ["proxy_country", "scrape", { capture_id, proxy_country: "DE" }],
    ["max_age", "scrape", { capture_id, max_age: 5 }],
    ["capture", "scrape", { capture_id, capture: true }],
    ["formats.0", "scrape", { capture_id, formats: ["screenshot"] }],
    ["formats.1", "scrape", { capture_id, formats: ["text", "pdf"] }],
    ["capture", "scrape", { url, capture: true, headers: { a: "1" } }],
    ["capture", "scrape", { url, capture: true, cookies: { a: "1" } }],
    ["max_age", "scrape", { url, max_age: 5, basic_auth: { username: "a", password: "b" } }],
    ["max_age", "parse", { url, max_age: 5, actions: [{ type: "wait", ms: 5 }], prompt: "x" }],
    ["capture", "scrape", { url, capture: true, store: false }],
    ["formats.0", "scrape", { url, formats: ["screenshot"], store: false }],
    ["max_age", "scrape", { url, max_age: -1 }],
    ["max_age", "scrape", { url, max_age: 2_592_001 }],
  ])("is refused with the reason: %s of %s %j", async (path, endpoint, body) => {
    const refusal = await refuse(endpoint, body);
    expect(refusal).toMatchObject({ status: 400, code: "invalid_request" });
    expect(refusal.details?.map((detail) => detail.path)).toContain(path);
  });
});

describe("a test key", () => {
  it("keeps and uses captures like a live key, for free and without an outside request", async () => {
    const test = await createClient({ mode: "test" });
    const first = await post("scrape", { url: "https://example.com/lamps", capture: true }, test);
    const again = await post("scrape", { capture_id: first.meta.capture_id }, test);
    expect(again.data).toEqual(first.data);
    expect(again.meta).toMatchObject({
      capture_id: first.job_id,
      captured_at: first.meta.captured_at,
      credits_used: 0,
    });
    const aged = await post("scrape", { url: "https://example.com/lamps", max_age: 60 }, test);
    expect(aged.meta.capture_id).toBe(first.job_id);
    const parsed = await post("parse", { capture_id: first.meta.capture_id, prompt: "The fruit." }, test);
    expect(parsed.meta.receipt.lines[0]).toEqual({ item: "parse", credits: 4, reason: "capture" });
  });
});
