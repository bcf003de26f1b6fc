import { z } from "@hono/zod-openapi";
import { describe, expect, it } from "vitest";
import { BatchRequest } from "../../src/contract/batches";
import { WaitQuery } from "../../src/contract/common";
import { CrawlRequest } from "../../src/contract/crawls";
import { ENDPOINT_SCHEMAS } from "../../src/contract/endpoint-schemas";
import { checkIsObject, toInvalidRequest } from "../../src/contract/invalid-request";
import { JobListQuery, JobQuery } from "../../src/contract/jobs";
import { KeyRequest } from "../../src/contract/keys";
import { ScrapeFormat } from "../../src/contract/scrape";
import { UsageQuery } from "../../src/contract/usage";
import { DeliveryListQuery, RedeliveriesRequest } from "../../src/contract/webhooks";
import { ERRORS } from "../../src/model/errors";

const { scrape, parse, serp } = ENDPOINT_SCHEMAS;
const url = "https://example.com/";

function errorOf(schema: z.ZodType, input: unknown) {
  const { error } = schema.safeParse(input);
  return toInvalidRequest(error?.issues ?? [], { value: input, schema });
}

it.each([
  [scrape.request, { url, frobnicate: 1 }, /^The known parameters are url, formats/],
  [serp.request, { query: "q", scrape: { frobnicate: 1 } }, /^The known parameters are formats, limit/],
])("an unknown parameter of %# gets the names that its object has", (schema, input, hint) => {
  expect(errorOf(schema, input).hint).toMatch(hint);
});

it.each<[z.ZodType, unknown, string]>([
  [scrape.request, {}, "url is required, unless 'capture_id' or 'file' is given"],
  [scrape.request, { url: 5 }, 'url must be a string, such as "https://example.com/article", not a number'],
  [
    scrape.request,
    { url, webhook_url: null },
    'webhook_url must be a string, such as "https://example.org/hooks/extraction", not null',
  ],
  [
    scrape.request,
    { url, formats: "html" },
    "formats must be an array, not the string 'html'. Did you mean [\"html\"]?",
  ],
  [
    scrape.request,
    { url, formats: ["html", "png"] },
    `formats.1 must be one of ${ScrapeFormat.options.join(", ")}, not 'png'. Did you mean 'screenshot'?`,
  ],
  [scrape.request, { url, colour: "red" }, "colour is not a known parameter"],
  [serp.request, { query: "x", num_results: 500 }, "num_results must be a whole number from 1 to 100, not 500"],
  [serp.request, { query: "" }, "query must not be empty"],
  [parse.request, { prompt: "x" }, "url is required, unless 'html', 'capture_id' or 'file' is given"],
  [parse.request, { prompt: "x", url, html: "x" }, "url can't be combined with 'html'; send only one of them"],
  [parse.request, { prompt: "x", url, schema: [] }, "schema must be an object, not an array"],
  [JobListQuery, { limit: "1e1" }, "limit must be a whole number from 1 to 100, not '1e1'"],
  [
    JobListQuery,
    { offset: "20000" },
    "offset must be a whole number from 0 to 10000, not '20000'; use 'cursor' to go further",
  ],
  [KeyRequest, { mode: "prod" }, "mode must be one of live, test, not 'prod'. Did you mean 'live'?"],
  [KeyRequest, { mode: "x".repeat(40) }, `mode must be one of live, test, not '${"x".repeat(40)}'`],
  [KeyRequest, { mode: "" }, "mode must be one of live, test"],
  [WaitQuery, { wait: "1" }, "wait must be 'true' or 'false', not '1'"],
  [JobQuery, { wait: "31" }, "wait must be a whole number from 0 to 30, not '31'"],
  [parse.request, { prompt: "x", url, schema: "x" }, "schema must be an object, not a string"],
  [parse.request, { prompt: "x", url, evidence: {} }, "evidence must be a boolean, not an object"],
  // The length of a text isn't about its value, so the text isn't quoted.
  [serp.request, { query: "x", language: `en-x${"-a".repeat(16)}` }, "language must have at most 35 characters"],
  [CrawlRequest, { url, limit: 0 }, "limit must be at least 1, not 0"],
  [CrawlRequest, { url, limit: 10_001 }, "limit must be at most 10000, not 10001"],
  [CrawlRequest, { url, limit: 1.5 }, "limit must be a whole number, not 1.5"],
  [CrawlRequest, { url, delay: -1 }, "delay must be at least 0, not -1"],
  [z.object({ list: z.array(z.string()).min(2) }), { list: [] }, "list must have at least 2 items"],
  [z.object({ of: z.strictObject({}) }), { of: { size: 1 } }, "of.size is not a known parameter"],
  [z.object({ id: z.uuid() }), { id: "x" }, "id Invalid UUID, not 'x'"],
  [z.string(), 5, "body must be a string, not a number"],
  [KeyRequest, { mode: "x".repeat(41) }, "mode must be one of live, test"],
  [BatchRequest, { requests: [{ url }] }, "endpoint is required; it must be one of scrape, parse"],
  [
    RedeliveriesRequest,
    {},
    "since is required; it must be an ISO 8601 date, or a date and time with a time zone, such as 2026-11-21T09:00:00Z",
  ],
  [
    JobListQuery,
    { code: "http_error" },
    `code must be one of the ${Object.keys(ERRORS).length} values that the API reference lists, not 'http_error'. Did you mean 'target_http_error'?`,
  ],
])("names the parameter, the rule and the given value: %#", (schema, input, expected) => {
  const { code, status, message, details = [] } = errorOf(schema, input);
  expect({ code, status }).toEqual({ code: "invalid_request", status: 400 });
  expect(details.map(({ path, message: rule }) => `${path} ${rule}`)).toEqual([expected]);
  expect(message).toBe(`The parameter '${expected.replace(" ", "' ")}${/[.?]$/.test(expected) ? "" : "."}`);
});

