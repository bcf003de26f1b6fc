import { type ChildNode, Element, Text } from "domhandler";
import { chooseArticle } from "../../html/main-content/choose-regions";
import { copyContent, visibleContent } from "../../html/main-content/main-content";
import { readPage } from "../../html/main-content/read-page";
import { isDataTable } from "../../html/main-content/region-kinds";
import { isLinkLine, type Region, type RegionTree, readRegions, type TextLine } from "../../html/main-content/regions";
import { Selection } from "../../html/main-content/selection";
import { copyTo } from "../../html/parse/copy";
import { isElement } from "../../html/parse/dom";
import { isCellName } from "../../html/parse/element-categories";
import type { VisiblePage } from "../../html/visible-page";
import { PARSE_CONTENT_MAX_GROWTH, PARSE_CONTENT_TOKENS, PARSE_MIN_SHARE } from "../../model/limits";
import { tokensOf } from "../../text-view/tokens";

/** If the main content has less text outside links, the links around it are kept. They may be the subject. */
const MIN_TEXT_CHARS = 2_000;
/** The estimated number of tokens of the Markdown syntax around a link or an image. */
const LINK_OVERHEAD = 4;
const WRITER_NAMES = /^(?:author|byline|autor|auteur|tags?$|date|time)/;

/**
 * Chooses the parts of the page at `url` that the model reads: everything except the site's header, footer and menus. If
 * this is much longer than the main content, lines of links outside the main content are omitted, too. If too little
 * would be left, the model reads everything that is visible. Returns a copy.
 */
export function chooseContent({ document, hidden, whole, page }: VisiblePage, url: string): Element {
  const content = visibleContent(document, hidden);
  const lines = readRegions(content, new Set());
  if (isNearlyEmpty(lines, page())) return whole();
  const tokens = tokensIn(content);
  if (tokens <= PARSE_CONTENT_TOKENS) return content;
  const main = copyContent(chooseArticle(readPage(document, { url, excluded: hidden })));
  if (tokens <= PARSE_CONTENT_MAX_GROWTH * tokensIn(main)) return content;
  const mainLines = readRegions(main, new Set());
  const textLength = mainLines.lines.reduce((sum, line) => sum + line.length - line.linkLength, 0);
  return textLength >= MIN_TEXT_CHARS && !isThin(mainLines, lines) ? removeSurroundingLinks(lines, mainLines) : content;
}

function tokensIn(root: Element): number {
  let tokens = 0;
  const stack: ChildNode[] = [root];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node instanceof Text) tokens += tokensOf(node.data.trim());
    else if (isElement(node)) {
      const { name, attribs, children } = node;
      const address = name === "a" ? attribs.href : name === "img" ? attribs.src : undefined;
      if (address !== undefined) tokens += tokensOf(address) + LINK_OVERHEAD;
      for (const child of children) stack.push(child);
    }
  }
  return tokens;
}

function removeSurroundingLinks({ root: content, lines, regions }: RegionTree, main: RegionTree): Element {
  const kept = new Set(main.lines.map(({ text }) => text));
  const isDropped = lines.map((line) => isLinkLine(line) && !kept.has(line.text) && !belongsToText(line));
  const dropped = new Set<ChildNode>(lines.flatMap((line, at) => (isDropped[at] ? line.nodes : [])));
  const left = [0];
  for (const isOne of isDropped) left.push((left.at(-1) ?? 0) + (isOne ? 0 : 1));
  for (const { element, start, end } of regions) if (start < end && left[start] === left[end]) dropped.add(element);
  const root = new Element("div", {});
  for (const child of content.element.children) copyTo(root, child, { isDropped: (node) => dropped.has(node) });
  return root;
}

/** Returns true if a line of links is in a table, in `main`, or in an element for authors, dates or topics. */
function belongsToText({ region }: TextLine): boolean {
  return region.withAncestors().some((around) => {
    const { name, attribs } = around.element;
    return /^(?:main|table)$/.test(name) || attribs.role?.toLowerCase() === "main" || around.isNamed(WRITER_NAMES);
  });
}

/** A part of the page must contain at least this share of the page's prices, and the same share of its table cells. */
const MIN_DATA_SHARE = 0.6;

/**
 * Returns true if the part lacks too much of the page: text outside links, table cells or prices. The prompt may ask
 * for the missing content. Prices in links count, too, because product lists often link their prices.
 */
function isThin(part: RegionTree, page: RegionTree): boolean {
  const [kept, all] = [measure(part), measure(page)];
  return isShort(kept, all) || kept.amounts < MIN_DATA_SHARE * all.amounts;
}

/**
 * Returns true if `content`, the page without its header, footer and menus, lacks too much of the page. `content` may
 * lack some prices, such as the total of the shopping cart, but not all prices.
 */
function isNearlyEmpty(content: RegionTree, page: RegionTree): boolean {
  const [kept, all] = [measure(content), measure(page)];
  return isShort(kept, all) || (kept.amounts === 0 && all.amounts > 0);
}

interface Measure {
  /** The number of characters outside links. */
  words: number;
  /** The number of different lines with a price. */
  amounts: number;
  cells: number;
}

function isShort(kept: Measure, all: Measure): boolean {
  return kept.words < PARSE_MIN_SHARE * all.words || kept.cells < MIN_DATA_SHARE * all.cells;
}

function measure(page: RegionTree): Measure {
  const amounts = new Set(page.lines.filter((line) => line.hasPrice).map(({ text }) => text));
  const words = page.lines.reduce((sum, line) => sum + line.length - line.linkLength, 0);
  return { words, amounts: amounts.size, cells: countCells(page.root, new Selection(page), false) };
}

function countCells(region: Region, selection: Selection, isInTable: boolean): number {
  const isTable = isInTable || isDataTable(region, selection);
  const own = isInTable && isCellName(region.element.name) ? 1 : 0;
  return region.children.reduce((sum, child) => sum + countCells(child, selection, isTable), own);
}
