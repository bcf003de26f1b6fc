import { type AST, RegExpParser } from "@eslint-community/regexpp";

export type CharacterNode = AST.Character | AST.CharacterSet | AST.CharacterClass;

/** A step of a compiled expression. `next` are the indexes of the following steps. */
export interface Step<Reads> {
  /** The character or characters that the step reads. Undefined if it reads none. */
  reads?: Reads;
  /** The condition that the step checks. */
  assertion?: AST.Assertion;
  /** The first step of a look-ahead. Its steps lead to the end, and those after it are in `next`. */
  ahead?: number;
  /** True at the beginning of a capturing group. */
  isCapture?: boolean;
  loop?: Loop;
  /** True at the end of an iteration of `loop`, false at its entry. */
  isBack?: boolean;
  next: readonly number[];
}

export interface Loop {
  /** True if the first iteration is required. */
  isRequired: boolean;
  /** True if the loop stands for a high count. */
  isCounted: boolean;
}

export interface Expression<Reads> {
  steps: readonly Step<Reads>[];
  /** The first steps of the alternatives. */
  starts: readonly number[];
  /** The first steps of the alternatives that can also match after the first character. */
  retried: readonly number[];
}

interface CompileOptions<Reads> {
  /** Returns the characters that each step for a node reads. */
  toReads: (node: CharacterNode) => readonly Reads[];
  maxSteps: number;
  /** The maximum number of copies for a counted repetition such as `(…){3}`. A higher count becomes a loop. */
  maxCopies?: number;
  /** The maximum product of nested counts, such as 6 for `(?:a{2}){3}`. */
  maxNestedCount?: number;
}

/** Thrown for an expression with a part that isn't supported, or that is too large. */
export class UnsupportedExpression extends Error {}

/** The index of the step that ends a match. */
export const END = 0;

/**
 * Compiles an expression, which must compile with the flag `u`, with Thompson's construction
 * (https://en.wikipedia.org/wiki/Thompson's_construction). Throws UnsupportedExpression.
 */
export function compileSteps<Reads>(pattern: string, options: CompileOptions<Reads>): Expression<Reads> {
  const { alternatives } = new RegExpParser().parsePattern(pattern, 0, pattern.length, { unicode: true });
  const compiler = new Compiler(options);
  const starts: number[] = [];
  const retried: number[] = [];
  for (const alternative of alternatives) {
    const start = compiler.addAlternative(alternative, END);
    starts.push(start);
    const [head] = alternative.elements;
    if (head?.type !== "Assertion" || head.kind !== "start") retried.push(start);
  }
  return { steps: compiler.steps, starts, retried };
}

/** Adds the steps of an expression, the last one first. Most methods return the index of the first step. */
class Compiler<Reads> {
  readonly steps: Step<Reads>[] = [{ next: [] }];
  readonly #options: Required<CompileOptions<Reads>>;
  /** The product of the counts of the repetitions around the current element. */
  #count = 1;

  constructor(options: CompileOptions<Reads>) {
    this.#options = { maxCopies: Number.POSITIVE_INFINITY, maxNestedCount: Number.POSITIVE_INFINITY, ...options };
  }

  addAlternative({ elements }: AST.Alternative, next: number): number {
    return elements.reduceRight((to, element) => this.#add(element, to), next);
  }

  #addAlternatives(alternatives: readonly AST.Alternative[], next: number): number {
    const starts = alternatives.map((alternative) => this.addAlternative(alternative, next));
    return starts.length === 1 ? (starts[0] ?? next) : this.#push({ next: starts });
  }

  #add(element: AST.Element, next: number): number {
    switch (element.type) {
      case "Character":
      case "CharacterSet":
      case "CharacterClass":
        return this.#options.toReads(element).reduceRight((to, reads) => this.#push({ reads, next: [to] }), next);
      case "CapturingGroup":
        return this.#push({ isCapture: true, next: [this.#addAlternatives(element.alternatives, next)] });
      case "Group": {
        if (element.modifiers !== null) break;
        const first = this.#addAlternatives(element.alternatives, next);
        return first === next ? next : this.#push({ next: [first] });
      }
      case "Quantifier":
        return this.#repeat(element, next);
      case "Assertion":
        if (element.kind === "lookbehind") break;
        if (element.kind !== "lookahead") return this.#push({ assertion: element, next: [next] });
        return this.#push({
          assertion: element,
          ahead: this.#addAlternatives(element.alternatives, END),
          next: [next],
        });
    }
    throw new UnsupportedExpression("must not contain look-behind, back-references or flags of groups");
  }

  #repeat({ min, max, element }: AST.Quantifier, next: number): number {
    if (max === 0) return next;
    const { maxCopies, maxNestedCount } = this.#options;
    const outerCount = this.#count;
    const isCharacter = element.type.startsWith("Character");
    if (!isCharacter || outerCount > 1) this.#count *= max === Number.POSITIVE_INFINITY ? Math.max(1, min) : max;
    if (this.#count > maxNestedCount) throw tooLarge();
    let [start, copies] = [next, min];
    if (min > maxCopies || max === Number.POSITIVE_INFINITY || max > maxCopies) {
      const isCounted = min > maxCopies || max !== Number.POSITIVE_INFINITY;
      start = this.#loop(element, next, { isRequired: min > 0, isCounted });
      copies = min > maxCopies ? 0 : min - 1;
    } else for (let copy = min; copy < max; copy++) start = this.#push({ next: [this.#add(element, start), next] });
    for (let copy = 0; copy < copies; copy++) {
      const first = this.#add(element, start);
      // Another copy of an element without steps, such as `(?:)`, adds nothing either.
      if (first === start) break;
      start = first;
    }
    this.#count = outerCount;
    return start;
  }

  #loop(element: AST.QuantifiableElement, next: number, loop: Loop): number {
    const back = this.#push({ next: [] });
    const body = this.#add(element, back);
    this.steps[back] = { loop, isBack: true, next: [body, next] };
    return this.#push({ loop, next: loop.isRequired ? [body] : [body, next] });
  }

  #push(step: Step<Reads>): number {
    if (this.steps.length >= this.#options.maxSteps) throw tooLarge();
    return this.steps.push(step) - 1;
  }
}

function tooLarge(): UnsupportedExpression {
  return new UnsupportedExpression("must be a simpler expression, because it takes too long to match");
}
