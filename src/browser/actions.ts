import type { Action } from "../contract/actions";
import type { Semaphore } from "../lib/async";
import type { Budget } from "../lib/budget";
import { now, sleep } from "../lib/clock";
import { type KeyPress, parseKey, toCharPress } from "../lib/keyboard";
import { formatSeconds } from "../lib/time-limit";
import { ACTION_ELEMENT_MS, SCROLL_END_MAX_MS } from "../model/page-limits";
import { abortable, evaluate, PAGE_COMMAND, toExpression } from "./evaluate";
import { checkReached, checkResponse } from "./navigation-errors";
import { type ActionOutcome, RenderError } from "./protocol";
import type { RenderDeadline } from "./render-deadline";
import { takeActionScreenshot } from "./screenshot";
import { settleBriefly, takeSnapshot, waitUntilQuiet } from "./settle";
import type { Tab } from "./tab";
import { waitForElement } from "./wait-for";

/** Longer URLs are cut off. A script can give its page a URL of 2 MB, which each action would return. */
const MAX_ACTION_URL_CHARS = 8_192;

interface ActionContext {
  /** The global name of the page function that waits until the page is quiet. */
  quietName: string;
  tallScreenshots: Semaphore;
  /** The shared limit for the bytes of all screenshots and texts of the render. */
  bytes: Budget;
  deadline: RenderDeadline;
  maxHtmlBytes: number;
  signal: AbortSignal;
}

/**
 * The number of scrolls in a row without new content after which the page counts as ended. Many pages react only after
 * a delay.
 */
const STILL_SCROLLS = 3;

/**
 * The maximum length of a text that is typed key by key. A longer text is inserted in one call, because each key takes
 * two commands.
 */
const MAX_TYPED_CHARS = 500;

interface Point {
  x: number;
  y: number;
}

/** Thrown if an action fails. The message is the second part of a sentence. The caller adds the action in front. */
class ActionError extends Error {
  override readonly name = "ActionError";
  /** The field of the action to which the message refers. */
  readonly member: string;

  constructor(message: string, member = "selector") {
    super(message);
    this.member = member;
  }
}

/**
 * Performs the actions in order, on a page that is ready. Waits after each action until the page has reacted. Throws
 * RenderError `action_failed` if an action fails, and another RenderError if the page fails because of an action.
 */
export async function performActions(
  tab: Tab,
  actions: readonly Action[],
  context: ActionContext,
): Promise<ActionOutcome[]> {
  const outcomes: ActionOutcome[] = [];
  for (const [index, action] of actions.entries()) {
    const startedAt = now();
    tab.action = `Action ${index} (${action.type})`;
    try {
      const result = await new ActionRun(tab, context).perform(action);
      checkResponse(tab);
      const href = `location.href.slice(0, ${MAX_ACTION_URL_CHARS})`;
      const url = String((await evaluate(tab, href, context.signal, { isolated: true })) ?? "");
      outcomes.push({ index, type: action.type, durationMs: now() - startedAt, url, ...result });
    } catch (error) {
      throw toRenderError(error, { index, action, startedAt });
    }
  }
  tab.action = null;
  return outcomes;
}

/** Converts the error of an action. Returns an error that the caller can't fix unchanged. */
function toRenderError(error: unknown, at: { index: number; action: Action; startedAt: number }): unknown {
  const name = `Action ${at.index} (${at.action.type})`;
  const path = `actions.${at.index}`;
  if (error instanceof ActionError) {
    const details = [{ path: `${path}.${error.member}`, message: error.message }];
    const took = formatSeconds(now() - at.startedAt);
    const message = `${name} failed: ${error.message}. The action took ${took}.`;
    return new RenderError("action_failed", message, { details });
  }
  if (!(error instanceof RenderError)) return error;
  const details = [{ path, message: error.message }];
  const { retryable, targetBusy } = error;
  const message = `${name} caused an error: ${error.message}`;
  return new RenderError(error.code, message, { retryable, details, targetBusy });
}

/** The outputs of an action. */
type ActionOutput = Pick<ActionOutcome, "html" | "screenshot" | "endReached">;

/** One run of an action. */
class ActionRun {
  readonly #tab: Tab;
  readonly #context: ActionContext;

  constructor(tab: Tab, context: ActionContext) {
    this.#tab = tab;
    this.#context = context;
  }

