import { type Document, type Element, Text } from "domhandler";
import { classesOf, elementsUnder, rawText } from "./dom";
import { setChildren } from "./tree";

/** The class of a terminal session that the scripts of FastAPI's, Typer's and similar documentation display. */
const TERMINAL = "termy";
/** The elements that programs write for colors and styles when they export a terminal session as HTML. */
const FORMATTING = /<\/?(?:b|font|i|span|u)(?:\s[^<>]*)?>/g;
const REFERENCE = /&(amp|apos|gt|lt|quot);/g;
const CHARACTERS: Readonly<Record<string, string>> = { amp: "&", apos: "'", gt: ">", lt: "<", quot: '"' };

/**
 * Replaces the source code of terminal sessions with the text that the page's scripts display. Such a session is
 * escaped HTML, as in `<code>&lt;b&gt;fastapi&lt;/b&gt; dev</code>`, and a script of the page formats it. See
 * https://github.com/fastapi/fastapi/blob/master/docs/en/docs/js/custom.js
 */
export function displayTerminals(document: Document, source: string): void {
  if (!source.includes(TERMINAL)) return;
  for (const element of elementsUnder(document)) {
    if (!classesOf(element).includes(TERMINAL)) continue;
    for (const code of elementsUnder(element)) if (code.name === "code") displayTerminal(code);
  }
}

function displayTerminal(code: Element): void {
  const source = rawText(code);
  const text = source.replace(FORMATTING, "");
  if (text !== source) setChildren(code, [new Text(text.replace(REFERENCE, (_, name) => CHARACTERS[name] ?? ""))]);
}
