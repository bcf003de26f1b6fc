import type { Element } from "domhandler";
import { elementsUnder } from "../html/content/elements";
import { outline } from "../html/main-content/outline";
import { PARSE_MAIN_MIN_SHARE } from "../limits";

/** A cell of a row that compares: others only arrange the page. */
const MAX_CELL_CHARS = 200;
const MIN_ROWS = 2;
/** Of the page's amounts of money, and of its tables' cells: less in the main content, and it isn't all that was asked for. */
const MIN_DATA_SHARE = 0.6;
const CURRENCY = "[€$£¥₺₽₹₴₩฿]|\\b(?:EUR|USD|GBP|CHF|JPY|CNY|TRY|TL|RUB|INR|PLN|SEK|NOK|DKK|CZK|AUD|CAD)\\b|zł|Kč|руб";
/** What the news speak of aren't prices. */
const NEWS = "(?!\\s?(?:[mb]n?\\b|tn\\b|k\\b|million|billion|trillion|mio|mrd|milliard|milli|миллион|млн|млрд))";
const AMOUNT = new RegExp(
  `(?:${CURRENCY})\\s?\\d[\\d.,]{0,15}(?![\\d.,])${NEWS}|\\d[\\d.,]{0,15}\\s?(?:${CURRENCY})`,
  "gi",
);

/**
 * Whether a page's main content holds too little of it: less than half of the words that aren't links, or not most of the
 * cells of its tables or its amounts of money. Product pages and lists are like that, and what was left out may be what was
 * asked for.
 */
export function isThin(main: Element, whole: Element): boolean {
  const [kept, all] = [measure(main), measure(whole)];
  return (
    kept.words < PARSE_MAIN_MIN_SHARE * all.words ||
    kept.amounts < MIN_DATA_SHARE * all.amounts ||
    kept.cells < MIN_DATA_SHARE * all.cells
  );
}

function measure(root: Element): { words: number; amounts: number; cells: number } {
  const amounts = new Set<string>();
  let words = 0;
  for (const { text, length, linkLength } of outline(root, new Set()).units) {
    words += length - linkLength;
    // Of what stands in links, as in teasers, the page of its own has more.
    if (linkLength <= length / 2) for (const [amount] of text.matchAll(AMOUNT)) amounts.add(amount.replace(/\s/g, ""));
  }
  return { words, amounts: amounts.size, cells: countCells(root) };
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
