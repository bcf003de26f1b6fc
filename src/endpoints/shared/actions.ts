import type { Action } from "../../contract/actions";
import { invalidParameter } from "../../contract/invalid-request";
import { KEY_NAMES, parseKey, suggestKey } from "../../lib/keyboard";
import { MAX_ACTION_TEXTS_BYTES } from "../../model/limits";
import { RENDER_TIMEOUT_MS } from "../../model/page-limits";
import type { RequestContext } from "./definition";
import { checkSelector } from "./selectors";
import { checkNotRedacted } from "./session";

interface ActionRequest {
  actions?: Action[] | undefined;
  wait_ms?: number | undefined;
  timeout_ms?: number | undefined;
}

/** Checks the rules for actions that the schema can't express. Throws AppError if the request breaks one. */
export function checkActions(
  { actions = [], wait_ms = 0, timeout_ms = RENDER_TIMEOUT_MS }: ActionRequest,
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
