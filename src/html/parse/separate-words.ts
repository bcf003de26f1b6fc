import { type ChildNode, Element, type ParentNode, Text } from "domhandler";
import { setChildren } from "./tree";

/** The inline elements that style sheets often display as separate labels, such as a brand and a name. */
const LABELS: ReadonlySet<string> = new Set("span a label button time b strong em i small".split(" "));
/** Elements whose text must not change by a single character. */
const EXACT: ReadonlySet<string> = new Set(["pre", "code", "kbd", "samp", "tt", "var", "math", "textarea", "select"]);
/** The end of a word or number with at least two characters. A single letter may be a drop cap or part of a logo. */
const WORD_END = /[\p{L}\p{N}]{2}$/u;
const WORD_START = /^\p{Lu}\p{Ll}/u;

/**
 * Inserts a space between adjacent inline elements whose texts are separate words, as in
 * `<span>Coleman</span><span>Cascade stove</span>`. On such pages, the style sheet separates the words. A capital
 * letter after the end of a word indicates the start of another word. Leaves code unchanged.
 */
export function separateWords(parent: ParentNode): void {
  const children: ChildNode[] = [];
  for (const node of parent.children) {
    if (node instanceof Element && !EXACT.has(node.name)) {
      separateWords(node);
      const before = children.at(-1);
      if (before instanceof Element && LABELS.has(node.name) && LABELS.has(before.name) && areWords(before, node))
        children.push(new Text(" "));
    }
    children.push(node);
  }
  if (children.length > parent.children.length) setChildren(parent, children);
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
