// The forms in which clients of Firecrawl read a page: the document, the event of a webhook, and the error.
import type { ScrapeData } from "../../contract/scrape";
import { toIdTime } from "../../lib/id";
import type { DeliveryHook } from "../../model/delivery";
import type { ErrorCode } from "../../model/errors";
import type { Job, JobMeta } from "../../model/job";

export type Version = "v1" | "v2";

/** Our codes for each of Firecrawl's. Other codes are written in upper case. */
const CODES: Readonly<Record<string, readonly ErrorCode[]>> = {
  BAD_REQUEST: ["invalid_request", "invalid_target"],
  BAD_REQUEST_INVALID_JSON: ["invalid_json"],
  SCRAPE_TIMEOUT: ["target_timeout", "job_timeout"],
  SCRAPE_DNS_RESOLUTION_ERROR: ["dns_failure"],
  SCRAPE_SSL_ERROR: ["tls_failure"],
  SCRAPE_SITE_ERROR: [
    "connection_failed",
    "target_http_error",
    "payment_required",
    "too_many_redirects",
    "target_too_large",
  ],
  SCRAPE_ALL_ENGINES_FAILED: ["blocked_by_target"],
  SCRAPE_ACTION_ERROR: ["action_failed", "selector_not_found"],
  SCRAPE_UNSUPPORTED_FILE_ERROR: ["unsupported_content"],
};

/** Returns Firecrawl's status and code for an error. Its SDK sends a request again after a 502. */
export function toPeerError({ code, status }: { code: ErrorCode; status: number }): { status: number; code: string } {
  if (status === 501) return { status, code: "NOT_IMPLEMENTED" };
  if (code === "not_configured") return { status: 501, code: "NOT_CONFIGURED" };
  const [peer = code.toUpperCase()] = Object.entries(CODES).find(([, ours]) => ours.includes(code)) ?? [];
  if (peer === "SCRAPE_TIMEOUT") return { status: 408, code: peer };
  if (peer === "BAD_REQUEST") return { status: 400, code: peer };
  return { status: status === 502 || status === 422 || peer.startsWith("SCRAPE_") ? 500 : status, code: peer };
}

/** The result of a scrape, from which a document is made. */
interface Scraped {
  jobId: string;
  /** The URL of the request. Null if it was deleted. */
  url: string | null;
  data: Record<string, unknown>;
  meta: JobMeta;
}

/** Returns the document that Firecrawl's clients read. `warnings` are added to those of the page. */
export function toDocument(
  { jobId, url, data, meta }: Scraped,
  { version, warnings = [] }: { version: Version; warnings?: readonly string[] },
): Record<string, unknown> {
  const { markdown, clean_html, raw_html, html, links, images, screenshot_url, json, summary, actions, metadata } =
    data as Partial<ScrapeData>;
  const warning = [...warnings, ...toWarnings(meta)].join(" ");
  return {
    markdown,
    html: clean_html,
    rawHtml: raw_html ?? html,
    links: links?.map((link) => link.url),
    images: images?.map((image) => image.url),
    screenshot: screenshot_url,
    json,
    ...(version === "v1" && { extract: json }),
    summary,
    actions: actions && {
      screenshots: actions.flatMap((action) => action.screenshot_url ?? []),
      scrapes: actions.flatMap((action) => (action.html === undefined ? [] : { url: action.url, html: action.html })),
      javascriptReturns: [],
      pdfs: [],
    },
    warning: warning || undefined,
    metadata: toMetadata({ jobId, url, meta }, metadata),
  };
}

/** Returns the document of a page. Returns null if it has none, for example because it redirects to an earlier page. */
export function toPageDocument(
  { job, result }: { job: Job | null; result: Record<string, unknown> | null },
  version: Version,
): Record<string, unknown> | null {
  if (job === null || result === null || Object.keys(result).length === 0) return null;
  const meta = { ...job.extras, processing_time_ms: job.processingTimeMs ?? 0, credits_used: job.creditsUsed };
  return toDocument({ jobId: job.id, url: job.subject, data: result, meta }, { version });
}

/** Returns the body of a webhook's event. `page` is the page that has ended. */
export function toHookEvent(
  webhookId: string,
  { type, id, metadata, error }: DeliveryHook,
  page: { job: Job; result: string | "too large" | null } | null = null,
): string {
  const isLarge = page?.result === "too large";
  const json = isLarge ? null : (page?.result ?? null);
  const document = page && toPageDocument({ job: page.job, result: json && JSON.parse(json) }, "v2");
  const message =
    error ?? page?.job.error?.message ?? (isLarge ? "The document is too large for an event." : undefined);
  const data = document === null ? [] : [document];
  return JSON.stringify({ success: message === undefined, type, id, webhookId, data, error: message, metadata });
}

function toMetadata(
  { jobId, url, meta }: Omit<Scraped, "data">,
  metadata: Partial<NonNullable<ScrapeData["metadata"]>> = {},
): Record<string, unknown> {
  const { open_graph = {}, title, description, language, author, published_time, modified_time, favicon } = metadata;
  const { captured_at: capturedAt } = meta;
  const isHit = typeof capturedAt === "string" && Date.parse(capturedAt) < toIdTime(jobId);
  return {
    ...{ title, description, language, author, publishedTime: published_time, modifiedTime: modified_time, favicon },
    ...Object.fromEntries(Object.entries(open_graph).map(([name, value]) => [toCamelCase(`og_${name}`), value])),
    sourceURL: url ?? metadata.url,
    url: metadata.url,
    statusCode: metadata.status_code,
    contentType: metadata.content_type ?? undefined,
    scrapeId: jobId,
    proxyUsed: "basic",
    creditsUsed: meta.credits_used,
    concurrencyLimited: false,
    ...(capturedAt !== undefined && { cacheState: isHit ? "hit" : "miss" }),
    ...(isHit && { cachedAt: capturedAt }),
  };
}

/** Returns the sentences that distrust the page: the reason of an outcome other than ok, and the content warnings. */
export function toWarnings({ outcome, outcome_reason: reason, content_warnings: warnings }: JobMeta): string[] {
  const messages = Array.isArray(warnings)
    ? warnings.flatMap((each) => (Object(each) as { message: string }).message)
    : [];
  if (outcome === "ok" || outcome === undefined) return messages;
  return [`The page has the outcome '${outcome}'${reason === undefined ? "." : `: ${reason}`}`, ...messages];
}

function toCamelCase(name: string): string {
  return name.replace(/[^a-z0-9]([a-z0-9]?)/gi, (_, letter: string) => letter.toUpperCase());
}
