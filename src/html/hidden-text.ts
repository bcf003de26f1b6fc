import { type ChildNode, Element, type ParentNode, type Text } from "domhandler";
import { readRegions, type TextLine } from "./main-content/regions";
import { findSiteBoilerplate } from "./main-content/site-boilerplate";
import { bodyOf } from "./parse/document";
import { rawText } from "./parse/dom";
import { copyTo } from "./parse/tree";
import { addressesAi } from "./visibility/ai-instructions";
import { isOrdinaryHidden } from "./visibility/markup-visibility";
import type { VisiblePage } from "./visible-page";

/** The text of a page that a person can't see. */
export interface HiddenText {
  /**
   * The number of words in sentences that belong to the content. Labels for screen readers, menus, dialogs and messages
   * don't count, because most pages have them.
   */
  words: number;
  /** True if the text tells an AI what to do. */
  addressesAi: boolean;
}

/** A line with fewer words is a label or a short message. */
const MIN_LINE_WORDS = 6;
const MAX_LINKED_SHARE = 0.3;

/** Reads the hidden text of a page. */
export function readHiddenText(page: VisiblePage): HiddenText {
  const { document, hidden } = page;
  if (hidden.size === 0) return { words: 0, addressesAi: false };
  const body = bodyOf(document);
  const boilerplate = findSiteBoilerplate(body, new Set());
  const lines: TextLine[] = [];
  let text = "";
  function visit(parent: ParentNode, isOrdinary: boolean): void {
    for (const child of parent.children) {
      if (hidden.has(child)) {
        text += `${child instanceof Element ? rawText(child) : (child as Text).data}\n`;
        if (!isOrdinary) lines.push(...sentencesIn(child));
      } else if (child instanceof Element)
        visit(child, isOrdinary || boilerplate.has(child) || isOrdinaryHidden(child));
    }
  }
  visit(body, false);
  return { words: countWords(lines, page), addressesAi: addressesAi(text) };
}

function sentencesIn(node: ChildNode): TextLine[] {
  if (node instanceof Element && isOrdinaryHidden(node)) return [];
  const root = new Element("div", {});
  copyTo(root, node, (child) => child instanceof Element && isOrdinaryHidden(child));
  return readRegions(root, new Set()).lines.filter(
    (line) => line.words >= MIN_LINE_WORDS && line.linkLength < MAX_LINKED_SHARE * line.length,
  );
}

/** Counts the words of different lines that the page doesn't show elsewhere, for example in a copy for wider windows. */
function countWords(lines: readonly TextLine[], { page }: VisiblePage): number {
  if (lines.length === 0) return 0;
  const shown = new Set(page.lines.map(({ text }) => text));
  const counts = new Map(lines.filter(({ text }) => !shown.has(text)).map(({ text, words }) => [text, words]));
  return counts.values().reduce((sum, words) => sum + words, 0);
}
