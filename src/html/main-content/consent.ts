import type { Draft } from "./draft";
import type { Headline } from "./headline";
import type { Block, Unit } from "./outline";

/** What consent boxes speak of, in the languages of words.ts. */
const SUBJECT =
  /cookies?|consent|privacy|partners|legitimate interest|personal data|einwillig|zustimm|datenschutz|berechtigtes interesse|çerez|kişisel veri|куки|согласи|персональн|confidentialité|consentement|traceurs|privacidad|consentimiento/iu;
const COOKIE = /cookie|çerez|куки|traceurs/iu;
/** What their buttons say. */
const ANSWER =
  /^(?:i )?(?:accept|agree|allow|reject|decline|deny|got it|ok(?:ay)?$|alle (?:akzeptieren|ablehnen|cookies)|akzeptieren|zustimmen|ablehnen|einverstanden|tout (?:accepter|refuser)|accepter|refuser|j'accepte|aceptar|rechazar|kabul|reddet|tümünü|принять|принимаю|согласен|отклонить)/iu;
const MAX_ANSWER_WORDS = 6;
/** A text with more is one about privacy, not a box that asks. */
const MAX_BOX_WORDS = 800;
/** Of a box's words: so many stand in lines about its subject. */
const MIN_SHARE = 0.4;
/** A page with less has nothing but the box to say. */
const MIN_CHARS_BESIDE = 20;

/** Consent boxes without a telling name: outside of the article, lines about cookies with a button to accept them. */
export function findConsent(draft: Draft, headline: Headline | null): Block[] {
  const { units } = draft.page;
  const answers = units.filter((unit) => unit.words <= MAX_ANSWER_WORDS && ANSWER.test(unit.text));
  if (answers.length === 0) return [];
  const aboutWords = runningSum(units, ({ text, words }) => (SUBJECT.test(text) ? words : 0));
  const cookies = runningSum(units, ({ text }) => Number(COOKIE.test(text)));
  const isConsent = (block: Block) =>
    between(cookies, block) > 0 &&
    draft.words(block) <= MAX_BOX_WORDS &&
    between(aboutWords, block) >= MIN_SHARE * draft.words(block) &&
    hasTextBeside(draft, block);
  const found = new Set<Block>();
  for (const { block } of answers) {
    const box = ancestorsOutsideContent(block, headline).findLast(isConsent);
    if (box) found.add(box);
  }
  return [...found];
}

/** Whether the page says more than this block: text that isn't links. */
export function hasTextBeside(draft: Draft, block: Block): boolean {
  const textOf = (range: Block) => draft.length(range) * (1 - draft.linkDensity(range));
  return textOf(draft.page.root) - textOf(block) >= MIN_CHARS_BESIDE;
}

/** The block and those around it, as far as they don't hold the headline; none inside of an article. */
function ancestorsOutsideContent(start: Block, headline: Headline | null): Block[] {
  const around: Block[] = [];
  let isOutside = true;
  for (let at: Block | null = start; at?.parent; at = at.parent) {
    if (/^(?:article|main)$/.test(at.element.name)) return [];
    isOutside &&= !headline || !at.holds(headline.block);
    if (isOutside) around.push(at);
  }
  return around;
}

function runningSum(units: readonly Unit[], of: (unit: Unit) => number): number[] {
  const sums = [0];
  for (const unit of units) sums.push((sums.at(-1) ?? 0) + of(unit));
  return sums;
}

function between(sums: readonly number[], { start, end }: Block): number {
  return (sums[end] ?? 0) - (sums[start] ?? 0);
}
