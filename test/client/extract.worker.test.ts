import { describe, expect, expectTypeOf, it } from "vitest";
import type { Fetch } from "../../clients/typescript/src/transport";
import { createAccount, createClient, page, querySite } from "../support/client";
import { connect, failureOf, toWorker } from "../support/extraction-client";

/** A `fetch` that removes `?wait=true`, so that every request is asynchronous. */
const handsOver: Fetch = (url, init) => toWorker(url.replace("?wait=true", ""), init);

describe("a synchronous extraction", () => {
  it("returns a page in the requested formats", async () => {
    const client = connect(await createClient());
    const { data, meta, job_id } = await client.scrape({ url: page("article"), formats: ["markdown", "text"] });
    expectTypeOf(data.markdown).toEqualTypeOf<string | undefined>();
    expect(data.markdown).toMatch(/^# /);
    expect(data.text).toContain("kept since 1899");
    expect(Object.keys(data).sort()).toEqual(["markdown", "text"]);
    expect(meta.credits_used).toBe(1);
    expect(await client.jobs.get(job_id)).toMatchObject({ status: "completed", endpoint: "scrape", result: data });
  });

  it.each([toWorker, handsOver])("returns a part of a page, and its job continues the text", async (fetch) => {
    const client = connect(await createClient(), { fetch });
    const { data, meta, job_id } = await client.scrape({ url: page("article"), max_chars: 300 });
    expect(data.markdown?.length).toBeLessThanOrEqual(300);
    expectTypeOf(meta.next_offset).toEqualTypeOf<number | null | undefined>();
    const view = { offset: meta.next_offset ?? 0 };
    const rest = await client.jobs.get<{ markdown: string }>(job_id, { view });
    const whole = await client.jobs.get<{ markdown: string }>(job_id);
    expect(`${data.markdown}${rest.result?.markdown}`).toBe(whole.result?.markdown);
  });

  it("returns typed data, and search results", async () => {
    const client = connect(await createClient({ mode: "test" }));
    const schema = {
      type: "object",
      properties: { name: { type: "string" }, price: { type: "number" } },
      required: ["name", "price"],
    };
    const { data, meta } = await client.parse<{ name: string; price: number }>({
      url: "https://shop.example/",
      prompt: "The product",
      schema,
    });
    expectTypeOf(data.price).toEqualTypeOf<number>();
    expect([typeof data.name, typeof data.price]).toEqual(["string", "number"]);
    expect(meta.model_used).not.toBe("");

    const found = await client.serp({ query: "harbour cranes", num_results: 3 });
    expect(found.data.organic.map((result) => result.position)).toEqual([1, 2, 3]);
    expect(found.meta.total_results_known).toBe(true);
  });

  it("can use a ready-made schema", async () => {
    const client = connect(await createClient({ mode: "test" }));
    expect((await client.schemas.list()).map(({ name }) => name)).toContain("recipe");
    const { prompt, schema } = await client.schemas.get("recipe");
    const { data, meta } = await client.parse({ url: "https://cook.example/", prompt, schema, strategy: "auto" });
    expectTypeOf(meta.strategy).toEqualTypeOf<"model" | "auto" | "page" | undefined>();
    expect(data).toMatchObject({ title: expect.any(String), ingredients: expect.any(Array) });
    expect(await failureOf(client.schemas.get("cake"))).toMatchObject({ status: 404, code: "not_found" });
  });

  it("can be checked before, with its highest price", async () => {
    const client = connect(await createClient());
    const target = { url: page("article"), render: "auto", max_credits: 2 } as const;
    const checked = await client.dryRun("scrape", target);
    expectTypeOf(checked.max_credits).toEqualTypeOf<number>();
    expect(checked).toMatchObject({ max_credits: 2, method: "plain_then_browser", would_wait: false });
    const { meta } = await client.scrape(target);
    expectTypeOf(meta.receipt?.lines[0]?.item).toEqualTypeOf<string | undefined>();
    expect(meta.receipt).toEqual({ total: 1, lines: [{ item: "scrape", credits: 1 }] });
    const refused = await failureOf(client.dryRun("parse", { url: page("article"), prompt: "x", max_credits: 1 }));
    expect(refused).toMatchObject({ code: "price_limit", status: 402, retryable: false });
  });

  it("polls the job if the service responds before it ends", async () => {
    const client = connect(await createClient(), { fetch: handsOver });
    const { data, meta, job_id } = await client.scrape({ url: page("article"), formats: ["text"] });
    expect(data.text).toContain("kept since 1899");
    expect(meta.credits_used).toBe(1);
    expect(await client.jobs.get(job_id)).toMatchObject({ status: "completed", result: data, meta });
  });

  it("throws after maxWaitMs with the job's id, which can still be read", async () => {
    const client = connect(await createClient(), { fetch: handsOver });
    const url = page("held");
    const failure = await failureOf(client.scrape({ url, formats: ["text"] }, { maxWaitMs: 0 }));
    expect(failure).toMatchObject({ code: "wait_timeout", status: null, retryable: true });
    const id = failure.jobId ?? "";
    expect(await failureOf(client.jobs.wait(id, { maxWaitMs: 500 }))).toMatchObject({
      code: "wait_timeout",
      jobId: id,
    });
    await expect.poll(() => querySite("hits", url)).toBe(1);
    await querySite("release", url);
    expect((await client.jobs.result<{ text: string }>(id)).data.text).toContain("kept since 1899");
  });

  it("rejects with the signal's reason after an abort, and the job continues", async () => {
    const key = await createClient();
    const client = connect(key);
    const url = page("held");
    const controller = new AbortController();
    const scraped = client.scrape({ url, formats: ["text"] }, { signal: controller.signal });
    scraped.catch(() => undefined);
    await expect.poll(() => querySite("hits", url)).toBe(1);
    controller.abort(new Error("The user left."));
    await expect(scraped).rejects.toThrow("The user left.");
    await querySite("release", url);
    const [job] = (await client.jobs.page()).data;
    expect(await client.jobs.wait(job?.job_id ?? "")).toMatchObject({ status: "completed" });
    await expect(client.scrape({ url }, { signal: controller.signal })).rejects.toThrow("The user left.");
    expect((await client.jobs.page()).pagination.total).toBe(1);
  });

  it("creates one job and charges once if the first response is lost", async () => {
    const key = await createClient();
    let requests = 0;
    const losing: Fetch = async (url, init) => {
      const response = await toWorker(url, init);
      requests += 1;
      if (requests > 1) return response;
      await response.arrayBuffer();
      throw new TypeError("The connection was lost.");
    };
    const url = page("article");
    const { job_id } = await connect(key, { fetch: losing }).scrape({ url, formats: ["text"] });
    expect([requests, await querySite("hits", url)]).toEqual([2, 1]);
    const client = connect(key);
    expect((await client.jobs.page()).data.map((job) => job.job_id)).toEqual([job_id]);
    expect((await client.usage()).days).toMatchObject([{ endpoint: "scrape", requests: 1, credits: 1 }]);
  });

  it("creates a job for each call, but one job for two calls with the same idempotency key", async () => {
    const client = connect(await createClient({ mode: "test" }));
    const request = { url: "https://example.com/" };
    const [first, second] = [await client.scrape(request), await client.scrape(request)];
    expect(first.job_id).not.toBe(second.job_id);
    const own = { idempotencyKey: "order-17" };
    const [third, fourth] = [await client.scrape(request, own), await client.scrape(request, own)];
    expect(third.job_id).toBe(fourth.job_id);
  });
});

describe("an asynchronous extraction", () => {
  it("returns a handle to wait for the job and read its result", async () => {
    const client = connect(await createClient());
    const url = page("held");
    const job = await client.startScrape({ url, formats: ["text"] });
    await expect.poll(() => querySite("hits", url)).toBe(1);
    expect(await job.get()).toMatchObject({ job_id: job.id, status: "processing" });
    const result = job.result();
    await querySite("release", url);
    expect((await result).data.text).toContain("kept since 1899");
    expect(await job.wait()).toMatchObject({ status: "completed", result: (await result).data });
  });

  it("works in the same way for parse and serp", async () => {
    const client = connect(await createClient({ mode: "test" }));
    const parse = await client.startParse<{ title: string }>({ html: "<h1>Tea</h1>", prompt: "The title" });
    const serp = await client.startSerp({ query: "tea" });
    expect((await parse.result()).meta.model_used).not.toBe("");
    expect((await serp.result()).data.organic).toHaveLength(10);
  });

  it("returns the error in the job's record, and throws it if the result is requested", async () => {
    const client = connect(await createClient({ mode: "test" }));
    for (const [url, code, retryable] of [
      ["https://blocked.test/", "blocked_by_target", true],
      ["https://http-404.test/", "target_http_error", false],
    ] as const) {
      const job = await client.startScrape({ url });
      expect(await job.wait()).toMatchObject({ status: "failed", error: { code } });
      expect(await failureOf(job.result())).toMatchObject({ code, retryable, jobId: job.id, status: null });
    }
  });
});

describe("an error", () => {
  it("of a job has its code, status and id, and the rate limit", async () => {
    const key = await createClient({ accountId: await createAccount({ ratePerMinute: 25 }) });
    const failure = await failureOf(connect(key).scrape({ url: page("status?code=404") }));
    expect(failure).toMatchObject({
      name: "ExtractionError",
      code: "target_http_error",
      status: 502,
      retryable: false,
      details: [],
      rate: { limit: 25, remaining: 24 },
    });
    expect(failure.message).toContain("status 404");
    expect(failure.jobId).toMatch(/^[0-9a-f-]{36}$/);
    expect(failure.requestId).not.toBeNull();
    expect(failure.rate?.resetAt.getTime()).toBeGreaterThan(Date.now());
  });

  it("of a request lists the invalid parameters", async () => {
    const client = connect(await createClient());
    const failure = await failureOf(client.scrape({ url: "example.com", formats: ["epub" as never] }));
    expect(failure).toMatchObject({ code: "invalid_request", status: 400, jobId: null });
    expect(failure.details.map(({ path }) => path).sort()).toEqual(["formats.0", "url"]);
  });

  it("of a key has the code of the reason", async () => {
    const revoked = await createClient({ revoked: true });
    expect(await failureOf(connect(revoked).usage())).toMatchObject({ code: "revoked_api_key", status: 401 });
    const narrow = await createClient({ scopes: ["serp"] });
    const failure = await failureOf(connect(narrow).scrape({ url: page("article") }));
    expect(failure).toMatchObject({ code: "insufficient_scope", status: 403 });
    const poor = await createClient({ mode: "test" });
    const spent = await failureOf(connect(poor).serp({ query: "out-of-credits" }));
    expect(spent).toMatchObject({ code: "insufficient_credits", status: 402, retryable: false });
  });

  it("for too many requests has the delay from Retry-After", async () => {
    const client = connect(await createClient({ mode: "test" }), { maxRetries: 0 });
    const failure = await failureOf(client.scrape({ url: "https://rate-limited.test/" }));
    expect(failure).toMatchObject({ code: "rate_limited", status: 429, retryable: true, retryAfterMs: 60_000 });
  });
});

describe("a client", () => {
  it("can't be created with an invalid key or URL", () => {
    for (const apiKey of ["", "sk_live_abc\n", undefined as unknown as string]) {
      expect(() => connect({ secret: apiKey })).toThrow("'apiKey' must be an API key");
    }
    expect(() => connect({ secret: "sk_live_abc" }, { baseUrl: "api.example" })).toThrow(TypeError);
  });
});
