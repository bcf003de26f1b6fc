import { getOpenApiMetadata } from "@asteasolutions/zod-to-openapi";
import type { z } from "@hono/zod-openapi";
import { describe, expect, it } from "vitest";
import { Accepted, EXAMPLE_JOB_ID, IDEMPOTENCY_HEADER, PAGE, WaitQuery, WebhookUrl } from "../../src/contract/common";
import { ENDPOINT_SCHEMAS, valuesOf } from "../../src/contract/endpoint-schemas";
import { ERROR_HELP, ErrorCode, KnownErrorCode } from "../../src/contract/error-codes";
import { EXAMPLES as examples } from "../../src/contract/examples";
import { HEADERS, headersOf, headersWithoutRate } from "../../src/contract/headers";
import { JobListQuery, JobListResponse, JobQuery, JobResponse } from "../../src/contract/jobs";
import { KeyCreated, KeyList, KeyRequest } from "../../src/contract/keys";
import { Outcome } from "../../src/contract/outcome";
import { ParseData, ParseMeta, ParseRequest } from "../../src/contract/parse";
import {
  describeErrorResponse,
  describeErrors,
  describeErrorsWithBody,
  describeResponse,
  SHARED_ERRORS,
} from "../../src/contract/responses";
import { ScrapeData, ScrapeMeta, ScrapeRequest } from "../../src/contract/scrape";
import { SerpData, SerpHealth, SerpMeta, SerpRequest } from "../../src/contract/serp";
import { Usage } from "../../src/contract/usage";
import {
  CompletedEvent,
  DeliveryHeaders,
  FailedEvent,
  TestEvent,
  UsageThresholdEvent,
} from "../../src/contract/webhook-events";
import { DeliveryList, WebhookSettingsResponse } from "../../src/contract/webhooks";
import { isId } from "../../src/lib/id";
import { ERROR_HINTS } from "../../src/model/error-hints";
import { type ErrorCode as Code, ERRORS } from "../../src/model/errors";
import { OUTCOMES } from "../../src/model/job";
import { OUTCOME_HELP } from "../../src/model/outcome-help";

const success = true as const;
const pagination = examples.PAGINATION;
const bodyOf = (status: number, code: Code) =>
  describeErrorResponse(status, [code]).content["application/json"].examples[code]?.value;

describe("the example", () => {
  it.each<[string, z.ZodType, object]>([
    ["of a scrape", ENDPOINT_SCHEMAS.scrape.response, examples.scrape],
    ["of a parse", ENDPOINT_SCHEMAS.parse.response, examples.parse],
    ["of a search", ENDPOINT_SCHEMAS.serp.response, examples.serp],
    ["of an accepted job", Accepted, examples.ACCEPTED],
    ["of a job", JobResponse, { success, ...examples.JOB }],
    ["of the list of jobs", JobListResponse, { success, data: [examples.JOB], pagination }],
    ["of a new key", KeyCreated, { success, data: { ...examples.KEY, key: examples.EXAMPLE_SECRET } }],
    ["of the list of keys", KeyList, { success, data: [examples.KEY], pagination }],
    ["of the webhook settings", WebhookSettingsResponse, { success, data: examples.WEBHOOK_SETTINGS }],
    ["of the list of deliveries", DeliveryList, { success, data: [examples.DELIVERY], pagination }],
    ["of the usage", Usage, { success, data: examples.USAGE }],
    ["of the search engine checks", SerpHealth, { success, data: examples.SERP_HEALTH }],
    ["of the event job.completed", CompletedEvent, examples.COMPLETED_EVENT],
    ["of the event job.failed", FailedEvent, examples.FAILED_EVENT],
    ["of the event usage.threshold", UsageThresholdEvent, examples.USAGE_EVENT],
    ["of the event webhook.test", TestEvent, examples.TEST_EVENT],
  ])("%s is valid and complete", (_, schema, example) => {
    expect(schema.parse(example)).toEqual(example);
  });

  it("of a job id is an id", () => {
    expect(isId(EXAMPLE_JOB_ID)).toBe(true);
  });

  it.each(Object.keys(ERROR_HELP) as Code[])("of the message of %s is one sentence or more", (code) => {
    expect(ERROR_HELP[code].message).toMatch(/^\S.*\.$/);
    expect(ERROR_HELP[code].meaning).toMatch(/^\S.*\.$/);
  });

  it.each<[string, string, string]>([
    ["target_timeout", "meaning", "default is 30 seconds, or 45 seconds for a rendered page."],
    ["target_timeout", "message", "shop.example did not send its complete response within 30 seconds."],
    ["job_timeout", "meaning", "The job took longer than 5 minutes."],
    ["job_timeout", "message", "The job took longer than 5 minutes."],
    ["selector_not_found", "meaning", "No element matched `wait_for` within 30 seconds, or within `timeout_ms`."],
    ["selector_not_found", "message", "No element matched the selector '#price' within 30 seconds."],
    ["payload_too_large", "message", "The body is larger than the limit of 5242880 bytes."],
    ["too_many_redirects", "message", "shop.example redirects more than 10 times."],
  ])("of %s names the limit in its %s", (code, part, text) => {
    expect(ERROR_HELP[code as Code][part as "meaning"]).toContain(text);
  });
});

