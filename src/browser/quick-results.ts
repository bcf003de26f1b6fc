import { detectBlockPage } from "../html/block-pages/detect";
import { metaRefresh } from "../html/meta-refresh";
import { SECOND_MS } from "../model/limits";
import { META_REFRESH_MAX_S, WAIT_FOR_TIMEOUT_MS } from "../model/page-limits";
import { type EgressPolicy, findRefusal } from "../net/egress";
import { isMarkupType } from "../net/response";
import { checkDocument, toNavigationError } from "./navigation-errors";
import { RenderError, type RenderedPage, type RenderRequest, toSelectorError } from "./protocol";
import type { ReportScript } from "./quick-report";

/** The part of a render request that a Quick Action uses. */
export type QuickRequest = Pick<RenderRequest, "url" | "waitFor" | "visibility" | "maxHtmlBytes">;

/** The successful response of the action `content`. */
export type QuickContent = BrowserRunContentSuccessResponse;

interface QuickResult {
  content: QuickContent;
  request: QuickRequest;
  policy: EgressPolicy;
  script: ReportScript;
  /** True if the action ended before the time limit for loading. */
  isInTime: boolean;
}

/**
 * Returns the rendered page. Returns null if a session would render it better or more reliably: the page didn't finish
 * loading, has navigated, isn't markup, has a meta refresh, or prevents that its markup is read. Throws RenderError for an error that the caller gets.
 */
export function toQuickPage({ content, request, policy, script, isInTime }: QuickResult): RenderedPage | null {
  const { status, headers = {}, finalUrl, redirectChain = [] } = content.meta;
  const taken = script.take(content.result);
  if (taken === null) return null;
  const { html, report } = taken;
  const url = withoutHash(finalUrl ?? report?.url ?? "");
  // Without a status, the target has probably not responded. The final URL and the headers are optional.
  if (!Number.isInteger(status) || status < 200 || !isWebUrl(url)) return null;
  for (const visited of [...redirectChain.map((hop) => hop.url), url, report?.url ?? url]) {
    const reason = isWebUrl(visited) ? findRefusal(visited, policy) : null;
    if (reason !== null) throw new RenderError("invalid_target", reason);
  }
  const hasNavigated = report !== null && !(withoutHash(report.url) === url && [0, status].includes(report.status));
  if (hasNavigated) return null;
  if (html.length > request.maxHtmlBytes) throw toTooLargeError(request.maxHtmlBytes);
  const contentType = headers["content-type"]?.split(/[;\n]/)[0]?.trim().toLowerCase() || report?.contentType || null;
  if (status >= 400) checkBlockPage({ url, status, headers, html });
  checkDocument({ url, status, headers, contentType });
  const isMarkup = contentType === null || isMarkupType(contentType);
  if (!isMarkup || !(report?.isLoaded ?? isInTime)) return null;
  if (request.waitFor === null && isRefreshed(html, url)) return null;
  return {
    kind: "page",
    url,
    status,
    contentType,
    headers,
    html,
    visibility: report?.visibility ?? null,
    screenshot: null,
    partialLoad: false,
  };
}

/** Returns the error for a page with too much markup. */
export function toTooLargeError(maxHtmlBytes: number): RenderError {
  return new RenderError("target_too_large", `The rendered page is larger than ${maxHtmlBytes} bytes.`);
}

function checkBlockPage(page: { url: string; status: number; headers: Record<string, string>; html: string }): void {
  const vendor = detectBlockPage({ ...page, headers: new Map(Object.entries(page.headers)) });
  if (vendor === null) return;
  const { host } = new URL(page.url);
  throw new RenderError("blocked_by_target", `${host} returned a block page (${vendor}) instead of its content.`, {
    retryable: true,
  });
}

function isRefreshed(html: string, url: string): boolean {
  const refresh = metaRefresh(html, url);
  return refresh !== null && refresh.delaySeconds <= META_REFRESH_MAX_S && refresh.url !== url;
}

function isWebUrl(url: string): boolean {
  return /^https?:/.test(url);
}

function withoutHash(url: string): string {
  return url.replace(/#.*$/s, "");
}

/**
 * The browser's error for each code of the browser service. It is used if the message doesn't name the error. Source:
 * browser-run/reference/errors.mdx in cloudflare/cloudflare-docs.
 */
const NETWORK_ERRORS: ReadonlyMap<number, string> = new Map([
  [5000, "ERR_CERT_INVALID"],
  [5001, "ERR_ADDRESS_UNREACHABLE"],
  [5003, "ERR_TOO_MANY_REDIRECTS"],
  [5004, "ERR_HTTP2_PROTOCOL_ERROR"],
  [5005, "ERR_NAME_NOT_RESOLVED"],
  [5006, "ERR_TUNNEL_CONNECTION_FAILED"],
  [5008, "ERR_CONNECTION_REFUSED"],
  [5011, "ERR_EMPTY_RESPONSE"],
]);
/** Errors of pages without a document or a body. Only a session knows their status. */
const UNCLEAR_ERRORS: ReadonlySet<string> = new Set(["ERR_ABORTED", "ERR_HTTP_RESPONSE_CODE_FAILURE"]);
const CRASHED = 6001;

/** A navigation that was not made in a tab of this service. */
const NO_TAB = { refused: null, failure: null, proxy: null, main: { lastResponse: null, unreachable: null } };

/**
 * Returns the error for the response of a failed Quick Action, as the caller gets it. Returns "session" if a session must
 * render the page, and null if the page isn't the cause.
 */
export function toQuickError(
  status: number,
  text: string,
  { url, waitFor }: Pick<QuickRequest, "url" | "waitFor">,
): RenderError | "session" | null {
  if (status !== 408 && status !== 422) return null;
  const { message, code } = parseErrors(text);
  const network = /net::(ERR_\w+)/.exec(message)?.[1] ?? NETWORK_ERRORS.get(code);
  if (network !== undefined) return UNCLEAR_ERRORS.has(network) ? "session" : toNavigationError(network, NO_TAB, url);
  if (/not a valid selector/i.test(message)) return toSelectorError(waitFor ?? "");
  if (waitFor !== null && /Waiting (?:for selector|failed)/i.test(message)) {
    const seconds = WAIT_FOR_TIMEOUT_MS / SECOND_MS;
    return new RenderError(
      "selector_not_found",
      `No element matched the selector '${waitFor}' within ${seconds} seconds.`,
    );
  }
  if (/Navigation timeout/i.test(message)) return "session";
  if (code === CRASHED || /Page crashed|TargetCloseError/i.test(message))
    return new RenderError("render_failed", "The page crashed.");
  return "session";
}

/** Returns the messages and the first code of an error response. An invalid response has an empty message. */
function parseErrors(text: string): { message: string; code: number } {
  try {
    const { errors } = JSON.parse(text) as BrowserRunErrorResponse;
    const message = errors.map(({ message, detail = "" }) => `${message}\n${detail}`).join("\n");
    return { message, code: errors.find(({ code }) => code !== undefined)?.code ?? 0 };
  } catch {
    return { message: text, code: 0 };
  }
}
