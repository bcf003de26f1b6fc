import { type ChildNode, type Element, isText, type ParentNode } from "domhandler";
import { attribute, isBlock, isElement, isHeading, NEVER_TEXT } from "../../html/parse/dom";
import { isButton, type Matcher } from "./dom";
import { tidy } from "./texts";

/** Matches the ids of elements that contain the whole list. The block of a single result never contains them. */
const LIST = /^(?:rso|main|search|res|rcnt|cnt|center_col|topstuff|botstuff|b_results|b_content|search-result)$/;

/** Returns the block of each link: the largest element around it that contains none of the other links. */
export function blocksOf(links: readonly Element[]): Map<Element, Element> {
  const below = new Map<ParentNode, number>();
  for (const link of links)
    for (let at: ParentNode | null = link; at; at = at.parent) below.set(at, (below.get(at) ?? 0) + 1);
  return new Map(links.map((link) => [link, climb(link, below)]));
}

function climb(link: Element, below: ReadonlyMap<ParentNode, number>): Element {
  let block = link;
  while (isElement(block.parent) && below.get(block.parent) === 1 && !holdsList(block.parent)) block = block.parent;
  return block;
}

function holdsList(element: Element): boolean {
  return /^(?:body|main|html|ol)$/.test(element.name) || LIST.test(attribute(element, "id"));
}

/** A result list has at least this many blocks. Smaller groups of siblings with links occur on any page. */
const MIN_LISTED = 3;

/** Returns the result list: the largest group of sibling blocks, or none with fewer than `min` blocks. */
export function listedBlocks(links: readonly Element[], min = MIN_LISTED): Element[] {
  const groups = Map.groupBy(new Set(blocksOf(links).values()), ({ parent }) => parent);
  const largest = [...groups.values()].reduce((a, b) => (b.length > a.length ? b : a), []);
  return largest.length >= min ? largest : [];
}

/** A snippet has at least this many characters. Shorter lines are site names, prices or numbers of views. */
const MIN_PROSE_CHARS = 25;
/** The number of lines of a block that are read. */
const MAX_LINES = 24;

/**
 * Finds the snippet without relying on class names: the longest line after the link. Ignores links, headings, buttons
 * and addresses. Returns "" if all lines are too short.
 */
export function proseAfter(link: Element, block: Element, maxChars: number, skip: Matcher = () => false): string {
  const lines = linesOf(block, { maxChars, after: link, skip: (at) => isNotProse(at) || skip(at) });
  const longest = longestOf(lines);
  return longest.length >= MIN_PROSE_CHARS ? longest : "";
}

/** Returns the longest text, or "". */
export function longestOf(texts: readonly string[]): string {
  return texts.reduce((a, b) => (b.length > a.length ? b : a), "");
}

interface LineOptions {
  maxChars: number;
  after?: Element;
  skip: Matcher;
  isApart?: Matcher;
  maxLines?: number;
}

/**
 * Returns the lines of a block, or only those after the link `after`. `isApart` matches the elements that begin a new
 * line. Skips the elements that `skip` matches.
 */
export function linesOf(
  block: Element,
  { maxChars, after, skip, isApart = isBlock, maxLines = MAX_LINES }: LineOptions,
): string[] {
  const lines: string[] = [];
  let [line, isAfter] = ["", after === undefined];
  const end = () => {
    const text = tidy(line, maxChars);
    if (text !== "") lines.push(text);
    line = "";
  };
  const stack: (ChildNode | null)[] = [block];
  for (let node = stack.pop(); node !== undefined && lines.length < maxLines; node = stack.pop()) {
    if (node === null) end();
    else if (node === after) isAfter = true;
    else if (isText(node)) line += isAfter && line.length < maxChars * 2 ? node.data : "";
    else if (isElement(node) && !NEVER_TEXT.has(node.name) && !(isAfter && node !== block && skip(node))) {
      if (isApart(node)) {
        end();
        stack.push(null);
      } else if (node.name === "br") line += " ";
      for (const child of node.children.toReversed()) stack.push(child);
    }
  }
  end();
  return lines;
}

function isNotProse(element: Element): boolean {
  const role = attribute(element, "role");
  return (
    element.name === "a" || element.name === "cite" || isHeading(element) || isButton(element) || role === "heading"
  );
}

/** The number of results that both ways to read a page find, and that only one of them finds. */
export interface Disagreement {
  both: number;
  onlyNames: number;
  onlyStructure: number;
}

/** On smaller pages, a single unusual result would exceed the share. */
const MIN_COMPARED = 5;
const MAX_DISPUTED_SHARE = 0.2;

/**
 * Compares the results that the engine's names mark with those that the structure of the page marks. Returns null if
 * the two ways agree on most results, or if there are only a few results.
 */
export function compareWays(named: ReadonlySet<Element>, structural: ReadonlySet<Element>): Disagreement | null {
  const both = named.intersection(structural).size;
  const [onlyNames, onlyStructure] = [named.size - both, structural.size - both];
  const all = both + onlyNames + onlyStructure;
  const isWithinBound = all < MIN_COMPARED || onlyNames + onlyStructure <= all * MAX_DISPUTED_SHARE;
  return isWithinBound ? null : { both, onlyNames, onlyStructure };
}