it("has one detail for each invalid parameter", () => {
  const { details } = errorOf(scrape.request, { url: "example.com", js_render: "yes", size: 1, color: "red" });
  expect(details?.map(({ path }) => path)).toEqual(["url", "js_render", "size", "color"]);
});

it("says that a query parameter was given twice", () => {
  const { error } = JobListQuery.safeParse({ status: ["failed", "completed"] });
  const input = { value: { status: ["failed", "completed"] }, schema: JobListQuery };
  const other = { place: "body", schema: undefined } as const;
  expect(toInvalidRequest(error?.issues ?? [], { ...input, other }).message).toBe(
    "The parameter 'status' must not be repeated.",
  );
});

it("accepts times without seconds, and spaces between dimensions", () => {
  expect(JobListQuery.parse({ from: "2026-11-21T09:00Z", to: "2026-11-21T11:00+01:00" })).toMatchObject({
    from: Date.parse("2026-11-21T09:00:00Z"),
    to: Date.parse("2026-11-21T10:00:00Z"),
  });
  expect(UsageQuery.parse({ group_by: "key, day" })).toEqual({ group_by: ["day", "key"] });
});

it("has a general message if there are no issues", () => {
  expect(toInvalidRequest([])).toMatchObject({ message: "The request is not valid.", details: [] });
});

it("omits the full stop and the introduction of a schema's own message", () => {
  const messageOf = (message: string) => toInvalidRequest([{ path: ["a", 0], message }]).message;
  expect(messageOf("Invalid input: it is odd.")).toBe("The parameter 'a.0' is invalid: it is odd.");
});

it("doesn't quote values without the request", () => {
  expect(toInvalidRequest(KeyRequest.safeParse({ mode: "prod" }).error?.issues ?? []).message).toBe(
    "The parameter 'mode' must be one of live, test.",
  );
});

