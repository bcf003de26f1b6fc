import type { Block, Item, List } from "../ast/blocks";
import { LineWriter } from "../ast/line-writer";
import { inlineText } from "./inline";
import { alignedRows } from "./table";

/** Blocks as plain text, one blank line between them. */
export function writeText(blocks: Block[]): string {
  const lines = new LineWriter();
  writeAll(blocks, lines);
  return lines.toString();
}

function writeAll(blocks: Block[], lines: LineWriter): void {
  let previous: Block | null = null;
  for (const block of blocks.filter(saysSomething)) {
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

/** A picture alone in its paragraph, or a rule, has no words. */
function saysSomething(block: Block): boolean {
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

function writeItem(item: Item, lines: LineWriter): void {
  if (item.checked !== null) lines.lead(item.checked ? "[x] " : "[ ] ");
  const children = item.children.filter(saysSomething);
  if (children.length === 0) lines.text("");
  children.forEach((block, at) => {
    if (at > 0 && block.type !== "list") lines.blank();
    writeBlock(block, lines);
  });
}

function isLoose(item: Item): boolean {
  return item.children.filter(saysSomething).some((block, at) => at > 0 && block.type !== "list");
}
