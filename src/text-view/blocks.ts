// Reads the blocks of a result's text. Cuts, outlines and passages are made from the same blocks.

import type { TextFormat } from "../contract/view-options";

/**
 * A block of a text, from `start` to `end` (UTF-16 code units). The blank lines after a block belong to it, so each block
 * ends where the next one starts.
 */
export type Block = { start: number; end: number } & BlockKind;

type BlockKind =
  | { kind: "paragraph" | "item" }
  /** `text`: the heading as plain text. */
  | { kind: "heading"; level: number; text: string }
  | ({ kind: "table" | "code" } & Frame);

/** The lines around the rows of a table or around the lines of code. */
export interface Frame {
  /** The end of the table's head or of the opening fence. */
  bodyStart: number;
  /** The end of the rows, or the start of the closing fence. */
  bodyEnd: number;
  /** The lines that a continuation repeats: the head of the table, or the opening fence with its language. */
  head: string;
  /** The closing fence, which a cut code block needs. Empty for a table. */
  tail: string;
}

/** The marks of quotes and list items, and spaces, before the content of a line. */
const PREFIX = /^(?:[ \t]*(?:>|[-*+](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)))*[ \t]*/;
const QUOTE_PREFIX = /^[ \t>]*/;
const HEADING = /^(#{1,6})(?:[ \t]+|$)/;
const FENCE = /^(?:`{3,}|~{3,})/;
const DELIMITERS = /^(?=.*\|)\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/;

/**
 * Reads the blocks of a text in order, in linear time. Together they cover the whole text. In Markdown, each item of a
 * list is a block, and so is each paragraph of an item. In plain text, only blank lines separate blocks. `from` is the
 * start of the first block.
 */
export function* readBlocks(text: string, format: TextFormat, from = 0): Generator<Block, void> {
  let open: OpenBlock = { start: from, isBlank: true, ...PARAGRAPH };
  for (let at = from; at < text.length; ) {
    const next = lineEnd(text, at);
    const line = text.slice(at, next).trimEnd();
    if (open.fence !== null) {
      if (isClosing(line, open.fence)) open = { ...open, ...closeCode(open.block, at) };
      at = next;
      continue;
    }
    const prefix = line !== "" && format === "markdown" ? (PREFIX.exec(line)?.[0] ?? "") : "";
    const content = line.slice(prefix.length);
    if (content === "" && !isItem(prefix)) {
      open.isEnded = true;
      at = next;
      continue;
    }
    const started = format === "markdown" ? startBlock(text, { at, next, prefix, content }, open) : null;
    if (started !== null || open.isEnded || open.isBlank) {
      if (!open.isBlank) yield toBlock(open, at);
      open = { start: open.isBlank ? from : at, isBlank: false, ...(started ?? PARAGRAPH) };
    }
    at = "bodyStart" in open.block ? Math.max(next, open.block.bodyStart) : next;
  }
  if (from < text.length) yield toBlock(open, text.length);
}

function toBlock({ start, block }: OpenBlock, end: number): Block {
  return "bodyStart" in block
    ? { start, end, ...block, bodyEnd: Math.min(block.bodyEnd, end) }
    : { start, end, ...block };
}

function closeCode(block: BlockKind, bodyEnd: number): Opened {
  return { block: "bodyStart" in block ? { ...block, bodyEnd } : block, isEnded: true, fence: null };
}

/** The kind of a new block, and what the following lines need to know about it. */
interface Opened {
  block: BlockKind;
  /** True if the next line starts a new block. */
  isEnded: boolean;
  /** The fence of a code block that isn't closed yet. */
  fence: string | null;
}

interface OpenBlock extends Opened {
  start: number;
  /** True before the first line that isn't blank. Blank lines at the start belong to the first block. */
  isBlank: boolean;
}

/** A line that isn't blank. `next` is the start of the next line. */
interface Line {
  at: number;
  next: number;
  prefix: string;
  content: string;
}

const PARAGRAPH: Opened = { block: { kind: "paragraph" }, isEnded: false, fence: null };

/** Returns the block that starts with the line, or null if the line continues the open block. */
function startBlock(text: string, { at, next, prefix, content }: Line, open: OpenBlock): Opened | null {
  const [, marks] = HEADING.exec(content) ?? [];
  // A quoted heading isn't a heading of the page.
  if (marks !== undefined && !prefix.includes(">")) {
    const heading = toPlainText(content.slice(marks.length).replace(/(?<=[ \t])#+$/, ""));
    return { block: { kind: "heading", level: marks.length, text: heading }, isEnded: true, fence: null };
  }
  const [fence] = FENCE.exec(content) ?? [];
  // Three backticks can also start inline code, which ends in the same line.
  if (fence !== undefined && !content.slice(fence.length).includes("`")) {
    const around = continuationPrefix(prefix);
    const frame = { bodyStart: next, bodyEnd: text.length, head: `${around}${content}\n`, tail: `${around}${fence}` };
    return { block: { kind: "code", ...frame }, isEnded: false, fence };
  }
  const isRow = open.block.kind === "table" && !open.isEnded && !isItem(prefix);
  if (!isRow && content.includes("|") && next < text.length) {
    const bodyStart = lineEnd(text, next);
    const delimiters = text.slice(next, bodyStart);
    if (DELIMITERS.test(delimiters.trimEnd().replace(QUOTE_PREFIX, ""))) {
      const head = continuationPrefix(prefix) + text.slice(at + prefix.length, bodyStart);
      return { block: { kind: "table", bodyStart, bodyEnd: text.length, head, tail: "" }, isEnded: false, fence: null };
    }
  }
  return isItem(prefix) ? { block: { kind: "item" }, isEnded: false, fence: null } : null;
}

/** Returns the start of the line after the one at `at`. */
function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end + 1;
}

function isClosing(line: string, fence: string): boolean {
  const content = line.replace(QUOTE_PREFIX, "");
  return content.startsWith(fence) && content === fence.charAt(0).repeat(content.length);
}

/** Returns true if the line starts a list item. */
function isItem(prefix: string): boolean {
  return /[^ \t>]/.test(prefix);
}

/** Returns the prefix of the lines after the first line of a block: spaces instead of the markers of list items. */
function continuationPrefix(prefix: string): string {
  return prefix.replace(/[^ \t>]/g, " ");
}

const IMAGE_OR_LINK = /!?\[((?:[^[\]\\]|\\.)*)\]\((?:[^()\\]|\\.|\((?:[^()\\]|\\.)*\))*\)/g;

/** Removes the marks of Markdown from a line: links, images, emphasis, code and escapes. */
function toPlainText(markdown: string): string {
  // An image can be inside a link.
  const words = markdown.replace(IMAGE_OR_LINK, "$1").replace(IMAGE_OR_LINK, "$1");
  return words
    .replace(/(?<!\\)(?:\*+|~~|`+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}]))/gu, "")
    .replace(/\\([!-/:-@[-`{-~])/g, "$1")
    .trim();
}