it("never quotes a URL, because it can have a password", () => {
  const messageOf = (given: string) => errorOf(scrape.request, { url: given }).message;
  expect(messageOf("https://user:secret@example.com/")).toBe(
    "The parameter 'url' must not contain a user name or password.",
  );
  for (const given of [
    "user:secret@example.com",
    "ftp://user:secret@example.com/",
    "https://user:secret@ex ample.com/",
  ])
    expect(messageOf(given)).not.toContain("secret");
});

describe("a similar parameter or value is suggested", () => {
  it.each<[z.ZodType, Record<string, unknown>, string]>([
    [
      scrape.request,
      { url, js_rendr: true },
      "The parameter 'js_rendr' is not a known parameter. Did you mean 'js_render'?",
    ],
    [
      scrape.request,
      { url, waitFor: "p" },
      "The parameter 'waitFor' is not a known parameter. Did you mean 'wait_for'?",
    ],
    [
      scrape.request,
      { url, country_code: "de" },
      "The parameter 'country_code' is not a known parameter. Did you mean 'proxy_country'?",
    ],
    [serp.request, { query: "x", hl: "en" }, "The parameter 'hl' is not a known parameter. Did you mean 'language'?"],
    [
      serp.request,
      { query: "x", limit: 5 },
      "The parameter 'limit' is not a known parameter. Did you mean 'num_results'?",
    ],
    [
      JobListQuery,
      { sort: "asc" },
      "The parameter 'sort' is not a known parameter. Lists are sorted from newest to oldest.",
    ],
    [
      JobListQuery,
      { job_id: "x" },
      "The parameter 'job_id' is not a known parameter. Use GET /v1/jobs/{id} to read one job.",
    ],
    [
      JobListQuery,
      { from: "2026-11-21T09:00:00 01:00" },
      "The parameter 'from' must be an ISO 8601 date, or a date and time with a time zone, such as 2026-11-21T09:00:00Z, not '2026-11-21T09:00:00 01:00'. Write + as %2B in a URL.",
    ],
    [
      UsageQuery,
      { group_by: "day,outcome" },
      "The parameter 'group_by' must be one or more of day, endpoint, key, code, separated by commas, not 'day,outcome'. Did you mean 'day,code'?",
    ],
    [KeyRequest, { ttl: 60 }, "The parameter 'ttl' is not a known parameter. Did you mean 'expires_at'?"],
    [KeyRequest, { budget: 60 }, "The parameter 'budget' is not a known parameter. Did you mean 'credit_limit'?"],
    [JobListQuery, { page: "2" }, "The parameter 'page' is not a known parameter. Did you mean 'offset'?"],
    [KeyRequest, { permissions: [] }, "The parameter 'permissions' is not a known parameter. Did you mean 'scopes'?"],
    [
      scrape.request,
      { url, timeout: 5 },
      "The parameter 'timeout' is not a known parameter. Did you mean 'timeout_ms'?",
    ],
    [
      scrape.request,
      { url, formats: ["md"] },
      `The parameter 'formats.0' must be one of ${ScrapeFormat.options.join(", ")}, not 'md'. Did you mean 'markdown'?`,
    ],
    [
      scrape.request,
      { url, render: true },
      "The parameter 'render' must be one of auto, always, never, not true. Did you mean 'always'?",
    ],
    [
      JobListQuery,
      { status: "done" },
      "The parameter 'status' must be one of queued, processing, completed, failed, not 'done'. Did you mean 'completed'?",
    ],
    [
      serp.request,
      { query: "x", engine: "gogle" },
      "The parameter 'engine' must be one of google, bing, yandex, not 'gogle'. Did you mean 'google'?",
    ],
    [
      serp.request,
      { query: "x", language: "english" },
      "The parameter 'language' must be a BCP 47 language tag, such as tr or en-US, not 'english'. Did you mean 'en'?",
    ],
    [
      serp.request,
      { query: "x", language: "jp" },
      "The parameter 'language' must be a BCP 47 language tag, such as tr or en-US, not 'jp'. Did you mean 'ja'?",
    ],
    [
      scrape.request,
      { url: "example.com" },
      "The parameter 'url' must be an absolute URL that begins with http:// or https://, not 'example.com'. Did you mean 'https://example.com'?",
    ],
    [
      scrape.request,
      { url, js_render: "true" },
      "The parameter 'js_render' must be a boolean, not the string 'true'. Send it without quotation marks.",
    ],
    [
      serp.request,
      { query: "x", num_results: "10" },
      "The parameter 'num_results' must be a whole number from 1 to 100, not the string '10'. Send it without quotation marks.",
    ],
    [
      scrape.request,
      { url, wait_for: 2_000 },
      "The parameter 'wait_for' must be a CSS selector, such as '#price', not 2000; use 'wait_ms' to wait for a number of milliseconds.",
    ],
  ])("%#", (schema, input, message) => {
    expect(errorOf(schema, input).message).toBe(message);
  });

  it("if JSON is sent as a text", () => {
    expect(errorOf(parse.request, { prompt: "x", url, schema: '{"type":"object"}' }).message).toBe(
      "The parameter 'schema' must be an object, not a string. Send the JSON itself, without quotation marks around it.",
    );
  });

  it("before the parameter that is missing because of it", () => {
    expect(errorOf(serp.request, { q: "x" }).message).toBe(
      "The parameter 'q' is not a known parameter. Did you mean 'query'? The parameter 'query' is required.",
    );
  });

  it("for the names that similar services use", () => {
    const batch = errorOf(BatchRequest, { endpoint: "scrape", urls: [url] });
    expect(batch.message).toContain("'urls' is not a known parameter. Did you mean 'requests'?");
    const formats = errorOf(scrape.request, { url, formats: ["extract"] });
    expect(formats.message).toContain("not 'extract'. Did you mean 'json'?");
    const deliveries = errorOf(DeliveryListQuery, { status: "failed" });
    expect(deliveries.message).toContain("not 'failed'. Did you mean 'abandoned'?");
  });

  it("or the error lists the known parameters", () => {
    const { message, hint } = errorOf(WaitQuery, { zzz: "1" });
    expect([message, hint]).toEqual([
      "The parameter 'zzz' is not a known parameter.",
      "The only known parameter is wait.",
    ]);
    expect(errorOf(WaitQuery, { wat: "1" }).hint).toBeUndefined();
  });
});

