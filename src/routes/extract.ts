import { createRoute, type z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { answerOf, errorsOf } from "../contract/answers";
import { Accepted, IDEMPOTENCY_HEADER, WaitQuery } from "../contract/common";
import { ACCEPTED, FOUND, PARSED, SCRAPED } from "../contract/examples";
import { type ParseData, type ParseMeta, ParseRequest, ParseResponse } from "../contract/parse";
import { PARSE_REQUESTS, SCRAPE_REQUESTS, SERP_REQUESTS } from "../contract/request-examples";
import { type ScrapeData, ScrapeRequest, ScrapeResponse } from "../contract/scrape";
import { type SerpData, type SerpMeta, SerpRequest, SerpResponse } from "../contract/serp";
import type { Asking } from "../endpoints/checks";
import { prepare } from "../endpoints/prepare";
import { createRouter, originOf } from "../http/router";
import type { AppEnv } from "../model/env";
import type { ErrorCode } from "../model/errors";
import { CREDITS } from "../model/limits";
import { answer } from "./answer";
import { guardWithBody } from "./guard";

export const extract = createRouter();

type Name = "scrape" | "parse" | "serp";

interface Declaration<Body extends z.ZodType, Answer extends z.ZodType> {
  summary: string;
  description: string;
  body: Body;
  requests: Record<string, { summary: string; value: z.input<Body> }>;
  response: Answer;
  example: z.input<Answer>;
  /** What it can be refused with, and fail with, beside what all three have, by status. */
  codes: { 400: ErrorCode[]; 422: ErrorCode[]; 500?: ErrorCode[]; 502: ErrorCode[] };
}

/** What the three extraction endpoints have in common. */
function declare<Body extends z.ZodType, Answer extends z.ZodType>(name: Name, own: Declaration<Body, Answer>) {
  return createRoute({
    method: "post",
    path: `/${name}`,
    operationId: name,
    summary: own.summary,
    description: `${own.description}\n\nWithout \`wait=true\` the answer is 202, and the job is read at \`Location\`. With it, a job that fails answers with the status of its error; a failure costs nothing.`,
    tags: ["Extraction"],
    ...guardWithBody(name),
    parameters: [IDEMPOTENCY_HEADER],
    request: {
      query: WaitQuery,
      body: { required: true, content: { "application/json": { schema: own.body, examples: own.requests } } },
    },
    responses: {
      200: answerOf("With `wait=true`: the result.", own.response, { example: own.example }),
      202: answerOf("Accepted as a job; with `wait=true`, one that isn't ready in time.", Accepted, {
        headers: ["Location", "Retry-After"],
        example: ACCEPTED,
      }),
      ...errorsOf(
        {
          400: ["invalid_request", "invalid_json", ...own.codes[400]],
          402: ["insufficient_credits"],
          409: ["idempotency_conflict"],
          422: own.codes[422],
          500: ["internal_error", ...(own.codes[500] ?? [])],
          502: own.codes[502],
          504: ["target_timeout", "job_timeout"],
        },
        { body: true },
      ),
    },
  });
}

const FETCHING: ErrorCode[] = [
  "dns_failure",
  "connection_failed",
  "tls_failure",
  "target_http_error",
  "too_many_redirects",
  "blocked_by_target",
];

const scrapeRoute = declare("scrape", {
  summary: "Scrape a page",
  description: `Fetches a page, or renders it in a browser, and returns it in the formats that are asked for. ${CREDITS.scrape} credit, ${CREDITS.scrape + CREDITS.rendering} with rendering.`,
  body: ScrapeRequest,
  requests: SCRAPE_REQUESTS,
  response: ScrapeResponse,
  example: SCRAPED,
  codes: {
    400: ["invalid_target", "proxy_unavailable"],
    422: ["invalid_target", "selector_not_found", "unsupported_content", "target_too_large"],
    500: ["render_failed"],
    502: [...FETCHING, "proxy_unavailable"],
  },
});

extract.openapi(scrapeRoute, async (c) => {
  const work = prepare("scrape", c.req.valid("json"), toAsking(c));
  return await answer<ScrapeData>(c, c.req.valid("query").wait === "true", work);
});

const parseRoute = declare("parse", {
  summary: "Extract structured data with a language model",
  description: `Reads a page, or HTML that is given, and returns what the prompt asks for, valid against the schema. ${CREDITS.parse} credits.`,
  body: ParseRequest,
  requests: PARSE_REQUESTS,
  response: ParseResponse,
  example: PARSED,
  codes: {
    400: ["invalid_target"],
    422: ["invalid_target", "unsupported_content", "target_too_large", "schema_mismatch", "model_refused"],
    500: ["render_failed"],
    502: [...FETCHING, "model_failed"],
  },
});

extract.openapi(parseRoute, async (c) => {
  const work = prepare("parse", c.req.valid("json"), toAsking(c));
  return await answer<ParseData, ParseMeta>(c, c.req.valid("query").wait === "true", work);
});

const serpRoute = declare("serp", {
  summary: "Get search results",
  description: `The organic results of a search, each once, in the engine's order. A wall is a failure, never an empty success. ${CREDITS.serp} credits.`,
  body: SerpRequest,
  requests: SERP_REQUESTS,
  response: SerpResponse,
  example: FOUND,
  codes: {
    400: [],
    422: ["invalid_target", "unsupported_content", "target_too_large"],
    500: ["render_failed"],
    502: [...FETCHING, "proxy_unavailable", "serp_unavailable"],
  },
});

extract.openapi(serpRoute, async (c) => {
  const work = prepare("serp", c.req.valid("json"), toAsking(c));
  return await answer<SerpData, SerpMeta>(c, c.req.valid("query").wait === "true", work);
});

function toAsking(c: Context<AppEnv>): Asking {
  return { env: c.env, mode: c.get("caller").mode, origin: originOf(c) };
}
