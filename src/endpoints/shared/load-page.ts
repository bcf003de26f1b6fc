import type { DeviceOptions, LoadOptions, OutputOptions, RedirectCheck, RenderedPage } from "../../browser/protocol";
import { renderForAccount } from "../../browser/render-client";
import { toDeniedFields } from "../../browser/render-policy";
import { toPlainMobileUserAgent } from "../../browser/user-agent";
import type { Action } from "../../contract/actions";
import { detectBlockPage, type ReceivedPage } from "../../html/block-pages/detect";
import {
  hasOnlyRedirectText,
  isLivePage,
  isScriptNotice,
  metaRefresh,
  type OnlyRedirect,
  onlyRedirect,
  parseRefresh,
  type Refresh,
} from "../../html/meta-refresh";
import { parseDocument } from "../../html/parse/document";
import { now } from "../../lib/clock";
import { toPositiveNumber } from "../../lib/env";
import { Reservation } from "../../lib/shared-limit";
import { withUsed } from "../../lib/time-limit";
import { AppError } from "../../model/errors";
import { MAX_PAGE_BYTES_DEFAULT, META_REFRESH_MAX_S } from "../../model/page-limits";
import type { RunContext } from "../../model/run-context";
import { readChoice } from "../../model/variables";
import { readDenied } from "../../net/denied";
import { parseEgressPolicy } from "../../net/egress";
import { type FetchedPage, fetchPage, LARGE_BODIES, toBlockedError } from "../../net/page";
import type { ProxyAddress } from "../../net/proxy-config";
import { Resolver } from "../../net/resolver";
import { isOwnSite, PlainSession, type Session } from "../../net/session";
import { type Content, type ContentSelection, readContent, toRendered } from "./read-content";

/** A rendered page. If it isn't markup, `source` is the response body, not the markup of the browser's viewer. */
export type RenderedContent = Extract<Content, { source: string }> &
  Pick<RenderedPage, "screenshot" | "body" | "pdf" | "actions" | "partialLoad" | "visibility">;

/** A loaded page before its conversion. */
export interface KeptPage {
  rendered: boolean;
  url: string;
  status: number;
  contentType: string | null;
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
  /** The pages of a document that are read, and the model for scans. Undefined: all pages, and no scans. */
  pages?: ContentSelection | undefined;
  /** Called with the page that will be returned, before it is converted. Undefined if the page isn't kept. */
  keep?: ((page: KeptPage) => Promise<void>) | undefined;
}

/** Fetches a page and its meta refreshes within META_REFRESH_MAX_S. Throws AppError, such as for block pages. */
export async function fetchContent(
  { env, job, signal, acquireLargeLock, releaseLargeLock, beforeRedirect }: RunContext,
  target: string,
  { proxy, load, session, device, pages, keep }: Omit<RenderOptions, "waitFor" | "screenshot" | "visibility">,
): Promise<Content> {
  const startedAt = now();
  const receiving = new Reservation(LARGE_BODIES, signal, job.account.id);
  const { userAgent, headers } = toPlainDevice(env.USER_AGENT, device);
  const options = {
    policy: parseEgressPolicy(
      env.ALLOWED_PRIVATE_HOSTS,
      [env.PUBLIC_URL, job.origin],
      await readDenied(env, job.account.id),
    ),
    resolver: new Resolver(env.DNS_RESOLVER),
    via: readChoice(env, "FETCH_VIA") ?? "fetch",
    proxy,
    userAgent,
    headers: { ...headers, ...(pages?.prefersMarkdown && { accept: MARKDOWN_ACCEPT }) },
    bot: env,
    maxBytes: maxPageBytes(env),
    beforeLarge: () => receiving.acquire(),
    beforeRedirect,
    session: new PlainSession(target, session),
    signal,
  };
  let url = target;
  let [reloads, refreshes] = [0, 0];
  /** Returns the page that led visitors without scripts to the current one. */
  let withScripts: (() => Promise<Content>) | null = null;
  for (;;) {
    let page: FetchedPage;
    try {
      page = await fetchPage(url, { ...options, limit: withUsed(load?.limit ?? null, startedAt) });
      await acquireLargeLock(page.body.byteLength);
    } catch (error) {
      if (withScripts !== null && error instanceof AppError) return await withScripts();
      throw error;
    } finally {
      receiving.release();
    }
    const keepPage = async () => await keep?.(toKeptPage(page));
    const content = await readContent(
      { ...page, disposition: page.headers.get("content-disposition") },
      {
        ...pages,
        env,
        signal,
        beforeReading: async () => {
          await acquireLargeLock();
          // Keeps the page first, because reading a document may change its bytes.
          await keepPage();
        },
      },
    );
    const header = (name: string) => page.headers.get(name);
    if (content.kind === "document") return { ...content, header };
    if (withScripts !== null && isScriptNotice(content.source)) return await withScripts();
    const next = findNext(content, page);
    const isReload = next?.url === page.url;
    // A page can set a cookie and reload itself once. Pages with live content reload themselves or each other forever.
    const isLive =
      next?.by === "refresh" &&
      (isReload
        ? options.session.hasVisited(new URL(next.url)) ||
          (reloads > 0 && !hasOnlyRedirectText(parseDocument(content.source)))
        : refreshes > 0 && isLivePage(content.source, next));
    // A page that checks the browser can look like a block page, although it sets a cookie and refreshes once.
    if (next === null || isLive || refreshes++ > 0) refuseBlockPage(page, content.source);
    const finish = async () => {
      await keepPage();
      return { ...content, header };
    };
    if (next === null || isLive) return await finish();
    if (isReload) reloads++;
    if (next.by === "noscript") withScripts ??= finish;
    url = next.url;
    releaseLargeLock();
    await beforeRedirect?.(new URL(url));
  }
}

