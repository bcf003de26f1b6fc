import { createRoute } from "@hono/zod-openapi";
import { parse as parseSelector } from "css-what";
import type { Context } from "hono";
import { Accepted, WaitQuery } from "../contract/common";
import { needsBrowser, type ScrapeData, ScrapeRequest, ScrapeResponse } from "../contract/scrape";
import type { AppEnv } from "../env";
import { AppError } from "../errors";
import { type Admission, admit } from "../jobs/admit";
import type { Job } from "../jobs/job";
import { runWaiting } from "../jobs/run-waiting";
import { requireScope } from "../keys/middleware";
import { now } from "../lib/clock";
import { SYNC_WAIT_MS } from "../limits";
import { egressPolicy, refusal } from "../upstream/egress";
import { createRouter, errorResponses, requireJson, toOrigin } from "./http";
import { readResult, toMeta } from "./job-record";

export const extract = createRouter();

const scrapeRoute = createRoute({
  method: "post",
  path: "/scrape",
  operationId: "scrape",
  summary: "Scrape a page",
  tags: ["Extraction"],
  security: [{ bearer: [] }],
  middleware: [requireScope("scrape"), requireJson] as const,
  request: {
    query: WaitQuery,
    body: { required: true, content: { "application/json": { schema: ScrapeRequest } } },
  },
  responses: {
    200: { description: "The result", content: { "application/json": { schema: ScrapeResponse } } },
    202: { description: "Accepted as a job", content: { "application/json": { schema: Accepted } } },
    ...errorResponses(
      "invalid_request",
      "invalid_json",
      "invalid_target",
      "proxy_unavailable",
      "missing_api_key",
      "insufficient_scope",
      "payload_too_large",
      "unsupported_media_type",
      "target_http_error",
      "target_timeout",
      "selector_not_found",
      "render_failed",
    ),
  },
});

extract.openapi(scrapeRoute, async (c) => {
  const request = c.req.valid("json");
  checkTarget(c, request.url);
  if (request.webhook_url !== undefined) checkWebhook(c, request.webhook_url);
  if (request.wait_for !== undefined) checkSelector(request.wait_for);
  if (request.proxy_country !== undefined) {
    throw new AppError("proxy_unavailable", `No proxy is configured for the country ${request.proxy_country}.`, {
      status: 400,
      retryable: false,
    });
  }
  return await answer<ScrapeData>(c, c.req.valid("query").wait === "true", {
    endpoint: "scrape",
    request,
    rendered: needsBrowser(request),
  });
});

/** Admits the job, then either answers 202 or runs it while the caller waits: for all extraction endpoints. */
async function answer<Data>(
  c: Context<AppEnv>,
  waiting: boolean,
  work: Pick<Admission, "endpoint" | "request" | "rendered">,
) {
  const job = await admit(c.env, { ...work, waiting, caller: c.var.caller, origin: toOrigin(c), now: now() });
  if (!waiting) return accepted(c, job);
  const reached = await runWaiting(c.env, job, {
    until: c.var.startedAt + SYNC_WAIT_MS,
    hangUp: c.req.raw.signal,
    waitUntil: (promise) => c.executionCtx.waitUntil(promise),
  });
  if (reached === null) return accepted(c, job);
  if (reached.kind === "job" && reached.job.error !== null) {
    const { code, message, status, retryable } = reached.job.error;
    throw new AppError(code, message, { status, retryable, jobId: job.id });
  }
  const data = (reached.kind === "completed" ? reached.end.data : await readResult(c.env, reached.job)) as Data;
  const meta = reached.kind === "completed" ? reached.end.meta : toMeta(reached.job);
  return c.json({ success: true as const, data, meta, job_id: job.id }, 200);
}

function accepted(c: Context<AppEnv>, job: Job) {
  c.header("Location", `/v1/jobs/${job.id}`);
  c.header("Retry-After", "1");
  return c.json(
    {
      success: true as const,
      job_id: job.id,
      status: "queued" as const,
      meta: { processing_time_ms: now() - c.var.startedAt, credits_used: 0, credits_reserved: job.credits },
    },
    202,
  );
}

/** What the address alone shows; names are resolved, and redirects followed, when the job runs. */
function checkTarget(c: Context<AppEnv>, url: string): void {
  const reason = refusal(url, egressPolicy(c.env.ALLOWED_PRIVATE_HOSTS, [c.env.PUBLIC_URL, toOrigin(c)]));
  if (reason !== null)
    throw new AppError("invalid_target", reason, { status: 400, details: [{ path: "url", message: reason }] });
}

function checkWebhook(c: Context<AppEnv>, url: string): void {
  const reason = refusal(url, egressPolicy(c.env.ALLOWED_PRIVATE_HOSTS, [c.env.PUBLIC_URL, toOrigin(c)]));
  if (reason !== null) {
    throw new AppError("invalid_request", `The parameter 'webhook_url' must be publicly reachable: ${reason}`, {
      details: [{ path: "webhook_url", message: reason }],
    });
  }
}

function checkSelector(selector: string): void {
  try {
    parseSelector(selector);
  } catch (cause) {
    const message = `is not a CSS selector: ${cause instanceof Error ? cause.message : "it can't be parsed"}`;
    throw new AppError("invalid_request", `The parameter 'wait_for' ${message}.`, {
      details: [{ path: "wait_for", message }],
      cause,
    });
  }
}
