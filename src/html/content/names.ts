import { ownString } from "../../lib/own-string";
import { wordsInName } from "../main-content/name-words";
import type { Region } from "../main-content/regions";
import purposes from "./purposes.json";

/**
 * The purposes that ids and class names state, with the words that state them. A name is only evidence. It never decides
 * on its own whether a region is content.
 */
const PURPOSES: { readonly [P in keyof typeof purposes]: readonly string[] } = purposes;

export type Purpose = keyof typeof PURPOSES;

const PURPOSE_NAMES = Object.keys(PURPOSES) as readonly Purpose[];

const PURPOSES_BY_WORD = new Map<string, Purpose[]>();
for (const purpose of PURPOSE_NAMES)
  for (const word of PURPOSES[purpose]) PURPOSES_BY_WORD.set(word, [...(PURPOSES_BY_WORD.get(word) ?? []), purpose]);

/** The words after one of these describe the surroundings of an element: `content-with-sidebar`, `no-comments`. */
const NEGATIONS: ReadonlySet<string> = new Set(
  "above after before below has hide hides is no non not show under with without".split(" "),
);
/** Longer names are generated and have no meaning. */
const MAX_NAME_CHARS = 60;

/** The purposes of the lists of classes that were read last. Most pages repeat the same classes in many elements. */
const KNOWN = new Map<string, readonly Purpose[]>();
const MAX_KNOWN = 2_000;
const MAX_KNOWN_CHARS = 200;

/** Returns the purposes that the hints of a region and the name of a custom element state. */
export function purposesOf({ element, hints }: Pick<Region, "element" | "hints">): readonly Purpose[] {
  const { id, classes } = hints;
  const test = element.attribs["data-testid"];
  const custom = element.name.includes("-") ? element.name : "";
  const ofClasses = classes ? purposesOfClasses(classes) : NO_PURPOSES;
  // Few elements share these names, so their purposes aren't remembered together with those of the classes.
  return id || test || custom ? withPurposes(ofClasses, `${id} ${test ?? ""} ${custom}`) : ofClasses;
}

function purposesOfClasses(classes: string): readonly Purpose[] {
  const known = KNOWN.get(classes);
  if (known) return known;
  const purposes = withPurposes(NO_PURPOSES, classes);
  if (KNOWN.size >= MAX_KNOWN) KNOWN.clear();
  if (classes.length <= MAX_KNOWN_CHARS) KNOWN.set(ownString(classes), purposes);
  return purposes;
}

/** Returns the given purposes, and those that the names state. */
function withPurposes(known: readonly Purpose[], names: string): readonly Purpose[] {
  let purposes: Purpose[] | null = null;
  for (const name of names.split(/\s+/))
    for (const purpose of purposesOfName(name)) {
      purposes ??= [...known];
      if (!purposes.includes(purpose)) purposes.push(purpose);
    }
  return purposes ?? known;
}

const NO_PURPOSES: readonly Purpose[] = [];
/** The purposes of single names. Elements with different lists of classes often share some of them. */
const KNOWN_NAMES = new Map<string, readonly Purpose[]>();
const MAX_KNOWN_NAMES = 5_000;

function purposesOfName(name: string): readonly Purpose[] {
  // Utility classes of Tailwind have brackets or colons: `[--sidebar-width:18rem]`, `md:hidden`.
  if (name === "" || name.length > MAX_NAME_CHARS || name.includes("[") || name.includes(":")) return NO_PURPOSES;
  const known = KNOWN_NAMES.get(name);
  if (known) return known;
  const purposes: Purpose[] = [];
  for (const word of wordsInName(name)) {
    if (NEGATIONS.has(word)) break;
    for (const purpose of PURPOSES_BY_WORD.get(word) ?? NO_PURPOSES) purposes.push(purpose);
  }
  if (KNOWN_NAMES.size >= MAX_KNOWN_NAMES) KNOWN_NAMES.clear();
  KNOWN_NAMES.set(ownString(name), purposes);
  return purposes;
}
