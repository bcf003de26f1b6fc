import type { Block, Inline, List, ListItem, Table } from "../ast/blocks";
import { BlockWriter } from "./block-writer";

/** Converts blocks to plain text. */
export function writeText(blocks: readonly Block[]): string {
  return new BlockWriter({ includes: hasText, joins, markerOf, write: writeBlock }).blocks(blocks).toString();
}

function writeBlock(writer: BlockWriter, block: Exclude<Block, List>): void {
  switch (block.type) {
    case "paragraph":
    case "heading":
    case "term":
      writer.text(inlineText(block.content));
      break;
    case "code":
    case "math":
      writer.text(block.value);
      break;
    case "quote":
      writer.blocks(block.children);
      break;
    case "description":
      writer.within("  ", "  ", () => writer.blocks(block.children));
      break;
    case "footnote":
      writer.within(`[${block.label}] `, "    ", () => writer.blocks(block.children));
      break;
    case "table":
      writer.text(alignedRows(block).join("\n"));
      break;
    case "rule":
    case "page":
  }
}

/** Returns false for horizontal rules, page breaks, and paragraphs that contain only images. */
function hasText(block: Block): boolean {
  if (block.type === "rule" || block.type === "page") return false;
  return !("content" in block) || inlineText(block.content) !== "";
}

function joins(before: Block, after: Block, isInItem: boolean): boolean {
  if (isInItem) return after.type === "list";
  return after.type === "description" && (before.type === "term" || before.type === "description");
}

function markerOf({ ordered }: List, { number }: ListItem): string {
  return ordered ? `${number}. ` : "- ";
}

/**
 * Converts inline content to text. An image next to text becomes its alternative text; other images are left out. In a
 * cell of a table, an image can be all that the cell says.
 */
export function inlineText(content: Inline[], { isCell = false } = {}): string {
  const parts: string[] = [];
  content.forEach((inline, at) => {
    const isImage = isCell && inline.type === "image";
    const words = isImage ? inline.value : wordsOf(inline, content[at - 1], content[at + 1]);
    if (words === "") return;
    const isInLine = parts.length > 0 && !parts.at(-1)?.endsWith("\n");
    parts.push(inline.space && isInLine ? ` ${words}` : words);
  });
  return parts.join("").trim();
}

function wordsOf(inline: Inline, before: Inline | undefined, after: Inline | undefined): string {
  switch (inline.type) {
    case "break":
      return "\n";
    case "image":
      return before?.type === "text" || after?.type === "text" ? inline.value : "";
    case "footnote":
      return `[${inline.value}]`;
    default:
      return inline.value;
  }
}

const GAP = "  ";
/**
 * The maximum width to which cells are padded. Without this limit, one long cell would make every row of its table
 * long.
 */
const MAX_WIDTH = 40;

/** Returns the rows of a table as lines with aligned columns. */
function alignedRows({ rows, alignments }: Table): string[] {
  const texts = rows.map((row) => row.map((cell) => inlineText(cell, { isCell: true }).replaceAll("\n", " ")));
  const filled = texts.filter((row) => row.some((text) => text !== ""));
  const widths = alignments.map(() => 0);
  for (const row of filled)
    row.forEach((text, column) => {
      widths[column] = Math.max(widths[column] ?? 0, Math.min(text.length, MAX_WIDTH));
    });
  return filled.map((row) => {
    const cells = row.map((text, column) =>
      alignments[column] === "right" ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0),
    );
    return cells.join(GAP).trimEnd();
  });
}
