import type { Alignment, Table } from "../ast/blocks";
import { writeInline } from "./inline";

/** Past this many columns, short rows stay short: what they lack says nothing. */
const MAX_FILLED_COLUMNS = 50;

/** A table as lines with pipes. */
export function tableLines({ alignments, rows: [header = [], ...body] }: Table): string[] {
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
