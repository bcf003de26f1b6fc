import { describe, expect, it } from "vitest";
import { createAccount, createClient, page, querySite, read, readEnded } from "../support/client";

const testClient = async (accountId?: string) =>
  createClient({ mode: "test", ...(accountId === undefined ? {} : { accountId }) });

describe("a test key", () => {
  it("gets every format of a scrape for free, always the same, without an outbound request", async () => {
    const accountId = await createAccount({ credits: 0 });
    const client = await testClient(accountId);
    const url = page("article");
    const body = { url, formats: ["markdown", "html", "text", "screenshot"] };
    const first = await read(await client.scrape(body));
    expect(Object.keys(first.data).sort()).toEqual(["html", "markdown", "screenshot_url", "text"]);
    expect(first.meta.credits_used).toBe(0);
    const second = await read(await client.scrape(body));
    for (const format of ["markdown", "html", "text"]) expect(second.data[format]).toBe(first.data[format]);
    expect(await querySite("hits", url)).toBe(0);
    const link = new URL(first.data.screenshot_url ?? "");
    const response = await client.call("GET", link.pathname + link.search);
    const png = new DataView(await response.arrayBuffer());
    expect([png.getUint32(0), png.getUint32(16), png.getUint32(20)]).toEqual([0x89504e47, 1280, 800]);
    const usage = await read(await client.call("GET", "/v1/usage"));
    expect(usage.data).toMatchObject({ balance: 0, reserved: 0, period: { used: 0 } });
  });

  it("gets a valid object from parse and the requested number of results from serp", async () => {
    const client = await testClient();
    const schema = {
      type: "object",
      properties: { price: { type: "number", minimum: 5 }, currency: { enum: ["EUR", "USD"] } },
      required: ["price", "currency"],
      additionalProperties: false,
    };
    const parsed = await read(
      await client.call("POST", "/v1/parse?wait=true", { html: "<p>x</p>", prompt: "price", schema }),
    );
    expect(Number(parsed.data.price)).toBeGreaterThanOrEqual(5);
    expect(["EUR", "USD"]).toContain(parsed.data.currency);
    expect(parsed.meta).toEqual({
      processing_time_ms: expect.any(Number),
      credits_used: 0,
      receipt: {
        total: 0,
        lines: [
          { item: "parse", credits: 5 },
          { item: "refund", credits: -5, reason: "test_key" },
        ],
      },
      outcome: "ok",
      model_used: "gpt-5.4-mini",
      rendered: false,
      parts: 1,
      usage: { input_tokens: 812, output_tokens: 64, model_calls: 1, model_time_ms: 0 },
    });
    const named = await client.call("POST", "/v1/parse?wait=true", {
      html: "<p>x</p>",
      prompt: "p",
      model: "claude-haiku-4-5",
    });
    expect((await read(named)).meta.model_used).toBe("claude-haiku-4-5");

    const serp = await client.call("POST", "/v1/serp?wait=true", {
      query: "tide tables",
      num_results: 7,
      language: "EN",
    });
    const { data } = await serp.json<{ data: { organic: Record<string, unknown>[]; total_results: number } }>();
    expect(data.organic.map((result) => result.position)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(Object.keys(data.organic[0] ?? {}).sort()).toEqual(["description", "position", "snippet", "title", "url"]);
  });

  it("gets the same evidence of a parse as a live key", async () => {
    const client = await testClient();
    const parse = async (url: string) =>
      await read(await client.call("POST", "/v1/parse?wait=true", { url, prompt: "p", schema, evidence: true }));
    const schema = {
      type: "object",
      properties: { name: { type: "string" }, "a/b": { type: "array", items: { type: "number", minimum: 5 } } },
    };
    const { data, meta } = await parse("https://example.com/");
    const [first] = data["a/b"] as unknown as number[];
    expect(meta).toMatchObject({
      evidence: {
        "/name": { quote: data.name, verified: true },
        "/a~1b/0": { quote: String(first), verified: true },
      },
      unverified: [],
    });
    expect(meta).not.toHaveProperty("evidence_truncated");
    const large = await parse("https://large.test/");
    expect(JSON.stringify(large.meta).length).toBeLessThan(300_000);
  });

  it.each([
    ["https://blocked.test/", 502, "blocked_by_target"],
    ["https://timeout.test/a", 504, "target_timeout"],
    ["https://dns.test/", 502, "dns_failure"],
    ["https://http-404.test/x", 502, "target_http_error"],
    ["https://http-503.test/", 502, "target_http_error"],
    ["https://out-of-credits.test/", 402, "insufficient_credits"],
    ["https://rate-limited.test/", 429, "rate_limited"],
  ])("can simulate %s", async (url, status, code) => {
    const client = await testClient();
    const response = await client.scrape({ url });
    expect([response.status, (await read(response)).error.code]).toEqual([status, code]);
    if (status === 429) expect(Number(response.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    const query = new URL(url).host;
    const searched = await client.call("POST", "/v1/serp?wait=true", { query });
    expect([searched.status, (await read(searched)).error.code]).toEqual([status, code]);
  });

  it("can simulate a slow target and a large result, also in asynchronous jobs", async () => {
    const client = await testClient();
    const started = Date.now();
    expect((await client.scrape({ url: "https://slow-1.test/" })).status).toBe(200);
    expect(Date.now() - started).toBeGreaterThanOrEqual(1_000);
    const large = await read(await client.scrape({ url: "https://large.test/" }));
    expect(JSON.stringify(large.data).length).toBeGreaterThan(1_000_000);
    const { job_id } = await read(await client.call("POST", "/v1/scrape", { url: "https://blocked.test/" }));
    const job = await readEnded(client, `/v1/jobs/${job_id}`);
    expect(job).toMatchObject({ status: "failed", error: { code: "blocked_by_target" } });
  });

  it("lists only its own jobs, and a live key gets 400 for a .test host", async () => {
    const live = await createClient();
    const test = await testClient(live.accountId);
    const { job_id } = await read(await test.scrape({ url: "https://example.com/" }));
    const ids = async (client: typeof live) =>
      (await (await client.call("GET", "/v1/jobs")).json<{ data: { job_id: string }[] }>()).data.map(
        (job) => job.job_id,
      );
    expect(await ids(test)).toEqual([job_id]);
    expect(await ids(live)).toEqual([]);
    expect(await ids(await testClient(live.accountId))).toEqual([]);
    const refused = await live.scrape({ url: "https://blocked.test/" });
    expect([refused.status, (await read(refused)).error.code]).toEqual([400, "invalid_target"]);
  });

  it("gets the same validation errors as a live key", async () => {
    const client = await testClient();
    const codes = async (path: string, body: unknown) => {
      const response = await client.call("POST", path, body);
      return [response.status, (await read(response)).error.details?.[0]?.path];
    };
    expect(await codes("/v1/scrape", { url: "ftp://x/" })).toEqual([400, "url"]);
    expect(await codes("/v1/parse", { prompt: "x" })).toEqual([400, "url"]);
    expect(await codes("/v1/parse", { prompt: "x", url: "https://a.b/", html: "<p>" })).toEqual([400, "url"]);
    expect(await codes("/v1/parse", { prompt: " ", html: "<p>" })).toEqual([400, "prompt"]);
    expect(await codes("/v1/parse", { prompt: "x", html: "<p>", schema: { type: "array" } })).toEqual([
      400,
      "schema.type",
    ]);
    const schema = { type: "object", properties: { price: { type: "money" } } };
    expect(await codes("/v1/parse", { prompt: "x", html: "<p>", schema })).toEqual([
      400,
      "schema.properties.price.type",
    ]);
    expect(await codes("/v1/parse", { prompt: "x", html: "<p>", model: "gpt-2" })).toEqual([400, "model"]);
    expect(await codes("/v1/serp", { query: "" })).toEqual([400, "query"]);
    expect(await codes("/v1/serp", { query: "x", num_results: 101 })).toEqual([400, "num_results"]);
    expect(await codes("/v1/serp", { query: "x", language: "not a tag" })).toEqual([400, "language"]);
    expect(await codes("/v1/serp", { query: "x", engine: "duck" })).toEqual([400, "engine"]);
  });
});

describe("a live key", () => {
  it("gets the path and the reason of an invalid schema", async () => {
    const client = await createClient();
    const schema = { type: "object", properties: { price: { type: "money" } } };
    const response = await client.call("POST", "/v1/parse", { prompt: "x", html: "<p>", schema });
    const { error } = await read(response);
    expect([response.status, error.code]).toEqual([400, "invalid_request"]);
    expect(error.message).toMatch(/^The parameter 'schema\.properties\.price\.type' must be one of string, .*\.$/);
    expect(error.details?.[0]?.path).toBe("schema.properties.price.type");
  });
});
