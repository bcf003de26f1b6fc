import { type AST, RegExpParser } from "@eslint-community/regexpp";

/** What analyzing patterns may still take. All patterns of a schema share it. */
export interface AnalysisBudget {
  stepsLeft: number;
}

/** The automaton of a pattern. Each state is one character of the pattern, and state 0 is the start. */
export interface PatternAutomaton {
  /** By state: the states that may come next, with the number of ways to get there. */
  next: readonly ReadonlyMap<number, number>[];
  /** The states that each letter can lead to. Characters that the pattern doesn't tell apart are one letter. */
  letters: readonly ReadonlySet<number>[];
}

/** A part of the automaton. The numbers are ways: into the part, out of it, and through it without a character. */
interface Fragment {
  first: ReadonlyMap<number, number>;
  last: ReadonlyMap<number, number>;
  empty: number;
}

/** A group is copied up to so many times for a counted repetition. Beyond that, it counts as unlimited. */
const MAX_COPIES = 32;
const MAX_STATES = 500;
/** The product of nested counts. The runtime's engine unrolls them. */
const MAX_COUNT = 1_000;

const EMPTY: Fragment = { first: new Map(), last: new Map(), empty: 1 };
const START = 0;

/**
 * Builds the automaton of a pattern (Glushkov's construction: https://en.wikipedia.org/wiki/Glushkov's_construction_algorithm).
 * The pattern must compile with the flag `u`. Assertions such as `$` and `\b` count as always true, so the automaton has at
 * least the ways that the runtime's engine tries. Returns null for look-behind, back-references, flags of a group, and for
 * a pattern that is too large.
 */
export function buildAutomaton(pattern: string, budget: AnalysisBudget): PatternAutomaton | null {
  try {
    const tree = new RegExpParser().parsePattern(pattern, 0, pattern.length, { unicode: true });
    return new AutomatonBuilder(budget).build(tree);
  } catch (error) {
    if (error instanceof UnsupportedPatternError || error instanceof SyntaxError) return null;
    throw error;
  }
}

class UnsupportedPatternError extends Error {}

class AutomatonBuilder {
  readonly #budget: AnalysisBudget;
  /** By state: the node that its character must match. The start reads nothing, so it has none. */
  readonly #nodes: (CharacterNode | "any" | null)[] = [null];
  readonly #next: Map<number, number>[] = [new Map()];

  constructor(budget: AnalysisBudget) {
    this.#budget = budget;
  }

  build(tree: AST.Pattern): PatternAutomaton {
    for (const alternative of tree.alternatives) this.#addAlternative(alternative);
    return { next: this.#next, letters: toLetters(this.#nodes) };
  }

  #addAlternative(alternative: AST.Alternative): void {
    const fragment = this.#readAlternative(alternative, 1);
    this.#link(new Map([[START, 1]]), fragment.first);
    const [head, ...others] = alternative.elements;
    const isAnchored = head?.type === "Assertion" && head.kind === "start";
    if (!isAnchored) {
      // The engine tries the alternative again from each character of the text.
      const skipped = this.#addState("any");
      this.#link(new Map([[START, 1]]), skipped.first);
      this.#link(skipped.last, skipped.first);
      this.#link(skipped.last, fragment.first);
    }
    // Without an assertion, the engine is done as soon as it reaches the end.
    if (!hasAssertion(isAnchored ? others : alternative.elements)) {
      for (const state of fragment.last.keys()) this.#next[state]?.clear();
    }
  }

  #readAlternative({ elements }: AST.Alternative, count: number): Fragment {
    return elements.reduce<Fragment>((before, element) => this.#join(before, this.#read(element, count)), EMPTY);
  }

  #readAlternatives(alternatives: readonly AST.Alternative[], count: number): Fragment {
    const fragments = alternatives.map((alternative) => this.#readAlternative(alternative, count));
    return {
      first: addUp(fragments.map(({ first }) => [first, 1])),
      last: addUp(fragments.map(({ last }) => [last, 1])),
      empty: fragments.reduce((sum, { empty }) => sum + empty, 0),
    };
  }

  #read(element: AST.Element, count: number): Fragment {
    this.#spend(1);
    switch (element.type) {
      case "Character":
      case "CharacterSet":
      case "CharacterClass":
        return this.#addState(element);
      case "Group":
        if (element.modifiers) throw new UnsupportedPatternError();
        return this.#readAlternatives(element.alternatives, count);
      case "CapturingGroup":
        return this.#readAlternatives(element.alternatives, count);
      case "Quantifier":
        return this.#repeat(element, count);
      case "Assertion":
        if (element.kind === "lookbehind") throw new UnsupportedPatternError();
        if (element.kind !== "lookahead") return EMPTY;
        // What a look-ahead reads is a way of its own, which ends there.
        return { ...EMPTY, first: this.#readAlternatives(element.alternatives, count).first };
      default:
        throw new UnsupportedPatternError();
    }
  }

