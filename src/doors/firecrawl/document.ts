import type { ScrapeData } from "../../contract/scrape";
import { toIdTime } from "../../lib/id";
import type { JobMeta } from "../../model/job";

export type Version = "v1" | "v2";
export const VERSIONS: readonly Version[] = ["v1", "v2"];

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
  const isAnswer = json !== undefined && Object.keys(json).join() === "answer";
  return withoutUndefined({
    markdown,
    html: clean_html,
    rawHtml: raw_html ?? html,
    links: links?.map((link) => link.url),
    images: images?.map((image) => image.url),
    screenshot: screenshot_url,
    json,
    ...(version === "v1" && { extract: json }),
    ...(isAnswer && { answer: json.answer }),
    summary,
    actions: actions && {
      screenshots: actions.flatMap((action) => action.screenshot_url ?? []),
      scrapes: actions.flatMap((action) => (action.html === undefined ? [] : { url: action.url, html: action.html })),
      javascriptReturns: [],
      pdfs: [],
    },
    warning: warning === "" ? undefined : warning,
    metadata: toMetadata({ jobId, url, meta }, metadata),
  });
}

function toMetadata(
  { jobId, url, meta }: Omit<Scraped, "data">,
  metadata: Partial<NonNullable<ScrapeData["metadata"]>> = {},
): Record<string, unknown> {
  const { open_graph = {}, title, description, language, author, published_time, modified_time, favicon } = metadata;
  const { captured_at: capturedAt } = meta;
  const isHit = typeof capturedAt === "string" && Date.parse(capturedAt) < toIdTime(jobId);
  return withoutUndefined({
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
  });
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
  return name.replace(/[^a-z0-9]+([a-z0-9])/gi, (_, letter: string) => letter.toUpperCase());
}

function withoutUndefined(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}
