import type { RenderedPage } from "../../browser/protocol";
import { renderForAccount } from "../../browser/render-client";
import { detectBlockPage, type ReceivedPage } from "../../html/block-pages/detect";
import { decodeHtml } from "../../html/encoding/decode";
import { metaRefresh } from "../../html/meta-refresh";
import { toPositiveNumber } from "../../lib/env";
import { AppError } from "../../model/errors";
import { toFetchVia } from "../../model/fetch-via";
import { LARGE_PAGE_BYTES, MAX_PAGE_BYTES_DEFAULT, MAX_REDIRECTS, META_REFRESH_MAX_S } from "../../model/limits";
import type { RunContext } from "../../model/run-context";
import { parseEgressPolicy } from "../../net/egress";
import { type FetchedPage, fetchPage, toBlockedError } from "../../net/page";
import type { ProxyAddress } from "../../net/proxy-config";
import { Resolver } from "../../net/resolver";
import { describeMediaType, isMarkupType } from "../../net/response";
import { isPdf, type Pdf, readPdf } from "../../pdf/read";

/** A loaded page: markup, text that is returned unchanged, or a PDF. */
export type Content = Pick<FetchedPage, "url" | "status" | "contentType"> &
  ({ kind: "html" | "text"; source: string } | { kind: "pdf"; pdf: Pdf });

/**
 * A page that was loaded in the browser. If the page isn't markup, `source` is the response body, not the markup of the
 * browser's viewer.
 */
export type RenderedContent = Extract<Content, { source: string }> &
  Pick<RenderedPage, "screenshot" | "partialLoad" | "visibility">;

export interface RenderOptions {
  /** Null if the target is requested without a proxy. */
  proxy: ProxyAddress | null;
  /** The CSS selector to wait for, or null. */
  waitFor: string | null;
  screenshot: boolean;
  /** True if the computed visibility of the page's elements is needed. Otherwise, the page's own style sheets count. */
  visibility: boolean;
}

/**
 * Fetches a page. Follows meta refreshes that are due within META_REFRESH_MAX_S seconds. Throws AppError, for example
 * if the page is a block page or has no text.
 */
export async function fetchContent(
  { env, job, signal, acquireLargeLock }: RunContext,
  target: string,
  { proxy }: { proxy: ProxyAddress | null },
): Promise<Content> {
  const options = {
    policy: parseEgressPolicy(env.ALLOWED_PRIVATE_HOSTS, [env.PUBLIC_URL, job.origin]),
    resolver: new Resolver(env.DNS_RESOLVER),
    via: toFetchVia(env.FETCH_VIA),
    proxy,
    userAgent: env.USER_AGENT,
    maxBytes: maxPageBytes(env),
    beforeLarge: acquireLargeLock,
    signal,
  };
  let url = target;
  for (let refreshes = 0; ; refreshes++) {
    const page = await fetchPage(url, options);
    // Copies the fields without the body, so that the body's memory can be freed before the conversion.
    const { status, contentType } = page;
    const found = { url: page.url, status, contentType };
    if (isPdf(page.body, contentType)) {
      // Acquires the lock for every PDF. Reading even a PDF of a few kilobytes can use much memory.
      await acquireLargeLock();
      return { ...found, kind: "pdf", pdf: await readPdf(page.body, signal) };
    }
    const text = toText(page);
    refuseBlockPage(page, text);
    if (!isHtml(page, text)) return { ...found, kind: "text", source: text };
    const refresh = metaRefresh(text, page.url);
    if (refresh === null || refresh.delaySeconds > META_REFRESH_MAX_S || refresh.url === page.url) {
      return { ...found, kind: "html", source: text };
    }
    if (refreshes >= MAX_REDIRECTS) {
      throw new AppError(
        "too_many_redirects",
        `The page redirects with a meta refresh more than ${MAX_REDIRECTS} times.`,
      );
    }
    url = refresh.url;
  }
}

