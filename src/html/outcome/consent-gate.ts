import { findMountElement } from "../has-content";
import { isLinkLine, type TextLine } from "../main-content/regions";
import { hasPrice } from "../page/prices";
import { sentencesOf, wordsOnly } from "../text/sentences";
import { isOffered, type OutcomeFacts } from "./outcome-facts";
import { MAX_PHRASE_CHARS, PHRASES, quote, says } from "./phrases";

/** A consent wall has at most this much text. */
const MAX_CHARS = 6_000;
/** A consent wall has at most this much text that isn't about consent. */
const MAX_OTHER_CHARS = 500;
const MAX_GATE_LINKS = 30;
/** At least this share of the text is about consent. */
const MIN_SHARE = 0.5;
/** The least text of a page under a consent dialog. */
const MIN_COVERED_CHARS = 60;

const MAX_AGE_GATE_CHARS = 1_200;
const MAX_QUESTION_CHARS = 900;
const MAX_QUESTION_LINE_CHARS = 240;
const OTHER_SENTENCE = /^.{50,}[.!。]$/u;
/** An age gate has fields for the day, the month and the year. A longer form is another kind of page. */
const MAX_GATE_FIELDS = 3;

/** A sentence, which the page of a region has, unless it is about the choice. */
const MIN_FACT = /^.{30,}[.!?。！？]$/u;
const MIN_REGIONS = 2;
/** A short page can ask for the country below its heading. */
const MAX_CHOICE_CHARS = 60;
const MAX_QUESTION_LINES = 3;
/** A page whose countries are the options of a field has at most this much text. */
const MAX_REGION_FORM_CHARS = 300;
const MAX_REGION_PROSE_CHARS = 400;
const MAX_REGION_LINE_CHARS = 60;
const MAX_TERMS_CHARS = 1_500;
/** The request is among the first lines. Terms that a page has for other purposes mention it later. */
const MAX_TERMS_NOTES = 4;
/** Words for cookies, which a banner of an ordinary page is about, and words for terms, which it isn't about. */
const COOKIES = /cookie|çerez|クッキー|쿠키|куки/iu;
/** A terms gate with both labels has the request anywhere, and few links. */
const MAX_PAIR_LINKS = 12;
const MAX_FORMAL_SENTENCE_CHARS = 300;

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
  const labels = [...elements.buttons, ...elements.linkLabels];
  if (
    !lines.some(({ text }) => PHRASES.consentGate.core.test(text)) ||
    !labels.some((label) => says(label, PHRASES.consent.button))
  )
    return null;
  return `The page shows only a request for consent: ${quote(free)}.`;
}

function findCookieGate(facts: OutcomeFacts): string | null {
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
  if (coversContent(facts)) return null;
  const isShell = !response.rendered && findMountElement(page.document) === "mount";
  if (!about.some(({ text }) => PHRASES.consentGate.core.test(text))) return null;
  const [longest] = about.toSorted((a, b) => b.length - a.length);
  if ((isShell && !isNamed) || longest === undefined) return null;
  return `The page shows only a request for consent: ${quote(longest.text)}.`;
}

/** Returns true if the request for consent is in a dialog over a page with content. */
function coversContent({ content, lines }: OutcomeFacts): boolean {
  const isButton = ({ text }: TextLine) => text.length <= 50 && says(text, PHRASES.consent.button);
  const isOutside = lines.some(isButton) && !content.some(isButton);
  if (!isOutside && content.some(({ text }) => PHRASES.consentGate.subject.test(text))) return false;
  const covered = content.filter((line) => !isLinkLine(line) && line.headingLevel === 0);
  return covered.reduce((sum, line) => sum + line.length, 0) >= MIN_COVERED_CHARS;
}

/** Returns the evidence that the page requires the reader's age or profession before its content, or null. */
function findAgeGate(facts: OutcomeFacts): string | null {
  const { lines, elements } = facts;
  const texts = lines.map(({ text }) => text);
  const total = lines.reduce((sum, line) => sum + (isLinkLine(line) ? 0 : line.length), 0);
  if (total > MAX_AGE_GATE_CHARS || elements.code > 0 || elements.textFields > MAX_GATE_FIELDS) return null;
  const isMarked = PHRASES.ageGate.mark.test(elements.names);
  const mayConfirm = elements.passwords === 0 && total <= MAX_QUESTION_CHARS;
  const question =
    [...texts, ...facts.titleParts].find(
      (text) => text.length <= MAX_QUESTION_LINE_CHARS && says(text, PHRASES.ageGate.age),
    ) ??
    (mayConfirm || isMarked
      ? (findConfirmation(texts) ??
        texts.find((text) => text.length <= MAX_PHRASE_CHARS && PHRASES.ageGate.birth.test(text)))
      : undefined);
  if (question === undefined || facts.content.some(hasPrice) || isOffered(facts)) return null;
  const labels = [
    ...elements.buttons,
    ...elements.linkLabels.filter((label) => facts.content.some(({ text }) => text.includes(label))),
    ...facts.content.map(({ text }) => text).filter((text) => text.length <= 50 && text !== question),
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
  if (unlinkedChars > MAX_TERMS_CHARS || elements.buttons.length + elements.links === 0) return null;
  const labels = [...elements.buttons, ...elements.linkLabels, ...notes.filter((text) => text.length <= 50)];
  const hasLabel = (patterns: readonly RegExp[]) => labels.some((label) => label.length <= 50 && says(label, patterns));
  const isFormal =
    elements.links <= MAX_PAIR_LINKS &&
    hasLabel(PHRASES.choiceGate.accept) &&
    (elements.links <= 1 || hasLabel(PHRASES.choiceGate.refuse));
  const sentence = isFormal
    ? notes.flatMap(sentencesOf).find((text) => text.length <= MAX_FORMAL_SENTENCE_CHARS && requiresTerms(text))
    : notes.slice(0, MAX_TERMS_NOTES).find(requiresTerms);
  if (sentence === undefined || isArticle || elements.code > 0 || elements.passwords > 0 || elements.textFields > 1)
    return null;
  if (!hasLabel(PHRASES.choiceGate.enter) && !labels.some((label) => says(label, PHRASES.consent.button))) return null;
  return `The page requires the reader's consent: ${quote(sentence)}.`;
}

function requiresTerms(text: string): boolean {
  return (
    says(text, PHRASES.choiceGate.terms) &&
    !PHRASES.choiceGate.contest.test(text) &&
    (!COOKIES.test(text) || PHRASES.choiceGate.conditions.test(text))
  );
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
  if (content.some(({ text }) => text !== question && MIN_FACT.test(text) && !PHRASES.choiceGate.regionWord.test(text)))
    return null;
  const options = content.filter((line) => line.text.length <= MAX_REGION_LINE_CHARS && line.headingLevel === 0);
  const others = content.filter((line) => !options.includes(line) && line.headingLevel === 0 && line.text !== question);
  const isForm = facts.unlinkedChars <= MAX_REGION_FORM_CHARS && facts.elements.buttons.length > 0;
  if (
    (options.length < MIN_REGIONS && facts.elements.linkLabels.length < MIN_REGIONS && !isForm) ||
    others.reduce((sum, line) => sum + line.length, 0) > MAX_REGION_PROSE_CHARS
  )
    return null;
  return `The page requires a choice of country or store: ${quote(question)}.`;
}
