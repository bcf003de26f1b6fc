// Regular expressions that callers compare with URLs. They are matched in linear time, because V8 can take exponential
// time and can't be stopped. Each look-ahead is matched again at each place where it is reached.
import { type AST, RegExpParser } from "@eslint-community/regexpp";
import { toUnicodePattern } from "../json-schema/patterns";

/** A step of a compiled expression. `next` are the indexes of the following steps. */
interface Step {
  /** The characters that the step reads, by ASCII code. */
  reads?: readonly boolean[];
  /** The condition that the step checks. */
  holds?: (text: string, at: number, count: VisitCount) => boolean;
  next: readonly number[];
}

export interface UrlExpression {
  steps: readonly Step[];
  start: number;
  /** The number of steps with those of its look-aheads. */
  size: number;
}

/** The number of steps that were visited. */
export interface VisitCount {
  visits: number;
}

/** The maximum number of steps of all expressions of a request. */
export const MAX_EXPRESSION_STEPS = 5_000;
const ASCII_CHARS = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
/** The maximum number of visits for one text. */
export const MAX_VISITS = 1_000_000;
/** The number of steps that are prepared in the time of a visit. A look-ahead prepares its steps at each place. */
const STEPS_PER_VISIT = 32;
/** The index of the step that ends a match. */
const END = 0;

/** Thrown for a part of an expression that can't be matched in linear time, or that is too large. */
class UnsupportedExpression extends Error {}

/** Compiles an expression, or returns the reason to refuse it. */
export function compileExpression(pattern: string, maxSteps = MAX_EXPRESSION_STEPS): UrlExpression | string {
  const unicode = toUnicodePattern(pattern);
  if (unicode === null) return "must be a regular expression that compiles with the flag u";
  const tree = new RegExpParser().parsePattern(unicode, 0, unicode.length, { unicode: true });
  try {
    return new Compiler(maxSteps).compile(tree.alternatives);
  } catch (error) {
    if (error instanceof UnsupportedExpression) return error.message;
    throw error;
  }
}

/** Adds the steps of an expression from its end to its beginning. Most methods return the index of the first step. */
class Compiler {
  readonly #steps: Step[] = [{ next: [] }];
  readonly #maxSteps: number;
  #size = 1;
  /** The characters that each node of the expression reads, by its text. */
  readonly #reads = new Map<string, readonly boolean[]>();

  constructor(maxSteps: number) {
    this.#maxSteps = maxSteps;
  }

  compile(alternatives: readonly AST.Alternative[]): UrlExpression {
    const start = this.#addAlternatives(alternatives, END);
    return { steps: this.#steps, start, size: this.#size };
  }

  #addAlternatives(alternatives: readonly AST.Alternative[], next: number): number {
    const starts = alternatives.map(({ elements }) => elements.reduceRight((to, each) => this.#add(each, to), next));
    return starts.length === 1 ? (starts[0] ?? next) : this.#push({ next: starts });
  }

  #add(element: AST.Element, next: number): number {
    switch (element.type) {
      case "Character":
        // The path of a URL is percent-encoded.
        return element.value < ASCII_CHARS.length
          ? this.#addCharacter(element.raw, next)
          : [...encodeURIComponent(String.fromCodePoint(element.value))].reduceRight(
              (to, char) => this.#addCharacter(char, to),
              next,
            );
      case "CharacterSet":
      case "CharacterClass":
        return this.#addCharacter(element.raw, next);
      case "CapturingGroup":
        return this.#addAlternatives(element.alternatives, next);
      case "Group":
        if (element.modifiers === null) return this.#addAlternatives(element.alternatives, next);
        break;
      case "Quantifier":
        return this.#repeat(element, next);
      case "Assertion":
        if (element.kind === "start") return this.#push({ holds: (_, at) => at === 0, next: [next] });
        if (element.kind === "end") return this.#push({ holds: (text, at) => at === text.length, next: [next] });
        if (element.kind === "word") {
          const isWord = (char: string | undefined) => char !== undefined && /\w/.test(char);
          const isEdge = (text: string, at: number) => isWord(text[at - 1]) !== isWord(text[at]);
          return this.#push({ holds: (text, at) => isEdge(text, at) !== element.negate, next: [next] });
        }
        if (element.kind === "lookahead") {
          const inner = new Compiler(this.#maxSteps - this.#size).compile(element.alternatives);
          this.#size += inner.size;
          const isMatch = (text: string, at: number, count: VisitCount) => matches(inner, text, { from: at, count });
          return this.#push({ holds: (...place) => isMatch(...place) !== element.negate, next: [next] });
        }
    }
    throw new UnsupportedExpression("must not contain look-behind, back-references or flags of groups");
  }

  #addCharacter(raw: string, next: number): number {
    let reads = this.#reads.get(raw);
    if (reads === undefined) {
      const regex = new RegExp(`^${raw}$`, "u");
      reads = ASCII_CHARS.map((char) => regex.test(char));
      this.#reads.set(raw, reads);
    }
    return this.#push({ reads, next: [next] });
  }

  #repeat({ min, max, element }: AST.Quantifier, next: number): number {
    let start = next;
    if (max === Number.POSITIVE_INFINITY) {
      start = this.#push({ next: [] });
      this.#steps[start] = { next: [this.#add(element, start), next] };
    } else for (let copy = min; copy < max; copy++) start = this.#push({ next: [this.#add(element, start), next] });
    for (let copy = 0; copy < min; copy++) {
      const first = this.#add(element, start);
      // Another copy of an element without steps, such as `(?:)`, adds nothing either.
      if (first === start) break;
      start = first;
    }
    return start;
  }

  #push(step: Step): number {
    if (++this.#size > this.#maxSteps)
      throw new UnsupportedExpression("must be a simpler expression, because it takes too long to match");
    return this.#steps.push(step) - 1;
  }
}

/**
 * Returns true if the expression matches a part of the text, or a part that begins at `from`. Visits each step at most
 * once at each character, and adds the visits to `count`. Stops and returns false above MAX_VISITS.
 */
export function matches(
  { steps, start }: UrlExpression,
  text: string,
  { from = null, count }: { from?: number | null; count: VisitCount },
): boolean {
  count.visits += Math.ceil(steps.length / STEPS_PER_VISIT);
  const seenAt = new Int32Array(steps.length).fill(-1);
  let reading: Step[] = [];
  for (let at = from ?? 0; at <= text.length; at++) {
    const pending = reading.flatMap((step) => step.next);
    if (from === null || at === from) pending.push(start);
    if (pending.length === 0 || count.visits > MAX_VISITS) return false;
    reading = [];
    for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
      count.visits++;
      if (index === END) return true;
      const step = steps[index];
      if (step === undefined || seenAt[index] === at) continue;
      seenAt[index] = at;
      if (step.reads?.[text.charCodeAt(at)]) reading.push(step);
      else if (step.reads === undefined && (step.holds?.(text, at, count) ?? true)) pending.push(...step.next);
    }
  }
  return false;
}
