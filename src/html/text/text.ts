import type { Alignment, Block, Inline, List, ListItem, Table } from "../ast/blocks";
import { LineWriter } from "./line-writer";

/** Converts blocks to plain text. */
export function writeText(blocks: Block[]): string {
  const lines = new LineWriter();
  writeAll(blocks, lines);
  return lines.toString();
}

function writeAll(blocks: Block[], lines: LineWriter): void {
  let previous: Block | null = null;
  for (const block of blocks.filter(hasText)) {
    if (previous && !joins(previous, block)) lines.blank();
    writeBlock(block, lines);
    previous = block;
  }
}

function writeBlock(block: Block, lines: LineWriter): void {
  switch (block.type) {
    case "paragraph":
    case "heading":
    case "term":
      lines.text(inlineText(block.content));
      break;
    case "code":
    case "math":
      lines.text(block.value);
      break;
    case "quote":
      writeAll(block.children, lines);
      break;
    case "description":
      lines.within("  ", "  ", () => writeAll(block.children, lines));
      break;
    case "footnote":
      lines.within(`[${block.label}] `, "    ", () => writeAll(block.children, lines));
      break;
    case "list":
      writeList(block, lines);
      break;
    case "table":
      lines.text(alignedRows(block).join("\n"));
      break;
    case "rule":
  }
}

/** Returns false for a rule, and for a paragraph that contains only images. */
function hasText(block: Block): boolean {
  if (block.type === "rule") return false;
  return !("content" in block) || inlineText(block.content) !== "";
}

function joins(before: Block, after: Block): boolean {
  return after.type === "description" && (before.type === "term" || before.type === "description");
}

function writeList(list: List, lines: LineWriter): void {
  list.items.forEach((item, at) => {
    const before = list.items[at - 1];
    if (before && (isLoose(before) || isLoose(item))) lines.blank();
    const marker = list.ordered ? `${item.number}. ` : "- ";
    lines.within(marker, " ".repeat(marker.length), () => writeItem(item, lines));
  });
}

function writeItem(item: ListItem, lines: LineWriter): void {
  if (item.checked !== null) lines.lead(item.checked ? "[x] " : "[ ] ");
  const children = item.children.filter(hasText);
  if (children.length === 0) lines.text("");
  children.forEach((block, at) => {
    if (at > 0 && block.type !== "list") lines.blank();
    writeBlock(block, lines);
  });
}

function isLoose(item: ListItem): boolean {
  return item.children.filter(hasText).some((block, at) => at > 0 && block.type !== "list");
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
    const cells = row.map((text, column) => pad(text, widths[column] ?? 0, alignments[column] ?? ""));
    return cells.join(GAP).trimEnd();
  });
}

function pad(text: string, width: number, alignment: Alignment): string {
  return alignment === "right" ? text.padStart(width) : text.padEnd(width);
}
