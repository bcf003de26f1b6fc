// Cuts a text into parts that fit a limit. The parts are joined to the whole text, except for repeated heads.
import type { TextFormat } from "../contract/view-options";
import { type Block, type Frame, readBlocks } from "./blocks";
import { endOfTokens, tokensOf } from "./tokens";

/** The part of a text that is read, and the maximum size of a view of it. */
export interface TextRange {
  start: number;
  end: number;
  maxChars?: number | undefined;
  maxTokens?: number | undefined;
}

export interface TextPart {
  /** The text. If it continues a table or code, it begins with the repeated head. If it cuts code, the code is closed. */
  text: string;
  /** The position at which the next part starts. */
  end: number;
}

/** A part ends before a block that is longer than the limit only if it is filled to this share. */
const MIN_FILLED = 0.5;
/** Match lines, sentences and words. A block that is too long is cut after the last match of the first possible one. */
const BOUNDARIES = [/\n/g, /(?<=[.!?…]["'”’»)\]]{0,3})\s+|(?<=[。！？])/g, /\s+/g];

/**
 * Returns the longest part of the text that starts at `start` and fits the limit. Ends it between blocks if possible. A
 * block that is longer than the limit is cut after a line, otherwise after a sentence, otherwise after a word. The part
 * has at least one character, even if the limit is smaller.
 */
export function cutPart(text: string, format: TextFormat, range: TextRange): TextPart {
  const { end, maxChars = Number.POSITIVE_INFINITY, maxTokens } = range;
  const start = isSplitPair(text, range.start) ? range.start - 1 : range.start;
  if (start >= end) return { text: "", end: range.start };
  const max = maxTokens ?? maxChars;
  const sizeOf = maxTokens === undefined ? (part: string) => part.length : tokensOf;
  const first = findBlock(text, format, start);
  const frame = findFrame(text, first, start);
  const before = frame !== null && sizeOf(`${frame.head}${frame.line}\n${frame.tail}`) <= max ? frame.head : "";
  const cut = (space: Omit<Space, "start" | "end" | "sizeOf" | "max">) =>
    cutWithin(text, readBlocks(text, format, first.start), { start, end, max, sizeOf, ...space });
  const framed = cut({ room: max - sizeOf(before), isFramed: true });
  const part = { text: before + text.slice(start, framed.end) + framed.tail, end: framed.end };
  if (sizeOf(part.text) <= max) return part;
  // Not even one character fits together with the lines around it.
  const bare = cut({ room: max, isFramed: false });
  return { text: text.slice(start, bare.end), end: bare.end };
}

/** Returns the block that contains the position. */
function findBlock(text: string, format: TextFormat, position: number): Block {
  for (const block of readBlocks(text, format)) if (block.end > position) return block;
  throw new Error("The position is after the end of the text.");
}

/**
 * Returns the first line of a part that starts inside a table or code, and the lines around it. Returns null for other
 * parts.
 */
function findFrame(text: string, block: Block, start: number): (Frame & { line: string }) | null {
  if (!("bodyStart" in block) || start < block.bodyStart) return null;
  const body = text.slice(start, Math.max(start, block.bodyEnd));
  return body.trim() === "" ? null : { ...block, line: body.slice(0, body.indexOf("\n") + 1) || body };
}

interface Space {
  start: number;
  end: number;
  /** The maximum size of the text, without the repeated head. */
  room: number;
  /** The maximum size of the whole part. */
  max: number;
  sizeOf: (text: string) => number;
  /** True if code that is cut is closed. */
  isFramed: boolean;
}

/** The end of a part, and the lines that close its last block. */
interface Cut {
  end: number;
  tail: string;
}

function cutWithin(text: string, blocks: Iterable<Block>, space: Space): Cut {
  const { start, end, max } = space;
  const last = findLast(text, space);
  if (last >= end) return { end, tail: "" };
  /** The last start of a block. The headings at the end of the part are moved to the next part. */
  let boundary = start;
  let isAfterHeading = false;
  for (const block of blocks) {
    if (block.start <= last && !(isAfterHeading && boundary > start)) boundary = Math.max(start, block.start);
    isAfterHeading = block.kind === "heading";
    if (block.end <= last) continue;
    const from = Math.max(start, block.start);
    const content = text.slice(from, block.end).trimEnd();
    const isComplete = from + content.length <= last;
    if (isComplete && !(isAfterHeading && boundary > start)) return { end: last, tail: "" };
    const isFilled = boundary - start > MIN_FILLED * (last - start);
    if (boundary > start && (isFilled || isComplete || space.sizeOf(content) <= max))
      return { end: boundary, tail: "" };
    return cutBlock(text, block, { ...space, last, from });
  }
  return { end: last, tail: "" };
}

/** Cuts a block at the last possible position up to `last`. `from` is the start of the block or of the part in it. */
function cutBlock(text: string, block: Block, space: Space & { last: number; from: number }): Cut {
  const { last, from, room, sizeOf, isFramed } = space;
  if (!("bodyStart" in block)) return { end: lastBoundary(text, from, last), tail: "" };
  const { bodyStart, bodyEnd, tail } = block;
  const isClosed = tail !== "" && isFramed;
  const limit = isClosed ? findLast(text, { ...space, end: last, room: room - sizeOf(`\n${tail}`) }) : last;
  const start = Math.max(from, bodyStart);
  if (limit <= start || start >= bodyEnd) return { end: lastBoundary(text, from, last), tail: "" };
  // A closing fence doesn't begin a part.
  const line = text.lastIndexOf("\n", Math.min(limit, bodyEnd - 1) - 1) + 1;
  const end = line > start ? line : lastBoundary(text, start, Math.min(limit, bodyEnd));
  const gap = text.charAt(end - 1) === "\n" ? "" : "\n";
  return { end, tail: isClosed && end <= bodyEnd ? gap + tail : "" };
}

/** Returns the last position up to which the text fits the room. It is after at least one character. */
function findLast(text: string, { start, end, room, sizeOf }: Space): number {
  if (sizeOf === tokensOf) return Math.min(end, endOfTokens(text, room, start));
  const last = Math.min(end, start + Math.max(room, 1));
  if (!isSplitPair(text, last)) return last;
  return last - 1 > start ? last - 1 : last + 1;
}

/** Returns the last position from `from` to `to` at which a line, a sentence or a word ends. Otherwise returns `to`. */
export function lastBoundary(text: string, from: number, to: number): number {
  const middle = from + Math.floor(MIN_FILLED * (to - from));
  for (const start of [middle, from]) {
    const window = text.slice(start, to + 1);
    for (const border of BOUNDARIES) {
      let end = from;
      for (const { 0: gap, index } of window.matchAll(border))
        if (start + index <= to) end = Math.min(start + index + gap.length, to);
      if (end > from) return end;
    }
  }
  return to;
}

/** Returns true if the position is between the two code units of a surrogate pair. */
function isSplitPair(text: string, at: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(Math.max(0, at - 1), at + 1));
}
