import type { Protocol } from "devtools-protocol";
import type { ProtocolMapping } from "devtools-protocol/types/protocol-mapping";
import { now } from "../lib/clock";
import { parseJson } from "../lib/json";
import { formatSeconds } from "../lib/time-limit";
import type { PageScripts } from "./page-scripts/shared/script-types";
import { PAGE_SCRIPTS } from "./page-scripts.generated.mjs";
import { RenderError } from "./protocol";
import type { Tab } from "./tab";

/** Returns a JavaScript expression that calls a page script with the parameters. */
export function toExpression<Name extends keyof PageScripts>(
  name: Name,
  ...parameters: Parameters<PageScripts[Name]>
): string {
  return `${PAGE_SCRIPTS[name]}(${parameters.map((parameter) => JSON.stringify(parameter)).join(", ")})`;
}

/**
 * Evaluates an expression and returns its value. Returns null if the expression throws, and undefined if the page has
 * navigated in the meantime. The expression runs in an isolated world, where the page's scripts and changed built-ins
 * can't affect it.
 */
export async function evaluate(tab: Tab, expression: string, signal = tab.signal): Promise<unknown> {
  return await toValue(async () => {
    const world = await tab.sendToPage("Page.createIsolatedWorld", { frameId: tab.frameId }, signal);
    return await runScript(tab, { expression, contextId: world.executionContextId }, signal);
  });
}

/** Evaluates an expression as `evaluate` does, but in the world of the page's own scripts. */
export async function evaluateInPage(tab: Tab, expression: string, signal: AbortSignal): Promise<unknown> {
  return await toValue(async () => await runScript(tab, { expression }, signal));
}

async function runScript(tab: Tab, script: Protocol.Runtime.EvaluateRequest, signal: AbortSignal) {
  return await tab.sendToPage("Runtime.evaluate", { ...script, awaitPromise: true, returnByValue: true }, signal);
}

async function toValue(run: () => Promise<Protocol.Runtime.EvaluateResponse>): Promise<unknown> {
  try {
    const { result, exceptionDetails } = await run();
    return exceptionDetails === undefined ? (result.value ?? null) : null;
  } catch (error) {
    const gone = /context was destroyed|Cannot find context|navigated or closed|collected/i;
    if (error instanceof Error && gone.test(error.message)) return undefined;
    throw error;
  }
}

/** Sends commands that together may take `ms`. The time between the commands doesn't count. */
export class TimedSender {
  readonly #tab: Tab;
  readonly #ms: number;
  readonly #what: string;
  #remainingMs: number;

  /** `what` completes the sentence "The page could not be …" in the error for a page that takes longer. */
  constructor(tab: Tab, ms: number, what: string) {
    this.#tab = tab;
    this.#ms = ms;
    this.#what = what;
    this.#remainingMs = ms;
  }

  /** Sends a command. Throws RenderError `render_failed` if the page blocks the browser until the time is over. */
  async send<T extends keyof ProtocolMapping.Commands>(
    method: T,
    parameters?: ProtocolMapping.Commands[T]["paramsType"][0],
  ): Promise<ProtocolMapping.Commands[T]["returnType"]> {
    const startedAt = now();
    try {
      const timeout = Math.max(1, this.#remainingMs);
      return await this.#tab.race(this.#tab.send(method, parameters, { timeout }));
    } catch (error) {
      // Matches the message of a command's timeout, because Puppeteer's error has no code.
      if (!(error instanceof Error && /timed out/i.test(error.message))) throw error;
      throw new RenderError("render_failed", `The page could not be ${this.#what} within ${formatSeconds(this.#ms)}.`);
    } finally {
      this.#remainingMs -= now() - startedAt;
    }
  }
}

/** Returns the body of the current main document, as text or base64. Null if the browser has discarded it. */
export async function readResponseBody(tab: Tab): Promise<Protocol.Network.GetResponseBodyResponse | null> {
  const { requestId = "" } = tab.main.response ?? {};
  try {
    return await tab.sendToPage("Network.getResponseBody", { requestId });
  } catch (error) {
    if (tab.signal.aborted) throw error;
    return null;
  }
}

/** The markup of a page at one point in time. */
export interface Snapshot {
  /** The markup with its doctype. */
  html: string;
  /** The first meta refresh in the head, or null. `base` is the base URL of its target, and `url` the page's own. */
  refresh: { content: string; base: string; url: string } | null;
  /** True if the page has callbacks that are due about a second later. */
  hasLate: boolean;
  /** True if the page can't read a frame that may be of its site. */
  hasClosedFrames: boolean;
}

/** Parses the result of the page script `takeSnapshot`. Returns null if it isn't a snapshot. */
export function toSnapshot(text: unknown): Snapshot | null {
  const end = typeof text === "string" ? text.indexOf("\n") : -1;
  if (typeof text !== "string" || end === -1) return null;
  const [marks = ""] = /^\+?#?/.exec(text) ?? [];
  return {
    html: text.slice(end + 1),
    refresh: toRefresh(text.slice(marks.length, end)),
    hasLate: marks.includes("+"),
    hasClosedFrames: marks.includes("#"),
  };
}

/** Parses the first line of a snapshot. Returns null if it is invalid, because the page may have changed it. */
function toRefresh(json: string): Snapshot["refresh"] {
  const { content, base, url } = Object(parseJson(json));
  return [content, base, url].every((part) => typeof part === "string") ? { content, base, url } : null;
}
