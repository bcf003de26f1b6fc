import type { Action } from "../contract/actions";
import type { Budget } from "../lib/budget";
import { now, sleep } from "../lib/clock";
import { type KeyPress, parseKey, toCharPress } from "../lib/keyboard";
import { formatSeconds } from "../lib/time-limit";
import { ACTION_ELEMENT_MS, SCROLL_END_MAX_MS } from "../model/page-limits";
import { evaluate, toExpression } from "./evaluate";
import { checkReached, checkResponse } from "./navigation-errors";
import type { ElementNeeds } from "./page-scripts/shared/script-types";
import { type ActionOutcome, RenderError } from "./protocol";
import type { RenderDeadline } from "./render-deadline";
import { takeActionScreenshot } from "./screenshot";
import { settleBriefly, takeSnapshot, waitUntilQuiet } from "./settle";
import type { Tab } from "./tab";
import { waitForElement } from "./wait-for";

/** Longer URLs are cut off. A script can give its page a URL of 2 MB, which each action would return. */
const MAX_ACTION_URL_CHARS = 8_192;

interface ActionContext {
  /** The shared limit for the bytes of all screenshots and texts of the render. */
  bytes: Budget;
  deadline: RenderDeadline;
  maxHtmlBytes: number;
}

/** The number of scrolls without new content after which the page has ended. Many pages react only after a delay. */
const STILL_SCROLLS = 3;

/** The maximum length of a text that is typed key by key, with two commands for each key. Longer text is inserted. */
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
      const result = await perform(tab, action, context);
      checkResponse(tab);
      const href = `location.href.slice(0, ${MAX_ACTION_URL_CHARS})`;
      const url = String((await evaluate(tab, href)) ?? "");
      outcomes.push({ index, type: action.type, durationMs: now() - startedAt, url, ...result });
    } catch (error) {
      throw describeFailure(error, { index, action, startedAt });
    }
  }
  tab.action = null;
  return outcomes;
}

