import { raceAbort } from "../lib/async";
import { now, sleep } from "../lib/clock";
import { log, toLogged } from "../lib/log";
import { AppError } from "../model/errors";
import { SECOND_MS } from "../model/limits";
import { RENDER_TIMEOUT_MS, VIEWPORT, WAIT_FOR_TIMEOUT_MS } from "../model/page-limits";
import { toRenderMethod } from "../model/render-method";
import { type EgressPolicy, findRefusal } from "../net/egress";
import { readBody, retryDelay } from "../net/response";
import { BrowserRefusedError, toServiceError } from "./acquire";
import { toExpression } from "./evaluate";
import { LaunchError, toReply } from "./host-errors";
import { explainRenderError } from "./navigation-errors";
import { RenderError, type RenderReply, type RenderRequest } from "./protocol";
import { ReportScript } from "./quick-report";
import { type QuickContent, type QuickRequest, toQuickError, toQuickPage, toTooLargeError } from "./quick-results";
import { VISIBILITY_MAX_ELEMENTS, VISIBILITY_MAX_MS } from "./render";
import { toRenderPolicy } from "./render-policy";

/** A page that doesn't load within this time is rendered in a session, which can load it without slow resources. */
const LOAD_MS = 15 * SECOND_MS;
/** The wait after the page has loaded, for content that scripts add without a request. */
const SETTLE_MS = 500;
const ACTION_MS = 10 * SECOND_MS;
/** The time limit of a Quick Action without `wait_for`. It is longer than the limits above together. */
const PAGE_MS = 30 * SECOND_MS;
/** The response is JSON in UTF-8, so it is longer than its markup. */
const MAX_BYTES_PER_CHAR = 2;
/** The documented User-Agent of Quick Actions, which can only be replaced as a whole. */
const USER_AGENT =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/119.0.0.0 Safari/537.36";

/** The bindings that have no Quick Actions, such as the local runtime's. */
const unsupported = new WeakSet<BrowserRun>();

interface Call {
  env: Env;
  request: QuickRequest;
  policy: EgressPolicy;
  signal: AbortSignal;
}

interface Usage {
  /** The browser time in milliseconds, as the browser service reports it. */
  browserMs: number;
}

/**
 * Renders a page with a Quick Action: a browser that the browser service starts for this request. Returns null if a
 * session must render the page: RENDER_METHOD doesn't select Quick Actions, they lack what the request needs, or the
 * result would be worse than a session's. Never throws, except for the signal's reason.
 */
export async function renderQuickly(
  env: Env,
  request: Omit<RenderRequest, "maxRenders">,
  signal: AbortSignal,
): Promise<RenderReply | null> {
  if (toRenderMethod(env.RENDER_METHOD) !== "quick-actions" || unsupported.has(env.BROWSER)) return null;
  if (request.proxy !== null || request.visit !== null || request.screenshot) return null;
  // A Quick Action can't refuse the requests for the page's resources.
  if (request.denied !== undefined) return null;
  if (request.outputs || request.load || request.session || request.device || request.actions) return null;
  const usage: Usage = { browserMs: 0 };
  const startedAt = now();
  const reply = await renderInTime(env, request, signal, usage);
  const outcome = reply === null ? "session" : reply.kind === "failed" ? reply.code : reply.kind;
  log("info", "quick_action", {
    render: request.id,
    outcome,
    ms: now() - startedAt,
    browser_ms: usage.browserMs,
  });
  return reply;
}

async function renderInTime(
  env: Env,
  request: QuickRequest & { id: string; allowedPrivateHosts: string; ownOrigins: string[] },
  signal: AbortSignal,
  usage: Usage,
): Promise<RenderReply | null> {
  const timeout = AbortSignal.timeout(request.waitFor === null ? PAGE_MS : RENDER_TIMEOUT_MS);
  try {
    const policy = toRenderPolicy(request);
    const reason = findRefusal(request.url, policy);
    if (reason !== null) throw new RenderError("invalid_target", reason);
    return await run({ env, request, policy, signal: AbortSignal.any([signal, timeout]) }, usage);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (timeout.aborted) return null;
    if (error instanceof RenderError) return toReply(await explainRenderError(error, env.DNS_RESOLVER), request);
    if (error instanceof AppError) return toReply(new RenderError(error.code, error.message), request);
    if (error instanceof BrowserRefusedError)
      return toReply(new LaunchError("No browser was free for a Quick Action.", { cause: error }), request);
    if (isNotImplemented(error)) unsupported.add(env.BROWSER);
    log("warn", "quick_action_failed", { render: request.id, ...toLogged(error) });
    return null;
  }
}

