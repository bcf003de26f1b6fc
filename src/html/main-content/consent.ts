import { BUTTON, COOKIE, MAX_BOX_WORDS, MAX_BUTTON_WORDS, MIN_SHARE, SUBJECT } from "../page/overlay-patterns";
import type { Headline } from "./read-page";
import { between, type Region, runningSum } from "./regions";
import type { Selection } from "./selection";

/** If the page has less text than this outside of a consent box, the box is the page's content. */
const MIN_OTHER_CHARS = 20;

/**
 * Finds consent boxes that no class name identifies: lines about cookies, with a button to accept or reject them.
 * Searches outside of the article.
 */
export function findConsent(selection: Selection, headline: Headline | null): Region[] {
  const { lines } = selection.page;
  const buttons = lines.filter((line) => line.words <= MAX_BUTTON_WORDS && BUTTON.test(line.text));
  if (buttons.length === 0) return [];
  const aboutWords = runningSum(lines, ({ text, words }) => (SUBJECT.test(text) ? words : 0));
  const cookies = runningSum(lines, ({ text }) => Number(COOKIE.test(text)));
  const isConsent = (region: Region) =>
    between(cookies, region) > 0 &&
    selection.words(region) <= MAX_BOX_WORDS &&
    between(aboutWords, region) >= MIN_SHARE * selection.words(region) &&
    hasOtherText(selection, region);
  const found = new Set<Region>();
  for (const { region } of buttons) {
    const box = ancestorsOutsideContent(region, headline).findLast(isConsent);
    if (box) found.add(box);
  }
  return [...found];
}

/** Returns true if the page has text outside of the region. Links don't count. */
export function hasOtherText(selection: Selection, region: Region): boolean {
  const unlinkedChars = (range: Region) => selection.length(range) * (1 - selection.linkDensity(range));
  return unlinkedChars(selection.page.root) - unlinkedChars(region) >= MIN_OTHER_CHARS;
}

/** Returns the region and its ancestors up to the headline's. Returns an empty list inside an article. */
function ancestorsOutsideContent(start: Region, headline: Headline | null): Region[] {
  const around = start.withAncestors().slice(0, -1);
  if (around.some(({ element }) => /^(?:article|main)$/.test(element.name))) return [];
  return headline ? around.filter((region) => !region.holds(headline.region)) : around;
}
