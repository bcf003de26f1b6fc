import { type KeyPress, parseKey, toCharPress } from "../lib/keyboard";
import { abortable, PAGE_COMMAND } from "./evaluate";
import type { Tab } from "./tab";

/**
 * The maximum length of a text that is typed key by key. A longer text is inserted in one call, because each key takes
 * two commands.
 */
const MAX_TYPED_CHARS = 500;

interface Point {
  x: number;
  y: number;
}

/** Clicks with trusted mouse events. */
export async function clickAt(tab: Tab, { x, y }: Point, signal: AbortSignal): Promise<void> {
  const button = { x, y, button: "left", clickCount: 1 } as const;
  await sendAll(tab, signal, [
    () => tab.send("Input.dispatchMouseEvent", { type: "mouseMoved", x, y }, PAGE_COMMAND),
    () => tab.send("Input.dispatchMouseEvent", { type: "mousePressed", ...button }, PAGE_COMMAND),
    () => tab.send("Input.dispatchMouseEvent", { type: "mouseReleased", ...button }, PAGE_COMMAND),
  ]);
}

/** Moves the mouse to a point. It stays there until the next action. */
export async function hoverAt(tab: Tab, { x, y }: Point, signal: AbortSignal): Promise<void> {
  await sendAll(tab, signal, [() => tab.send("Input.dispatchMouseEvent", { type: "mouseMoved", x, y }, PAGE_COMMAND)]);
}

/** Presses and releases a key of the keyboard, such as `Enter` or `Shift+Tab`. */
export async function pressKey(tab: Tab, name: string, signal: AbortSignal): Promise<void> {
  const key = parseKey(name);
  if (key === null) throw new Error(`The key '${name}' doesn't exist.`);
  await sendAll(tab, signal, toEvents(tab, key));
}

/**
 * Types a text with one key per character. Inserts a long text or one with line breaks in one call. Returns false if
 * the page begins to load another page before the end of the text. That page may belong to another site, so it must not
 * receive the remaining characters.
 */
export async function typeText(tab: Tab, text: string, signal: AbortSignal): Promise<boolean> {
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
