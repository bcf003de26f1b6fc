import { ownString } from "../../lib/own-string";

/** Class names that describe an element's appearance, surroundings or category instead of its purpose. */
const IRRELEVANT_NAME =
  /--(?:has|with|without|no|is|hide)-|^(?:has|is|with|without|no|js|category|tag|format|status|type|post-\d|elementor|wp-block|vc|et|uk|col|row|u|hentry)(?:[-_]|$)/i;
const NAME_WORD = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;
/** The maximum length of a name whose words are read. Longer names are generated and have no meaning. */
const MAX_NAME_CHARS = 80;
const NO_WORDS: readonly string[] = [];

/** The names that were read last. Many elements have the same names. */
const WORDS_BY_NAME = new Map<string, readonly string[]>();
const WORDS_BY_CLASSES = new Map<string, readonly string[]>();
const MAX_KNOWN = 5_000;
/** Longer lists of classes aren't remembered, because the memory would depend on the page. */
const MAX_KNOWN_CHARS = 200;

/** The id and the classes of an element that are hints on its purpose. */
export interface Hints {
  id: string;
  classes: string;
}

/**
 * Returns the words in an element's id, classes and custom element name. `<div class="articleBody post__share">` has
 * the words article, body, post and share. Leaves out names that don't tell the element's purpose.
 */
export function nameWords(element: string, { id, classes }: Hints): readonly string[] {
  const ofClasses = classes ? wordsInClasses(classes) : NO_WORDS;
  const isCustom = element.includes("-");
  if (!id && !isCustom) return ofClasses;
  return [...ofClasses, ...relevantWords(id), ...(isCustom ? relevantWords(element) : NO_WORDS)];
}

/** Words that say only that an element has a heading. */
const SECTION_WORD =
  /^(?:area|block|box|chapter|container|heading|id|level|page|part|s|sec|sect|section|wrap|wrapper)$/;
/** Shorter words are searched as whole words in a heading. */
const MIN_PART_CHARS = 4;

/** Leaves out the names whose words are all in the heading: `share-of-gdp` is the anchor of "Share of GDP". */
export function withoutWordsOf(heading: string, { id, classes }: Hints): Hints {
  const plain = heading.normalize("NFD").replace(/\p{M}/gu, "");
  const german = heading.normalize("NFC").replace(/[äöü]/gi, "$&e").normalize("NFD").replace(/\p{M}/gu, "");
  const text = `${plain} ${german.replaceAll("ß", "ss")}`.toLowerCase();
  const words = new Set(text.match(/[\p{L}\p{N}]+/gu));
  const joined = [...words].join("");
  const isOther = (name: string) =>
    wordsInName(name).some(
      (word) =>
        !SECTION_WORD.test(word) && !words.has(word) && (word.length < MIN_PART_CHARS || !joined.includes(word)),
    );
  const others = (names: string) => names.split(/\s+/).filter(isOther).join(" ");
  return { id: others(id), classes: others(classes) };
}

function wordsInClasses(classes: string): readonly string[] {
  const known = WORDS_BY_CLASSES.get(classes);
  if (known) return known;
  const words = classes.split(/\s+/).flatMap(relevantWords);
  if (classes.length <= MAX_KNOWN_CHARS) remember(WORDS_BY_CLASSES, classes, words);
  return words;
}

function relevantWords(name: string): readonly string[] {
  if (name === "" || name.length > MAX_NAME_CHARS || IRRELEVANT_NAME.test(name)) return NO_WORDS;
  return wordsInName(name);
}

/** Returns the words in one name, in lower case. */
export function wordsInName(name: string): readonly string[] {
  const known = WORDS_BY_NAME.get(name);
  if (known) return known;
  const words = (name.match(NAME_WORD) ?? NO_WORDS).map((word) => ownString(word.toLowerCase()));
  if (name.length <= MAX_NAME_CHARS) remember(WORDS_BY_NAME, name, words);
  return words;
}

function remember(known: Map<string, readonly string[]>, key: string, words: readonly string[]): void {
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(ownString(key), words);
}
