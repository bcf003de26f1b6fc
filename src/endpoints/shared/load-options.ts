import type { LoadOptions } from "../../browser/protocol";
import { invalidParameter } from "../../contract/invalid-request";
import type { PageFields } from "../../contract/scrape";
import { KEY_NAMES, parseKey, suggestKey } from "../../lib/keyboard";
import { AppError } from "../../model/errors";
import { MAX_ACTION_TEXTS_BYTES, SYNC_WAIT_MS, TIMEOUT_MARGIN_MS } from "../../model/limits";
import { RENDER_TIMEOUT_MS } from "../../model/page-limits";
import { checkOnce, checkSelector } from "./batch-checks";
import type { RequestContext } from "./definition";
import { checkDevice } from "./device";
import { checkOcr } from "./ocr";
import { checkProxy } from "./proxy";
import { checkNotRedacted, checkSession } from "./session";

/** Returns the options for the browser and for the plain request. Returns undefined if the defaults apply. */
export function toLoadOptions({
  timeout_ms,
  wait_until = "quiet",
  wait_ms = 0,
  block_ads = false,
}: PageFields): LoadOptions | undefined {
  if (timeout_ms === undefined && wait_until === "quiet" && wait_ms === 0 && !block_ads) return undefined;
  const limit = timeout_ms === undefined ? null : { ms: timeout_ms, usedMs: 0 };
  return { limit, waitUntil: wait_until, waitMs: wait_ms, blockAds: block_ads };
}

/** Returns the first parameter that needs a browser, or null. With `render: auto`, `wait_until` doesn't. */
export function findBrowserParameter(request: PageFields): string | null {
  const { render, wait_until, wait_ms = 0, actions = [] } = request;
  if (actions.length > 0) return "actions";
  if (wait_ms > 0) return "wait_ms";
  for (const name of ["viewport", "timezone", "geolocation"] as const) if (request[name] !== undefined) return name;
  return wait_until !== undefined && render !== "auto" ? "wait_until" : null;
}

/** Checks the rules for a page and its loading that the schema can't express. Throws AppError. */
export function checkPageFields(request: PageFields, context: RequestContext): void {
  const { url, wait_for: selector } = request;
  if (selector !== undefined) checkSelector(context, { path: "wait_for", selector, user: "browser" });
  checkBrowserParameters(request);
  if (url !== undefined) checkSession(request, url);
  checkActions(request, context);
  checkDevice(request);
  checkProxy(context, request.proxy_country);
  checkOcr(request, context);
}

/** Throws AppError if a parameter needs a browser and the request forbids rendering. */
function checkBrowserParameters(request: PageFields): void {
  const parameter = findBrowserParameter(request);
  const refusal =
    request.render === "never" ? "'render: never'" : request.js_render === false ? "'js_render: false'" : null;
  if (parameter === null || refusal === null) return;
  const rule = `can't be combined with ${refusal}, because it needs a browser. Remove one of the two parameters`;
  throw invalidParameter(parameter, rule);
}

/** Throws AppError if `timeout_ms` is too long for a caller who waits up to `waitMs` for the result. */
export function checkTimeout({ timeout_ms }: PageFields, waitMs: number | undefined): void {
  if (timeout_ms === undefined || waitMs === undefined) return;
  const max = waitMs - TIMEOUT_MARGIN_MS;
  if (timeout_ms <= max) return;
  const advice = waitMs === SYNC_WAIT_MS ? ". Send the request without 'wait=true' to use a longer limit" : "";
  throw invalidParameter(
    "timeout_ms",
    `must be at most ${max} if the response waits for the result, not ${timeout_ms}${advice}`,
  );
}

/** Checks the rules for actions that the schema can't express. Throws AppError if the request breaks one. */
function checkActions(request: PageFields, context: RequestContext): void {
  const { actions = [], wait_ms, timeout_ms } = request;
  const value = actions.length === 0 ? "" : JSON.stringify(actions);
  const problem = checkOnce(context, { path: "actions", kind: `actions ${wait_ms} ${timeout_ms}`, value }, () => {
    try {
      checkActionRules(request, context);
      return null;
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    }
  });
  if (problem !== null) throw problem;
}

function checkActionRules(
  { actions = [], wait_ms = 0, timeout_ms = RENDER_TIMEOUT_MS }: PageFields,
  context: RequestContext,
): void {
  let waitMs = wait_ms;
  const texts = actions.flatMap((action) => (action.type === "type" ? [action.text] : []));
  if (new TextEncoder().encode(JSON.stringify(texts)).byteLength > MAX_ACTION_TEXTS_BYTES)
    throw invalidParameter("actions", `must have at most ${MAX_ACTION_TEXTS_BYTES} bytes of 'text' in total`);
  for (const [i, action] of actions.entries()) {
    if ("selector" in action && action.selector !== undefined)
      checkSelector(context, { path: `actions.${i}.selector`, selector: action.selector, user: "browser" });
    if (action.type === "type") checkNotRedacted(`actions.${i}.text`, action.text);
    if (action.type === "press") checkKey(`actions.${i}.key`, action.key);
    if (action.type === "wait") waitMs += action.ms ?? 0;
  }
  if (waitMs === 0 || waitMs < timeout_ms) return;
  const rule = `must be more than the waits of the request, which take ${waitMs} milliseconds in total, not ${timeout_ms}`;
  throw invalidParameter("timeout_ms", rule);
}

function checkKey(path: string, key: string): void {
  if (parseKey(key) !== null) return;
  const rule = `must be one character or one of ${KEY_NAMES.join(", ")}, optionally with modifiers, such as 'Shift+Tab'`;
  throw invalidParameter(path, rule, { given: key, suggestion: suggestKey(key) });
}
