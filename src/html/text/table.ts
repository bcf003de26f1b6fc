import type { Alignment, Table } from "../ast/blocks";
import { inlineText } from "./inline";

const GAP = "  ";
/** Columns are as wide as their widest cell, up to here: beyond it, rows would be mostly blank. */
const MAX_WIDTH = 40;

/** The rows of a table, its columns one below the other. */
export function alignedRows({ rows, alignments }: Table): string[] {
  const texts = rows.map((row) => row.map((cell) => inlineText(cell).replaceAll("\n", " ")));
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