  #repeat({ min, max, element }: AST.Quantifier, outerCount: number): Fragment {
    if (max === 0) return EMPTY;
    const count = outerCount * (max === Infinity ? Math.max(1, min) : max);
    if (count > MAX_COUNT) throw new UnsupportedPatternError();
    const read = () => this.#read(element, count);
    const isUnlimited = max === Infinity || max > MAX_COPIES || min > MAX_COPIES;
    if (!isUnlimited) {
      let optional = EMPTY;
      for (let round = min; round < max; round++) optional = toOptional(this.#join(read(), optional));
      return this.#repeatExactly(read, min, optional);
    }
    const loop = read();
    // An engine can leave out any of a limited number of empty rounds: there are too many ways.
    if (loop.empty > 0 && max !== Infinity) throw new UnsupportedPatternError();
    this.#link(loop.last, loop.first);
    if (min === 0) return toOptional(loop);
    // The loop is one of the rounds.
    return this.#repeatExactly(read, min > MAX_COPIES ? 0 : min - 1, loop);
  }

  #repeatExactly(read: () => Fragment, rounds: number, rest: Fragment): Fragment {
    let fragment = rest;
    for (let round = 0; round < rounds; round++) fragment = this.#join(read(), fragment);
    return fragment;
  }

  #join(left: Fragment, right: Fragment): Fragment {
    this.#link(left.last, right.first);
    return {
      first: addUp([
        [left.first, 1],
        [right.first, left.empty],
      ]),
      last: addUp([
        [right.last, 1],
        [left.last, right.empty],
      ]),
      empty: left.empty * right.empty,
    };
  }

  #addState(node: CharacterNode | "any"): Fragment {
    if (this.#nodes.length >= MAX_STATES) throw new UnsupportedPatternError();
    const state = this.#nodes.push(node) - 1;
    this.#next.push(new Map());
    return { first: new Map([[state, 1]]), last: new Map([[state, 1]]), empty: 0 };
  }

  #link(from: ReadonlyMap<number, number>, to: ReadonlyMap<number, number>): void {
    this.#spend(from.size * to.size);
    for (const [state, waysOut] of from) {
      const next = this.#next[state];
      for (const [target, waysIn] of to) next?.set(target, (next.get(target) ?? 0) + waysOut * waysIn);
    }
  }

  #spend(steps: number): void {
    this.#budget.stepsLeft -= steps;
    if (this.#budget.stepsLeft < 0) throw new UnsupportedPatternError();
  }
}

/** Adds the ways up, those of each map times its factor. */
function addUp(parts: readonly (readonly [ways: ReadonlyMap<number, number>, factor: number])[]): Map<number, number> {
  const sum = new Map<number, number>();
  for (const [ways, factor] of parts) {
    if (factor === 0) continue;
    for (const [state, count] of ways) sum.set(state, (sum.get(state) ?? 0) + count * factor);
  }
  return sum;
}

function toOptional(fragment: Fragment): Fragment {
  return { ...fragment, empty: fragment.empty + 1 };
}

function hasAssertion(elements: readonly AST.Element[]): boolean {
  return elements.some((element) => {
    if (element.type === "Assertion") return true;
    if (element.type === "Quantifier") return hasAssertion([element.element]);
    if (element.type !== "Group" && element.type !== "CapturingGroup") return false;
    return element.alternatives.some((alternative) => hasAssertion(alternative.elements));
  });
}

type CharacterNode = AST.Character | AST.CharacterSet | AST.CharacterClass;

/** Stands for every character outside of ASCII that the pattern doesn't name. */
const OTHER = "other";
const MAX_ASCII = 0x7f;

/** Groups the characters that lead to the same states. */
function toLetters(nodes: readonly (CharacterNode | "any" | null)[]): readonly ReadonlySet<number>[] {
  const named = new Set(nodes.flatMap((node) => (node === null || node === "any" ? [] : namedCharacters(node))));
  const ascii = Array.from({ length: MAX_ASCII + 1 }, (_, code) => String.fromCharCode(code));
  const matchers = new Map<string, (character: string) => boolean>();
  const letters = new Map<string, ReadonlySet<number>>();
  for (const character of new Set([...ascii, ...named, OTHER])) {
    const states = nodes.flatMap((node, state) => (node !== null && matches(node, character, matchers) ? [state] : []));
    if (states.length > 0) letters.set(states.join(), new Set(states));
  }
  return [...letters.values()];
}

function matches(
  node: CharacterNode | "any",
  character: string,
  matchers: Map<string, (character: string) => boolean>,
): boolean {
  if (node === "any") return true;
  const known = matchers.get(node.raw);
  if (known !== undefined) return known(character);
  const regex = new RegExp(`^${node.raw}$`, "u");
  const takesOther = mayMatchOther(node);
  const matcher = (one: string) => (one === OTHER ? takesOther : regex.test(one));
  matchers.set(node.raw, matcher);
  return matcher(character);
}

function mayMatchOther(node: CharacterNode): boolean {
  if (node.type === "Character") return false;
  const mayMatch =
    node.type === "CharacterSet" ? node.kind !== "digit" && node.kind !== "word" : node.elements.some(isWide);
  return mayMatch || ("negate" in node && node.negate);
}

function isWide(element: AST.CharacterClass["elements"][number]): boolean {
  if (element.type === "CharacterClassRange") return element.max.value > MAX_ASCII;
  return element.type === "CharacterSet" && mayMatchOther(element);
}

function namedCharacters(node: CharacterNode): string[] {
  if (node.type === "Character") return [String.fromCodePoint(node.value)];
  if (node.type !== "CharacterClass") return [];
  return node.elements.flatMap((element) => {
    if (element.type === "Character") return [String.fromCodePoint(element.value)];
    if (element.type !== "CharacterClassRange") return [];
    return [String.fromCodePoint(element.min.value), String.fromCodePoint(element.max.value)];
  });
}
