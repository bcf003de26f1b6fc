import type { PageFacts } from "./page-facts";
import { PHRASES, quote, says, sentencesOf } from "./phrases";

/** A sentence, which the page of a region has, unless it is about the choice. */
const MIN_FACT = /^.{30,}[.!?。！？]$/u;
const MIN_REGIONS = 2;
/** A short page can ask for the country below its heading. */
const MAX_QUESTION_CHARS = 60;
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

/** Returns the evidence that the page requires the acceptance of terms before its content, or null. */
export function findTermsGate({ notes, elements, unlinkedChars, isArticle }: PageFacts): string | null {
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
export function findRegionGate(facts: PageFacts): string | null {
  const { headings, titleParts, content, lines, proseChars } = facts;
  if (proseChars > MAX_REGION_PROSE_CHARS) return null;
  const first = lines[0]?.text;
  const firstLines = content.slice(0, MAX_QUESTION_LINES).map(({ text }) => text);
  const question = [
    ...headings.slice(0, 2),
    ...(headings.length === 0 && first ? [first] : []),
    ...titleParts,
    ...firstLines.filter((text) => text.length <= MAX_QUESTION_CHARS),
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
