import type { Alignment, Block, Inline, List, ListItem, Table } from "../ast/blocks";
import { LineWriter } from "../text/line-writer";
import { writeInline } from "./inline";

/** The largest number of a list item in CommonMark, which allows nine digits. */
const MAX_NUMBER = 999_999_999;

/** Converts blocks to GitHub-flavored markdown. */
export function writeMarkdown(blocks: Block[]): string {
  const lines = new LineWriter();
  writeAll(blocks, lines);
  return lines.toString();
}

function writeAll(blocks: Block[], lines: LineWriter): void {
  blocks.forEach((block, at) => {
    const previous = blocks[at - 1];
    if (previous && !joins(previous, block)) lines.blank();
    writeBlock(block, previous, lines);
  });
}

function writeBlock(block: Block, previous: Block | undefined, lines: LineWriter): void {
  switch (block.type) {
    case "paragraph":
    case "term":
      lines.text(writeInline(block.content, "paragraph"));
      break;
    case "heading":
      lines.text(`${"#".repeat(block.depth)} ${headingLine(block.content)}`);
      break;
    case "code":
      writeFenced(block.value, block.language, lines);
      break;
    case "math":
      lines.text(`$$\n${block.value}\n$$`);
      break;
    case "quote":
      lines.within("> ", "> ", () => writeAll(block.children, lines));
      break;
    case "description":
      // Only paragraphs get the marker of a definition list. Before other blocks, such as lists, the marker would break
      // their syntax in renderers that don't support definition lists.
      if (beginsWithWords(block.children)) lines.within(": ", "", () => writeAll(block.children, lines));
      else writeAll(block.children, lines);
      break;
    case "footnote":
      lines.within(`[^${block.label}]: `, "    ", () => writeAll(block.children, lines));
      break;
    case "list":
      writeList(block, previous, lines);
      break;
    case "table":
      lines.text(tableLines(block).join("\n"));
      break;
    case "rule":
      // `- ---` would be read as one rule instead of a list item with a rule.
      lines.text(previous ? "---" : "***");
  }
}

/** Returns true if the output has no blank line between the two blocks. */
function joins(before: Block, after: Block): boolean {
  if (after.type !== "description" || !beginsWithWords(after.children)) return false;
  return before.type === "term" || (before.type === "description" && before.children.at(-1)?.type === "paragraph");
}

function beginsWithWords([first]: Block[]): boolean {
  return first?.type === "paragraph";
}

function headingLine(content: Inline[]): string {
  return writeInline(content, "heading").replace(/(?<=^|\s)#+$/, "\\$&");
}

function writeFenced(code: string, language: string, lines: LineWriter): void {
  const longest = Array.from(code.matchAll(/`{3,}/g), ([run]) => run.length).reduce((a, b) => Math.max(a, b), 2);
  const fence = "`".repeat(longest + 1);
  lines.text(`${fence}${language}\n${code}\n${fence}`);
}

/** Writes a list with other markers than a list directly before it. CommonMark would join the two lists. */
function writeList(list: List, previous: Block | undefined, lines: LineWriter): void {
  const isSecond = previous?.type === "list" && previous.ordered === list.ordered;
  const [bullet, delimiter] = isSecond ? ["*", ")"] : ["-", "."];
  list.items.forEach((item, at) => {
    const before = list.items[at - 1];
    if (before && (isLoose(before) || isLoose(item))) lines.blank();
    const marker = list.ordered ? `${Math.min(Math.max(item.number, 0), MAX_NUMBER)}${delimiter} ` : `${bullet} `;
    lines.within(marker, " ".repeat(marker.length), () => writeItem(item, lines));
  });
}

function writeItem(item: ListItem, lines: LineWriter): void {
  if (item.checked !== null) lines.lead(item.checked ? "[x] " : "[ ] ");
  item.children.forEach((block, at) => {
    const previous = item.children[at - 1];
    if (previous && !isTight(previous, block)) lines.blank();
    writeBlock(block, previous, lines);
  });
}

function isLoose(item: ListItem): boolean {
  return item.children.some((block, at) => at > 0 && !isTight(item.children[at - 1] as Block, block));
}

/**
 * Returns true if two blocks of a list item need no blank line between them. An ordered list right after text must
 * start at 1, because CommonMark reads any other number as part of the text.
 */
function isTight(before: Block, after: Block): boolean {
  if (after.type !== "list" || before.type !== "paragraph") return joins(before, after);
  return !after.ordered || after.items[0]?.number === 1;
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
