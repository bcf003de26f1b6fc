import { findMountElement } from "../has-content";
import { charsIn, isLinkLine, type TextLine } from "../main-content/regions";
import { sentencesOf, wordsOnly } from "../text/sentences";
import type { OutcomeFacts } from "./outcome-facts";
import { MAX_PHRASE_CHARS, PHRASES, quote, says } from "./phrases";

/** A consent wall has at most this much text. */
const MAX_CHARS = 6_000;
/** A consent wall has at most this much text that isn't about consent. */
const MAX_OTHER_CHARS = 500;
const MAX_GATE_LINKS = 30;
/** At least this share of the text is about consent. */
const MIN_SHARE = 0.5;
/** A line of at most this length can be the label of a button. */
const MAX_LABEL_CHARS = 50;

const MAX_AGE_GATE_CHARS = 1_200;
const MAX_QUESTION_CHARS = 900;
const MAX_QUESTION_LINE_CHARS = 240;
const OTHER_SENTENCE = /^.{50,}[.!。]$/u;

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

const isConsentButton = (label: string): boolean => says(label, PHRASES.consent.button);

/** Finds a page with the choice between advertisements and a subscription without them. */
function findPayOrAcceptGate(facts: OutcomeFacts): string | null {
  if (facts.exceeds({ unlinkedChars: MAX_CHARS / 2, articles: 0, links: MAX_GATE_LINKS })) return null;
  const { withAds, withoutAds, core } = PHRASES.consentGate;
  const texts = facts.lines.map(({ text }) => text);
  const free = texts.find((text) => says(text, [withAds]));
  if (free === undefined || !texts.some((text) => says(text, [withoutAds]))) return null;
  const isRequest = texts.some((text) => core.test(text)) && facts.labels.some(isConsentButton);
  return isRequest ? `The page shows only a request for consent: ${quote(free)}.` : null;
}

function findCookieGate(facts: OutcomeFacts): string | null {
  const { lines, response, page, names } = facts;
  const { subject, vendorUrl, title, policy, core } = PHRASES.consentGate;
  const unlinked = lines.filter((line) => !isLinkLine(line));
  const total = charsIn(unlinked);
  if (total === 0 || total > MAX_CHARS) return null;
  const about = unlinked.filter(({ text }) => subject.test(text.slice(0, 2 * MAX_PHRASE_CHARS)));
  const aboutChars = charsIn(about);
  const isNamed = vendorUrl.test(response.url) || names.some((part) => title.test(part));
  if (aboutChars < MIN_SHARE * total && !isNamed) return null;
  if (total - aboutChars > (isNamed ? 3 * MAX_OTHER_CHARS : MAX_OTHER_CHARS)) return null;
  if (facts.exceeds({ code: 0, links: MAX_GATE_LINKS })) return null;
  const shown = lines.filter(({ text }) => text.length <= MAX_LABEL_CHARS).map(({ text }) => text);
  const buttons = [...facts.labels, ...shown].filter(isConsentButton);
  const isChoice = (label: string) => isNamed || !PHRASES.consent.noticeButton.test(label.trim());
  if (!buttons.some(isChoice)) return null;
  if (!isNamed && names.some((part) => policy.test(part))) return null;
  const [h1] = facts.headings;
  const isTitled =
    h1 !== undefined && facts.titleParts.some((part) => wordsOnly(part) === wordsOnly(h1)) && !title.test(h1);
  if (isTitled || coversContent(facts)) return null;
  const isShell = !response.rendered && findMountElement(page.document) === "mount";
  if (!about.some(({ text }) => core.test(text)) || (isShell && !isNamed)) return null;
  const [longest] = about.toSorted((a, b) => b.length - a.length);
  return longest === undefined ? null : `The page shows only a request for consent: ${quote(longest.text)}.`;
}

/** Returns true if the request for consent is in a dialog over a page with content. */
function coversContent(facts: OutcomeFacts): boolean {
  const isButton = ({ text }: TextLine) => text.length <= MAX_LABEL_CHARS && isConsentButton(text);
  const isSubject = ({ text }: TextLine) => PHRASES.consentGate.subject.test(text);
  return facts.hasTexts && (facts.isOutside(isButton) || !facts.content.some(isSubject));
}

