import { needsBrowser, type PageMetadata, type ScrapeData, type ScrapeFormat, ScrapeRequest } from "../contract/scrape";
import { AppError } from "../errors";
import { decodeHtml } from "../html/charset";
import { convertHtml } from "../html/convert";
import { writeMarkdown } from "../html/markdown/blocks";
import { metaRefresh } from "../html/meta-refresh";
import { toConversion } from "../html/options";
import { writeText } from "../html/text/blocks";
import { type Answer, wallOf } from "../html/walls";
import { type ClaimedJob, type Execution, NoCapacityError, type RunContext } from "../jobs/job";
import { toPositiveNumber } from "../lib/variables";
import { LARGE_PAGE_BYTES, MAX_PAGE_BYTES_DEFAULT, MAX_REDIRECTS, META_REFRESH_MAX_S, SECOND_MS } from "../limits";
import { isPdf, type Pdf, readPdf } from "../pdf/read";
import { putScreenshot } from "../store/objects";
import { NoBrowserError, renderPage } from "../upstream/browser/client";
import type { RenderedPage } from "../upstream/browser/protocol";
import { egressPolicy } from "../upstream/egress";
import { type FetchedPage, type FetchOptions, fetchPage, toBlockedError } from "../upstream/page";
import { type ProxyAddress, parseProxies, proxyFor } from "../upstream/proxies";
import { Resolver } from "../upstream/resolver";
import { toScreenshotUrl } from "./screenshot-url";
import { isBinary } from "./signature";

const NO_BROWSER_RETRY_MS = 15 * SECOND_MS;

/** A page: markup to convert, a text that is returned as it is, or a PDF. */
type Content = Pick<FetchedPage, "url" | "status" | "contentType"> &
  ({ kind: "html" | "text"; source: string } | { kind: "pdf"; pdf: Pdf });

/** How a page is fetched, whichever page it is. */
type Fetching = Pick<FetchOptions, "proxy" | "maxBytes" | "beforeLarge" | "signal"> & { origin: string };

/** Fetches or renders the page, then makes only the formats that were asked. */
export async function scrape({ env, job, signal, takeTurn }: RunContext): Promise<Execution> {
  const request = ScrapeRequest.parse(job.request);
  const maxBytes = toPositiveNumber(env.MAX_PAGE_BYTES, MAX_PAGE_BYTES_DEFAULT);
  const proxy = toProxy(env, request, job);
  if (!needsBrowser(request)) {
    const { origin } = job;
    const content = await fetchContent(env, request.url, { origin, proxy, maxBytes, beforeLarge: takeTurn, signal });
    return { data: toData(request, content) };
  }

  const wantsHtml = request.formats.some((format) => format !== "screenshot");
  const page = await renderInBrowser(env, request, { job, proxy, maxBytes, signal });
  if (page.html.length > LARGE_PAGE_BYTES) await takeTurn();
  refuseWall({ ...page, headers: new Map(Object.entries(page.headers)) }, page.html);
  const data: ScrapeData = wantsHtml ? toData(request, toRendered(page)) : {};
  if (request.formats.includes("screenshot")) {
    if (page.screenshot === null)
      throw new AppError("unsupported_content", "The page has nothing to take a picture of.");
    await putScreenshot(env.STORE, job.id, job.run, page.screenshot);
    data.screenshot_url = await toScreenshotUrl(env, job);
  }
  return { data };
}

/** The proxy of the country that was asked for. Its session is the job's, so that all of its requests have one address. */
function toProxy(env: Env, { proxy_country }: ScrapeRequest, job: ClaimedJob): ProxyAddress | null {
  if (proxy_country === undefined) return null;
  const proxy = proxyFor(parseProxies(env.PROXIES), proxy_country, job.id.replaceAll("-", ""));
  if (proxy !== null) return proxy;
  // It was there when the job was admitted: never without it.
  throw new AppError("proxy_unavailable", `No proxy is configured for the country ${proxy_country} any more.`);
}

async function renderInBrowser(
  env: Env,
  request: ScrapeRequest,
  {
    job,
    proxy,
    maxBytes,
    signal,
  }: { job: ClaimedJob; proxy: ProxyAddress | null; maxBytes: number; signal: AbortSignal },
) {
  try {
    return await renderPage(
      env,
      {
        id: `${job.id}.${job.run}`,
        url: request.url,
        waitFor: request.wait_for ?? null,
        screenshot: request.formats.includes("screenshot"),
        maxHtmlBytes: maxBytes,
        allowedPrivateHosts: env.ALLOWED_PRIVATE_HOSTS,
        ownOrigins: [env.PUBLIC_URL, job.origin],
        proxy,
      },
      signal,
    );
  } catch (error) {
    if (error instanceof NoBrowserError)
      throw new NoCapacityError(error.message, NO_BROWSER_RETRY_MS, { cause: error });
    throw error;
  }
}

