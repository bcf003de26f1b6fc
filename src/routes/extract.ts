import { createRoute, type z } from "@hono/zod-openapi";
import { Accepted, IdempotencyHeader, WaitQuery } from "../contract/common";
import { type ParseData, type ParseMeta, ParseRequest, ParseResponse } from "../contract/parse";
import { needsBrowser, type ScrapeData, ScrapeRequest, ScrapeResponse } from "../contract/scrape";
import { type SerpData, type SerpMeta, SerpRequest, SerpResponse } from "../contract/serp";
import type { ErrorCode } from "../errors";
import { requireScope } from "../keys/middleware";
import { startsInBrowser } from "../serp/sources";
import { answer } from "./answer";
import {
  checkModel,
  checkPlace,
  checkProxy,
  checkSchema,
  checkSelector,
  checkSelectors,
  checkTarget,
  checkWebhook,
} from "./checks";
import { createRouter, errorResponses, requireJson } from "./http";

export const extract = createRouter();

const CODES: ErrorCode[] = [
  "invalid_request",
  "invalid_json",
  "invalid_target",
  "missing_api_key",
  "insufficient_credits",
  "insufficient_scope",
  "idempotency_conflict",
  "payload_too_large",
  "unsupported_media_type",
  "rate_limited",
  "target_http_error",
  "target_timeout",
  "unsupported_content",
  "internal_error",
  "unavailable",
];

/** What the three extraction endpoints have in common. */
function declare<Name extends "scrape" | "parse" | "serp", Body extends z.ZodType, Answer extends z.ZodType>(
  name: Name,
  summary: string,
  body: Body,
  response: Answer,
) {
  return createRoute({
    method: "post",
    path: `/${name}`,
    operationId: name,
    summary,
    tags: ["Extraction"],
    security: [{ bearer: [] }],
    middleware: [requireScope(name), requireJson] as const,
    request: {
      query: WaitQuery,
      headers: IdempotencyHeader,
      body: { required: true, content: { "application/json": { schema: body } } },
    },
    responses: {
      200: { description: "The result", content: { "application/json": { schema: response } } },
      202: { description: "Accepted as a job", content: { "application/json": { schema: Accepted } } },
      ...errorResponses(...CODES),
    },
  });
}

extract.openapi(declare("scrape", "Scrape a page", ScrapeRequest, ScrapeResponse), async (c) => {
  const request = c.req.valid("json");
  checkTarget(c, request.url);
  if (request.webhook_url !== undefined) checkWebhook(c, request.webhook_url);
  if (request.wait_for !== undefined) checkSelector(request.wait_for);
  checkSelectors(request.include_selectors ?? [], "include_selectors");
  checkSelectors(request.exclude_selectors ?? [], "exclude_selectors");
  if (request.proxy_country !== undefined) checkProxy(c, request.proxy_country);
  const work = { endpoint: "scrape" as const, request, rendered: needsBrowser(request) };
  return await answer<ScrapeData>(c, c.req.valid("query").wait === "true", work);
});

extract.openapi(
  declare("parse", "Extract structured data with a language model", ParseRequest, ParseResponse),
  async (c) => {
    const request = c.req.valid("json");
    if (request.url !== undefined) checkTarget(c, request.url);
    if (request.webhook_url !== undefined) checkWebhook(c, request.webhook_url);
    if (request.schema !== undefined) checkSchema(request.schema);
    checkModel(c, request.model);
    const work = { endpoint: "parse" as const, request, rendered: false };
    return await answer<ParseData, ParseMeta>(c, c.req.valid("query").wait === "true", work);
  },
);

extract.openapi(declare("serp", "Get search results", SerpRequest, SerpResponse), async (c) => {
  const request = c.req.valid("json");
  if (request.webhook_url !== undefined) checkWebhook(c, request.webhook_url);
  if (request.location !== undefined) checkPlace(request.location);
  const rendered = c.var.caller.mode === "live" && startsInBrowser(c.env, request.engine);
  const work = { endpoint: "serp" as const, request, rendered };
  return await answer<SerpData, SerpMeta>(c, c.req.valid("query").wait === "true", work);
});
