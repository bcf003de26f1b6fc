import { type AST, RegExpParser } from "@eslint-community/regexpp";

/** The remaining steps for analyzing patterns. All patterns of a schema share one budget. */
export interface AnalysisBudget {
  stepsLeft: number;
}

/** The automaton of a pattern. Each state is a place in the pattern that matches a character. State 0 is the start. */
export interface PatternAutomaton {
  /** For each state, a map from each following state to the number of paths that lead to it. */
  next: readonly PathCounts[];
  /** For each state, the maximum number of steps until the engine reads the next character or fails. */
  costs: readonly number[];
  /** For each letter, the states that follow it. A letter stands for all characters that lead to the same states. */
  letters: readonly ReadonlySet<number>[];
}

type PathCounts = ReadonlyMap<number, number>;

/**
 * A part of the automaton. `first` maps each state where a match of the part can start to the number of paths to it.
 * `last` does the same for the states where a match can end. `empty` counts the paths that read no character.
 */
interface Fragment {
  first: PathCounts;
  last: PathCounts;
  empty: number;
}

/** The maximum number of copies for a counted repetition such as `(…){3}`. A higher count is treated as unlimited. */
const MAX_COPIES = 32;
const MAX_STATES = 500;
/** The maximum product of nested counts, such as 6 for `(?:a{2}){3}`. The engine unrolls such repetitions. */
const MAX_NESTED_COUNT = 1_000;
/** The maximum number of paths through a part that read no character. For consecutive parts, these numbers multiply. */
const MAX_EMPTY_PATHS = 16;
/** The number of steps for a capturing group. The engine saves and restores the captures. */
const STEPS_PER_CAPTURE = 3;
/** Compiling a character class counts as this many steps of the analysis. */
const STEPS_PER_CLASS = 50;
/** Compiling `\p{…}` counts as this many steps, because the engine compiles it to thousands of ranges. */
const STEPS_PER_PROPERTY = 5_000;

const EMPTY: Fragment = { first: new Map(), last: new Map(), empty: 1 };
const START = 0;

