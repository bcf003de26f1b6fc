import type { Protocol } from "devtools-protocol";
import { TIMEOUT_MAX_MS } from "../model/limits";
import type { PageScripts } from "./page-scripts/shared/script-types";
import { PAGE_SCRIPTS } from "./page-scripts.generated.mjs";
import type { Tab } from "./tab";

/** The options for commands that a page may delay. The render's signal can end the wait before this timeout. */
export const PAGE_COMMAND = { timeout: TIMEOUT_MAX_MS };

/**
 * Returns true if the error is a timeout of a CDP command. Matches the message, because Puppeteer's error has no code.
 */
export function isCdpTimeout(error: unknown): boolean {
  return error instanceof Error && /timed out/i.test(error.message);
}

/** Returns a JavaScript expression that calls a page script with the parameters. */
export function toExpression<Name extends keyof PageScripts>(
  name: Name,
  ...parameters: Parameters<PageScripts[Name]>
): string {
  return `${PAGE_SCRIPTS[name]}(${parameters.map((parameter) => JSON.stringify(parameter)).join(", ")})`;
}

/**
 * Evaluates an expression in the page and returns its value. Returns null if the expression throws, and undefined if
 * the page has navigated in the meantime. With `isolated`, the page's scripts and changed built-ins can't affect the
 * expression.
 */
export async function evaluate(
  tab: Tab,
  expression: string,
  signal: AbortSignal,
  { isolated = false } = {},
): Promise<unknown> {
  const run = async () => {
    const script = { expression, awaitPromise: true, returnByValue: true };
    if (!isolated) return await tab.send("Runtime.evaluate", script, PAGE_COMMAND);
    const world = await tab.send("Page.createIsolatedWorld", { frameId: tab.frameId }, PAGE_COMMAND);
    return await tab.send("Runtime.evaluate", { ...script, contextId: world.executionContextId }, PAGE_COMMAND);
  };
  try {
    const { result, exceptionDetails } = await abortable(run(), tab, signal);
    return exceptionDetails === undefined ? (result.value ?? null) : null;
  } catch (error) {
    if (
      error instanceof Error &&
      /context was destroyed|Cannot find context|navigated or closed|collected/i.test(error.message)
    ) {
      return undefined;
    }
    throw error;
  }
}

/**
 * Waits for the response to a command. Rejects if the page fails or the signal is aborted, because a page that hangs
 * never responds.
 */
export async function abortable<T>(response: Promise<T>, tab: Tab, signal: AbortSignal): Promise<T> {
  const ended = new AbortController();
  try {
    return await Promise.race([
      response,
      tab.until(() => false, AbortSignal.any([signal, ended.signal])) as Promise<never>,
    ]);
  } finally {
    ended.abort();
  }
}

/**
 * Returns the received body of the current main document, as text or base64. Returns null if the browser has discarded
 * it.
 */
export async function readResponseBody(
  tab: Tab,
  signal: AbortSignal,
): Promise<Protocol.Network.GetResponseBodyResponse | null> {
  const { requestId = "" } = tab.main.response ?? {};
  try {
    return await abortable(tab.send("Network.getResponseBody", { requestId }, PAGE_COMMAND), tab, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
}

/** The markup of a page at one point in time. */
export interface Snapshot {
  /** The markup with its doctype. */
  html: string;
  /**
   * The first meta refresh in the head. `base` is the base URL of its target, and `url` is the page's own URL. Null if
   * the page has no refresh.
   */
  refresh: { content: string; base: string; url: string } | null;
}

/** Parses the result of the page script `takeSnapshot`. Returns null if it isn't a snapshot. */
export function toSnapshot(text: unknown): Snapshot | null {
  const end = typeof text === "string" ? text.indexOf("\n") : -1;
  if (typeof text !== "string" || end === -1) return null;
  return { html: text.slice(end + 1), refresh: toRefresh(text.slice(0, end)) };
}

/** Parses the first line of a snapshot. Returns null if it is invalid, because the page may have changed it. */
function toRefresh(json: string): Snapshot["refresh"] {
  try {
    const { content, base, url } = JSON.parse(json);
    return [content, base, url].every((part) => typeof part === "string") ? { content, base, url } : null;
  } catch {
    return null;
  }
}
