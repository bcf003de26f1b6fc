import { collapseAndTrim } from "../ast/line";

const MAX_CHARS = 2_000;

/** White space collapsed and at most 2,000 characters; empty when there is nothing. */
export function tidyValue(value: string | undefined): string {
  if (!value) return "";
  // Longer ones needn't be collapsed as a whole.
  return collapseAndTrim(value.slice(0, 10 * MAX_CHARS))
    .slice(0, MAX_CHARS)
    .trimEnd();
}
