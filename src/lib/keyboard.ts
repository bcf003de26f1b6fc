import keys from "./keys.json";
import { suggest } from "./suggest";

/** A key as the DevTools protocol describes it. */
export interface KeyPress {
  key: string;
  code: string;
  windowsVirtualKeyCode: number;
  /** The text that the key enters. Undefined if it enters none. */
  text?: string;
  /** A bit field: 1 Alt, 2 Control, 4 Meta, 8 Shift. */
  modifiers: number;
}

const MODIFIERS: ReadonlyMap<string, number> = new Map(Object.entries(keys.modifiers));

/** The names of keys, with their key codes and texts. */
const NAMED: ReadonlyMap<string, { keyCode: number; text?: string }> = new Map([
  ...Object.entries(keys.named),
  ...Array.from({ length: 12 }, (_, i) => [`F${i + 1}`, { keyCode: 112 + i }] as const),
]);

export const KEY_NAMES: readonly string[] = [...NAMED.keys(), "Space"];

/** Alternative names of keys, in lower case. */
const KEY_ALIASES: ReadonlyMap<string, string> = new Map(Object.entries(keys.aliases));

/** Returns the key that the caller probably meant, such as `Control+a` for `ctrl-a`, or null. */
export function suggestKey(text: string): string | null {
  const known = new Map([...KEY_NAMES, ...MODIFIERS.keys()].map((name) => [name.toLowerCase(), name]));
  const parts = text.split(/[+-](?=.)/).map((part) => {
    const name = part.trim().toLowerCase();
    return KEY_ALIASES.get(name) ?? known.get(name) ?? suggest(name, [...known.values()]) ?? part;
  });
  const key = parts.join("+");
  return parseKey(key) === null ? null : key;
}

/** Parses a key with modifiers, such as `Enter`, `a` or `Shift+Tab`. Returns null if the key doesn't exist. */
export function parseKey(text: string): KeyPress | null {
  const parts = text.length === 1 ? [text] : text.split(/\+(?=.)/);
  const name = parts.pop() ?? "";
  let modifiers = 0;
  for (const part of parts) {
    const bit = MODIFIERS.get(part);
    if (bit === undefined) return null;
    modifiers |= bit;
  }
  const key = name === "Space" ? " " : name;
  const named = NAMED.get(key);
  if (named !== undefined) {
    const { keyCode, text: entered } = named;
    const isEntered = entered !== undefined && modifiers === 0;
    return { key, code: key, windowsVirtualKeyCode: keyCode, modifiers, ...(isEntered && { text: entered }) };
  }
  if ([...key].length !== 1) return null;
  return toCharPress(key, modifiers);
}

/** Returns the key that enters a character. */
export function toCharPress(char: string, modifiers = 0): KeyPress {
  const upper = char.toUpperCase();
  const isLetter = /^[A-Z]$/.test(upper);
  const code = isLetter ? `Key${upper}` : /^\d$/.test(char) ? `Digit${char}` : char === " " ? "Space" : "";
  const isEntered = (modifiers & ~8) === 0;
  const entered = (modifiers & 8) !== 0 && isLetter ? upper : char;
  return {
    key: entered,
    code,
    windowsVirtualKeyCode: /^[A-Z\d ]$/.test(upper) ? upper.charCodeAt(0) : 0,
    modifiers,
    ...(isEntered && { text: entered }),
  };
}
