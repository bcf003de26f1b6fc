import type { Element, ParentNode } from "domhandler";
import { attribute, isElement } from "../../html/parse/dom";

/** Matches the ids of elements that contain the whole list. The block of a single result never contains them. */
const LIST = /^(?:rso|main|search|res|rcnt|cnt|center_col|topstuff|botstuff|b_results|b_content|search-result)$/;

/** Returns the block of each link: the largest element around it that contains none of the other links. */
export function blocksOf(links: readonly Element[]): Map<Element, Element> {
  const below = countBelow(links);
  return new Map(links.map((link) => [link, climb(link, below)]));
}

/** Returns the number of the links in each element that contains any. A link counts for itself, too. */
export function countBelow(links: Iterable<Element>): Map<ParentNode, number> {
  const below = new Map<ParentNode, number>();
  for (const link of links)
    for (let at: ParentNode | null = link; at; at = at.parent) below.set(at, (below.get(at) ?? 0) + 1);
  return below;
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