describe("the description", () => {
  const of = (schema: z.ZodType): { description?: string; pattern?: string; example?: unknown } =>
    getOpenApiMetadata(schema);

  it("of the error codes has a row for each code, with its status and meaning", () => {
    const { description = "" } = of(ErrorCode);
    const rows = description.split("\n").filter((line) => line.startsWith("| `"));
    expect(rows).toEqual(
      Object.entries(ERRORS).map(
        ([code, { status }]) => `| \`${code}\` | ${status} | ${ERROR_HELP[code as Code].meaning} |`,
      ),
    );
    expect(KnownErrorCode.options).toEqual(Object.keys(ERRORS));
    expect(ErrorCode.parse("a_code_of_a_later_version")).toBe("a_code_of_a_later_version");
  });

  it("of the outcomes has a row for each outcome, with its meaning", () => {
    const { description = "" } = of(Outcome);
    const rows = description.split("\n").filter((line) => line.startsWith("| `"));
    expect(description).toContain("\n| outcome | meaning |\n|---|---|\n| `ok` |");
    expect(rows).toEqual(OUTCOMES.map((outcome) => `| \`${outcome}\` | ${OUTCOME_HELP[outcome].meaning} |`));
  });

  it("of a parameter names its limit", () => {
    expect(of(WaitQuery.shape.wait).description).toContain("for at most 60 seconds");
    expect(of(PAGE.limit)).toMatchObject({ type: "integer", minimum: 1, maximum: 100, default: 20 });
    expect(of(PAGE.offset)).toMatchObject({ type: "integer", minimum: 0, maximum: 999_999_999_999_999, default: 0 });
    expect(of(JobListQuery.shape.offset)).toMatchObject({ type: "integer", minimum: 0, maximum: 10_000, default: 0 });
    expect(of(JobListQuery.shape.offset).description).toContain("at most 10000.");
    expect(of(JobQuery.shape.wait)).toMatchObject({ type: "integer", minimum: 0, maximum: 30 });
    expect(IDEMPOTENCY_HEADER).toMatchObject({ name: "Idempotency-Key", in: "header", required: false });
    expect(IDEMPOTENCY_HEADER.schema).toEqual({ type: "string", minLength: 1, maxLength: 255 });
  });

  it.each([
    [WebhookUrl, ["https://example.org/hook", "http://localhost:9000/"], ["ftp://example.org/", "example.org"]],
    [
      KeyRequest.shape.allowed_ips.unwrap().in.element,
      ["203.0.113.7", "203.0.113.0/24", "2001:db8::/32", "::ffff:192.0.2.0/120"],
      ["example.org", "203.0.113.0/", "203.0.113.0-9", ""],
    ],
  ])("has a pattern that accepts every valid value, %#", (schema, valid, invalid) => {
    const pattern = new RegExp(of(schema).pattern ?? "");
    for (const value of valid) expect(value).toMatch(pattern);
    for (const value of invalid) expect(value).not.toMatch(pattern);
  });

  it("of a duration names its percentile", () => {
    const { p50_ms, p95_ms } = Usage.shape.data.shape.days.element.shape;
    expect(of(p50_ms).description).toContain("The 50th percentile");
    expect(of(p95_ms).description).toContain("The 95th percentile");
  });

  it("of the parse request requires a URL, the HTML, a capture or a file", () => {
    expect(of(ENDPOINT_SCHEMAS.parse.request)).toMatchObject({
      oneOf: [{ required: ["url"] }, { required: ["html"] }, { required: ["capture_id"] }, { required: ["file"] }],
    });
  });

  it("of the headers of an event has the format of a signature", () => {
    const { pattern = "", example } = of(DeliveryHeaders.shape["X-Webhook-Signature"]);
    expect(example).toMatch(new RegExp(pattern));
    expect(`sha1=${"0".repeat(40)}`).not.toMatch(new RegExp(pattern));
    expect(of(DeliveryHeaders.shape["X-Webhook-Signature-Previous"]).pattern).toBe(pattern);
    expect("x1").not.toMatch(new RegExp(of(DeliveryHeaders.shape["X-Webhook-Attempt"]).pattern ?? ""));
  });
});

