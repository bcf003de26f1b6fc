import type { Block } from "../../html/ast/blocks";
import { writeMarkdown } from "../../html/markdown/markdown";
import { endOfTokens, tokensOf } from "../../text-view/tokens";

/** The number of tokens of the blank line between two blocks. */
const GAP_TOKENS = tokensOf("\n\n");
/**
 * If the chosen pieces don't fit, because the estimate was too low, their number is multiplied by this factor until
 * they fit.
 */
const RETRY_SHARE = 0.9;

/** A block, or a piece of the Markdown of a block that doesn't fit into any part. */
export type Piece = Block | { type: "markdown"; value: string };

/** Writes pieces as text. `write` writes the blocks next to each other. */
export function writePieces(pieces: readonly Piece[], write: (blocks: Block[]) => string): string {
  const texts: string[] = [];
  let blocks: Block[] = [];
  for (const piece of pieces) {
    if (piece.type !== "markdown") {
      blocks.push(piece);
      continue;
    }
    texts.push(write(blocks), piece.value);
    blocks = [];
  }
  return [...texts, write(blocks)].filter((text) => text !== "").join("\n\n");
}

export function pieceTokens(piece: Piece): number {
  return tokensOf(writePieces([piece], writeMarkdown)) + GAP_TOKENS;
}

interface SplitResult {
  /** The piece that fits, or null if no piece fits. */
  first: Piece | null;
  /** The remaining pieces, in order. */
  rest: Piece[];
}

/**
 * Splits a block so that the first piece has at most `room` tokens. Splits tables between rows and repeats the header
 * in each piece. Splits lists between items, quotes between blocks, and code between lines.
 */
export function splitBlock(block: Piece, room: number): SplitResult {
  switch (block.type) {
    case "table": {
      const [header = [], ...rows] = block.rows;
      return splitBetween(rows, room, (part) => ({ ...block, rows: [header, ...part] }));
    }
    case "list":
      return splitBetween(block.items, room, (items) => ({ ...block, items }));
    case "quote":
    case "description":
    case "footnote":
      return splitBetween(block.children, room, (children) => ({ ...block, children }));
    case "code":
      return splitBetween(block.value.split("\n"), room, (lines) => ({ ...block, value: lines.join("\n") }));
    default:
      return { first: null, rest: [block] };
  }
}

function splitBetween<Part>(parts: readonly Part[], room: number, build: (parts: Part[]) => Block): SplitResult {
  const around = pieceTokens(build([]));
  let left = room - around;
  const past = parts.findIndex((part) => {
    left -= pieceTokens(build([part])) - around + GAP_TOKENS;
    return left < 0;
  });
  let count = past < 0 ? parts.length : past;
  // The estimate is too low for some blocks, such as deeply nested quotes.
  while (count > 0 && pieceTokens(build(parts.slice(0, count))) > room) count = Math.floor(RETRY_SHARE * count);
  const rest = parts.slice(count);
  return { first: count === 0 ? null : build(parts.slice(0, count)), rest: rest.length === 0 ? [] : [build(rest)] };
}

/**
 * Returns smaller pieces for a block that doesn't fit into any part: the cells of a table, the blocks of a list, and
 * pieces of the text of other blocks, split between sentences if possible.
 */
export function breakUp(block: Piece, room: number): Piece[] {
  switch (block.type) {
    case "table":
      return block.rows.flat().map((content) => ({ type: "paragraph", content }));
    case "list":
      return block.items.flatMap(({ children }) => children);
    case "quote":
    case "description":
    case "footnote":
      return block.children;
    case "code":
    case "math":
    case "markdown":
      return splitMarkdown(block.value, room);
    default:
      return splitMarkdown(writeMarkdown([block]), room);
  }
}

function splitMarkdown(markdown: string, room: number): Piece[] {
  const pieces: Piece[] = [];
  for (let rest = markdown; rest.trim() !== ""; ) {
    const [value, next] = splitText(rest, room - GAP_TOKENS);
    pieces.push({ type: "markdown", value });
    rest = next;
  }
  return pieces;
}

/** Match the ends of paragraphs, lines, sentences and words. Text is split at the last match of the first one. */
const BOUNDARIES = [/\n\s*\n/g, /\n/g, /(?<=[.!?…]["'”’»)\]]{0,3})\s+|(?<=[。！？])/g, /\s+/g];
/** The minimum share of the room that the first piece must fill. An earlier split would waste too much room. */
const MIN_FILLED = 0.5;

/** Splits the text in two. The first piece has at most `maxTokens` tokens, but at least one character. */
export function splitText(text: string, maxTokens: number): [first: string, rest: string] {
  const end = endOfTokens(text, maxTokens);
  if (end >= text.length) return [text, ""];
  const window = text.slice(0, end + 1);
  for (const border of BOUNDARIES) {
    const last = Array.from(window.slice(Math.floor(end * MIN_FILLED)).matchAll(border)).at(-1);
    if (last === undefined) continue;
    const at = Math.floor(end * MIN_FILLED) + last.index;
    if (at > 0 && at <= end) return [text.slice(0, at), text.slice(at + last[0].length)];
  }
  return [text.slice(0, end), text.slice(end)];
}
