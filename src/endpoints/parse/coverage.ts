import type { Element } from "domhandler";
import type { RegionTree } from "../../html/main-content/regions";
import { elementsUnder } from "../../html/parse/dom";
import { PARSE_MIN_SHARE } from "../../model/limits";

/** A cell of a row that compares: others only arrange the page. */
const MAX_CELL_CHARS = 200;
const MIN_ROWS = 2;
/** Of the page's amounts of money, and of its tables' cells. */
const MIN_DATA_SHARE = 0.6;
const CURRENCY = "[€$£¥₺₽₹₴₩฿]|\\b(?:EUR|USD|GBP|CHF|JPY|CNY|TRY|TL|RUB|INR|PLN|SEK|NOK|DKK|CZK|AUD|CAD)\\b|zł|Kč|руб";
/** What the news speak of aren't prices. */
const NEWS = "(?!\\s?(?:[mb]n?\\b|tn\\b|k\\b|million|billion|trillion|mio|mrd|milliard|milli|миллион|млн|млрд))";
const AMOUNT = new RegExp(
  `(?:${CURRENCY})\\s?\\d[\\d.,]{0,15}(?![\\d.,])${NEWS}|\\d[\\d.,]{0,15}\\s?(?:${CURRENCY})`,
  "gi",
);

/**
 * Whether a part of a page holds too little of it: less than half of the words that aren't links, or not most of the cells of
 * its tables or its amounts of money, which in lists of products stand in links. What was left out may be what was asked for.
 */
export function isThin(part: RegionTree, page: RegionTree): boolean {
  const [kept, all] = [measure(part), measure(page)];
  return isShort(kept, all) || kept.amounts < MIN_DATA_SHARE * all.amounts;
}

/** The same where only header, footer and menus were left out: the basket there has its amount, and offers have theirs. */
export function isHollow(content: RegionTree, page: RegionTree): boolean {
  const [kept, all] = [measure(content), measure(page)];
  return isShort(kept, all) || (kept.amounts === 0 && all.amounts > 0);
}

interface Measure {
  /** Characters outside of links. */
  words: number;
  amounts: number;
  cells: number;
}

function isShort(kept: Measure, all: Measure): boolean {
  return kept.words < PARSE_MIN_SHARE * all.words || kept.cells < MIN_DATA_SHARE * all.cells;
}

function measure({ root, lines }: RegionTree): Measure {
  const amounts = new Set<string>();
  let words = 0;
  for (const { text, length, linkLength } of lines) {
    words += length - linkLength;
    for (const [amount] of text.matchAll(AMOUNT)) if (/[1-9]/.test(amount)) amounts.add(amount.replace(/\s/g, ""));
  }
  return { words, amounts: amounts.size, cells: countCells(root.element) };
}

/** The cells of tables that have rows and columns, and no table inside. */
function countCells(root: Element): number {
  let cells = 0;
  for (const table of elementsUnder(root)) {
    if (table.name !== "table") continue;
    let [own, rows, isLayout] = [0, 0, false];
    for (const { name, children } of elementsUnder(table, (inner) => inner.name !== "table")) {
      if (name === "table") isLayout = true;
      else if (name === "tr") rows++;
      else if (name === "td" || name === "th") {
        own++;
        const length = children.reduce((sum, child) => sum + ("data" in child ? child.data.length : 0), 0);
        isLayout ||= length > MAX_CELL_CHARS;
      }
    }
    if (!isLayout && rows >= MIN_ROWS && own >= 2 * rows) cells += own;
  }
  return cells;
}