/** Returns the error of an action with the action's name. Returns an error that the caller can't fix unchanged. */
function describeFailure(error: unknown, at: { index: number; action: Action; startedAt: number }): unknown {
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

type ActionOutput = Pick<ActionOutcome, "html" | "screenshot" | "endReached">;

async function perform(tab: Tab, action: Action, context: ActionContext): Promise<ActionOutput> {
  switch (action.type) {
    case "html":
      return { html: await readHtml(tab, context) };
    case "screenshot":
      await waitUntilQuiet(tab);
      return { screenshot: await takeActionScreenshot(tab, { ...context, isFullPage: action.full_page ?? false }) };
    case "wait":
      await wait(tab, action);
      return {};
    case "scroll":
      return await scroll(tab, action, context.deadline);
    default: {
      const before = tab.navigated;
      await input(tab, action);
      await settleBriefly(tab, before);
      return {};
    }
  }
}

type InputAction = Extract<Action, { type: "click" | "type" | "press" | "select" | "hover" }>;

async function input(tab: Tab, action: InputAction): Promise<void> {
  switch (action.type) {
    case "click":
      return await clickAt(tab, await locate(tab, action.selector, { isClickable: true }));
    case "hover":
      return await hoverAt(tab, await locate(tab, action.selector, { isClickable: true }));
    case "press":
      if (action.selector !== undefined) await focus(tab, action.selector);
      return await pressKey(tab, action.key);
    case "select":
      return await select(tab, action.selector, { value: action.value ?? null, label: action.label ?? null });
    case "type":
      return await type(tab, action);
  }
}

async function type(tab: Tab, { selector, text, clear = false }: Extract<Action, { type: "type" }>): Promise<void> {
  await clickAt(tab, await locate(tab, selector, { isClickable: true, isEditable: true }));
  const state = await evaluate(tab, toExpression("prepareField", selector, text, clear));
  if (state === "done") return;
  if (state !== "ready") throw notUsable(selector, typeof state === "string" ? state : "was removed by the page");
  if (clear) await pressKey(tab, "Delete");
  if (!(await typeText(tab, text)))
    throw new ActionError("the page began to load another page before the whole text was typed", "text");
}

async function select(
  tab: Tab,
  selector: string,
  choice: { value: string | null; label: string | null },
): Promise<void> {
  const result = await evaluateInTime(tab, selector, (ms) => toExpression("selectOption", selector, choice, ms));
  if (result === true) return;
  const problem = String(result ?? "doesn't exist");
  const isAboutOption = /^has /.test(problem);
  throw notUsable(selector, problem, isAboutOption ? (choice.value === null ? "label" : "value") : "selector");
}

/** Focuses an element without a click, because a click may activate it. */
async function focus(tab: Tab, selector: string): Promise<void> {
  await locate(tab, selector, {});
  const element = `Document.prototype.querySelector.call(document, ${JSON.stringify(selector)})`;
  await evaluate(tab, `HTMLElement.prototype.focus.call(${element})`);
}

/** Returns a point of the element. Waits up to ACTION_ELEMENT_MS for it. */
async function locate(tab: Tab, selector: string, needs: ElementNeeds): Promise<Point> {
  const result = await evaluateInTime(tab, selector, (ms) => toExpression("locateElement", selector, needs, ms));
  const { x, y, problem = "doesn't exist" } = (result ?? {}) as Partial<Point> & { problem?: string };
  if (x === undefined || y === undefined) throw notUsable(selector, problem);
  return { x, y };
}

/** Evaluates an expression until the action's time limit, and again if the page navigates in the meantime. */
async function evaluateInTime(tab: Tab, selector: string, toText: (ms: number) => string): Promise<unknown> {
  const end = now() + ACTION_ELEMENT_MS;
  for (;;) {
    checkReached(tab);
    const result = await evaluate(tab, toText(Math.max(0, end - now())));
    // A page script throws nothing except the SyntaxError of a selector such as `:has-text("Go")`.
    if (result === null) throw refusedSelector(selector);
    if (result !== undefined || now() >= end) return result;
    await tab.until(() => tab.main.isReady || tab.main.unreachable !== null);
  }
}

async function wait(tab: Tab, { ms, selector }: Extract<Action, { type: "wait" }>): Promise<void> {
  if (ms !== undefined) {
    await tab.race(sleep(ms, tab.signal));
  } else if (selector !== undefined) {
    const found = waitForElement(tab, selector, ACTION_ELEMENT_MS).catch((error: unknown) => {
      if (error instanceof RenderError && error.code === "selector_not_found") throw refusedSelector(selector);
      throw error;
    });
    if (!(await found)) throw notUsable(selector, "doesn't exist");
  }
}

async function scroll(
  tab: Tab,
  { selector, by, to }: Extract<Action, { type: "scroll" }>,
  deadline: RenderDeadline,
): Promise<ActionOutput> {
  if (to === "end") return { endReached: await scrollToEnd(tab, deadline) };
  const before = tab.navigated;
  if (selector !== undefined) await locate(tab, selector, {});
  else await evaluate(tab, toExpression("scrollPage", to ?? by ?? 0));
  await settleBriefly(tab, before);
  return {};
}

async function readHtml(tab: Tab, { maxHtmlBytes, bytes }: ActionContext): Promise<string> {
  await waitUntilQuiet(tab);
  const { html } = await takeSnapshot(tab, maxHtmlBytes);
  if (bytes.spend(2 * html.length)) return html;
  throw new ActionError("the screenshots and the HTML of the actions are too large in total", "type");
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
async function scrollToEnd(tab: Tab, deadline: RenderDeadline): Promise<boolean> {
  const end = now() + Math.min(SCROLL_END_MAX_MS, deadline.remainingMs / 2);
  let last = { height: -1, requests: -1 };
  for (let still = 0; still < STILL_SCROLLS; ) {
    if (now() >= end) return false;
    const before = tab.navigated;
    await evaluate(tab, toExpression("scrollPage", "end"));
    await settleBriefly(tab, before);
    const height = Number(await evaluate(tab, toExpression("scrollPage", 0)));
    const { requests } = tab.activity;
    still = height === last.height && requests === last.requests ? still + 1 : 0;
    last = { height, requests };
  }
  return true;
}

/** Clicks with trusted mouse events. */
async function clickAt(tab: Tab, point: Point): Promise<void> {
  const button = { ...point, button: "left", clickCount: 1 } as const;
  await hoverAt(tab, point);
  await tab.sendToPage("Input.dispatchMouseEvent", { type: "mousePressed", ...button });
  await tab.sendToPage("Input.dispatchMouseEvent", { type: "mouseReleased", ...button });
}

/** Moves the mouse to a point. It stays there until the next action. */
async function hoverAt(tab: Tab, point: Point): Promise<void> {
  await tab.sendToPage("Input.dispatchMouseEvent", { type: "mouseMoved", ...point });
}

/** Presses and releases a key of the keyboard, such as `Enter` or `Shift+Tab`. */
async function pressKey(tab: Tab, name: string): Promise<void> {
  const key = parseKey(name);
  if (key === null) throw new Error(`The key '${name}' doesn't exist.`);
  await press(tab, key);
}

/**
 * Types a text with one key per character. Inserts a long text or one with line breaks in one call. Returns false if
 * the page begins to load another page before the end of the text. That page may belong to another site, so it must not
 * receive the remaining characters.
 */
async function typeText(tab: Tab, text: string): Promise<boolean> {
  if (text === "") return true;
  if (text.length > MAX_TYPED_CHARS || /\p{Cc}/u.test(text)) {
    await tab.sendToPage("Input.insertText", { text });
    return true;
  }
  const { navigations } = tab.activity;
  const { main } = tab;
  const { count } = main;
  for (const char of text) {
    if (tab.activity.navigations !== navigations || main.count !== count) return false;
    await press(tab, toCharPress(char));
  }
  return true;
}

async function press(tab: Tab, { text, ...key }: KeyPress): Promise<void> {
  const down = text === undefined ? { type: "rawKeyDown" as const } : { type: "keyDown" as const, text };
  await tab.sendToPage("Input.dispatchKeyEvent", { ...key, ...down });
  await tab.sendToPage("Input.dispatchKeyEvent", { type: "keyUp", ...key });
}
