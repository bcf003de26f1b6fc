import type { Block, Inline, List, Table } from "../../html/ast/blocks";
import { writeMarkdown } from "../../html/markdown/markdown";
import { inlineText } from "../../html/text/text";
import { tokensOf } from "./tokens";

/** Between two blocks: a blank line. */
const GAP = tokensOf("\n\n");
/** Where a first reckoning was too much. */
const SURELY = 0.9;
/** Fences are as long as what stands in the code asks for. */
const FENCE_ROOM = 2;
/** The least of a room that a piece of a text may ask for, for its escapes and its blank line. */
const AROUND_PIECE = 4;

export function blockTokens(block: Block): number {
  return tokensOf(writeMarkdown([block])) + GAP;
}

export interface Cut {
  /** What fits; null when nothing does. */
  first: Block | null;
  /** The rest, in its order. */
  rest: Block[];
}

/**
 * Cuts a block so that the first piece takes at most `room` tokens: tables between rows, each piece with the header; lists
 * between items, quotes between their blocks, code between lines.
 */
export function splitBlock(block: Block, room: number): Cut {
  switch (block.type) {
    case "table":
      return splitTable(block, room);
    case "list":
      return splitList(block, room);
    case "quote":
    case "description":
    case "footnote":
      return splitChildren(block, room);
    case "code":
      return splitCode(block, room);
    default:
      return { first: null, rest: [block] };
  }
}

/**
 * A block that no part can hold, in smaller ones: a row's cells and an item's blocks each for themselves, a paragraph by its
 * sentences. Where a link's address alone is too long, the words are left.
 */
export function breakUp(block: Block, room: number): Block[] {
  switch (block.type) {
    case "table":
      return block.rows
        .flat()
        .filter((cell) => cell.length > 0)
        .map(toParagraph);
    case "list":
      return block.items.flatMap(({ children }) => children);
    case "quote":
    case "description":
    case "footnote":
      return block.children;
    case "paragraph":
    case "heading":
    case "term":
      return splitLine(block.content, room).map(toParagraph);
    case "code":
    case "math":
      return pieces(block.value, room).map(wordsOf);
    case "rule":
      return [];
  }
}

function splitTable(table: Table, room: number): Cut {
  const [header = [], ...rows] = table.rows;
  const withRows = (body: Table["rows"]): Table => ({ ...table, rows: [header, ...body] });
  const around = blockTokens(withRows([]));
  const taken = countFitting(rows, room - around, (row) => blockTokens(withRows([row])) - around);
  return toSplit(withRows, rows, { taken, room });
}

function splitList(list: List, room: number): Cut {
  const withItems = (items: List["items"]): List => ({ ...list, items });
  const taken = countFitting(list.items, room, (item) => blockTokens(withItems([item])) + GAP);
  return toSplit(withItems, list.items, { taken, room });
}

function splitChildren(block: Extract<Block, { children: Block[] }>, room: number): Cut {
  const withChildren = (children: Block[]) => ({ ...block, children });
  const taken = countFitting(block.children, room, (child) => blockTokens(withChildren([child])) + GAP);
  return toSplit(withChildren, block.children, { taken, room });
}

function splitCode(block: Extract<Block, { type: "code" }>, room: number): Cut {
  const left = room - FENCE_ROOM * blockTokens({ ...block, value: "" });
  if (left <= 0) return { first: null, rest: [block] };
  const [value, rest] = splitText(block.value, left);
  const first = { ...block, value };
  if (blockTokens(first) > room) return { first: null, rest: [block] };
  return { first, rest: rest === "" ? [] : [{ ...block, value: rest }] };
}

function toSplit<Part>(
  build: (parts: Part[]) => Block,
  parts: Part[],
  { taken, room }: { taken: number; room: number },
): Cut {
  let count = taken;
  // What stands between the parts was reckoned, not counted: inside of many quotes it is more.
  while (count > 0 && blockTokens(build(parts.slice(0, count))) > room) count = Math.floor(SURELY * count);
  const rest = parts.slice(count);
  return { first: count === 0 ? null : build(parts.slice(0, count)), rest: rest.length === 0 ? [] : [build(rest)] };
}

