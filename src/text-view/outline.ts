import type { OutlineEntry } from "../contract/view-options";
import { readBlocks } from "./blocks";

/** Returns the headings of Markdown. A section ends before the next heading of the same or a higher level. */
export function readOutline(markdown: string): OutlineEntry[] {
  const outline: OutlineEntry[] = [];
  let open: OutlineEntry[] = [];
  const close = (level: number, end: number) => {
    for (const entry of open) if (entry.level >= level) entry.chars = end - entry.offset;
    open = open.filter((entry) => entry.level < level);
  };
  for (const block of readBlocks(markdown, "markdown")) {
    if (block.kind !== "heading" || block.text === "") continue;
    const { level, text: heading, start: offset } = block;
    close(level, offset);
    const entry = { number: outline.length + 1, level, heading, offset, chars: 0 };
    outline.push(entry);
    open.push(entry);
  }
  close(0, markdown.length);
  return outline;
}

/** Returns the first section with this heading. If there is none, returns the section with this number, or null. */
export function findSection(outline: readonly OutlineEntry[], section: string | number): OutlineEntry | null {
  const wanted = normalize(String(section));
  const named = typeof section === "string" ? outline.find(({ heading }) => normalize(heading) === wanted) : undefined;
  return named ?? outline.find(({ number }) => String(number) === wanted) ?? null;
}

/** Removes the differences that a reader doesn't see: case, the forms of characters, and white space. */
function normalize(heading: string): string {
  return heading.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
}
