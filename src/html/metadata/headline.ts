import type { Element } from "domhandler";
import { separatedText } from "../parse/dom";
import { tidyValue } from "../parse/white-space";

/** A heading that can be the page's headline. */
export interface Heading {
  element: Element;
  text: string;
}

const MIN_MAIN_SCORE = 0.4;
const MIN_OTHER_SCORE = 0.5;
const MAX_HEADING_CHARS = 1_000;

/**
 * Returns the <h1> that shares the most words with a title. If several do, returns the shortest. If no <h1> resembles a
 * title, returns another heading that does, or the first <h1>. `clean` removes the site's name from a text.
 */
export function chooseHeadline(
  elements: readonly Element[],
  { titles, clean }: { titles: readonly string[]; clean: (text: string) => string },
): Heading | null {
  const wanted = [...new Set(titles.map(clean))].map(wordsOf);
  const choose = (headings: readonly Element[]) => {
    let best: { heading: Heading; score: number } | null = null;
    for (const element of headings) {
      const heading = { element, text: clean(tidyValue(separatedText(element, { maxChars: MAX_HEADING_CHARS }))) };
      if (heading.text === "") continue;
      const words = wordsOf(heading.text);
      const score = Math.max(0, ...wanted.map((title) => similarity(words, title)));
      const isShorter = best !== null && heading.text.length < best.heading.text.length;
      if (!best || score > best.score || (score > 0 && score === best.score && isShorter)) best = { heading, score };
    }
    return best;
  };
  const main = choose(elements.filter(({ name }) => name === "h1"));
  if (main && main.score >= MIN_MAIN_SCORE) return main.heading;
  const other = choose(elements.filter(({ name }) => name !== "h1"));
  return other && other.score >= MIN_OTHER_SCORE ? other.heading : (main?.heading ?? null);
}

/** Returns the words of a text in lower case. A character of a script without spaces is a word. */
export function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(WORD) ?? []);
}

const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}]+/gu;

/** Returns the share of common words, from 0 to 1. */
export function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  return (2 * a.intersection(b).size) / (a.size + b.size);
}