/** Returns the redirect of a page within a few seconds, or null. Scripts and applications lead only to the same site. */
function findNext(
  { kind, source: html }: Extract<Content, { source: string }>,
  { url, headers }: FetchedPage,
): (OnlyRedirect & Refresh) | null {
  const isHtml = kind === "html";
  const refresh = parseRefresh(headers.get("refresh") ?? "", url, url) ?? (isHtml ? metaRefresh(html, url) : null);
  if (refresh !== null) return refresh.delaySeconds > META_REFRESH_MAX_S ? null : { ...refresh, by: "refresh" };
  const redirect = isHtml ? onlyRedirect(html, url) : null;
  const isFollowed = redirect !== null && (redirect.by === "refresh" || isOwnSite(new URL(redirect.url), new URL(url)));
  return isFollowed ? { ...redirect, delaySeconds: 0 } : null;
}

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
  const { html, headers, ...page } = await renderChecked(beforeRedirect, async (checkRedirect) => {
    const account = { id: job.account.id, concurrentRenders: job.settings.concurrentRenders };
    return await renderForAccount(env, account, { ...request, ...(checkRedirect && { checkRedirect }) }, signal);
  });
  // A script may have removed most of the page, so the response can be larger than the markup.
  await acquireLargeLock(Math.max(html.length, page.body?.length ?? 0));
  refuseBlockPage({ ...page, headers: new Map(Object.entries(headers)) }, html);
  const header = (name: string) => headers[name] ?? null;
  await keep?.({ ...page, rendered: true, header, source: html, body: page.body ?? null });
  return {
    ...page,
    ...toRendered(html, page.contentType),
    header,
  };
}

/**
 * Renders a page whose redirects `beforeRedirect` checks. If it throws, the browser doesn't request the URL, and the
 * error is thrown again here, because RPC doesn't preserve its class.
 */
async function renderChecked(
  beforeRedirect: RunContext["beforeRedirect"],
  render: (checkRedirect: RedirectCheck | undefined) => Promise<RenderedPage>,
): Promise<RenderedPage> {
  let refusal: { error: unknown } | null = null;
  const check = async (url: string) => {
    try {
      await beforeRedirect?.(new URL(url));
      return null;
    } catch (error) {
      refusal = { error };
      return `The page must not redirect to ${url}.`;
    }
  };
  try {
    return await render(beforeRedirect && check);
  } catch (error) {
    const { error: cause } = (refusal as { error: unknown } | null) ?? { error };
    throw error instanceof AppError && error.code === "invalid_target" ? cause : error;
  }
}

const MARKDOWN_ACCEPT = "text/markdown,text/html;q=0.9,application/xhtml+xml;q=0.9,application/xml;q=0.8,*/*;q=0.7";

/** Returns the user agent of a plain request, and the header with its preferred languages. */
function toPlainDevice(serviceAgent: string, { isMobile = false, languages = [] }: Partial<DeviceOptions> = {}) {
  const userAgent = isMobile ? toPlainMobileUserAgent(serviceAgent) : serviceAgent;
  if (languages.length === 0) return { userAgent };
  // The weights are the same as in Chrome.
  const weighted = languages.map((language, i) => (i === 0 ? language : `${language};q=${(1 - i / 10).toFixed(1)}`));
  return { userAgent, headers: { "accept-language": weighted.join() } };
}

/** Returns the maximum size of a page that isn't a document. */
export function maxPageBytes(env: Env): number {
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