/**
 * Builds the automaton of a pattern with Glushkov's construction
 * (https://en.wikipedia.org/wiki/Glushkov's_construction_algorithm). The pattern must compile with the flag `u`.
 * Assertions such as `$` and `\b` count as always true, so the automaton has at least the paths that the engine tries.
 * Returns null if the pattern has look-behind, back-references or flags of a group, if it's too large, or if too many
 * paths match the empty string.
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
  /** For each state, the node of the pattern that matches the state's character. Null for the start. */
  readonly #nodes: (CharacterNode | "any" | null)[] = [null];
  readonly #next: Map<number, number>[] = [new Map()];
  /** The number of steps for groups, assertions and quantifiers. All of them may run between two characters. */
  #emptySteps = 0;
  /** The highest number of paths that lead to one state without reading a character before it. */
  #mostPaths = 1;

  constructor(budget: AnalysisBudget) {
    this.#budget = budget;
  }

  build(tree: AST.Pattern): PatternAutomaton {
    for (const alternative of tree.alternatives) this.#addAlternative(alternative);
    const mostPaths = Math.max(this.#mostPaths, ...this.#next.flatMap((paths) => [...paths.values()]));
    const costs = this.#next.map((paths) => 1 + sum(paths) + (1 + this.#emptySteps) * mostPaths);
    return { next: this.#next, costs, letters: this.#toLetters() };
  }

  #addAlternative(alternative: AST.Alternative): void {
    const fragment = this.#readAlternative(alternative, 1);
    const start = new Map([[START, 1]]);
    this.#link(start, fragment.first);
    const [head] = alternative.elements;
    if (head?.type === "Assertion" && head.kind === "start") return;
    // If the match fails, the engine retries the alternative from the next character of the text.
    const skipped = this.#addState("any");
    this.#link(start, skipped.first);
    this.#link(skipped.last, skipped.first);
    this.#link(skipped.last, fragment.first);
  }

  #readAlternative({ elements }: AST.Alternative, count: number): Fragment {
    return elements.reduce<Fragment>((before, element) => this.#join(before, this.#read(element, count)), EMPTY);
  }

  #readAlternatives(alternatives: readonly AST.Alternative[], count: number): Fragment {
    const fragments = alternatives.map((alternative) => this.#readAlternative(alternative, count));
    return this.#limit({
      first: addUp(fragments.map(({ first }) => [first, 1])),
      last: addUp(fragments.map(({ last }) => [last, 1])),
      empty: fragments.reduce((total, { empty }) => total + empty, 0),
    });
  }

  #read(element: AST.Element, count: number): Fragment {
    this.#spend(1);
    if (isEmptyNode(element)) this.#emptySteps += element.type === "CapturingGroup" ? STEPS_PER_CAPTURE : 1;
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
        // The characters that a look-ahead reads form a separate path, which ends with the look-ahead.
        return { ...EMPTY, first: this.#readAlternatives(element.alternatives, count).first };
      default:
        throw new UnsupportedPatternError();
    }
  }

  #repeat({ min, max, element }: AST.Quantifier, outerCount: number): Fragment {
    if (max === 0) return EMPTY;
    const ownCount = max === Infinity ? Math.max(1, min) : max;
    const isCharacter = "raw" in element && !isEmptyNode(element);
    const count = isCharacter && outerCount === 1 ? 1 : outerCount * ownCount;
    if (count > MAX_NESTED_COUNT) throw new UnsupportedPatternError();
    let emptySteps: number | null = null;
    const read = () => {
      const fragment = this.#read(element, count);
      // If each iteration must read a character, the engine can't run two iterations between two characters. An
      // iteration's steps therefore count only once.
      if (fragment.empty === 0) this.#emptySteps = emptySteps ??= this.#emptySteps;
      return fragment;
    };
    const isUnlimited = max === Infinity || max > MAX_COPIES || min > MAX_COPIES;
    if (!isUnlimited) {
      let optional = EMPTY;
      for (let copy = min; copy < max; copy++) optional = this.#toOptional(this.#join(read(), optional));
      return this.#repeatExactly(read, min, optional);
    }
    const loop = read();
    // If an iteration can match the empty string, there are too many paths to count.
    if (loop.empty > 0 && (max !== Infinity || min > MAX_COPIES)) throw new UnsupportedPatternError();
    this.#link(loop.last, loop.first);
    if (min === 0) return this.#toOptional(loop);
    // The required iterations can match the empty string. The engine still tries the loop after them.
    if (loop.empty > 0) return this.#repeatExactly(read, min, this.#toOptional(loop));
    // The loop itself is one of the required iterations.
    return this.#repeatExactly(read, min > MAX_COPIES ? 0 : min - 1, loop);
  }

  #repeatExactly(read: () => Fragment, copies: number, rest: Fragment): Fragment {
    let fragment = rest;
    for (let copy = 0; copy < copies; copy++) fragment = this.#join(read(), fragment);
    return fragment;
  }

  #join(left: Fragment, right: Fragment): Fragment {
    this.#link(left.last, right.first);
    return this.#limit({
      first: addUp([
        [left.first, 1],
        [right.first, left.empty],
      ]),
      last: addUp([
        [right.last, 1],
        [left.last, right.empty],
      ]),
      empty: left.empty * right.empty,
    });
  }

  #toOptional(fragment: Fragment): Fragment {
    return this.#limit({ ...fragment, empty: fragment.empty + 1 });
  }

  #limit(fragment: Fragment): Fragment {
    this.#spend(fragment.first.size + fragment.last.size);
    this.#mostPaths = Math.max(this.#mostPaths, fragment.empty, ...fragment.first.values(), ...fragment.last.values());
    if (this.#mostPaths > MAX_EMPTY_PATHS) throw new UnsupportedPatternError();
    return fragment;
  }

  #addState(node: CharacterNode | "any"): Fragment {
    if (this.#nodes.length >= MAX_STATES) throw new UnsupportedPatternError();
    if (node !== "any") this.#spend(STEPS_PER_PROPERTY * (node.raw.match(/\\p/gi)?.length ?? 0));
    const state = this.#nodes.push(node) - 1;
    this.#next.push(new Map());
    return { first: new Map([[state, 1]]), last: new Map([[state, 1]]), empty: 0 };
  }

  #link(from: PathCounts, to: PathCounts): void {
    this.#spend(from.size * to.size);
    for (const [state, pathsOut] of from) {
      const next = this.#next[state];
      for (const [target, pathsIn] of to) next?.set(target, (next.get(target) ?? 0) + pathsOut * pathsIn);
    }
  }

  /** Groups characters that lead to the same states. Omits a letter if another one leads to all its states. */
  #toLetters(): readonly ReadonlySet<number>[] {
    const classes = new Map<string, CharacterNode>();
    for (const node of this.#nodes) if (node !== null && node !== "any") classes.set(node.raw, node);
    const named = [...classes.values()].flatMap(namedCharacters);
    const characters = new Set([...ASCII, ...WIDE_SPACES, ...named, OTHER]);
    this.#spend(STEPS_PER_CLASS * classes.size + characters.size * (classes.size + this.#nodes.length));
    const matchers = new Map([...classes].map(([raw, node]) => [raw, toMatcher(node)]));
    const letters = new Map<string, ReadonlySet<number>>();
    for (const character of characters) {
      const matching = new Set([...matchers].filter(([, matches]) => matches(character)).map(([raw]) => raw));
      const states = this.#nodes.flatMap((node, state) =>
        node === "any" || (node !== null && matching.has(node.raw)) ? [state] : [],
      );
      letters.set(states.join(), new Set(states));
    }
    const sets = [...letters.values()];
    this.#spend(sets.length ** 2);
    return sets.filter((letter) => !sets.some((other) => other !== letter && letter.isSubsetOf(other)));
  }

  #spend(steps: number): void {
    this.#budget.stepsLeft -= steps;
    if (this.#budget.stepsLeft < 0) throw new UnsupportedPatternError();
  }
}

