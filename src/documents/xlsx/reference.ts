/** A range of cells. Rows and columns start at 0, and the range includes its end. */
export interface CellRange {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

const ALPHABET = 26;
/** Subtracted from the code unit of a letter. The result for A is 1. */
const BEFORE_A = "A".charCodeAt(0) - 1;

/** Returns the position of a reference such as `B3`, or null if the text isn't one. */
export function readReference(text: string): { row: number; column: number } | null {
  const [, letters = "", digits = ""] = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/.exec(text) ?? [];
  if (letters === "") return null;
  const column = [...letters].reduce((sum, letter) => sum * ALPHABET + letter.charCodeAt(0) - BEFORE_A, 0);
  return { row: Number(digits) - 1, column: column - 1 };
}

/** Returns the range of a reference such as `A1:C2`, or null if the text isn't one. */
export function readRange(text: string): CellRange | null {
  const [first, last] = text.split(":").map(readReference);
  if (!first || !last) return null;
  return { top: first.row, bottom: last.row, left: first.column, right: last.column };
}
