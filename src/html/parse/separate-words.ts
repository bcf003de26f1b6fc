import { type ChildNode, Element, type ParentNode, Text } from "domhandler";
import { decodeHTML } from "entities/decode";
import { classesOf, elementsAround } from "./dom";
import { setChildren } from "./tree";

/** The inline elements that style sheets often display as separate labels, such as a brand and a name. */
const LABELS: ReadonlySet<string> = new Set("span a label button time b strong em i small".split(" "));
/** Elements whose text must not change by a single character. */
const EXACT: ReadonlySet<string> = new Set(["pre", "code", "kbd", "samp", "tt", "var", "math", "textarea", "select"]);
/** The end of a word or number with at least two characters. A single letter may be a drop cap or part of a logo. */
const WORD_END = /[\p{L}\p{N}]{2}$/u;
/** The elements for colors and styles in terminal sessions that were exported as HTML. */
const TERMINAL_TAGS = /<\/?(?:b|font|i|span|u)(?:\s[^<>]*)?>/g;
const WORD_START = /^\p{Lu}\p{Ll}/u;

/**
 * Inserts a space between adjacent inline elements whose texts are separate words, as in
 * `<span>Coleman</span><span>Cascade stove</span>`. On such pages, the style sheet separates the words. A capital
 * letter after the end of a word indicates the start of another word. Leaves code unchanged, except terminal sessions.
 */
export function separateWords(parent: ParentNode): void {
  // Most elements stay unchanged, and a copy of all their children would take memory.
  let separated: ChildNode[] | null = null;
  let before: ChildNode | null = null;
  for (const node of parent.children) {
    if (node instanceof Element && EXACT.has(node.name)) {
      for (const code of node.name === "pre" ? node.children : [node])
        if (code instanceof Element && code.name === "code") displayTerminal(code);
    } else if (node instanceof Element) {
      separateWords(node);
      if (before instanceof Element && LABELS.has(node.name) && LABELS.has(before.name) && areWords(before, node)) {
        separated ??= parent.children.slice(0, parent.children.indexOf(node));
        separated.push(new Text(" "));
      }
    }
    separated?.push(node);
    before = node;
  }
  if (separated) setChildren(parent, separated);
}

/**
 * Replaces the code of a terminal session with the text that the page's script displays. In the documentation of FastAPI
 * and of similar projects, such a session is escaped HTML, as in `&lt;b&gt;fastapi&lt;/b&gt; dev`. See
 * https://github.com/fastapi/fastapi/blob/master/docs/en/docs/js/custom.js
 */
function displayTerminal(code: Element): void {
  const texts = textsIn(code);
  const source = texts.map(({ data }) => data).join("");
  if (!source.includes("</") || !isInTerminal(code)) return;
  // Syntax highlighters put parts of a tag into different elements.
  const shown = source.split("");
  for (const { 0: tag, index } of source.matchAll(TERMINAL_TAGS)) shown.fill("", index, index + tag.length);
  let start = 0;
  for (const text of texts) {
    const end = start + text.data.length;
    text.data = decodeHTML(shown.slice(start, end).join(""));
    start = end;
  }
}

function textsIn(node: ChildNode): Text[] {
  if (node instanceof Text) return [node];
  return node instanceof Element ? node.children.flatMap(textsIn) : [];
}

function isInTerminal(code: Element): boolean {
  return elementsAround(code.parent).some((at) => classesOf(at).includes("termy"));
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
