import { type ChildNode, Element, Text } from "domhandler";
import { extractMainContent, visibleContent } from "../../html/main-content/main-content";
import { isLinkLine, type Region, type RegionTree, readRegions, type TextLine } from "../../html/main-content/regions";
import { isElement } from "../../html/parse/dom";
import { copyTo } from "../../html/parse/tree";
import { PARSE_CONTENT_MAX_GROWTH, PARSE_CONTENT_TOKENS } from "../../model/limits";
import { isHollow, isThin } from "./coverage";
import type { SeenPage } from "./seen-page";
import { tokensOf } from "./tokens";

/**
 * How much of a page is read: what is of the page and not of its site; where that has little of it, the whole; where it is
 * long for what its main content says, it without the lines of links that stand beside.
 */
export type Extent = "content" | "whole" | "narrowed";

interface Choice {
  root: Element;
  extent: Extent;
}

/** Characters of a text that lists of links stand beside; with less, they may be what the page is about. */
const MIN_TEXT_CHARS = 2_000;
/** The marks around a link or a picture. */
const AROUND_ADDRESS = 4;
const WRITER_NAMES = /^(?:author|byline|autor|auteur|tags?$|date|time)/;

/** What is read of a page, as a copy. `url` is the page's. */
export function chooseContent({ document, hidden, whole, page }: SeenPage, url: string): Choice {
  const content = visibleContent(document, hidden);
  const lines = readRegions(content, new Set());
  if (isHollow(lines, page)) return { root: whole, extent: "whole" };
  const tokens = tokensIn(content);
  if (tokens <= PARSE_CONTENT_TOKENS) return { root: content, extent: "content" };
  const main = extractMainContent(document, { url, excluded: hidden });
  if (tokens <= PARSE_CONTENT_MAX_GROWTH * tokensIn(main)) return { root: content, extent: "content" };
  const mainLines = readRegions(main, new Set());
  if (!isText(mainLines) || isThin(mainLines, lines)) return { root: content, extent: "content" };
  return { root: withoutLinksBeside(lines, mainLines), extent: "narrowed" };
}

/** About what it takes to write it: words and addresses. */
function tokensIn(root: Element): number {
  let tokens = 0;
  const stack: ChildNode[] = [root];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node instanceof Text) tokens += tokensOf(node.data.trim());
    else if (isElement(node)) {
      const { name, attribs, children } = node;
      const address = name === "a" ? attribs.href : name === "img" ? attribs.src : undefined;
      if (address !== undefined) tokens += tokensOf(address) + AROUND_ADDRESS;
      for (const child of children) stack.push(child);
    }
  }
  return tokens;
}

function isText({ lines }: RegionTree): boolean {
  return lines.reduce((sum, line) => sum + line.length - line.linkLength, 0) >= MIN_TEXT_CHARS;
}

function withoutLinksBeside({ root: content, lines, regions }: RegionTree, main: RegionTree): Element {
  const kept = new Set(main.lines.map(({ text }) => text));
  const isDropped = lines.map((line) => isLinkLine(line) && !kept.has(line.text) && !isOfText(line));
  const dropped = new Set<ChildNode>(lines.flatMap((line, at) => (isDropped[at] ? line.nodes : [])));
  const left = [0];
  for (const isOne of isDropped) left.push((left.at(-1) ?? 0) + (isOne ? 0 : 1));
  for (const { element, start, end } of regions) if (start < end && left[start] === left[end]) dropped.add(element);
  const root = new Element("div", {});
  for (const child of content.element.children) copyTo(root, child, (node) => dropped.has(node));
  return root;
}

/** A cell keeps its column; what is marked as the page's main part is its own; authors, dates and topics stand over a text. */
function isOfText({ region }: TextLine): boolean {
  for (let at: Region | null = region; at; at = at.parent) {
    const { name, attribs } = at.element;
    if (/^(?:main|table)$/.test(name) || attribs.role?.toLowerCase() === "main") return true;
    if (at.names.some((word) => WRITER_NAMES.test(word))) return true;
  }
  return false;
}
