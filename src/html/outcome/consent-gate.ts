import { findMountElement } from "../has-content";
import { isLinkLine, type TextLine } from "../main-content/regions";
import { findAgeGate } from "./age-gate";
import { findRegionGate, findTermsGate } from "./choice-gate";
import type { PageFacts } from "./page-facts";
import { MAX_PHRASE_CHARS, PHRASES, quote, says, wordsOnly } from "./phrases";

/** A consent wall has at most this much text. */
const MAX_CHARS = 6_000;
/** A consent wall has at most this much text that isn't about consent. */
const MAX_OTHER_CHARS = 500;
const MAX_GATE_LINKS = 30;
/** At least this share of the text is about consent. */
const MIN_SHARE = 0.5;
/** The least text of a page under a consent dialog. */
const MIN_COVERED_CHARS = 60;

/** Returns the evidence that a consent wall, an age gate or a choice of region is shown instead of the content, or null. */
export function findConsentGate(facts: PageFacts): string | null {
  return (
    findAgeGate(facts) ??
    findRegionGate(facts) ??
    findTermsGate(facts) ??
    findPayOrAcceptGate(facts) ??
    findCookieGate(facts)
  );
}

/** Finds a page with the choice between advertisements and a subscription without them. */
function findPayOrAcceptGate({ lines, elements, unlinkedChars, isArticle }: PageFacts): string | null {
  if (unlinkedChars > MAX_CHARS / 2 || isArticle || elements.links > MAX_GATE_LINKS) return null;
  const texts = lines.filter(({ text }) => text.length <= MAX_PHRASE_CHARS).map(({ text }) => text);
  const free = texts.find((text) => says(text, [PHRASES.consentGate.withAds]));
  if (free === undefined || !texts.some((text) => says(text, [PHRASES.consentGate.withoutAds]))) return null;
  const labels = [...elements.buttons, ...elements.linkLabels];
  if (
    !lines.some(({ text }) => PHRASES.consentGate.core.test(text)) ||
    !labels.some((label) => says(label, PHRASES.consent.button))
  )
    return null;
  return `The page shows only a request for consent: ${quote(free)}.`;
}

function findCookieGate(facts: PageFacts): string | null {
  const { lines, response, page, headings } = facts;
  const unlinked = lines.filter((line) => !isLinkLine(line));
  const total = unlinked.reduce((sum, line) => sum + line.length, 0);
  if (total === 0 || total > MAX_CHARS) return null;
  const about = unlinked.filter(({ text }) => PHRASES.consentGate.subject.test(text.slice(0, 2 * MAX_PHRASE_CHARS)));
  const aboutChars = about.reduce((sum, line) => sum + line.length, 0);
  const isNamed =
    PHRASES.consentGate.vendorUrl.test(response.url) ||
    [...facts.titleParts, ...headings].some((part) => PHRASES.consentGate.title.test(part));
  if (aboutChars < MIN_SHARE * total && !isNamed) return null;
  if (total - aboutChars > (isNamed ? 3 * MAX_OTHER_CHARS : MAX_OTHER_CHARS)) return null;
  const { buttons, linkLabels, code } = facts.elements;
  const labels = [...buttons, ...linkLabels, ...lines.filter(({ text }) => text.length <= 50).map(({ text }) => text)];
  if (code > 0 || facts.elements.links > MAX_GATE_LINKS || !labels.some((label) => says(label, PHRASES.consent.button)))
    return null;
  if (
    !isNamed &&
    !labels.some((label) => says(label, PHRASES.consent.button) && !PHRASES.consent.noticeButton.test(label.trim()))
  )
    return null;
  if (!isNamed && [...facts.titleParts, ...headings].some((part) => PHRASES.consentGate.policy.test(part))) return null;
  const h1 = headings[0];
  const isTitled =
    h1 !== undefined &&
    facts.titleParts.some((part) => wordsOnly(part) === wordsOnly(h1)) &&
    !PHRASES.consentGate.title.test(h1);
  if (isTitled) return null;
  if (
    headings.some((text) => PHRASES.consentGate.aboutCookies.test(text)) ||
    describesCookies(facts) ||
    coversContent(facts)
  )
    return null;
  const isShell = !response.rendered && findMountElement(page.document) === "mount";
  if (!about.some(({ text }) => PHRASES.consentGate.core.test(text))) return null;
  const [longest] = about.toSorted((a, b) => b.length - a.length);
  if ((isShell && !isNamed) || longest === undefined) return null;
  return `The page shows only a request for consent: ${quote(longest.text)}.`;
}

/** Returns true for a policy, which says how long cookies are kept. */
function describesCookies({ notes }: PageFacts): boolean {
  return notes.some((text) => /cookie|куки|クッキー|쿠키/iu.test(text) && PHRASES.consentGate.duration.test(text));
}

/** Returns true if the request for consent is in a dialog over a page with content. */
function coversContent({ content, lines }: PageFacts): boolean {
  const isButton = ({ text }: TextLine) => text.length <= 50 && says(text, PHRASES.consent.button);
  const isOutside = lines.some(isButton) && !content.some(isButton);
  if (!isOutside && content.some(({ text }) => PHRASES.consentGate.subject.test(text))) return false;
  const covered = content.filter((line) => !isLinkLine(line) && line.headingLevel === 0);
  return covered.reduce((sum, line) => sum + line.length, 0) >= MIN_COVERED_CHARS;
}
