import { RENDER_TIMEOUT_MS } from "../model/limits";
import type { PageScripts } from "./page-scripts/signatures";
import { PAGE_SCRIPTS } from "./page-scripts.generated.mjs";
import type { Tab } from "./tab";

/** For commands that a page may keep waiting for as long as it is rendered: the render's own signal ends the wait. */
export const PAGE_PACE = { timeout: RENDER_TIMEOUT_MS };

/** Returns true for a command that missed its deadline. Puppeteer's error has no code. */
export function isCdpTimeout(error: unknown): boolean {
  return error instanceof Error && /timed out/i.test(error.message);
}

/** Returns the text of an expression that calls a page script. */
export function toExpression<Name extends keyof PageScripts>(
  name: Name,
  ...parameters: Parameters<PageScripts[Name]>
): string {
  return `${PAGE_SCRIPTS[name]}(${parameters.map((parameter) => JSON.stringify(parameter)).join(", ")})`;
}

/**
 * The value of a script in the page; undefined when the page went elsewhere meanwhile. Isolated: beside the page's own
 * scripts, whatever they made of the built-ins.
 */
export async function evaluate(
  tab: Tab,
  expression: string,
  signal: AbortSignal,
  { isolated = false } = {},
): Promise<unknown> {
  const ask = async () => {
    const script = { expression, awaitPromise: true, returnByValue: true };
    if (!isolated) return await tab.send("Runtime.evaluate", script, PAGE_PACE);
    const world = await tab.send("Page.createIsolatedWorld", { frameId: tab.frameId }, PAGE_PACE);
    return await tab.send("Runtime.evaluate", { ...script, contextId: world.executionContextId }, PAGE_PACE);
  };
  try {
    const { result, exceptionDetails } = await abortable(ask(), tab, signal);
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

/** An answer of the browser, or the end of the wait for it: a page that hangs answers never. */
export async function abortable<T>(answer: Promise<T>, tab: Tab, signal: AbortSignal): Promise<T> {
  const ended = new AbortController();
  try {
    return await Promise.race([
      answer,
      tab.until(() => false, AbortSignal.any([signal, ended.signal])) as Promise<never>,
    ]);
  } finally {
    ended.abort();
  }
}

/** The page at one moment. */
export interface Snapshot {
  /** The markup with its doctype. */
  html: string;
  /** The first refresh that the head requests, the URL that it is relative to, and the page's own URL. */
  refresh: { content: string; base: string; url: string } | null;
}

/** Parses what `takeSnapshot` returned. Returns null if it isn't a snapshot. */
export function toSnapshot(text: unknown): Snapshot | null {
  const end = typeof text === "string" ? text.indexOf("\n") : -1;
  if (typeof text !== "string" || end === -1) return null;
  return { html: text.slice(end + 1), refresh: toRefresh(text.slice(0, end)) };
}

/** Parses the first line of a snapshot. The page may have changed it. */
function toRefresh(json: string): Snapshot["refresh"] {
  try {
    const { content, base, url } = JSON.parse(json);
    return [content, base, url].every((part) => typeof part === "string") ? { content, base, url } : null;
  } catch {
    return null;
  }
}
