/** An opening fence, perhaps in a quote or an item; the rest of its line has no backtick. */
const FENCE = /^[\s>]*(?:(?:[-*]|\d+[.)]) +)*(`{3,})[^`]*$/;

/** Trims the ends of lines and leaves at most one blank line between blocks; code blocks stay as they are. */
export function tidy(markdown: string): string {
  const lines: string[] = [];
  let fence = "";
  for (const line of markdown.split("\n")) {
    if (fence) {
      lines.push(line);
      if (line.replace(/^[\s>]+/, "") === fence) fence = "";
      continue;
    }
    fence = FENCE.exec(line)?.[1] ?? "";
    const trimmed = line.trimEnd();
    if (trimmed !== "" || lines.at(-1) !== "") lines.push(trimmed);
  }
  return lines.join("\n").trim();
}