describe("the headers of a response", () => {
  const refs = (...names: string[]) =>
    Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
  const RATE = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];

  it("under /v1 include the request id and the rate limit", () => {
    expect(headersOf()).toEqual(refs("X-Request-Id", ...RATE));
    expect(headersOf("Location", "Retry-After")).toEqual(refs("X-Request-Id", ...RATE, "Location", "Retry-After"));
  });

  it("outside /v1 have no rate limit", () => {
    expect(headersWithoutRate("Retry-After")).toEqual(refs("X-Request-Id", "Retry-After"));
  });

  it("describe the rate window", () => {
    const { description } = HEADERS["X-RateLimit-Limit"];
    expect(description).toContain("A window lasts 60 seconds");
    expect(description).toContain("its own limit: 10 times");
    const types = Object.entries(HEADERS).filter(([, { schema }]) => schema.type === "integer");
    expect(types.map(([name]) => name)).toEqual([...RATE, "Retry-After", "X-Cancelled-Jobs"]);
    expect(HEADERS["X-RateLimit-Limit"].schema.minimum).toBe(1);
    expect(HEADERS["X-RateLimit-Remaining"].schema.minimum).toBe(0);
    expect(HEADERS["Retry-After"].schema.minimum).toBe(1);
    expect(HEADERS["WWW-Authenticate"].schema.enum).toEqual(["Bearer"]);
  });

  it("are those of a successful response, with its schema and example", () => {
    const schema = ENDPOINT_SCHEMAS.scrape.response;
    const example = examples.scrape;
    expect(describeResponse("The result.", schema, { headers: ["Location"], example })).toEqual({
      description: "The result.",
      headers: headersOf("Location"),
      content: { "application/json": { schema, example } },
    });
    expect(describeResponse("The result.", schema, { example }).headers).toEqual(headersOf());
  });
});