/** Returns the evidence that the page requires the reader's age or profession before its content, or null. */
function findAgeGate(facts: OutcomeFacts): string | null {
  const { lines, content, elements } = facts;
  const { age, birth, mark } = PHRASES.ageGate;
  const texts = lines.map(({ text }) => text);
  const total = charsIn(lines.filter((line) => !isLinkLine(line)));
  // The gate has fields for the day, the month and the year. A longer form is another kind of page.
  if (total > MAX_AGE_GATE_CHARS || facts.exceeds({ code: 0, textFields: 3 })) return null;
  const isMarked = mark.test(elements.names);
  const mayConfirm = elements.passwords === 0 && total <= MAX_QUESTION_CHARS;
  const isQuestion = (text: string) => text.length <= MAX_QUESTION_LINE_CHARS && says(text, age);
  const isBirth = (text: string) => text.length <= MAX_PHRASE_CHARS && birth.test(text);
  const question =
    [...texts, ...facts.titleParts].find(isQuestion) ??
    (mayConfirm || isMarked ? (findConfirmation(texts) ?? texts.find(isBirth)) : undefined);
  if (question === undefined || facts.exceeds({ prices: 0, offers: 0 })) return null;
  const labels = [
    ...elements.buttons,
    ...elements.linkLabels.filter((label) => content.some(({ text }) => text.includes(label))),
    ...content.map(({ text }) => text).filter((text) => text.length <= MAX_LABEL_CHARS && text !== question),
  ].filter((label) => label !== "");
  if (!labels.some((label) => isMarked || isAgeButton(label))) return null;
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
function findTermsGate(facts: OutcomeFacts): string | null {
  const { notes, elements } = facts;
  const { accept, refuse, enter } = PHRASES.choiceGate;
  if (facts.exceeds({ unlinkedChars: 1_500, articles: 0, code: 0, passwords: 0, textFields: 1 })) return null;
  const labels = [...facts.labels, ...notes].filter((text) => text.length <= MAX_LABEL_CHARS);
  const hasLabel = (patterns: readonly RegExp[]) => labels.some((label) => says(label, patterns));
  const isFormal = elements.links <= MAX_PAIR_LINKS && hasLabel(accept) && (elements.links <= 1 || hasLabel(refuse));
  const sentence = isFormal
    ? notes.flatMap(sentencesOf).find((text) => text.length <= MAX_FORMAL_SENTENCE_CHARS && requiresTerms(text))
    : notes.slice(0, MAX_TERMS_NOTES).find(requiresTerms);
  if (sentence === undefined || elements.buttons.length + elements.links === 0) return null;
  if (!hasLabel(enter) && ![...facts.labels, ...labels].some(isConsentButton)) return null;
  return `The page requires the reader's consent: ${quote(sentence)}.`;
}

function requiresTerms(text: string): boolean {
  const { terms, contest, conditions } = PHRASES.choiceGate;
  return says(text, terms) && !contest.test(text) && (!COOKIES.test(text) || conditions.test(text));
}

/** Finds a page whose only content is a list of countries, regions or stores. */
function findRegionGate(facts: OutcomeFacts): string | null {
  const { headings, titleParts, content, lines, elements } = facts;
  if (facts.exceeds({ proseChars: MAX_REGION_PROSE_CHARS })) return null;
  const first = lines[0]?.text;
  const firstLines = content.slice(0, MAX_QUESTION_LINES).map(({ text }) => text);
  const question = [
    ...headings.slice(0, 2),
    ...(headings.length === 0 && first ? [first] : []),
    ...titleParts,
    ...firstLines.filter((text) => text.length <= MAX_CHOICE_CHARS),
  ].find((text) => says(text, PHRASES.choiceGate.region));
  const isFact = ({ text }: TextLine) =>
    text !== question && MIN_FACT.test(text) && !PHRASES.choiceGate.regionWord.test(text);
  if (question === undefined || content.some((line) => /\d/.test(line.text) || isFact(line))) return null;
  const isOption = ({ text }: TextLine) => text.length <= MAX_REGION_LINE_CHARS;
  const choices = content.filter(({ headingLevel }) => headingLevel === 0);
  const others = choices.filter((line) => !isOption(line) && line.text !== question);
  const isForm = facts.unlinkedChars <= MAX_REGION_FORM_CHARS && elements.buttons.length > 0;
  const isChoice = Math.max(choices.filter(isOption).length, elements.linkLabels.length) >= MIN_REGIONS || isForm;
  if (!isChoice || charsIn(others) > MAX_REGION_PROSE_CHARS) return null;
  return `The page requires a choice of country or store: ${quote(question)}.`;
}
