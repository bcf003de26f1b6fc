import { z } from "@hono/zod-openapi";
import { expect, it } from "vitest";
import { WaitQuery } from "../../src/contract/common";
import { ENDPOINT_SCHEMAS } from "../../src/contract/endpoint-schemas";
import { checkIsObject, toInvalidRequest } from "../../src/contract/invalid-request";
import { JobListQuery, JobQuery } from "../../src/contract/jobs";
import { KeyRequest } from "../../src/contract/keys";

const { scrape, parse, serp } = ENDPOINT_SCHEMAS;
const url = "https://example.com/";

function errorOf(schema: z.ZodType, input: unknown) {
  const { error } = schema.safeParse(input);
  return toInvalidRequest(error?.issues ?? [], input);
}

it.each<[z.ZodType, unknown, string]>([
  [scrape.request, {}, "url is required"],
  [scrape.request, { url: 5 }, "url must be a string, not a number"],
  [scrape.request, { url, webhook_url: null }, "webhook_url must be a string, not null"],
  [scrape.request, { url, formats: "html" }, "formats must be an array, not a string"],
  [
    scrape.request,
    { url, formats: ["html", "pdf"] },
    "formats.1 must be one of html, markdown, text, screenshot, metadata, links, not 'pdf'",
  ],
  [scrape.request, { url, colour: "red" }, "colour is not a known parameter"],
  [
    scrape.request,
    { url, proxy_country: "Turkey" },
    "proxy_country must be an ISO 3166-1 alpha-2 country code, such as TR, US or DE, not 'Turkey'",
  ],
  [serp.request, { query: "x", num_results: 500 }, "num_results must be from 1 to 100, not 500"],
  [serp.request, { query: "" }, "query must not be empty"],
  [parse.request, { prompt: "x" }, "url is required, unless 'html' is given"],
  [parse.request, { prompt: "x", url, html: "x" }, "url can't be combined with 'html'; send only one of them"],
  [parse.request, { prompt: "x", url, schema: [] }, "schema must be an object, not an array"],
  [JobListQuery, { limit: "1e1" }, "limit must be a whole number from 1 to 100, not '1e1'"],
  [JobListQuery, { offset: "20000" }, "offset must be a whole number from 0 to 10000; use 'cursor' to go further"],
  [KeyRequest, { mode: "prod" }, "mode must be one of live, test, not 'prod'"],
  [KeyRequest, { mode: "x".repeat(40) }, `mode must be one of live, test, not '${"x".repeat(40)}'`],
  [KeyRequest, { mode: "" }, "mode must be one of live, test"],
  [WaitQuery, { wait: "1" }, "wait must be 'true' or 'false', not '1'"],
  [JobQuery, { wait: "31" }, "wait must be a whole number from 0 to 30, not '31'"],
  [parse.request, { prompt: "x", url, schema: "x" }, "schema must be an object, not a string"],
  [parse.request, { prompt: "x", url, evidence: {} }, "evidence must be a boolean, not an object"],
  // The length of a text isn't about its value, so the text isn't quoted.
  [serp.request, { query: "x", language: `en-x${"-a".repeat(16)}` }, "language must have at most 35 characters"],
  [z.object({ of: z.strictObject({}) }), { of: { size: 1 } }, "of.size is not a known parameter"],
  [z.object({ id: z.uuid() }), { id: "x" }, "id Invalid UUID, not 'x'"],
  [z.string(), 5, "body must be a string, not a number"],
  [KeyRequest, { mode: "x".repeat(41) }, "mode must be one of live, test"],
])("names the parameter, the rule and the given value: %#", (schema, input, expected) => {
  const { code, status, message, details = [] } = errorOf(schema, input);
  expect({ code, status }).toEqual({ code: "invalid_request", status: 400 });
  expect(details.map(({ path, message: rule }) => `${path} ${rule}`)).toEqual([expected]);
  expect(message).toBe(`The parameter '${expected.replace(" ", "' ")}.`);
});

it("has one detail for each invalid parameter", () => {
  const { details } = errorOf(scrape.request, { url: "example.com", js_render: "yes", size: 1, color: "red" });
  expect(details?.map(({ path }) => path)).toEqual(["url", "js_render", "size", "color"]);
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
  const { message } = errorOf(scrape.request, { url: "https://user:secret@example.com/" });
  expect(message).toBe("The parameter 'url' must not contain a user name or password.");
});

it.each([null, [], "text", 5])("refuses a body that isn't an object: %j", (body) => {
  expect(() => checkIsObject(body)).toThrow("The body must be a JSON object.");
});
