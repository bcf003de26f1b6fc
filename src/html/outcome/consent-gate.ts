import { isLinkLine } from "../main-content/regions";
import { hasPrice } from "../page/prices";
import { sentencesOf, wordsOnly } from "../text/sentences";
import { isOverContent, type OutcomeFacts } from "./outcome-facts";
import { MAX_PHRASE_CHARS, PHRASES, quote, says } from "./phrases";

/** A consent wall has at most this much text. */
const MAX_CHARS = 6_000;
/** A consent wall has at most this much text that isn't about consent. */
const MAX_OTHER_CHARS = 500;
const MAX_GATE_LINKS = 30;
/** The label of a button or a link has at most this much text. */
const MAX_LABEL_CHARS = 50;
/** At least this share of the text is about consent. */
const MIN_SHARE = 0.5;

const MAX_AGE_GATE_CHARS = 1_200;
const OTHER_SENTENCE = /^.{50,}[.!。]$/u;

/** A sentence, which the page of a region has, unless it is about the choice. */
const FACT = /^.{30,}[.!?。！？]$/u;
const MIN_REGIONS = 2;
/** A short page can ask for the country below its heading. */
const MAX_CHOICE_CHARS = 60;
const MAX_QUESTION_LINES = 3;
const MAX_REGION_PROSE_CHARS = 400;
const MAX_REGION_LINE_CHARS = 60;
/** Words for cookies, which a banner of an ordinary page is about. */
const COOKIES = /cookie|çerez|クッキー|쿠키|куки/iu;
const MAX_TERMS_CHARS = 1_500;
/** The request is among the first lines. Terms that a page has for other purposes mention it later. */
const MAX_TERMS_NOTES = 4;

/** Returns the evidence that a consent wall, an age gate or a choice of region is shown instead of the content, or null. */
export function findConsentGate(facts: OutcomeFacts): string | null {
  return (
    findAgeGate(facts) ??
    findRegionGate(facts) ??
    findTermsGate(facts) ??
    findPayOrAcceptGate(facts) ??
    findCookieGate(facts)
  );
}

/** Finds a page with the choice between advertisements and a subscription without them. */
function findPayOrAcceptGate({ lines, elements, unlinkedChars, isArticle }: OutcomeFacts): string | null {
  if (unlinkedChars > MAX_CHARS / 2 || isArticle || elements.links > MAX_GATE_LINKS) return null;
  const texts = lines.filter(({ text }) => text.length <= MAX_PHRASE_CHARS).map(({ text }) => text);
  const free = texts.find((text) => says(text, [PHRASES.consentGate.withAds]));
  if (free === undefined || !texts.some((text) => says(text, [PHRASES.consentGate.withoutAds]))) return null;
  // Plans of a service can have advertisements, too.
  const labels = [...elements.buttons, ...elements.linkLabels];
  if (!texts.some((text) => PHRASES.consentGate.core.test(text))) return null;
  if (!labels.some((label) => says(label, PHRASES.consent.button))) return null;
  return `The page shows only a request for consent: ${quote(free)}.`;
}

function findCookieGate(facts: OutcomeFacts): string | null {
  const { lines, response, headings, titleParts, elements } = facts;
  const unlinked = lines.filter((line) => !isLinkLine(line));
  const total = unlinked.reduce((sum, line) => sum + line.length, 0);
  const about = unlinked.filter(({ text }) => PHRASES.consentGate.subject.test(text.slice(0, 2 * MAX_PHRASE_CHARS)));
  const aboutChars = about.reduce((sum, line) => sum + line.length, 0);
  const names = [...titleParts, ...headings];
  const isNamed =
    PHRASES.consentGate.vendorUrl.test(response.url) || names.some((name) => PHRASES.consentGate.title.test(name));
  const [longest] = about.toSorted((a, b) => b.length - a.length);
  if (longest === undefined || total > MAX_CHARS || elements.links > MAX_GATE_LINKS || elements.code > 0) return null;
  if (!about.some(({ text }) => PHRASES.consentGate.core.test(text))) return null;
  if (aboutChars < MIN_SHARE * total && !isNamed) return null;
  if (total - aboutChars > (isNamed ? 3 * MAX_OTHER_CHARS : MAX_OTHER_CHARS)) return null;
  const short = lines.filter(({ text }) => text.length <= MAX_LABEL_CHARS).map(({ text }) => text);
  const buttons = [...elements.buttons, ...elements.linkLabels, ...short].filter((label) =>
    says(label, PHRASES.consent.button),
  );
  if (!buttons.some((label) => isNamed || !PHRASES.consent.noticeButton.test(label.trim()))) return null;
  if (!isNamed && names.some((name) => PHRASES.consentGate.policy.test(name))) return null;
  if (isOverContent(facts, ({ text }) => text.length <= MAX_LABEL_CHARS && says(text, PHRASES.consent.button)))
    return null;
  const [h1] = headings;
  const isTitled = h1 !== undefined && titleParts.some((part) => wordsOnly(part) === wordsOnly(h1));
  if (isTitled && !PHRASES.consentGate.title.test(h1)) return null;
  return `The page shows only a request for consent: ${quote(longest.text)}.`;
}

