/** Of the selectors that come of a rule inside of another. */
const MAX_CHARS = 2_000;

/** The selectors of a rule inside of one with `outer` selectors; null when they get too long. */
export function nested(selectors: string, outer: string): string | null {
  const parts = splitSelectors(selectors);
  const outers = splitSelectors(outer);
  const all: string[] = [];
  let length = 0;
  for (const part of parts) {
    for (const around of outers) {
      const one = part.includes("&") ? part.replaceAll("&", () => around) : `${around} ${part}`;
      length += one.length;
      if (length > MAX_CHARS) return null;
      all.push(one);
    }
  }
  return all.join(",");
}

/** At the commas that aren't inside of brackets. */
function splitSelectors(selectors: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (const { 0: sign, index } of selectors.matchAll(/[()[\],]/g)) {
    if (sign === "(" || sign === "[") depth++;
    else if (sign === ")" || sign === "]") depth--;
    else if (depth <= 0) {
      parts.push(selectors.slice(from, index).trim());
      from = index + 1;
    }
  }
  return [...parts, selectors.slice(from).trim()];
}
