import type { Element } from "domhandler";
import { ownString } from "../../lib/own-string";
import { isOverlayMarkup } from "../page/overlay-patterns";
import table from "./purposes.json";

/**
 * The purposes that ids and class names state, with the words that state them. A name is only evidence. It never decides
 * on its own whether a region is content.
 */
const PURPOSES: { readonly [P in keyof typeof table]: readonly string[] } = table;

export type Purpose = keyof typeof PURPOSES;

const PURPOSES_BY_WORD = new Map<string, Purpose[]>();
for (const purpose of Object.keys(PURPOSES) as Purpose[])
  for (const word of PURPOSES[purpose]) PURPOSES_BY_WORD.set(word, [...(PURPOSES_BY_WORD.get(word) ?? []), purpose]);

/** The words after one of these describe the surroundings of an element: `content-with-sidebar`, `no-comments`. */
const NEGATIONS: ReadonlySet<string> = new Set(
  "above after before below has hide hides is no non not show under with without".split(" "),
);
/** Class names that describe an element's appearance, surroundings or category instead of its purpose. */
const IRRELEVANT_NAME =
  /--(?:has|with|without|no|is|hide)-|^(?:has|is|with|without|no|js|category|tag|format|status|type|post-\d|elementor|wp-block|vc|et|uk|col|row|u|hentry)(?:[-_]|$)/i;
const NAME_WORD = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;
/** The maximum lengths of names whose words and purposes are read. Longer names are generated and have no meaning. */
const [MAX_NAME_CHARS, MAX_PURPOSE_CHARS] = [80, 60];
const NOTHING: NameFacts = { words: [], relevant: [], purposes: [] };

/** The names and the lists of classes that were read last. Many elements have the same ones. */
const FACTS_BY_NAME = new Map<string, NameFacts>();
const FACTS_BY_CLASSES = new Map<string, NameFacts>();
const MAX_KNOWN = 5_000;
/** Longer lists of classes aren't remembered, because the memory would depend on the page. */
const MAX_KNOWN_CHARS = 200;

/** The id and the classes of an element that are hints on its purpose. */
export interface Hints {
  id: string;
  classes: string;
}

/** The words in names, in lower case: `articleBody post__share` has the words article, body, post and share. */
interface NameFacts {
  words: readonly string[];
  /** The words of names that tell the element's purpose. */
  relevant: readonly string[];
  /** The purposes that the names state, each of them once. */
  purposes: readonly Purpose[];
}

/** Returns what the hints of an element and the name of a custom element say. Its test id only states purposes. */
export function readNames({ name, attribs }: Element, { id, classes }: Hints): NameFacts {
  const custom = name.includes("-") ? name : "";
  const test = attribs["data-testid"] ?? "";
  const ofClasses = classes === "" ? NOTHING : ofNames(classes);
  if (id === "" && test === "" && custom === "") return ofClasses;
  const others = [...id.split(/\s+/), ...test.split(/\s+/), custom].map(ofName);
  return { ...join([ofClasses, ...others]), relevant: join([ofClasses, ofName(id), ofName(custom)]).relevant };
}

function join(names: readonly NameFacts[]): NameFacts {
  const [first = NOTHING, ...more] = names.filter((facts) => facts !== NOTHING);
  if (more.length === 0) return first;
  const purposes = new Set(names.flatMap((facts) => facts.purposes));
  return { words: NOTHING.words, relevant: names.flatMap((facts) => facts.relevant), purposes: [...purposes] };
}

function ofNames(classes: string): NameFacts {
  const known = FACTS_BY_CLASSES.get(classes);
  if (known) return known;
  const facts = join(classes.split(/\s+/).map(ofName));
  if (classes.length <= MAX_KNOWN_CHARS) remember(FACTS_BY_CLASSES, classes, facts);
  return facts;
}

function ofName(name: string): NameFacts {
  if (name === "") return NOTHING;
  const known = FACTS_BY_NAME.get(name);
  if (known) return known;
  const words = (name.match(NAME_WORD) ?? []).map((word) => ownString(word.toLowerCase()));
  const isRelevant = name.length <= MAX_NAME_CHARS && !IRRELEVANT_NAME.test(name);
  const facts = { words, relevant: isRelevant ? words : NOTHING.words, purposes: purposesOf(name, words) };
  if (name.length <= MAX_NAME_CHARS) remember(FACTS_BY_NAME, name, facts);
  return facts;
}

function purposesOf(name: string, words: readonly string[]): readonly Purpose[] {
  // Utility classes of Tailwind have brackets or colons: `[--sidebar-width:18rem]`, `md:hidden`.
  if (name.length > MAX_PURPOSE_CHARS || name.includes("[") || name.includes(":")) return NOTHING.purposes;
  const end = words.findIndex((word) => NEGATIONS.has(word));
  return words.slice(0, end === -1 ? words.length : end).flatMap((word) => PURPOSES_BY_WORD.get(word) ?? []);
}

function remember(known: Map<string, NameFacts>, key: string, facts: NameFacts): void {
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(ownString(key), facts);
}

/** Words that say only that an element has a heading. */
const SECTION_WORD =
  /^(?:area|block|box|chapter|container|heading|id|level|page|part|s|sec|sect|section|wrap|wrapper)$/;
/** Shorter words are searched as whole words in a heading. */
const MIN_PART_CHARS = 4;
const ASCII = /^[\0-\x7f]*$/;

/** Leaves out the names whose words are all in the heading: `share-of-gdp` is the anchor of "Share of GDP". */
export function withoutWordsOf(heading: string, { id, classes }: Hints): Hints {
  const words = new Set(
    spellings(heading)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu),
  );
  const joined = [...words].join("");
  const isOther = (name: string) =>
    ofName(name).words.some(
      (word) =>
        !SECTION_WORD.test(word) && !words.has(word) && (word.length < MIN_PART_CHARS || !joined.includes(word)),
    );
  const others = (names: string) => names.split(/\s+/).filter(isOther).join(" ");
  return { id: others(id), classes: others(classes) };
}

/** Returns a text in two spellings: "für" is "fur" without its accents, and "fuer" in German. */
function spellings(text: string): string {
  if (ASCII.test(text)) return text;
  const plain = text.normalize("NFD").replace(/\p{M}/gu, "");
  const german = text.normalize("NFC").replace(/[äöü]/gi, "$&e").normalize("NFD").replace(/\p{M}/gu, "");
  return `${plain} ${german.replaceAll("ß", "ss")}`;
}

/** Returns true for a dialog or a consent box. The default `hints` are all names of the element. */
export function isOverlay(
  { name, attribs }: Element,
  { id, classes }: Hints = { id: attribs.id ?? "", classes: attribs.class ?? "" },
): boolean {
  const { role = "" } = attribs;
  const names = id === "" ? classes : `${id} ${classes}`;
  return isOverlayMarkup({ name, role, isModal: attribs["aria-modal"] === "true", names });
}
