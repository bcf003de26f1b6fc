import { createRoute, type z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { Accepted, IdempotencyHeader, WaitQuery } from "../contract/common";
import { type ParseData, type ParseMeta, ParseRequest, ParseResponse } from "../contract/parse";
import { type ScrapeData, ScrapeRequest, ScrapeResponse } from "../contract/scrape";
import { type SerpData, type SerpMeta, SerpRequest, SerpResponse } from "../contract/serp";
import type { AppEnv } from "../env";
import type { ErrorCode } from "../errors";
import type { Asking } from "../jobs/checks";
import { prepare } from "../jobs/prepare";
import { requireScope } from "../keys/middleware";
import { answer } from "./answer";
import { createRouter, errorResponses, originOf, requireJson } from "./http";

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
  const work = prepare("scrape", c.req.valid("json"), toAsking(c));
  return await answer<ScrapeData>(c, c.req.valid("query").wait === "true", work);
});

extract.openapi(
  declare("parse", "Extract structured data with a language model", ParseRequest, ParseResponse),
  async (c) => {
    const work = prepare("parse", c.req.valid("json"), toAsking(c));
    return await answer<ParseData, ParseMeta>(c, c.req.valid("query").wait === "true", work);
  },
);

extract.openapi(declare("serp", "Get search results", SerpRequest, SerpResponse), async (c) => {
  const work = prepare("serp", c.req.valid("json"), toAsking(c));
  return await answer<SerpData, SerpMeta>(c, c.req.valid("query").wait === "true", work);
});

function toAsking(c: Context<AppEnv>): Asking {
  return { env: c.env, mode: c.var.caller.mode, origin: originOf(c) };
}