it("names the place of a parameter that belongs elsewhere", () => {
  const bodyIssues = scrape.request.safeParse({ url, wait: true }).error?.issues ?? [];
  const other = { place: "query", schema: WaitQuery } as const;
  expect(toInvalidRequest(bodyIssues, { value: { url, wait: true }, schema: scrape.request, other }).message).toBe(
    "The parameter 'wait' belongs in the URL, not in the body: ?wait=true.",
  );
  const queryIssues = WaitQuery.safeParse({ url }).error?.issues ?? [];
  const body = { place: "body", schema: scrape.request } as const;
  expect(toInvalidRequest(queryIssues, { value: { url }, schema: WaitQuery, other: body }).message).toBe(
    "The parameter 'url' belongs in the JSON body, not in the URL.",
  );
});

it("has a message about the first three parameters", () => {
  const { message, details } = errorOf(scrape.request, { url, a1: 1, b2: 1, c3: 1, d4: 1, e5: 1 });
  expect(details).toHaveLength(5);
  expect(message).toMatch(/^(?:The parameter '\w+' is not a known parameter\. ){3}2 more: see 'details'\.$/);
});

it.each([null, [], "text", 5])("refuses a body that isn't an object: %j", (body) => {
  expect(() => checkIsObject(body)).toThrow("The body must be a JSON object, not ");
});

