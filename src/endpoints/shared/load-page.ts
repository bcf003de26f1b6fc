import type { DeviceOptions, LoadOptions, OutputOptions, RenderedPage } from "../../browser/protocol";
import { renderForAccount } from "../../browser/render-client";
import { toDeniedFields } from "../../browser/render-policy";
import { toPlainMobileUserAgent } from "../../browser/user-agent";
import type { Action } from "../../contract/actions";
import { type CsvTable, isCsv, readCsv } from "../../documents/csv";
import type { LoadedDocument } from "../../documents/package";
import { readDocument, toFileName } from "../../documents/read";
import { detectBlockPage, type ReceivedPage } from "../../html/block-pages/detect";
import { decodeHtml } from "../../html/encoding/decode";
import { metaRefresh } from "../../html/meta-refresh";
import { now } from "../../lib/clock";
import { toPositiveNumber } from "../../lib/env";
import { withUsed } from "../../lib/time-limit";
import { AppError } from "../../model/errors";
import { toFetchVia } from "../../model/fetch-via";
import { LARGE_PAGE_BYTES, MAX_PAGE_BYTES_DEFAULT, MAX_REDIRECTS, META_REFRESH_MAX_S } from "../../model/page-limits";
import type { RunContext } from "../../model/run-context";
import { readDenied } from "../../net/denied";
import { parseEgressPolicy } from "../../net/egress";
import { type FetchedPage, fetchPage, toBlockedError } from "../../net/page";
import type { ProxyAddress } from "../../net/proxy-config";
import { Resolver } from "../../net/resolver";
import { describeMediaType, isMarkupType } from "../../net/response";
import { PlainSession, type Session } from "../../net/session";

/**
 * A loaded page: markup, text that is returned unchanged, or a document such as a PDF. `robotsTag` is the header
 * X-Robots-Tag. It is missing for a document and for a page of a capture.
 */
export type Content = Pick<FetchedPage, "url" | "status" | "contentType"> & { robotsTag?: string | null } & (
    | { kind: "html"; source: string }
    | {
        kind: "text";
        source: string;
        /** The table of a file with comma-separated values. */
        csv?: CsvTable;
      }
    | { kind: "document"; document: LoadedDocument }
  );

/**
 * A page that was loaded in the browser. If the page isn't markup, `source` is the response body, not the markup of the
 * browser's viewer.
 */
export type RenderedContent = Extract<Content, { source: string }> &
  Pick<RenderedPage, "screenshot" | "body" | "pdf" | "actions" | "partialLoad" | "visibility">;

/** A loaded page before its conversion. */
export interface KeptPage {
  rendered: boolean;
  url: string;
  status: number;
  contentType: string | null;
  /** Returns the value of a response header, or null. */
  header: (name: string) => string | null;
  /** The response body of a plain page, or the markup of a rendered one. */
  source: string | Uint8Array;
  /** The computed visibility and the response body of a rendered page. */
  visibility: string | null;
  body: string | null;
  partialLoad: boolean;
}

export interface RenderOptions {
  /** Null if the target is requested without a proxy. */
  proxy: ProxyAddress | null;
  /** The CSS selector to wait for, or null. */
  waitFor: string | null;
  screenshot: boolean;
  /** True if the computed visibility of the page's elements is needed. Otherwise, the page's own style sheets count. */
  visibility: boolean;
  /** The parts of a rendered page that are read in addition to its markup. */
  outputs?: OutputOptions;
  /** The actions that are performed on the page. Undefined if there are none. */
  actions?: Action[] | undefined;
  /** The waits and the time limit for the page. Undefined: the defaults apply. */
  load?: LoadOptions | undefined;
  /** The headers, cookies and user agent for the target. Undefined if the request has none. */
  session?: Session | undefined;
  /** The device that the page sees. Undefined: the defaults apply. */
  device?: DeviceOptions | undefined;
  /** Called with the page that will be returned, before it is converted. Undefined if the page isn't kept. */
  keep?: ((page: KeptPage) => Promise<void>) | undefined;
}

/**
 * Fetches a page. Follows meta refreshes that are due within META_REFRESH_MAX_S seconds. Throws AppError, for example
 * if the page is a block page or has no text.
 */
