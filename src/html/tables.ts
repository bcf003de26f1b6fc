import type { DomElement, DomNode } from "./dom";
import {
  childrenOf,
  elementsUnder,
  hasBlock,
  isBlock,
  isElement,
  isText,
  plainTextOf,
  rename,
  replace,
  unwrap,
} from "./dom";
import { flattenBlock } from "./inline";

/** How the columns of a prepared table are aligned: "left", "right", "center" or "", joined by commas. */
export const ALIGNMENT = "data-alignment";

const MAX_SPAN = 50;
/** A cell with blocks and this much text holds a part of the page, not a datum. */
const MAX_CELL_CHARS = 1_500;
const ALIGNMENTS = /^(?:left|right|center)$/;

/**
 * Makes a data table rectangular: rows of equal length directly in the table, the first one of <th> (empty ones when the
 * table has no header), cells on one line with <br>. Other tables become blocks. Tables inside must be prepared before.
 */
export function prepareTable(table: DomElement): void {
  const rows = elementsUnder(table).filter(
    (element) => element.localName === "tr" && element.closest("table") === table,
  );
  const grid = rows.map(cellsOf);
  const lines = spread(grid).filter((line) => line.some((cell) => cell && !isEmpty(cell)));
  const [first] = lines;
  if (!first || isLayout(table, grid)) {
    toBlocks(table);
    return;
  }

  if (!isHeader(first)) lines.unshift([]);
  const width = lines.reduce((widest, line) => Math.max(widest, line.length), 0);
  const columns = Array.from({ length: width }, (_, column) => alignmentOf(lines[1]?.[column] ?? first[column]));
  const caption = table.querySelector("caption");
  if (caption) table.parentNode?.insertBefore(rename(caption, "p"), table);

  const flat = table.ownerDocument.createElement("table");
  flat.setAttribute(ALIGNMENT, columns.join(","));
  for (const line of lines) flat.appendChild(toRow(table, line, width, line === lines[0] ? "th" : "td"));
  replace(table, flat);
}

function cellsOf(row: DomElement): DomElement[] {
  return elementsUnder(row).filter((cell) => /^t[dh]$/.test(cell.localName) && cell.closest("tr") === row);
}

function isLayout(table: DomElement, grid: DomElement[][]): boolean {
  if (/^(?:presentation|none)$/.test(table.getAttribute("role") ?? "")) return true;
  if (table.querySelector("table") || grid.every((cells) => cells.length < 2)) return true;
  return grid.flat().some((cell) => cell.textContent.length > MAX_CELL_CHARS && hasBlock(cell));
}

function isHeader(line: (DomElement | null)[]): boolean {
  const cells = line.filter((cell) => cell !== null);
  return cells.some((cell) => cell.closest("thead")) || cells.every((cell) => cell.localName === "th" || isEmpty(cell));
}

function isEmpty(cell: DomElement): boolean {
  return plainTextOf(cell) === "" && !cell.querySelector("img");
}

/** Rows with a place for every column: cells that span leave empty places behind. */
function spread(grid: DomElement[][]): (DomElement | null)[][] {
  const below: number[] = [];
  return grid.map((cells) => {
    const line: (DomElement | null)[] = [];
    const skipTaken = () => {
      for (let left = below[line.length]; left; left = below[line.length]) {
        below[line.length] = left - 1;
        line.push(null);
      }
    };
    for (const cell of cells) {
      skipTaken();
      const rows = spanOf(cell, "rowspan");
      for (let column = spanOf(cell, "colspan"), first = true; column > 0; column--, first = false) {
        below[line.length] = rows - 1;
        line.push(first ? cell : null);
      }
    }
    skipTaken();
    return line;
  });
}

function spanOf(cell: DomElement, name: string): number {
  const span = Number.parseInt(cell.getAttribute(name) ?? "1", 10);
  return Math.min(Math.max(span || 1, 1), MAX_SPAN);
}

function alignmentOf(cell: DomElement | null | undefined): string {
  const style = /text-align\s*:\s*(\w+)/i.exec(cell?.getAttribute("style") ?? "")?.[1];
  const alignment = (style ?? cell?.getAttribute("align") ?? "").toLowerCase();
  return ALIGNMENTS.test(alignment) ? alignment : "";
}

function toRow(table: DomElement, line: (DomElement | null)[], width: number, name: "th" | "td"): DomElement {
  const document = table.ownerDocument;
  const row = document.createElement("tr");
  for (let column = 0; column < width; column++) {
    const cell = line[column] ?? document.createElement(name);
    flattenCell(cell);
    row.appendChild(cell.localName === name ? cell : rename(cell, name));
  }
  return row;
}

/** One line: <br> sets blocks apart, a code block becomes inline code line by line, list items keep their dashes. */
function flattenCell(cell: DomElement): void {
  const document = cell.ownerDocument;
  for (const element of elementsUnder(cell)) {
    if (element.localName === "pre") flattenPre(element);
    else if (isBlock(element)) {
      if (element.localName === "li") element.insertBefore(document.createTextNode("- "), element.firstChild);
      flattenBlock(element, () => document.createElement("br"));
    }
  }
  dropIdleBreaks(cell);
}

function flattenPre(pre: DomElement): void {
  const { ownerDocument: document, parentNode: parent } = pre;
  pre.textContent.split("\n").forEach((line, at) => {
    const code = document.createElement("code");
    code.textContent = line;
    if (at > 0) parent?.insertBefore(document.createElement("br"), pre);
    parent?.insertBefore(code, pre);
  });
  pre.remove();
}

/** Breaks at the ends and in runs say nothing. */
function dropIdleBreaks(cell: DomElement): void {
  let previous: DomNode | null = null;
  for (const child of childrenOf(cell)) {
    if (isText(child) && child.data.trim() === "") continue;
    const isIdle = isBreak(child) && (!previous || isBreak(previous));
    if (isIdle) child.remove();
    else previous = child;
  }
  if (previous && isBreak(previous)) previous.remove();
}

function isBreak(node: DomNode): boolean {
  return isElement(node) && node.localName === "br";
}

function toBlocks(table: DomElement): void {
  for (const element of elementsUnder(table)) {
    if (element.closest("table") !== table) continue;
    if (element.localName === "caption") rename(element, "p");
    else if (/^t[dh]$/.test(element.localName)) rename(element, "div");
    else if (/^(?:tr|tbody|thead|tfoot|colgroup|col)$/.test(element.localName)) unwrap(element);
  }
  rename(table, "div");
}
