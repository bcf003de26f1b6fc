import type { z } from "@hono/zod-openapi";
import { describe, expect, it } from "vitest";
import { NoQuery, PAGE, WaitQuery, wholeNumber } from "../../src/contract/common";
import { REQUEST_EXAMPLES } from "../../src/contract/examples";
import { JobListQuery, JobQuery } from "../../src/contract/jobs";
import { KeyListQuery, KeyRequest } from "../../src/contract/keys";
import { ParseRequest } from "../../src/contract/parse";
import { ScrapeRequest } from "../../src/contract/scrape";
import { SerpRequest } from "../../src/contract/serp";
import { DeliveryListQuery, WebhookSettingsRequest } from "../../src/contract/webhooks";
import { newId } from "../../src/lib/id";

const LANGUAGE_RULE = "language must be a BCP 47 language tag, such as tr or en-US";
const TIME_RULE = "must be an ISO 8601 date, or a date and time with a time zone, such as 2026-11-21T09:00:00Z";
const url = "https://example.com/";
const chars = (length: number) => "x".repeat(length);
const entries = <Entry>(length: number, entry: Entry) => Array<Entry>(length).fill(entry);
const urlOf = (length: number) => url + chars(length - url.length);

describe("a request gets its defaults and a normal form", () => {
  it.each<[string, z.ZodType, unknown, unknown]>([
    ["scrape", ScrapeRequest, { url }, { url, formats: ["markdown"], only_main_content: true }],
    [
      "scrape",
      ScrapeRequest,
      {
        url: "HTTP://example.com",
        formats: ["text", "html", "text"],
        js_render: true,
        wait_for: " #price ",
        only_main_content: false,
        include_selectors: [" main "],
        exclude_selectors: [".advert"],
        proxy_country: "tr",
        webhook_url: "https://Example.org",
      },
      {
        url: "HTTP://example.com",
        formats: ["text", "html"],
        js_render: true,
        wait_for: "#price",
        only_main_content: false,
        include_selectors: ["main"],
        exclude_selectors: [".advert"],
        proxy_country: "TR",
        webhook_url: "https://example.org/",
      },
    ],
    ["parse", ParseRequest, { html: "<p>7</p>", prompt: " the price " }, { html: "<p>7</p>", prompt: "the price" }],
    [
      "parse",
      ParseRequest,
      { url, prompt: "x", schema: { type: "object" }, model: "m", evidence: true, webhook_url: "https://a.example" },
      { url, prompt: "x", schema: { type: "object" }, model: "m", evidence: true, webhook_url: "https://a.example/" },
    ],
    [
      "serp",
      SerpRequest,
      { query: " tea " },
      { query: "tea", engine: "google", num_results: 10, device: "desktop", type: "web", page: 1 },
    ],
    [
      "serp",
      SerpRequest,
      { query: "tea", engine: "yandex", location: " Ankara ", language: "EN-us", num_results: 100, device: "mobile" },
      {
        ...{ query: "tea", engine: "yandex", location: "Ankara", language: "en-US", num_results: 100 },
        ...{ device: "mobile", type: "web", page: 1 },
      },
    ],
    ["keys", KeyRequest, {}, {}],
    [
      "keys",
      KeyRequest,
      {
        name: " CI ",
        mode: "test",
        scopes: ["keys", "scrape", "keys"],
        allowed_ips: ["203.0.113.7", "203.0.113.9/24", "203.0.113.0/24"],
      },
      { name: "CI", mode: "test", scopes: ["scrape", "keys"], allowed_ips: ["203.0.113.7/32", "203.0.113.0/24"] },
    ],
    ["webhook settings", WebhookSettingsRequest, { url: "https://Example.org" }, { url: "https://example.org/" }],
    ["webhook settings", WebhookSettingsRequest, { url: null }, { url: null }],
    ["the list of jobs", JobListQuery, {}, { limit: 20, offset: 0 }],
    [
      "the list of jobs",
      JobListQuery,
      { from: "2026-11-21", to: "2026-11-21T10:00:00+02:00", limit: "100", offset: "10000" },
      { from: Date.UTC(2026, 10, 21), to: Date.UTC(2026, 10, 21, 8), limit: 100, offset: 10_000 },
    ],
    ["the list of keys", KeyListQuery, { limit: "1", offset: "20000" }, { limit: 1, offset: 20_000 }],
    ["the list of deliveries", DeliveryListQuery, { status: "pending" }, { status: "pending", limit: 20, offset: 0 }],
    ["a job", JobQuery, { wait: "30" }, { wait: 30 }],
  ])("%s: %#", (_, schema, input, expected) => {
    expect(schema.parse(input)).toEqual(expected);
  });
});