export async function fetchContent(
  { env, job, signal, acquireLargeLock, beforeRedirect }: RunContext,
  target: string,
  { proxy, load, session, device, keep }: Pick<RenderOptions, "proxy" | "load" | "session" | "device" | "keep">,
): Promise<Content> {
  const startedAt = now();
  const options = {
    policy: parseEgressPolicy(
      env.ALLOWED_PRIVATE_HOSTS,
      [env.PUBLIC_URL, job.origin],
      await readDenied(env, job.account.id),
    ),
    resolver: new Resolver(env.DNS_RESOLVER),
    via: toFetchVia(env.FETCH_VIA),
    proxy,
    ...toPlainDevice(env.USER_AGENT, device),
    maxBytes: maxPageBytes(env),
    beforeLarge: acquireLargeLock,
    beforeRedirect,
    session: session && new PlainSession(target, session),
    signal,
  };
  let url = target;
  for (let refreshes = 0; ; refreshes++) {
    const page = await fetchPage(url, { ...options, limit: withUsed(load?.limit ?? null, startedAt) });
    const keepPage = async () => await keep?.(toKeptPage(page));
    const content = await readContent(
      { ...page, disposition: page.headers.get("content-disposition") },
      {
        signal,
        beforeReading: async () => {
          await acquireLargeLock();
          // Keeps the page first, because reading a document may change its bytes.
          await keepPage();
        },
      },
    );
    if (content.kind === "document") return content;
    refuseBlockPage(page, content.source);
    const refresh = content.kind === "html" ? metaRefresh(content.source, page.url) : null;
    if (refresh === null || refresh.delaySeconds > META_REFRESH_MAX_S || refresh.url === page.url) {
      await keepPage();
      return { ...content, robotsTag: page.headers.get("x-robots-tag") ?? null };
    }
    if (refreshes >= MAX_REDIRECTS) {
      throw new AppError(
        "too_many_redirects",
        `The page redirects with a meta refresh more than ${MAX_REDIRECTS} times.`,
      );
    }
    ({ url } = refresh);
    await beforeRedirect?.(new URL(url));
  }
}

/**
 * Decodes a text, or reads a document. Calls `beforeReading` for every document, because reading a document of only a
 * few kilobytes can use much memory. Throws AppError if the file has no text.
 */
export async function readContent(
  { body, disposition, ...page }: ReceivedContent & { disposition: string | null },
  reading: { signal: AbortSignal; beforeReading: () => Promise<void> },
): Promise<Content> {
  const { url, status, contentType } = page;
  const found = { url, status, contentType };
  const name = toFileName(disposition, url);
  const document = await readDocument({ bytes: body, contentType, name }, reading);
  if (document !== null) return { ...found, kind: "document", document };
  const hasCsv = isCsv(mediaType(page), name);
  const text = toText({ ...page, body }, hasCsv);
  const csv = hasCsv ? readCsv(text) : null;
  if (!isHtml(page, text)) return { ...found, kind: "text", source: text, ...(csv && { csv }) };
  return { ...found, kind: "html", source: text };
}

/** The parts of a response from which its content is read. */
type ReceivedContent = Pick<FetchedPage, "url" | "status" | "contentType" | "body">;

function toKeptPage({ url, status, contentType, headers, body }: FetchedPage): KeptPage {
  const header = (name: string) => headers.get(name);
  const facts = { rendered: false, url, status, contentType, header, partialLoad: false };
  return { ...facts, source: body, visibility: null, body: null };
}

/** Renders a page in a browser. Throws NoCapacityError if no browser has a free slot. */
export async function renderContent(
  { env, job, signal, acquireLargeLock, beforeRedirect }: RunContext,
  url: string,
  { proxy, waitFor, screenshot, visibility, outputs, load, session, device, actions, keep }: RenderOptions,
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
    ...toDeniedFields(await readDenied(env, job.account.id)),
    proxy,
    visit: null,
    ...(outputs && { outputs }),
    ...(load !== undefined && { load }),
    ...(session && { session }),
    ...(actions !== undefined && actions.length > 0 && { actions }),
    ...(device && { device }),
  };
  const { html, headers, ...page } = await renderForAccount(
    env,
    { id: job.account.id, concurrentRenders: job.concurrentRenders },
    request,
    signal,
  );
  if (page.url !== url) await beforeRedirect?.(new URL(page.url));
  // A script may have removed most of the page, so the response can be larger than the markup.
  if (Math.max(html.length, page.body?.length ?? 0) > LARGE_PAGE_BYTES) await acquireLargeLock();
  refuseBlockPage({ ...page, headers: new Map(Object.entries(headers)) }, html);
  const header = (name: string) => headers[name] ?? null;
  await keep?.({ ...page, rendered: true, header, source: html, body: page.body ?? null });
  return {
    ...page,
    kind: isMarkupType(page.contentType?.toLowerCase() ?? "text/html") ? "html" : "text",
    source: html,
    robotsTag: header("x-robots-tag"),
  };
}

/** Returns the user agent of a plain request, and the header with its preferred languages. */
function toPlainDevice(serviceAgent: string, { isMobile = false, languages = [] }: Partial<DeviceOptions> = {}) {
  const userAgent = isMobile ? toPlainMobileUserAgent(serviceAgent) : serviceAgent;
  if (languages.length === 0) return { userAgent };
  // The weights are the same as in Chrome.
  const weighted = languages.map((language, i) => (i === 0 ? language : `${language};q=${(1 - i / 10).toFixed(1)}`));
  return { userAgent, headers: { "accept-language": weighted.join() } };
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

function toText(page: Pick<FetchedPage, "url" | "contentType" | "body">, isKnownText: boolean): string {
  const type = mediaType(page);
  if (page.body.byteLength > 0 && type !== "" && !isKnownText && !TEXTUAL.test(type)) {
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

function isHtml(page: Pick<FetchedPage, "contentType">, text: string): boolean {
  const type = mediaType(page);
  if (isMarkupType(type)) return true;
  return type === "" && /^\s*(<!doctype|<html|<head|<body|<!--)/i.test(text);
}

function mediaType(page: Pick<FetchedPage, "contentType">): string {
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
