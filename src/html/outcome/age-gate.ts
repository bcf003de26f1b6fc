import { isLinkLine } from "../main-content/regions";
import { hasPrice, isOffered } from "./ordinary-signs";
import type { PageFacts } from "./page-facts";
import { MAX_PHRASE_CHARS, PHRASES, quote, says } from "./phrases";

const MAX_AGE_GATE_CHARS = 1_200;
const MAX_QUESTION_CHARS = 900;
const MAX_QUESTION_LINE_CHARS = 240;
const OTHER_SENTENCE = /^.{50,}[.!。]$/u;
/** An age gate has fields for the day, the month and the year. A longer form is another kind of page. */
const MAX_GATE_FIELDS = 3;

/** Returns the evidence that the page requires the reader's age or profession before its content, or null. */
export function findAgeGate(facts: PageFacts): string | null {
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
  if (question === undefined || hasPrice(facts) || isOffered(facts)) return null;
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