describe("the errors of an operation", () => {
  const ALWAYS = {
    401: "Unauthorized",
    403: "Forbidden",
    429: "RateLimited",
    500: "InternalError",
    503: "Unavailable",
  };
  const toRefs = (names: Record<number, string>) =>
    Object.fromEntries(
      Object.entries(names).map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }]),
    );

  it("include the shared errors, and those of a body if it takes one", () => {
    expect(describeErrors()).toEqual({ ...toRefs(ALWAYS), 400: describeErrorResponse(400, ["invalid_request"]) });
    const ofBody = { 413: "PayloadTooLarge", 415: "UnsupportedMediaType" };
    expect(describeErrorsWithBody()).toEqual({
      ...toRefs({ ...ALWAYS, ...ofBody }),
      400: describeErrorResponse(400, ["invalid_request", "invalid_json"]),
    });
  });

  it("include its own errors, which replace a shared error with the same status", () => {
    const codes: Code[] = ["insufficient_scope", "email_not_verified"];
    expect(describeErrors({ 403: codes, 404: ["not_found"] })).toEqual({
      ...toRefs(ALWAYS),
      400: describeErrorResponse(400, ["invalid_request"]),
      403: describeErrorResponse(403, codes),
      404: describeErrorResponse(404, ["not_found"]),
    });
  });

  it("that are shared have the status of their codes, and their headers", () => {
    for (const { status, codes } of Object.values(SHARED_ERRORS))
      for (const code of codes) expect([code, ERRORS[code].status]).toEqual([code, status]);
    const headers = Object.entries(SHARED_ERRORS).filter(([, shared]) => shared.headers.length > 0);
    expect(Object.fromEntries(headers.map(([name, shared]) => [name, shared.headers]))).toEqual({
      Unauthorized: ["WWW-Authenticate"],
      RateLimited: ["Retry-After"],
      Unavailable: ["Retry-After"],
    });
    expect(Object.values(SHARED_ERRORS).flatMap(({ codes }): Code[] => [...codes])).toEqual([
      "missing_api_key",
      "malformed_authorization",
      "invalid_api_key",
      "revoked_api_key",
      "expired_api_key",
      "insufficient_scope",
      "ip_not_allowed",
      "account_suspended",
      "payload_too_large",
      "unsupported_media_type",
      "rate_limited",
      "internal_error",
      "unavailable",
      "not_configured",
    ]);
  });

  it("are described by the meaning of each code, with an example of each", () => {
    const described = describeErrorResponse(404, ["not_found", "invalid_request"], {});
    expect(described.description).toBe(
      `\`not_found\`: ${ERROR_HELP.not_found.meaning}\n\n\`invalid_request\`: ${ERROR_HELP.invalid_request.meaning}`,
    );
    expect(described.headers).toEqual({});
    const { schema, examples: bodies } = described.content["application/json"];
    expect(schema).toEqual({ $ref: "#/components/schemas/Error" });
    expect(Object.entries(bodies).map(([name, { summary }]) => [name, summary])).toEqual([
      ["not_found", "not_found"],
      ["invalid_request", "invalid_request"],
    ]);
    expect(describeErrorResponse(404, ["not_found"]).headers).toEqual(headersOf());
  });

  it.each<[number, Code, boolean, boolean]>([
    [404, "not_found", false, false],
    [429, "rate_limited", true, false],
    [503, "unavailable", true, false],
    [502, "dns_failure", true, true],
    [502, "target_http_error", false, true],
    [504, "job_timeout", true, true],
    [422, "schema_mismatch", false, true],
    [500, "render_failed", true, true],
    [500, "internal_error", true, false],
    // With another status than usual, the request was refused before a job existed.
    [400, "proxy_unavailable", false, false],
    [400, "invalid_target", false, false],
    [422, "proxy_unavailable", false, false],
    [422, "invalid_target", false, true],
  ])("have an example with status %i of %s: retryable %s, of a job %s", (status, code, retryable, isOfJob) => {
    expect(bodyOf(status, code)).toEqual({
      success: false,
      error: {
        code,
        message: ERROR_HELP[code].message,
        retryable,
        hint: ERROR_HINTS[code],
        doc_url: `https://api.example.com/docs/errors#${code}`,
        request_id: expect.any(String),
      },
      ...(isOfJob && { job_id: EXAMPLE_JOB_ID }),
    });
  });
});

it("has the schemas of each endpoint", () => {
  expect(Object.entries(ENDPOINT_SCHEMAS).map(([endpoint, { name }]) => [endpoint, name])).toEqual([
    ["scrape", "Scrape"],
    ["parse", "Parse"],
    ["serp", "Serp"],
    ["map", "Map"],
  ]);
  expect(valuesOf({ scrape: 1, parse: 2, serp: 3, map: 4 })).toEqual([1, 2, 3, 4]);
  expect(ENDPOINT_SCHEMAS.scrape).toMatchObject({ request: ScrapeRequest, data: ScrapeData, meta: ScrapeMeta });
  expect(ENDPOINT_SCHEMAS.parse).toMatchObject({ request: ParseRequest, data: ParseData, meta: ParseMeta });
  expect(ENDPOINT_SCHEMAS.serp).toMatchObject({ request: SerpRequest, data: SerpData, meta: SerpMeta });
});
