import { type ChildNode, type Document, Element, type ParentNode, Text } from "domhandler";
import { classesOf } from "./dom";
import { insertBefore } from "./tree";

/** The inline elements that style sheets often display as separate labels, such as a brand and a name. */
const LABELS: ReadonlySet<string> = new Set("span a label button time b strong em i small".split(" "));
/** Elements whose text must not change by a single character. */
const EXACT: ReadonlySet<string> = new Set(["pre", "code", "kbd", "samp", "tt", "var", "math", "textarea", "select"]);
/** The end of a word or number with at least two characters. A single letter may be a drop cap or part of a logo. */
const WORD_END = /[\p{L}\p{N}]{2}$/u;
const WORD_START = /^\p{Lu}\p{Ll}/u;

/** The class of a terminal session that the scripts of FastAPI's, Typer's and similar documentation display. */
const TERMINAL = "termy";
/** The number of elements around the code in which the class of the session is searched. */
const MAX_ANCESTORS = 8;
/** Longer code isn't changed. */
const MAX_CHARS = 100_000;
/**
 * The elements that programs write for colors and styles when they export a terminal session as HTML, and character
 * references.
 */
const MARKUP = /<\/?(?:b|font|i|span|u)(?:\s[^<>]*)?>|&(amp|apos|gt|lt|quot);/g;
const CHARACTERS: Readonly<Record<string, string>> = { amp: "&", apos: "'", gt: ">", lt: "<", quot: '"' };

/**
 * Inserts a space between adjacent inline elements whose texts are separate words, as in
 * `<span>Coleman</span><span>Cascade stove</span>`. On such pages, the style sheet separates the words. A capital
 * letter after the end of a word indicates the start of another word. Calls `onCode` for each element whose text must
 * not change, because this function doesn't visit the elements inside.
 */
export function separateWords(document: Document, onCode: (element: Element) => void): void {
  visit(document, onCode);
}

function visit(parent: ParentNode, onCode: (element: Element) => void): void {
  // The list of children grows while spaces are inserted. An inserted space is a text node, so the loop skips it.
  for (let at = 0; at < parent.children.length; at++) {
    const node = parent.children[at];
    if (!(node instanceof Element)) continue;
    if (EXACT.has(node.name)) {
      onCode(node);
      continue;
    }
    visit(node, onCode);
    const before = parent.children[at - 1];
    if (before instanceof Element && LABELS.has(node.name) && LABELS.has(before.name) && areWords(before, node)) {
      insertBefore(node, new Text(" "));
      at++;
    }
  }
}

function areWords(before: Element, after: Element): boolean {
  return WORD_END.test(edgeText(before, "last") ?? "") && WORD_START.test(edgeText(after, "first") ?? "");
}

/**
 * Returns the first or last text in an element. Returns null if an image or a line break already separates the texts,
 * or if the text is inside `pre`, `code` or a similar element. Returns undefined if there is no text.
 */
function edgeText(element: Element, edge: "first" | "last"): string | null | undefined {
  if (EXACT.has(element.name) || element.name === "img" || element.name === "br") return null;
  const nodes: readonly ChildNode[] = edge === "first" ? element.children : element.children.toReversed();
  for (const node of nodes) {
    if (node instanceof Text && node.data !== "") return node.data;
    const found = node instanceof Element ? edgeText(node, edge) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

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
  if (source.length > MAX_CHARS || !source.includes("</")) return;
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
  let at = block.parent;
  for (let level = 0; level < MAX_ANCESTORS && at instanceof Element; level++) {
    if (classesOf(at).includes(TERMINAL)) return true;
    at = at.parent;
  }
  return false;
}
