import type { Alignment, Block, List, ListItem, Table } from "../ast/blocks";
import { BlockWriter } from "../text/block-writer";
import { writeInline } from "./inline";

/** The largest number of a list item in CommonMark, which allows nine digits. */
const MAX_NUMBER = 999_999_999;

/** Converts blocks to GitHub-flavored markdown. */
export function writeMarkdown(blocks: readonly Block[]): string {
  return new BlockWriter({ includes: () => true, joins, markerOf, write: writeBlock }).blocks(blocks).toString();
}

function writeBlock(writer: BlockWriter, block: Exclude<Block, List>, previous: Block | undefined): void {
  switch (block.type) {
    case "paragraph":
    case "term":
      writer.text(writeInline(block.content, "paragraph"));
      break;
    case "heading":
      writer.text(
        `${"#".repeat(block.depth)} ${writeInline(block.content, "heading").replace(/(?<=^|\s)#+$/, "\\$&")}`,
      );
      break;
    case "code":
      writer.text(fencedCode(block.value, block.language));
      break;
    case "math":
      writer.text(`$$\n${block.value}\n$$`);
      break;
    case "quote":
      writer.within("> ", "> ", () => writer.blocks(block.children));
      break;
    case "description":
      // Only paragraphs get the marker of a definition list. Before other blocks, such as lists, the marker would break
      // their syntax in renderers that don't support definition lists.
      if (beginsWithWords(block.children)) writer.within(": ", "", () => writer.blocks(block.children));
      else writer.blocks(block.children);
      break;
    case "footnote":
      writer.within(`[^${block.label}]: `, "    ", () => writer.blocks(block.children));
      break;
    case "table":
      writer.text(tableLines(block).join("\n"));
      break;
    case "rule":
      // `- ---` would be read as one rule instead of a list item with a rule.
      writer.text(previous ? "---" : "***");
      break;
    case "page":
      writer.text(`<!-- page ${block.number} -->`);
  }
}

/**
 * Returns true if the output has no blank line between the two blocks. An ordered list right after the text of an item
 * must start at 1, because CommonMark reads any other number as part of the text.
 */
function joins(before: Block, after: Block, isInItem: boolean): boolean {
  if (isInItem && after.type === "list" && before.type === "paragraph")
    return !after.ordered || after.items[0]?.number === 1;
  if (after.type !== "description" || !beginsWithWords(after.children)) return false;
  return before.type === "term" || (before.type === "description" && before.children.at(-1)?.type === "paragraph");
}

function beginsWithWords([first]: Block[]): boolean {
  return first?.type === "paragraph";
}

function fencedCode(code: string, language: string): string {
  const longest = Array.from(code.matchAll(/`{3,}/g), ([run]) => run.length).reduce((a, b) => Math.max(a, b), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${code}\n${fence}`;
}

/** A list directly after another one gets other markers, because CommonMark would join the two lists. */
function markerOf(list: List, { number }: ListItem, previous: Block | undefined): string {
  const isSecond = previous?.type === "list" && previous.ordered === list.ordered;
  if (!list.ordered) return isSecond ? "* " : "- ";
  return `${Math.min(Math.max(number, 0), MAX_NUMBER)}${isSecond ? ")" : "."} `;
}

/** Short rows are filled with empty cells up to this number of columns. */
const MAX_FILLED_COLUMNS = 50;

/** Returns the lines of a table in GitHub-flavored markdown. */
function tableLines({ alignments, rows: [header = [], ...body] }: Table): string[] {
  const width = alignments.length;
  const fill = (row: Table["rows"][number], columns: number) => {
    const cells = row.map((content) => writeInline(content, "cell"));
    while (cells.length < columns) cells.push("");
    return `| ${cells.join(" | ")} |`;
  };
  const columns = width > MAX_FILLED_COLUMNS ? 0 : width;
  return [
    fill(header, width),
    `| ${alignments.map(delimiter).join(" | ")} |`,
    ...body.map((row) => fill(row, columns)),
  ];
}

function delimiter(alignment: Alignment): string {
  const left = alignment === "left" || alignment === "center" ? ":" : "";
  const right = alignment === "right" || alignment === "center" ? ":" : "";
  return `${left}---${right}`;
}