  async perform(action: Action): Promise<ActionOutput> {
    const { quietName, signal } = this.#context;
    switch (action.type) {
      case "html":
        return { html: await this.#readHtml() };
      case "screenshot":
        return { screenshot: await this.#takeScreenshot(action.full_page ?? false) };
      case "wait":
        await this.#wait(action);
        return {};
      case "scroll":
        return await this.#scroll(action);
      default: {
        const before = this.#tab.navigated;
        await this.#input(action);
        await settleBriefly(this.#tab, { quietName, before, signal });
        return {};
      }
    }
  }

  async #input(action: Extract<Action, { type: "click" | "type" | "press" | "select" | "hover" }>): Promise<void> {
    const { signal } = this.#context;
    switch (action.type) {
      case "click":
        return await clickAt(this.#tab, await this.#locate(action.selector, { isClickable: true }), signal);
      case "hover":
        return await hoverAt(this.#tab, await this.#locate(action.selector, { isClickable: true }), signal);
      case "press":
        if (action.selector !== undefined) await this.#focus(action.selector);
        return await pressKey(this.#tab, action.key, signal);
      case "select":
        return await this.#select(action.selector, { value: action.value ?? null, label: action.label ?? null });
      case "type":
        return await this.#type(action);
    }
  }

  async #type({ selector, text, clear = false }: Extract<Action, { type: "type" }>): Promise<void> {
    const { signal } = this.#context;
    await clickAt(this.#tab, await this.#locate(selector, { isClickable: true, isEditable: true }), signal);
    const expression = toExpression("prepareField", selector, text, clear);
    const state = await evaluate(this.#tab, expression, signal, { isolated: true });
    if (state === "done") return;
    if (state !== "ready") throw notUsable(selector, typeof state === "string" ? state : "was removed by the page");
    if (clear) await pressKey(this.#tab, "Delete", signal);
    if (!(await typeText(this.#tab, text, signal)))
      throw new ActionError("the page began to load another page before the whole text was typed", "text");
  }

  async #select(selector: string, choice: { value: string | null; label: string | null }): Promise<void> {
    const result = await this.#retry(selector, (ms) => toExpression("selectOption", selector, choice, ms));
    if (result === true) return;
    const problem = String(result ?? "doesn't exist");
    const isAboutOption = /^has /.test(problem);
    throw notUsable(selector, problem, isAboutOption ? (choice.value === null ? "label" : "value") : "selector");
  }

  /** Focuses an element without a click, because a click may activate it. */
  async #focus(selector: string): Promise<void> {
    await this.#locate(selector, {});
    const { signal } = this.#context;
    const expression = `HTMLElement.prototype.focus.call(Document.prototype.querySelector.call(document, ${JSON.stringify(selector)}))`;
    await evaluate(this.#tab, expression, signal, { isolated: true });
  }

  /** Returns a point of the element. Waits up to ACTION_ELEMENT_MS for it. */
  async #locate(
    selector: string,
    needs: { isClickable?: boolean; isEditable?: boolean },
  ): Promise<{ x: number; y: number }> {
    const result = await this.#retry(selector, (ms) => toExpression("locateElement", selector, needs, ms));
    const { x, y, problem = "doesn't exist" } = (result ?? {}) as { x?: number; y?: number; problem?: string };
    if (x === undefined || y === undefined) throw notUsable(selector, problem);
    return { x, y };
  }

  /**
   * Evaluates an expression until the time limit of the action. Repeats the evaluation if the page navigates in the
   * meantime.
   */
  async #retry(selector: string, toText: (ms: number) => string): Promise<unknown> {
    const { signal } = this.#context;
    const end = now() + ACTION_ELEMENT_MS;
    for (;;) {
      checkReached(this.#tab);
      const result = await evaluate(this.#tab, toText(Math.max(0, end - now())), signal, { isolated: true });
      // A page script throws nothing except the SyntaxError of a selector such as `:has-text("Go")`.
      if (result === null) throw refusedSelector(selector);
      if (result !== undefined || now() >= end) return result;
      await this.#tab.until(() => this.#tab.main.isReady || this.#tab.main.unreachable !== null, signal);
    }
  }

  async #wait({ ms, selector }: Extract<Action, { type: "wait" }>): Promise<void> {
    const { signal } = this.#context;
    if (ms !== undefined) {
      const failed = this.#tab.until(() => false, signal);
      await Promise.race([sleep(ms, signal), failed]);
    } else if (selector !== undefined) {
      const found = waitForElement(this.#tab, selector, ACTION_ELEMENT_MS, signal).catch((error: unknown) => {
        if (error instanceof RenderError && error.code === "selector_not_found") throw refusedSelector(selector);
        throw error;
      });
      if (!(await found)) throw notUsable(selector, "doesn't exist");
    }
  }

  async #scroll({ selector, by, to }: Extract<Action, { type: "scroll" }>): Promise<ActionOutput> {
    const { quietName, deadline, signal } = this.#context;
    if (to === "end") return { endReached: await scrollToEnd(this.#tab, { quietName, deadline, signal }) };
    const before = this.#tab.navigated;
    if (selector !== undefined) await this.#locate(selector, {});
    else await evaluate(this.#tab, toExpression("scrollPage", to ?? by ?? 0), signal, { isolated: true });
    await settleBriefly(this.#tab, { quietName, before, signal });
    return {};
  }

  async #readHtml(): Promise<string> {
    const { quietName, maxHtmlBytes, signal } = this.#context;
    await waitUntilQuiet(this.#tab, quietName, signal);
    const { html } = await takeSnapshot(this.#tab, maxHtmlBytes, signal);
    if (this.#context.bytes.spend(2 * html.length)) return html;
    throw new ActionError("the screenshots and the HTML of the actions are too large in total", "type");
  }

  async #takeScreenshot(isFullPage: boolean): Promise<Uint8Array[]> {
    const { quietName, tallScreenshots, bytes, signal } = this.#context;
    await waitUntilQuiet(this.#tab, quietName, signal);
    return await takeActionScreenshot(this.#tab, { tallScreenshots, bytes, isFullPage, signal });
  }
}

function refusedSelector(selector: string): ActionError {
  return new ActionError(
    `the browser refuses the selector '${selector}'. Use only standard CSS selectors. For example, ':contains()' isn't one`,
  );
}

function notUsable(selector: string, problem: string, member?: string): ActionError {
  return problem === "doesn't exist"
    ? new ActionError(`no element matches '${selector}'`, member)
    : new ActionError(`the element '${selector}' ${problem}`, member);
}

/**
 * Scrolls down until neither the page's height nor the number of its requests changes. Returns false if the page still
 * grows after SCROLL_END_MAX_MS, or after half of the remaining time. The other half is for the actions that follow.
 */
async function scrollToEnd(
  tab: Tab,
  { quietName, deadline, signal }: { quietName: string; deadline: RenderDeadline; signal: AbortSignal },
): Promise<boolean> {
  const end = now() + Math.min(SCROLL_END_MAX_MS, deadline.remainingMs / 2);
  let last = { height: -1, requests: -1 };
  for (let still = 0; still < STILL_SCROLLS; ) {
    if (now() >= end) return false;
    const before = tab.navigated;
    await evaluate(tab, toExpression("scrollPage", "end"), signal, { isolated: true });
    await settleBriefly(tab, { quietName, before, signal });
    const height = Number(await evaluate(tab, toExpression("scrollPage", 0), signal, { isolated: true }));
    const { requests } = tab.activity;
    still = height === last.height && requests === last.requests ? still + 1 : 0;
    last = { height, requests };
  }
  return true;
}

/** Clicks with trusted mouse events. */
async function clickAt(tab: Tab, { x, y }: Point, signal: AbortSignal): Promise<void> {
  const button = { x, y, button: "left", clickCount: 1 } as const;
  await sendAll(tab, signal, [
    () => tab.send("Input.dispatchMouseEvent", { type: "mouseMoved", x, y }, PAGE_COMMAND),
    () => tab.send("Input.dispatchMouseEvent", { type: "mousePressed", ...button }, PAGE_COMMAND),
    () => tab.send("Input.dispatchMouseEvent", { type: "mouseReleased", ...button }, PAGE_COMMAND),
  ]);
}

/** Moves the mouse to a point. It stays there until the next action. */
async function hoverAt(tab: Tab, { x, y }: Point, signal: AbortSignal): Promise<void> {
  await sendAll(tab, signal, [() => tab.send("Input.dispatchMouseEvent", { type: "mouseMoved", x, y }, PAGE_COMMAND)]);
}

/** Presses and releases a key of the keyboard, such as `Enter` or `Shift+Tab`. */
async function pressKey(tab: Tab, name: string, signal: AbortSignal): Promise<void> {
  const key = parseKey(name);
  if (key === null) throw new Error(`The key '${name}' doesn't exist.`);
  await sendAll(tab, signal, toEvents(tab, key));
}

/**
 * Types a text with one key per character. Inserts a long text or one with line breaks in one call. Returns false if
 * the page begins to load another page before the end of the text. That page may belong to another site, so it must not
 * receive the remaining characters.
 */
async function typeText(tab: Tab, text: string, signal: AbortSignal): Promise<boolean> {
  if (text === "") return true;
  if (text.length > MAX_TYPED_CHARS || /\p{Cc}/u.test(text)) {
    await sendAll(tab, signal, [() => tab.send("Input.insertText", { text }, PAGE_COMMAND)]);
    return true;
  }
  const { navigations } = tab.activity;
  const { main } = tab;
  const { count } = main;
  for (const char of text) {
    if (tab.activity.navigations !== navigations || main.count !== count) return false;
    await sendAll(tab, signal, toEvents(tab, toCharPress(char)));
  }
  return true;
}

function toEvents(tab: Tab, { text, ...key }: KeyPress): (() => Promise<unknown>)[] {
  const down = {
    type: text === undefined ? "rawKeyDown" : "keyDown",
    ...key,
    ...(text !== undefined && { text }),
  } as const;
  return [
    () => tab.send("Input.dispatchKeyEvent", down, PAGE_COMMAND),
    () => tab.send("Input.dispatchKeyEvent", { type: "keyUp", ...key }, PAGE_COMMAND),
  ];
}

/** Sends commands one after another. Rejects if the page fails or the signal is aborted. */
async function sendAll(tab: Tab, signal: AbortSignal, commands: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const command of commands) await abortable(command(), tab, signal);
}