describe("a request may use each limit, but not exceed it", () => {
  const scrape = (more: object) => [ScrapeRequest, { url, ...more }] as const;
  const serp = (more: object) => [SerpRequest, { query: "x", ...more }] as const;
  const jobs = (more: object) => [JobListQuery, more] as const;
  const keys = (more: object) => [KeyRequest, more] as const;

  it.each<[string, readonly [z.ZodType, unknown], readonly [z.ZodType, unknown]]>([
    ["2,048 characters of a URL", scrape({ url: urlOf(2_048) }), scrape({ url: urlOf(2_049) })],
    ["2,048 characters of a webhook URL", scrape({ webhook_url: urlOf(2_048) }), scrape({ webhook_url: urlOf(2_049) })],
    ["one format", scrape({ formats: ["text"] }), scrape({ formats: [] })],
    ["500 characters of wait_for", scrape({ wait_for: chars(500) }), scrape({ wait_for: chars(501) })],
    ["an empty wait_for", scrape({ wait_for: "a" }), scrape({ wait_for: " " })],
    [
      "500 characters of a selector",
      scrape({ include_selectors: [chars(500)] }),
      scrape({ include_selectors: [chars(501)] }),
    ],
    ["an empty selector", scrape({ exclude_selectors: ["a"] }), scrape({ exclude_selectors: [" "] })],
    ["50 selectors", scrape({ exclude_selectors: entries(50, "a") }), scrape({ exclude_selectors: entries(51, "a") })],
    [
      "10,000 characters of a prompt",
      [ParseRequest, { url, prompt: chars(10_000) }],
      [ParseRequest, { url, prompt: chars(10_001) }],
    ],
    ["an empty prompt", [ParseRequest, { url, prompt: "x" }], [ParseRequest, { url, prompt: " " }]],
    ["empty html", [ParseRequest, { html: "x", prompt: "x" }], [ParseRequest, { html: "", prompt: "x" }]],
    ["400 characters of a query", serp({ query: chars(400) }), serp({ query: chars(401) })],
    ["an empty query", serp({ query: "x" }), serp({ query: " " })],
    ["100 characters of a location", serp({ location: chars(100) }), serp({ location: chars(101) })],
    ["an empty location", serp({ location: "x" }), serp({ location: " " })],
    [
      "35 characters of a language",
      serp({ language: `en-x${"-a".repeat(15)}b` }),
      serp({ language: `en-x${"-a".repeat(16)}` }),
    ],
    ["from 1 result", serp({ num_results: 1 }), serp({ num_results: 0 })],
    ["to 100 results", serp({ num_results: 100 }), serp({ num_results: 101 })],
    ["100 characters of a key's name", keys({ name: chars(100) }), keys({ name: chars(101) })],
    ["an empty name", keys({ name: "x" }), keys({ name: " " })],
    ["one scope", keys({ scopes: ["jobs"] }), keys({ scopes: [] })],
    [
      "100 ranges",
      keys({ allowed_ips: entries(100, "10.0.0.0/8") }),
      keys({ allowed_ips: entries(101, "10.0.0.0/8") }),
    ],
    ["200 characters of text", jobs({ q: chars(200) }), jobs({ q: chars(201) })],
    ["an empty text", jobs({ q: "x" }), jobs({ q: "" })],
    ["200 characters of key_id", jobs({ key_id: chars(200) }), jobs({ key_id: chars(201) })],
    ["an empty key_id", jobs({ key_id: "x" }), jobs({ key_id: "" })],
    ["from 1 item", jobs({ limit: "1" }), jobs({ limit: "0" })],
    ["to 100 items", jobs({ limit: "100" }), jobs({ limit: "101" })],
    ["an offset of 10,000 jobs", jobs({ offset: "10000" }), jobs({ offset: "10001" })],
    ["a wait of 30 seconds", [JobQuery, { wait: "30" }], [JobQuery, { wait: "31" }]],
    ["a wait of 0 seconds", [JobQuery, { wait: "0" }], [JobQuery, { wait: "-1" }]],
  ])("%s", (_, [schema, input], [sameSchema, tooMuch]) => {
    expect(schema.safeParse(input).error?.issues ?? []).toEqual([]);
    expect(sameSchema.safeParse(tooMuch).success).toBe(false);
  });
});