/** Multiplies the path counts of each map by its factor, and adds up the results for each state. */
function addUp(parts: readonly (readonly [paths: PathCounts, factor: number])[]): Map<number, number> {
  const total = new Map<number, number>();
  for (const [paths, factor] of parts) {
    if (factor === 0) continue;
    for (const [state, count] of paths) total.set(state, (total.get(state) ?? 0) + count * factor);
  }
  return total;
}

function sum(paths: PathCounts): number {
  return [...paths.values()].reduce((total, count) => total + count, 0);
}

type CharacterNode = AST.Character | AST.CharacterSet | AST.CharacterClass;

function isEmptyNode({ type }: AST.Element): boolean {
  return type === "Group" || type === "CapturingGroup" || type === "Assertion" || type === "Quantifier";
}

const MAX_ASCII = 0x7f;
const ASCII = Array.from({ length: MAX_ASCII + 1 }, (_, code) => String.fromCharCode(code));
/** The characters outside ASCII that `\s` matches. */
const WIDE_SPACES = [
  ..."\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff",
];
/** Stands for all characters outside ASCII that the pattern doesn't name. */
const OTHER = "other";

/** Compiles the node to a function that tests a single character. */
function toMatcher(node: CharacterNode): (character: string) => boolean {
  const regex = new RegExp(`^${node.raw}$`, "u");
  const takesOther = mayMatchOther(node);
  return (character) => (character === OTHER ? takesOther : regex.test(character));
}

function mayMatchOther(node: CharacterNode): boolean {
  if (node.type === "Character") return false;
  if ("negate" in node && node.negate) return true;
  if (node.type === "CharacterSet") return node.kind === "any" || node.kind === "property";
  return node.elements.some(isWide);
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