/** Returns the evidence that the page requires the reader's age or profession before its content, or null. */
function findAgeGate(facts: OutcomeFacts): string | null {
  const { lines, elements, content } = facts;
  const texts = lines.map(({ text }) => text);
  const total = lines.reduce((sum, line) => sum + (isLinkLine(line) ? 0 : line.length), 0);
  if (total > MAX_AGE_GATE_CHARS || content.some(hasPrice)) return null;
  const isMarked = PHRASES.ageGate.mark.test(elements.names);
  const question =
    [...texts, ...facts.titleParts].find((text) => says(text, PHRASES.ageGate.age)) ??
    findConfirmation(texts) ??
    texts.find((text) => says(text, [PHRASES.ageGate.birth]));
  if (question === undefined) return null;
  const labels = [
    ...elements.buttons,
    ...elements.linkLabels.filter((label) => content.some(({ text }) => text.includes(label))),
    ...content.map(({ text }) => text).filter((text) => text.length <= MAX_LABEL_CHARS && text !== question),
  ].filter((label) => label !== "");
  if (!(isMarked ? labels.length > 0 : labels.some(isAgeButton))) return null;
  return `The page requires the reader's confirmation: ${quote(question)}.`;
}

/** Returns the request for a confirmation. The text before it has no other sentences. */
function findConfirmation(texts: readonly string[]): string | undefined {
  const at = texts.findIndex((text) => says(text, PHRASES.ageGate.confirmation));
  return texts.slice(0, Math.max(at, 0)).some((text) => OTHER_SENTENCE.test(text)) ? undefined : texts[at];
}

function isAgeButton(label: string): boolean {
  const text = label.trim();
  const begin = PHRASES.ageGate.ageButton.exec(text)?.[0];
  return begin !== undefined && PHRASES.ageGate.ageRest.test(text.slice(begin.length));
}

/** Returns the evidence that the page requires the acceptance of terms before its content, or null. */
function findTermsGate({ notes, elements, unlinkedChars, isArticle }: OutcomeFacts): string | null {
  if (unlinkedChars > MAX_TERMS_CHARS || isArticle || elements.passwords > 0) return null;
  const labels = [...elements.buttons, ...elements.linkLabels, ...notes].filter(
    ({ length }) => length <= MAX_LABEL_CHARS,
  );
  const isFormal = labels.some((label) => says(label, PHRASES.choiceGate.accept));
  const sentence = (isFormal ? notes.flatMap(sentencesOf) : notes.slice(0, MAX_TERMS_NOTES)).find(requiresTerms);
  if (sentence === undefined) return null;
  if (!labels.some((label) => says(label, PHRASES.choiceGate.enter) || says(label, PHRASES.consent.button)))
    return null;
  return `The page requires the reader's consent: ${quote(sentence)}.`;
}

function requiresTerms(text: string): boolean {
  const isAboutCookies = COOKIES.test(text) && !PHRASES.choiceGate.conditions.test(text);
  return says(text, PHRASES.choiceGate.terms) && !PHRASES.choiceGate.contest.test(text) && !isAboutCookies;
}

/** Finds a page whose only content is a list of countries, regions or stores. */
function findRegionGate(facts: OutcomeFacts): string | null {
  const { headings, titleParts, content, lines, proseChars } = facts;
  if (proseChars > MAX_REGION_PROSE_CHARS) return null;
  const first = lines[0]?.text;
  const firstLines = content.slice(0, MAX_QUESTION_LINES).map(({ text }) => text);
  const question = [
    ...headings.slice(0, 2),
    ...(headings.length === 0 && first ? [first] : []),
    ...titleParts,
    ...firstLines.filter((text) => text.length <= MAX_CHOICE_CHARS),
  ].find((text) => says(text, PHRASES.choiceGate.region));
  if (question === undefined || content.some(({ text }) => /\d/.test(text))) return null;
  const isFact = (text: string) => FACT.test(text) && !PHRASES.choiceGate.regionWord.test(text);
  if (content.some(({ text }) => text !== question && isFact(text))) return null;
  const options = content.filter((line) => line.text.length <= MAX_REGION_LINE_CHARS && line.headingLevel === 0);
  if (options.length < MIN_REGIONS && facts.elements.linkLabels.length < MIN_REGIONS) return null;
  return `The page requires a choice of country or store: ${quote(question)}.`;
}
