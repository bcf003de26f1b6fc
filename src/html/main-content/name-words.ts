import type { Element } from "domhandler";
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

/**
 * Returns the words in an element's id, classes and custom element name. `<div class="articleBody post__share">` has
 * the words article, body, post and share. Leaves out names that don't tell the element's purpose.
 */
export function nameWords({ name, attribs }: Element): readonly string[] {
  const { class: classes, id } = attribs;
  const ofClasses = classes ? wordsInClasses(classes) : NO_WORDS;
  const isCustom = name.includes("-");
  if (!id && !isCustom) return ofClasses;
  return [...ofClasses, ...relevantWords(id ?? ""), ...(isCustom ? relevantWords(name) : NO_WORDS)];
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
