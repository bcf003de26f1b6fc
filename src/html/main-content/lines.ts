import type { Unit } from "./outline";
import { ABOUT, OPENINGS } from "./words";

const DATE = /\b(?:19|20)\d\d\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b|\b\d{1,2}:\d\d\b/;
const LETTER = /^\p{L}/u;
const SIGN = /^\s*[^\p{L}\p{N}\s]/u;

const openings = byInitial(OPENINGS);
const abouts = byInitial(ABOUT);

/** Whether it begins as lines do that lead elsewhere or ask for something: "Read more", "Related:", "Subscribe". */
export function isInvitation({ text }: Unit): boolean {
  const line = text.toLowerCase();
  return (openings.get(line[0] ?? "") ?? []).some((opening) => line.startsWith(opening) && isOpening(line, opening));
}

/** Whether it begins as lines do that are about the text: "Published", "Tags:", "Photo:". */
export function isAboutText({ text }: Unit): boolean {
  const line = text.toLowerCase();
  return (abouts.get(line[0] ?? "") ?? []).some((opening) => line.startsWith(opening));
}

export function hasDate({ text }: Unit): boolean {
  return DATE.test(text);
}

/** "Advertising pays" begins a sentence; "Advertising:" or "Read more about" don't. */
function isOpening(line: string, opening: string): boolean {
  const rest = line.slice(opening.length);
  if (LETTER.test(rest)) return false;
  return rest === "" || opening.includes(" ") || opening.endsWith(":") || SIGN.test(rest);
}

function byInitial(phrases: readonly string[]): ReadonlyMap<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const phrase of phrases) {
    const initial = phrase[0] ?? "";
    groups.set(initial, [...(groups.get(initial) ?? []), phrase]);
  }
  return groups;
}