it.each<[z.ZodType, object, string]>([
  [CrawlRequest, { url, scrapeOptions: {} }, "'scrapeOptions' is not a known parameter. Did you mean 'scrape'?"],
  [CrawlRequest, { url, formats: [] }, "'formats' is not a known parameter. Options of the pages belong in 'scrape'."],
  [CrawlRequest, { url, content_signals: "respect" }, "is required with 'content_signals: respect'"],
  [CrawlRequest, { url, content_use: "search" }, "needs 'content_signals: respect'"],
  [
    CrawlRequest,
    { url, content_signals: "respect", content_use: "search", robots: "ignore" },
    "can't be 'ignore' with 'content_signals: respect'",
  ],
  [CrawlRequest, { url, onlyMainContent: true }, "in 'scrape'. Did you mean 'scrape.only_main_content'?"],
  [CrawlRequest, { url, sitemap: true }, "Did you mean 'include'?"],
  [CrawlRequest, { url, scrape: true }, 'must be an object, such as {"formats":["markdown"]}'],
  [scrape.request, { url, scrapeOptions: {} }, "Send its fields at the top level of the request."],
  [scrape.request, { url, proxy: "http://a" }, "Use 'proxy_country' to choose the country"],
  [scrape.request, { url, waitFor: 5000 }, "'waitFor' is not a known parameter. Did you mean 'wait_ms'?"],
  [scrape.request, { url, waitFor: "#a" }, "'waitFor' is not a known parameter. Did you mean 'wait_for'?"],
  [scrape.request, { url, wait_for: "5s" }, "must be a CSS selector, such as '#price', not '5s'; use 'wait_ms'"],
  [scrape.request, { url, wait_for: "2000" }, "must be a CSS selector, such as '#price', not '2000'; use 'wait_ms'"],
  [scrape.request, { url, actions: ["click"] }, `must be an object, such as {"type": "click", "selector": "#more"}`],
  [scrape.request, { url, actions: {} }, 'must be an array, such as [{"type":"click","selector":"#more"}'],
  [scrape.request, { url, json: true }, 'must be an object, such as {"prompt":'],
  [CrawlRequest, { url, wait: true }, "'wait' is not a known parameter. Batches and crawls run in the background."],
  [BatchRequest, { scrapeOptions: {} }, "'scrapeOptions' is not a known parameter. Did you mean 'defaults'?"],
  [scrape.request, { url, cookies: "a=b" }, `'cookies' must be a list such as [{"name": "session", "value": "abc"}]`],
  [scrape.request, { url, viewport: "1280x720" }, `'viewport' must be an object, such as {"width":1440,"height":900}`],
  [scrape.request, { url, viewport: { w: 1280, height: 720 } }, "'viewport.w' is not a known parameter. Did you mean"],
  [scrape.request, { url, viewport: { height: 720 } }, "'viewport.width' is required; it must be a whole number"],
  [scrape.request, { url, locale: ["de"] }, `'locale' must be a string, such as "de-CH", not an array`],
  [scrape.request, { url, locale: "de-DE,de;q=0.9" }, "not 'de-DE,de;q=0.9'. Did you mean 'de-DE'?"],
  [scrape.request, { url, basic_auth: "ada:x" }, `must be an object, such as {"username":"ada","password":"example"}`],
  [scrape.request, { url, formats: [{ type: "json" }] }, "json, not an object. Did you mean 'json'?"],
  [scrape.request, { url, formats: ["screenshot@fullPage"] }, "Did you mean 'screenshot'?"],
  [scrape.request, { url, formats: "markdown, html" }, 'Did you mean ["markdown","html"]?'],
])("the message about a plausible mistake shows the right form (%#)", (schema, input, text) => {
  expect(errorOf(schema, input).message).toContain(text);
});

it("doesn't say where page options belong if the parameter is none", () => {
  for (const input of [
    { url, webhok: "" },
    { url, foo: 1 },
  ])
    expect(errorOf(CrawlRequest, input).message).not.toContain("belong");
});

it("the hint is about the parameter that an unknown one stands for", () => {
  expect(errorOf(scrape.request, { url, viewport: { w: 1280, height: 720 } }).parameter).toBe("viewport.width");
  expect(errorOf(scrape.request, { url, formats: "html" }).parameter).toBe("formats");
});