/** The page as received, after the refreshes that it asks for within a few seconds. */
async function fetchContent(env: Env, target: string, { origin, ...fetching }: Fetching): Promise<Content> {
  const policy = egressPolicy(env.ALLOWED_PRIVATE_HOSTS, [env.PUBLIC_URL, origin]);
  const resolver = new Resolver(env.DNS_RESOLVER);
  let url = target;
  for (let refreshes = 0; ; refreshes++) {
    const page = await fetchPage(url, { ...fetching, policy, resolver, userAgent: env.USER_AGENT });
    // Without the body: its memory is needed for what is made of it.
    const { status, contentType } = page;
    const found = { url: page.url, status, contentType };
    if (isPdf(page.body, contentType)) {
      return { ...found, kind: "pdf", pdf: await readPdf(page.body, fetching.signal) };
    }
    const text = toText(page);
    refuseWall(page, text);
    if (!isHtml(page, text)) return { ...found, kind: "text", source: text };
    const refresh = metaRefresh(text, page.url);
    if (refresh === null || refresh.delaySeconds > META_REFRESH_MAX_S || refresh.url === page.url) {
      return { ...found, kind: "html", source: text };
    }
    if (refreshes >= MAX_REDIRECTS) {
      throw new AppError("too_many_redirects", `The page refreshes to another more than ${MAX_REDIRECTS} times.`);
    }
    url = refresh.url;
  }
}

/** What isn't markup comes as it was received: the browser's own view of it isn't the page. */
function toRendered({ html: source, ...page }: RenderedPage): Content {
  const type = page.contentType?.toLowerCase() ?? "text/html";
  return { ...page, kind: type === "text/html" || type === "application/xhtml+xml" ? "html" : "text", source };
}

/** Nobody buys a captcha. */
function refuseWall(
  { url, status, headers }: { url: string } & Pick<Answer, "status" | "headers">,
  html: string,
): void {
  const wall = wallOf({ status, headers, html });
  if (wall !== null) throw toBlockedError(wall, url);
}

const TEXTUAL =
  /^(text\/|application\/([\w.+-]*(json|xml)|javascript|ecmascript|x-javascript|x-ndjson|yaml|x-yaml|rss|atom)\b)/i;

function toText(page: FetchedPage): string {
  const type = mediaType(page);
  if (page.body.byteLength > 0 && type !== "" && !TEXTUAL.test(type)) {
    throw new AppError("unsupported_content", `The page is of the type ${type}, which has no text to take.`);
  }
  if (isBinary(page.body)) {
    throw new AppError(
      "unsupported_content",
      "The page is a picture, an archive or the like, which has no text to take.",
    );
  }
  const tld = URL.parse(page.url)?.hostname.split(".").at(-1);
  return decodeHtml(page.body, page.contentType, tld === undefined ? {} : { tld });
}

function isHtml(page: FetchedPage, text: string): boolean {
  const type = mediaType(page);
  if (type === "text/html" || type === "application/xhtml+xml") return true;
  return type === "" && /^\s*(<!doctype|<html|<head|<body|<!--)/i.test(text);
}

function mediaType(page: FetchedPage): string {
  return page.contentType?.split(";")[0]?.trim().toLowerCase() ?? "";
}

function toData(request: ScrapeRequest, content: Content): ScrapeData {
  const wants = new Set(request.formats);
  const { url, status, contentType } = content;
  const found = { url, status_code: status, content_type: contentType };
  if (content.kind === "pdf") return toPdfData(wants, content.pdf, found);
  const { source } = content;
  const data: ScrapeData = wants.has("html") ? { html: source } : {};
  if (content.kind === "text") {
    if (wants.has("markdown")) data.markdown = source;
    if (wants.has("text")) data.text = source;
    if (wants.has("metadata")) data.metadata = found;
    if (wants.has("links")) data.links = [];
    return data;
  }
  const { metadata, ...converted } = convertHtml(source, toConversion(request, url));
  return { ...data, ...converted, ...(metadata !== undefined && { metadata: { ...metadata, ...found } }) };
}

function toPdfData(
  wants: ReadonlySet<ScrapeFormat>,
  { blocks, metadata, links }: Pdf,
  found: Pick<PageMetadata, "url" | "status_code" | "content_type">,
): ScrapeData {
  if (wants.size === 1 && wants.has("html")) {
    throw new AppError("unsupported_content", "A PDF has no html: ask for its markdown or text.");
  }
  return {
    ...(wants.has("markdown") && { markdown: writeMarkdown(blocks) }),
    ...(wants.has("text") && { text: writeText(blocks) }),
    ...(wants.has("metadata") && { metadata: { ...metadata, ...found } }),
    ...(wants.has("links") && { links }),
  };
}
