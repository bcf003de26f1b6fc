import { compile } from "css-select";
import { parse } from "css-what";

/** The errors of css-what that contain the part of the selector which it didn't read. */
const UNREAD = /^(Expected name, found|Unmatched selector:) ([\s\S]*)$/;
const XPATH = /^\s*\.{0,2}\/(?!\*)/;

/** Describes the syntax error of a CSS selector. Returns null if the syntax is valid. */
export function findSyntaxProblem(selector: string): string | null {
  return problemOf(selector, parse);
}

/** Describes why the conversion can't use a CSS selector. Returns null if it can use the selector. */
export function findSelectorProblem(selector: string): string | null {
  // css-select supports fewer selectors than a browser.
  return findSyntaxProblem(selector) ?? problemOf(selector, compile);
}

/**
 * Returns the message of the error that `read` throws, as a part of a sentence: it begins with a small letter, and has no
 * full stop and no name of a library.
 */
function problemOf(selector: string, read: (selector: string) => unknown): string | null {
  try {
    read(selector);
    return null;
  } catch (error) {
    if (XPATH.test(selector)) return "it looks like XPath, which is not supported";
    const message = error instanceof Error ? error.message : "its syntax is not supported";
    const [, kind, rest] = UNREAD.exec(message) ?? [];
    if (rest !== undefined) return describeUnread(selector, rest, kind === "Unmatched selector:");
    return message.charAt(0).toLowerCase() + message.slice(1).replace(/ by css-select|\.$/g, "");
  }
}

/** Describes the first character of the unread rest of a selector. Positions count characters from 1. */
function describeUnread(selector: string, rest: string, isUnexpected: boolean): string {
  const [char] = rest;
  if (char === undefined) return `a name must follow '${selector.trimEnd().slice(-1)}' at the end`;
  const position = [...selector.slice(0, selector.length - rest.length)].length + 1;
  const problem = isUnexpected ? `'${char}' is unexpected` : `expected a name, not '${char}'`;
  return `${problem} (character ${position})`;
}
