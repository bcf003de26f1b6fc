import type { Block, Inline, List, Table } from "../../html/ast/blocks";
import { writeMarkdown } from "../../html/markdown/markdown";
import { inlineText } from "../../html/text/text";
import { tokensOf } from "./tokens";

/** The number of tokens of the blank line between two blocks. */
const GAP_TOKENS = tokensOf("\n\n");
/**
 * If the chosen pieces don't fit, because the estimate was too low, their number is multiplied by this factor until
 * they fit.
 */
const RETRY_SHARE = 0.9;
/** If code contains code fences, the fences around it are longer. This factor leaves room for them. */
const FENCE_FACTOR = 2;
/** The estimated number of extra tokens for a piece of text: its escapes and its blank line. */
const PIECE_OVERHEAD = 4;

/** Returns the estimated number of tokens of a block in Markdown. */
export function blockTokens(block: Block): number {
  return tokensOf(writeMarkdown([block])) + GAP_TOKENS;
}

interface SplitResult {
  /** The piece that fits, or null if no piece fits. */
  first: Block | null;
  /** The remaining blocks, in order. */
  rest: Block[];
}

/**
 * Splits a block so that the first piece has at most `room` tokens. Splits tables between rows and repeats the header
 * in each piece. Splits lists between items, quotes between blocks, and code between lines.
 */
export function splitBlock(block: Block, room: number): SplitResult {
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
 * Returns smaller blocks for a block that doesn't fit into any part: the cells of a table, the blocks of a list, or the
 * plain text of a paragraph, split between sentences if possible.
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
      return pieces(inlineText(block.content), room).map(wordsOf);
    case "code":
    case "math":
      return pieces(block.value, room).map(wordsOf);
    case "rule":
      return [];
  }
}

function splitTable(table: Table, room: number): SplitResult {
  const [header = [], ...rows] = table.rows;
  const withRows = (body: Table["rows"]): Table => ({ ...table, rows: [header, ...body] });
  const around = blockTokens(withRows([]));
  const taken = countFitting(rows, room - around, (row) => blockTokens(withRows([row])) - around);
  return toSplit(withRows, rows, { taken, room });
}

function splitList(list: List, room: number): SplitResult {
  const withItems = (items: List["items"]): List => ({ ...list, items });
  const taken = countFitting(list.items, room, (item) => blockTokens(withItems([item])) + GAP_TOKENS);
  return toSplit(withItems, list.items, { taken, room });
}

function splitChildren(block: Extract<Block, { children: Block[] }>, room: number): SplitResult {
  const withChildren = (children: Block[]) => ({ ...block, children });
  const taken = countFitting(block.children, room, (child) => blockTokens(withChildren([child])) + GAP_TOKENS);
  return toSplit(withChildren, block.children, { taken, room });
}

function splitCode(block: Extract<Block, { type: "code" }>, room: number): SplitResult {
  const left = room - FENCE_FACTOR * blockTokens({ ...block, value: "" });
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
): SplitResult {
  let count = taken;
  // The estimate of the tokens between the parts is too low for some blocks, such as deeply nested quotes.
  while (count > 0 && blockTokens(build(parts.slice(0, count))) > room) count = Math.floor(RETRY_SHARE * count);
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

/** Escaping can double the length of punctuation, so each piece uses only half of the room. */
function pieces(text: string, room: number): string[] {
  const found: string[] = [];
  for (let rest = text; rest !== ""; ) {
    const [first, next] = splitText(rest, (room - PIECE_OVERHEAD) / 2);
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

/**
 * Match the ends of paragraphs, lines, sentences and words. Text is split at the last match of the first pattern that
 * matches.
 */
const BOUNDARIES = [/\n\s*\n/g, /\n/g, /(?<=[.!?…]["'”’»)\]]{0,3})\s+|(?<=[。！？])/g, /\s+/g];
/** The minimum share of the room that the first piece must fill. An earlier split would waste too much room. */
const MIN_FILLED = 0.5;

/** Splits the text in two. The first piece has at most `maxTokens` tokens, but at least one character. */
export function splitText(text: string, maxTokens: number): [first: string, rest: string] {
  const end = fittingChars(text, maxTokens);
  if (end >= text.length) return [text, ""];
  const window = text.slice(0, end + 1);
  for (const border of BOUNDARIES) {
    const last = Array.from(window.slice(Math.floor(end * MIN_FILLED)).matchAll(border)).at(-1);
    if (last === undefined) continue;
    const at = Math.floor(end * MIN_FILLED) + last.index;
    if (at > 0 && at <= end) return [text.slice(0, at), text.slice(at + last[0].length)];
  }
  // Don't split a surrogate pair.
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
