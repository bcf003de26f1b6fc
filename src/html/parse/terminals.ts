import { type ChildNode, Element, Text } from "domhandler";
import { classesOf } from "./dom";

/** The class of a terminal session that the scripts of FastAPI's, Typer's and similar documentation display. */
const TERMINAL = "termy";
/** Elements for colors and styles in terminal sessions that were exported as HTML, and character references. */
const MARKUP = /<\/?(?:b|font|i|span|u)(?:\s[^<>]*)?>|&(amp|apos|gt|lt|quot);/g;
const CHARACTERS: Readonly<Record<string, string>> = { amp: "&", apos: "'", gt: ">", lt: "<", quot: '"' };

/**
 * Replaces the code of a terminal session with the text that the page's script displays. Such a session is escaped
 * HTML, as in `<code>&lt;b&gt;fastapi&lt;/b&gt; dev</code>`, and a script of the page formats it. Changes no other code. See
 * https://github.com/fastapi/fastapi/blob/master/docs/en/docs/js/custom.js
 *
 * `block`: a <code> or <pre> element.
 */
export function displayTerminal(block: Element): void {
  if (!isInTerminal(block)) return;
  if (block.name === "code") displayCode(block);
  else for (const child of block.children) if (child instanceof Element && child.name === "code") displayCode(child);
}

/** Changes only the texts, because syntax highlighters put parts of a line and of its markup into different elements. */
function displayCode(code: Element): void {
  const nodes = textsIn(code);
  const source = nodes.map(({ data }) => data).join("");
  if (!source.includes("</")) return;
  const shown = source.split("");
  for (const { 0: markup, 1: name = "", index } of source.matchAll(MARKUP))
    shown.fill("", index, index + markup.length)[index] = CHARACTERS[name] ?? "";
  let start = 0;
  for (const node of nodes) {
    const end = start + node.data.length;
    node.data = shown.slice(start, end).join("");
    start = end;
  }
}

function textsIn(node: ChildNode): Text[] {
  if (node instanceof Text) return [node];
  return node instanceof Element ? node.children.flatMap(textsIn) : [];
}

function isInTerminal(block: Element): boolean {
  for (let at = block.parent; at instanceof Element; at = at.parent) if (classesOf(at).includes(TERMINAL)) return true;
  return false;
}