/** Calls the Quick Action, and once more if the target is busy. Throws RenderError for an error that the caller gets. */
async function run(call: Call, usage: Usage): Promise<RenderReply | null> {
  for (let tries = 1; ; tries++) {
    const result = await callOnce(call, usage);
    if (result === null) return null;
    const { content, script, elapsedMs } = result;
    const { status, headers = {} } = content.meta;
    const delayMs = tries === 1 ? retryDelay(status, headers["retry-after"]) : null;
    if (delayMs === null) {
      const isInTime = elapsedMs < LOAD_MS;
      return toQuickPage({ content, request: call.request, policy: call.policy, script, isInTime });
    }
    await sleep(delayMs, call.signal);
  }
}

async function callOnce({ env, request, signal }: Call, usage: Usage) {
  const { visibility, maxHtmlBytes } = request;
  const script = new ReportScript(
    visibility ? toExpression("readVisibility", VISIBILITY_MAX_ELEMENTS, VISIBILITY_MAX_MS) : null,
  );
  const startedAt = now();
  const options = { ...toOptions(request, env.USER_AGENT), addScriptTag: [{ id: script.id, content: script.content }] };
  const response = await raceAbort(env.BROWSER.quickAction("content", options), signal);
  usage.browserMs += Number(response.headers.get("x-browser-ms-used") ?? 0) || 0;
  const text = new TextDecoder().decode(await raceAbort(readMarkup(response, maxHtmlBytes), signal));
  const elapsedMs = now() - startedAt;
  if (response.ok) return { content: withLowerCase(JSON.parse(text) as QuickContent), script, elapsedMs };
  const error = toQuickError(response.status, text, request);
  if (error === null) throw await toServiceError(env.BROWSER, response, text);
  if (error === "session") return null;
  throw error;
}

/** Converts the names of the headers to lower case, because Cloudflare doesn't document their case. */
function withLowerCase(content: QuickContent): QuickContent {
  const { headers, ...meta } = content.meta;
  if (headers === undefined) return content;
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return { ...content, meta: { ...meta, headers: Object.fromEntries(lower) } };
}

/** Reads the response. Throws RenderError if its markup is too large. */
async function readMarkup(response: Response, maxHtmlBytes: number): Promise<Uint8Array> {
  try {
    return await readBody(response, maxHtmlBytes * MAX_BYTES_PER_CHAR);
  } catch (error) {
    if (error instanceof AppError) throw toTooLargeError(maxHtmlBytes);
    throw error;
  }
}

/** Returns the options of the Quick Action, without its script. */
function toOptions({ url, waitFor }: QuickRequest, userAgent: string): BrowserRunContentOptions {
  return {
    url,
    userAgent: `${USER_AGENT} ${userAgent.replace(/^Mozilla\/\S+ /, "")}`,
    viewport: VIEWPORT,
    // Without this option, the response may be up to 5 seconds old, and may have been rendered for another account.
    cacheTTL: 0,
    // Images are loaded, because some pages replace or remove an image that fails to load.
    rejectResourceTypes: ["media", "font"],
    waitForTimeout: SETTLE_MS,
    actionTimeout: ACTION_MS,
    ...(waitFor === null
      ? // A page that never becomes idle is read after LOAD_MS.
        { gotoOptions: { waitUntil: ["load", "networkidle2"], timeout: LOAD_MS }, bestAttempt: true }
      : {
          gotoOptions: { waitUntil: "load", timeout: LOAD_MS },
          waitForSelector: { selector: waitFor, timeout: WAIT_FOR_TIMEOUT_MS },
        }),
  };
}

/** Returns true if the binding has no Quick Actions. Matches the documented message, because the error has no code. */
function isNotImplemented(error: unknown): boolean {
  return error instanceof Error && /does not implement the method|quickAction is not a function/.test(error.message);
}
