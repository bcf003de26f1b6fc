import type { AST } from "@eslint-community/regexpp";

/** A repetition with a higher maximum counts as unlimited. */
const MAX_FEW = 10;
/** The maximum degree of the polynomial time that a pattern may take. */
const MAX_DEGREE = 3;
/** Samples for the characters that a pattern doesn't name: ASCII, and some other letters and spaces. */
const SAMPLES = [...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)), ..."\u00a0\u2028éÉαя中ー😀"];
const MAX_NAMED_SAMPLES = 100;

/** The texts that a node can match. A set of characters has one bit for each sample. */
interface Shape {
  /** The characters that a match can start with. */
  first: bigint;
  /** The characters that occur in a match. */
  all: bigint;
  canBeEmpty: boolean;
}

/**
 * Returns the reason to refuse a pattern, or null. `nested`: a repetition contains another repetition or options, and
 * the next character doesn't decide how the match continues, as in `(\w+\s?)+`. Each additional character can then
 * double the steps. `slow`: the pattern has too many such repetitions in sequence, as in `.*.*.*.*`.
 *
 * A group that ends before a character that isn't in it, such as a part of a list before its comma, may contain such
 * repetitions and options. This check isn't exact. `PatternMatcher` limits the steps of each match.
 */
export function findAmbiguity(tree: AST.Pattern): "nested" | "slow" | null {
  return new AmbiguityCheck(tree).find();
}

class AmbiguityCheck {
  readonly #tree: AST.Pattern;
  /** The position of each sample. */
  readonly #samples: ReadonlyMap<string, number>;
  readonly #sets = new Map<string, bigint>();
  readonly #shapes = new Map<AST.Element | AST.Alternative, Shape>();
  #isNested = false;
  #degree = 0;

  constructor(tree: AST.Pattern) {
    this.#tree = tree;
    const named = new Set([...tree.raw].filter((character) => character > "\x7f"));
    const samples = new Set([...SAMPLES, ...[...named].slice(0, MAX_NAMED_SAMPLES)]);
    this.#samples = new Map([...samples].map((sample, position) => [sample, position]));
  }

  find(): "nested" | "slow" | null {
    const { alternatives } = this.#tree;
    this.#checkOptions(alternatives, 0n, false);
    const isAnchored = alternatives.every(
      ({ elements: [head] }) => head?.type === "Assertion" && head.kind === "start",
    );
    // Without an anchor, the engine searches from each character of the string.
    const degree = this.#degree + (isAnchored ? 0 : 1);
    if (this.#isNested) return "nested";
    return degree > MAX_DEGREE ? "slow" : null;
  }

  /** `follow` has the characters that can follow a match. `isRepeated` is true inside an unlimited repetition. */
  #checkOptions(options: readonly AST.Alternative[], follow: bigint, isRepeated: boolean): void {
    let starts = 0n;
    for (const option of options) {
      const { first, canBeEmpty } = this.#shapeOf(option);
      const start = first | (canBeEmpty ? follow : 0n);
      if (isRepeated && (start & starts) !== 0n) this.#isNested = true;
      starts |= start;
      this.#checkSequence(option, follow, isRepeated);
    }
  }

  #checkSequence({ elements }: AST.Alternative, follow: bigint, isRepeated: boolean): void {
    let next = follow;
    for (const element of elements.toReversed()) {
      this.#checkElement(element, next, isRepeated);
      const { first, canBeEmpty } = this.#shapeOf(element);
      next = first | (canBeEmpty ? next : 0n);
    }
  }

  #checkElement(element: AST.Element, follow: bigint, isRepeated: boolean): void {
    if (element.type === "Group" || element.type === "CapturingGroup") {
      const isDelimited = (this.#shapeOf(element).all & follow) === 0n;
      this.#checkOptions(element.alternatives, follow, isRepeated && !isDelimited);
    } else if (element.type === "Assertion" && element.kind === "lookahead") {
      this.#checkOptions(element.alternatives, 0n, isRepeated);
    } else if (element.type === "Quantifier") this.#checkRepetition(element, follow, isRepeated);
  }

  #checkRepetition({ min, max, element }: AST.Quantifier, follow: bigint, isRepeated: boolean): void {
    const { first, canBeEmpty } = this.#shapeOf(element);
    const isUnlimited = max > MAX_FEW;
    const isAmbiguous = min !== max && (first & follow) !== 0n;
    if ((isUnlimited && canBeEmpty) || (isRepeated && isAmbiguous)) this.#isNested = true;
    if (isUnlimited && isAmbiguous) this.#degree++;
    this.#checkElement(element, max > 1 ? first | follow : follow, isRepeated || isUnlimited);
  }

  #shapeOf(node: AST.Element | AST.Alternative): Shape {
    const known = this.#shapes.get(node);
    if (known !== undefined) return known;
    const shape = this.#measure(node);
    this.#shapes.set(node, shape);
    return shape;
  }

  #measure(node: AST.Element | AST.Alternative): Shape {
    switch (node.type) {
      case "Character":
      case "CharacterSet":
      case "CharacterClass": {
        const set = node.type === "Character" ? this.#bitOf(String.fromCodePoint(node.value)) : this.#setOf(node.raw);
        return { first: set, all: set, canBeEmpty: false };
      }
      case "Quantifier": {
        const shape = this.#shapeOf(node.element);
        return node.max === 0 ? EMPTY : { ...shape, canBeEmpty: shape.canBeEmpty || node.min === 0 };
      }
      case "Group":
      case "CapturingGroup": {
        const options = node.alternatives.map((option) => this.#shapeOf(option));
        return {
          first: options.reduce((set, { first }) => set | first, 0n),
          all: options.reduce((set, { all }) => set | all, 0n),
          canBeEmpty: options.some(({ canBeEmpty }) => canBeEmpty),
        };
      }
      case "Alternative":
        return node.elements.reduce<Shape>((before, element) => {
          const { first, all, canBeEmpty } = this.#shapeOf(element);
          return {
            first: before.first | (before.canBeEmpty ? first : 0n),
            all: before.all | all,
            canBeEmpty: before.canBeEmpty && canBeEmpty,
          };
        }, EMPTY);
      default:
        return EMPTY;
    }
  }

  #setOf(raw: string): bigint {
    const known = this.#sets.get(raw);
    if (known !== undefined) return known;
    const regex = new RegExp(`^${raw}$`, "u");
    const matching = [...this.#samples.keys()].filter((sample) => regex.test(sample));
    const set = matching.reduce((bits, sample) => bits | this.#bitOf(sample), 0n);
    this.#sets.set(raw, set);
    return set;
  }

  #bitOf(character: string): bigint {
    const position = this.#samples.get(character);
    return position === undefined ? 0n : 1n << BigInt(position);
  }
}

const EMPTY: Shape = { first: 0n, all: 0n, canBeEmpty: true };