describe("a request is refused", () => {
  it.each<[z.ZodType, object]>([
    [ScrapeRequest, { url }],
    [ParseRequest, { url, prompt: "x" }],
    [SerpRequest, { query: "x" }],
    [KeyRequest, {}],
    [WebhookSettingsRequest, { url: null }],
    [JobListQuery, {}],
    [JobQuery, {}],
    [KeyListQuery, {}],
    [DeliveryListQuery, {}],
    [WaitQuery, {}],
    [NoQuery, {}],
  ])("if it has an unknown parameter: %#", (schema, input) => {
    expect(schema.safeParse(input).success).toBe(true);
    expect(schema.safeParse({ ...input, unknown: "1" }).error?.issues).toMatchObject([{ code: "unrecognized_keys" }]);
  });

  it.each<[z.ZodType, object, string]>([
    [
      ScrapeRequest,
      { url: "example.com" },
      "url must be an absolute URL that begins with http:// or https://. Did you mean 'https://example.com'?",
    ],
    [
      ScrapeRequest,
      { url: "ftp://example.com" },
      "url must be an absolute URL that begins with http:// or https://, not ftp://",
    ],
    [
      ScrapeRequest,
      { url: "https:example.com" },
      "url must be an absolute URL that begins with http:// or https://. Did you mean 'https://example.com'?",
    ],
    [ScrapeRequest, { url: "x https://a.b" }, "url must be an absolute URL that begins with http:// or https://"],
    [ScrapeRequest, { url: "https://user@example.com" }, "url must not contain a user name or password"],
    [ScrapeRequest, { url: "https://:pw@example.com" }, "url must not contain a user name or password"],
    [
      ScrapeRequest,
      { url, webhook_url: "ftp://a.b" },
      "webhook_url must be an absolute URL that begins with https://, not ftp://",
    ],
    [
      ScrapeRequest,
      { url, webhook_url: "https:a.b" },
      "webhook_url must be an absolute URL that begins with https://. Did you mean 'https://a.b'?",
    ],
    [ScrapeRequest, { url, webhook_url: "https://u@a.b" }, "webhook_url must not contain a user name or password"],
    [ScrapeRequest, { url, webhook_url: "https://:p@a.b" }, "webhook_url must not contain a user name or password"],
    [SerpRequest, { query: "x", num_results: 1.5 }, "num_results must be a whole number from 1 to 100"],
    [SerpRequest, { query: "x", language: "english language" }, LANGUAGE_RULE],
    [SerpRequest, { query: "x", language: "" }, LANGUAGE_RULE],
    [
      KeyRequest,
      { allowed_ips: ["10.0.0.0/33"] },
      "allowed_ips.0 must be an address range in CIDR form, such as 203.0.113.0/24 or 2001:db8::/32",
    ],
    [WaitQuery, { wait: "1" }, "wait must be 'true' or 'false'"],
    [JobListQuery, { cursor: "1" }, "cursor must be the 'next_cursor' of an earlier page"],
    [JobListQuery, { cursor: newId(), offset: "1" }, "offset can't be combined with 'cursor'"],
    [JobListQuery, { from: "21.11.2026" }, `from ${TIME_RULE}`],
    [JobListQuery, { to: "2026-11-21T10:00:00" }, `to ${TIME_RULE}`],
    [KeyListQuery, { offset: "-1" }, "offset must be a whole number from 0 to 999999999999999"],
  ])("with the rule that it breaks: %#", (schema, input, expected) => {
    const issues = schema.safeParse(input).error?.issues ?? [];
    expect(issues.map(({ path, message }) => `${path.join(".")} ${message}`)).toEqual([expected]);
  });

  it("if a filter of the list of jobs is unknown", () => {
    for (const name of ["status", "endpoint", "code", "outcome"])
      expect(JobListQuery.safeParse({ [name]: "unknown" }).success).toBe(false);
  });
});

describe("a request may combine", () => {
  it.each<[string, z.ZodType, object]>([
    ["a cursor with an offset of 0", JobListQuery, { cursor: newId(), offset: "0" }],
    [
      "all filters of the list of jobs",
      JobListQuery,
      { status: "failed", endpoint: "serp", key_id: "dashboard", code: "dns_failure", outcome: "ok", q: "a" },
    ],
    ["the filters of the list of deliveries", DeliveryListQuery, { status: "abandoned", job_id: "1" }],
    ["all formats", ScrapeRequest, { url, formats: ["html", "markdown", "text", "screenshot", "metadata", "links"] }],
    ["every scope", KeyRequest, { scopes: ["scrape", "parse", "serp", "jobs", "keys"] }],
  ])("%s", (_, schema, input) => {
    expect(schema.safeParse(input).success).toBe(true);
  });
});

describe("a whole number", () => {
  it.each(["1e1", " 5", "5 ", "+5", "0x5", "5.0", "", "9".repeat(16)])("isn't %j", (text) => {
    expect(wholeNumber(0, Number.MAX_SAFE_INTEGER).safeParse(text).success).toBe(false);
  });

  it("can have up to 15 digits", () => {
    expect(wholeNumber(0, Number.MAX_SAFE_INTEGER).parse("9".repeat(15))).toBe(999_999_999_999_999);
  });

  it("names its range, and the hint", () => {
    const messageOf = (schema: z.ZodType) => schema.safeParse("x").error?.issues[0]?.message;
    expect(messageOf(wholeNumber(2, 7, "; try 3"))).toBe("must be a whole number from 2 to 7; try 3");
    expect(messageOf(PAGE.offset)).toBe("must be a whole number from 0 to 999999999999999");
  });
});

it("has valid examples of requests for keys and webhook settings", () => {
  for (const { value } of Object.values(REQUEST_EXAMPLES.KEY_REQUESTS)) expect(KeyRequest.parse(value)).toEqual(value);
  for (const { value } of Object.values(REQUEST_EXAMPLES.WEBHOOK_REQUESTS))
    expect(WebhookSettingsRequest.parse(value)).toEqual(value);
});
