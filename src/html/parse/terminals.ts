import { Element, Text } from "domhandler";
import { classesOf, rawText } from "./dom";
import { setChildren } from "./tree";

/** The class of a terminal session that the scripts of FastAPI's, Typer's and similar documentation display. */
const TERMINAL = "termy";
/** The elements that programs write for colors and styles when they export a terminal session as HTML. */
const FORMATTING = /<\/?(?:b|font|i|span|u)(?:\s[^<>]*)?>/g;
const REFERENCE = /&(amp|apos|gt|lt|quot);/g;
const CHARACTERS: Readonly<Record<string, string>> = { amp: "&", apos: "'", gt: ">", lt: "<", quot: '"' };

/** The number of elements around the code in which the class of the session is searched. */
const MAX_ANCESTORS = 3;

/**
 * Replaces the code of a terminal session with the text that the page's script displays. Such a session is escaped
 * HTML, as in `<code>&lt;b&gt;fastapi&lt;/b&gt; dev</code>`, and a script of the page formats it. Changes no other code. See
 * https://github.com/fastapi/fastapi/blob/master/docs/en/docs/js/custom.js
 */
export function displayTerminal(code: Element): void {
  if (!isInTerminal(code)) return;
  const source = rawText(code);
  const text = source.replace(FORMATTING, "");
  if (text !== source) setChildren(code, [new Text(text.replace(REFERENCE, (_, name) => CHARACTERS[name] ?? ""))]);
}

function isInTerminal(code: Element): boolean {
  let at = code.parent;
  for (let level = 0; level < MAX_ANCESTORS && at instanceof Element; level++) {
    if (classesOf(at).includes(TERMINAL)) return true;
    at = at.parent;
  }
  return false;
}
