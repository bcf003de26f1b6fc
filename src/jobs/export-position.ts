// The parts of an account's export, and the cursors for continuing an interrupted export.
import { AppError } from "../model/errors";

/** The parts of an export in their order. The value is the number of columns that identify a row of the part. */
const PARTS = {
  directory: 0,
  ledger: 1,
  deliveries: 2,
  batches: 2,
  "jobs.live": 1,
  "jobs.test": 1,
  archives: 2,
} as const;
export type ExportPart = keyof typeof PARTS;
const NAMES = Object.keys(PARTS) as ExportPart[];

/**
 * A position in an export: after the row with the key `after`. If the key is null, the position is before the part's
 * first row.
 */
export interface ExportPosition {
  part: ExportPart;
  after: string[] | null;
}

export const EXPORT_START: ExportPosition = { part: "directory", after: null };

const SEPARATOR = "~";

/** Returns the cursor of a position. */
export function toExportCursor({ part, after }: ExportPosition): string {
  return [part, ...(after ?? [])].join(SEPARATOR);
}

/** Returns the position of a cursor. Throws AppError if the cursor isn't from an export. */
export function readExportCursor(cursor: string): ExportPosition {
  const [name, ...after] = cursor.split(SEPARATOR);
  const part = NAMES.find((each) => each === name);
  if (part !== undefined && after.length === 0) return { part, after: null };
  if (part !== undefined && after.length === PARTS[part]) return { part, after };
  throw new AppError(
    "invalid_request",
    "The cursor is invalid. Copy the value of 'cursor' from the last complete line of the type 'cursor' in your file.",
  );
}

/** Returns the start of the next part, or null after the last part. */
export function toNextPart(part: ExportPart): ExportPosition | null {
  const next = NAMES[NAMES.indexOf(part) + 1];
  return next === undefined ? null : { part: next, after: null };
}