function countFitting<Part>(parts: readonly Part[], room: number, costOf: (part: Part) => number): number {
  let left = room;
  const past = parts.findIndex((part) => {
    left -= costOf(part);
    return left < 0;
  });
  return past < 0 ? parts.length : past;
}

/** A line in pieces that each fit, by sentences, else by words. */
function splitLine(content: Inline[], room: number): Inline[][] {
  const costOf = (line: Inline[]) => blockTokens(toParagraph(line));
  const lines: Inline[][] = [];
  let line: Inline[] = [];
  let cost = 0;
  for (const piece of content.flatMap((inline) => smaller(inline, room, costOf))) {
    const own = costOf([piece]);
    if (line.length > 0 && cost + own > room) {
      lines.push(line);
      [line, cost] = [[], 0];
    }
    line.push(piece);
    cost += own;
  }
  return line.length > 0 ? [...lines, line] : lines;
}

function smaller(inline: Inline, room: number, costOf: (line: Inline[]) => number): Inline[] {
  if (costOf([inline]) <= room) return [inline];
  const plain = (value: string): Inline => ({ type: "text", value, space: true, marks: null });
  const around = costOf([{ ...inline, value: "" }]);
  const isCuttable = inline.type === "text" && around < room / 2;
  return pieces(isCuttable ? inline.value : inlineText([inline]), isCuttable ? room - around : room).map((value) =>
    isCuttable ? { ...inline, value, space: true } : plain(value),
  );
}

/** Signs may each take a backslash, and code a fence. */
function pieces(text: string, room: number): string[] {
  const found: string[] = [];
  for (let rest = text; rest !== ""; ) {
    const [first, next] = splitText(rest, (room - AROUND_PIECE) / 2);
    found.push(first);
    rest = next;
  }
  return found.filter((piece) => piece.trim() !== "");
}

function toParagraph([first, ...more]: Inline[]): Block {
  return { type: "paragraph", content: first ? [{ ...first, space: false }, ...more] : [] };
}

function wordsOf(value: string): Block {
  return toParagraph([{ type: "text", value, space: false, marks: null }]);
}

/** Where a text may be cut, the best places first: after a blank line, a line, a sentence, a word. */
const BORDERS = [/\n\s*\n/g, /\n/g, /(?<=[.!?…]["'”’»)\]]{0,3})\s+|(?<=[。！？])/g, /\s+/g];
/** A border earlier than this wastes too much of the room. */
const MIN_FILLED = 0.5;

/** The beginning of a text that takes at most so many tokens, and the rest: at least one character, whatever the room. */
export function splitText(text: string, maxTokens: number): [first: string, rest: string] {
  const end = fittingChars(text, maxTokens);
  if (end >= text.length) return [text, ""];
  const window = text.slice(0, end + 1);
  for (const border of BORDERS) {
    const last = Array.from(window.slice(Math.floor(end * MIN_FILLED)).matchAll(border)).at(-1);
    if (last === undefined) continue;
    const at = Math.floor(end * MIN_FILLED) + last.index;
    if (at > 0 && at <= end) return [text.slice(0, at), text.slice(at + last[0].length)];
  }
  // Half of a character is none.
  const isSplit = /[\udc00-\udfff]/.test(text.charAt(end)) && end > 1;
  const at = isSplit ? end - 1 : end;
  return [text.slice(0, at), text.slice(at)];
}

function fittingChars(text: string, maxTokens: number): number {
  let left = maxTokens;
  for (let at = 0; at < text.length; at++) {
    left -= tokensOf(text.charAt(at));
    if (left < 0) return Math.max(at, 1);
  }
  return text.length;
}
