import { type ChildNode, Element, type ParentNode, type Text } from "domhandler";
import { readRegions, type TextLine } from "./main-content/regions";
import { findSiteBoilerplate } from "./main-content/site-boilerplate";
import { copyTo } from "./parse/copy";
import { bodyOf } from "./parse/document";
import { isWithin, rawText } from "./parse/dom";
import { addressesAi } from "./visibility/ai-instructions";
import { isOrdinaryHidden } from "./visibility/markup-visibility";
import type { VisiblePage } from "./visible-page";

/** A line with fewer words is a label or a short message. */
const MIN_LINE_WORDS = 6;
const MAX_LINKED_SHARE = 0.3;

/**
 * Reads the hidden text of a page. Returns the number of words in sentences that belong to the content. Labels for
 * screen readers, menus, dialogs and messages don't count, because most pages have them. `addressesAi` is true if the
 * text tells an AI what to do. If the content has fewer hidden words than `leastWords`, their number isn't exact,
 * because most pages have a few of them and counting them exactly takes long.
 */
export function readHiddenText(page: VisiblePage, { leastWords }: { leastWords: number }) {
  const { document, hidden } = page;
  if (hidden.size === 0) return { words: 0, addressesAi: false };
  const body = bodyOf(document);
  const found: ChildNode[] = [];
  let text = "";
  function visit(parent: ParentNode, isOrdinary: boolean): void {
    for (const child of parent.children) {
      if (hidden.has(child)) {
        const own = child instanceof Element ? rawText(child) : (child as Text).data;
        text += `${own}\n`;
        if (!isOrdinary && own.length >= MIN_LINE_WORDS) found.push(child);
      } else if (child instanceof Element) visit(child, isOrdinary || isOrdinaryHidden(child));
    }
  }
  visit(body, false);
  const isAddressed = addressesAi(text);
  const all = found.map((node) => ({ node, lines: sentencesIn(node) })).filter(({ lines }) => lines.length > 0);
  const words = countWords(all.flatMap(({ lines }) => lines));
  if (words === 0 || (words < leastWords && !isAddressed)) return { words, addressesAi: isAddressed };
  const boilerplate = findSiteBoilerplate(readRegions(body, new Set()));
  const lines = all.filter(({ node }) => !isWithin(node.parent, boilerplate)).flatMap((one) => one.lines);
  const shown = new Set(page.page().lines.map((line) => line.text));
  return { words: countWords(lines.filter((line) => !shown.has(line.text))), addressesAi: isAddressed };
}

function sentencesIn(node: ChildNode): TextLine[] {
  if (node instanceof Element && isOrdinaryHidden(node)) return [];
  const root = new Element("div", {});
  copyTo(root, node, { isDropped: (child) => child instanceof Element && isOrdinaryHidden(child) });
  return readRegions(root, new Set()).lines.filter(
    (line) => line.words >= MIN_LINE_WORDS && line.linkLength < MAX_LINKED_SHARE * line.length,
  );
}

/** Counts the words of different lines. */
function countWords(lines: readonly TextLine[]): number {
  const counts = new Map(lines.map(({ text, words }) => [text, words]));
  return counts.values().reduce((sum, words) => sum + words, 0);
}