/** Renders a page in a browser. Throws NoCapacityError if no browser has a free slot. */
export async function renderContent(
  { env, job, signal, acquireLargeLock }: RunContext,
  url: string,
  { proxy, waitFor, screenshot, visibility }: RenderOptions,
): Promise<RenderedContent> {
  const request = {
    id: `${job.id}.${job.run}`,
    url,
    waitFor,
    screenshot,
    visibility,
    maxHtmlBytes: maxPageBytes(env),
    allowedPrivateHosts: env.ALLOWED_PRIVATE_HOSTS,
    ownOrigins: [env.PUBLIC_URL, job.origin],
    proxy,
    visit: null,
  };
  const { html, headers, ...page } = await renderForAccount(
    env,
    { id: job.account.id, concurrentRenders: job.concurrentRenders },
    request,
    signal,
  );
  if (html.length > LARGE_PAGE_BYTES) await acquireLargeLock();
  refuseBlockPage({ ...page, headers: new Map(Object.entries(headers)) }, html);
  return {
    ...page,
    kind: isMarkupType(page.contentType?.toLowerCase() ?? "text/html") ? "html" : "text",
    source: html,
  };
}

function maxPageBytes(env: Env): number {
  return toPositiveNumber(env.MAX_PAGE_BYTES, MAX_PAGE_BYTES_DEFAULT);
}

/** Fails the job when a bot challenge was served instead of the page. */
function refuseBlockPage(
  { url, status, headers }: { url: string } & Pick<ReceivedPage, "status" | "headers">,
  html: string,
): void {
  const vendor = detectBlockPage({ status, headers, html });
  if (vendor !== null) throw toBlockedError(vendor, url);
}

const TEXTUAL =
  /^(text\/|application\/([\w.+-]*(json|xml)|javascript|ecmascript|x-javascript|x-ndjson|yaml|x-yaml|rss|atom)\b)/i;

function toText(page: FetchedPage): string {
  const type = mediaType(page);
  if (page.body.byteLength > 0 && type !== "" && !TEXTUAL.test(type)) {
    throw new AppError("unsupported_content", describeMediaType(type));
  }
  if (isBinary(page.body)) {
    throw new AppError(
      "unsupported_content",
      "The page is a binary file, such as an image or an archive, so it has no text.",
    );
  }
  const tld = URL.parse(page.url)?.hostname.split(".").at(-1);
  return decodeHtml(page.body, page.contentType, tld === undefined ? {} : { tld });
}

function isHtml(page: FetchedPage, text: string): boolean {
  const type = mediaType(page);
  if (isMarkupType(type)) return true;
  return type === "" && /^\s*(<!doctype|<html|<head|<body|<!--)/i.test(text);
}

function mediaType(page: FetchedPage): string {
  return page.contentType?.split(";")[0]?.trim().toLowerCase() ?? "";
}

/**
 * The signatures of binary files at the offset `at` (default 0). They take precedence over the declared content type.
 * Source: MIME Sniffing Standard, section 6.
 */
const SIGNATURES: readonly { at?: number; bytes: string }[] = [
  { bytes: "\x89PNG\r\n\x1a\n" },
  { bytes: "GIF87a" },
  { bytes: "GIF89a" },
  { bytes: "\xff\xd8\xff" },
  { at: 8, bytes: "WEBPVP" },
  { at: 8, bytes: "AVI " },
  { at: 8, bytes: "WAVE" },
  { at: 4, bytes: "ftyp" },
  { bytes: "\x1a\x45\xdf\xa3" },
  { bytes: "OggS\0" },
  { bytes: "ID3" },
  { bytes: "PK\x03\x04" },
  { bytes: "\x1f\x8b\x08" },
  { bytes: "Rar!\x1a\x07" },
  { bytes: "7z\xbc\xaf\x27\x1c" },
  { bytes: "wOFF" },
  { bytes: "wOF2" },
  { bytes: "\0asm" },
  { bytes: "\x7fELF" },
];

/** Returns true if the first bytes are those of an image, a video, an archive or another binary file. */
function isBinary(body: Uint8Array): boolean {
  return SIGNATURES.some(({ at = 0, bytes }) =>
    Array.from(bytes).every((char, index) => body[at + index] === char.charCodeAt(0)),
  );
}
