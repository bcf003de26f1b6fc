import type { AST } from "@eslint-community/regexpp";
import {
  type CharacterNode,
  compileSteps,
  type Expression,
  type Loop,
  type Step,
  UnsupportedExpression,
} from "./expression";

/** The remaining steps for analyzing patterns. All patterns of a schema share one budget. */
export interface AnalysisBudget {
  stepsLeft: number;
}

/** The automaton of a pattern. Each state is a place in the pattern that matches a character. State 0 is the start. */
export interface PatternAutomaton {
  /** For each state, a map from each following state to the number of paths that lead to it. */
  next: readonly ReadonlyMap<number, number>[];
  /** For each state, the maximum number of steps until the engine reads the next character or fails. */
  costs: readonly number[];
  /** For each letter, the states that follow it. A letter stands for all characters that lead to the same states. */
  letters: readonly ReadonlySet<number>[];
}

/** The limits for a pattern. The engine unrolls counted repetitions. */
const LIMITS = { maxSteps: 1_000, maxCopies: 32, maxNestedCount: 1_000 };
/** The maximum number of paths between two characters that lead to the same step. */
const MAX_EMPTY_PATHS = 16;
/** The number of steps for a capturing group. The engine saves and restores the captures. */
const STEPS_PER_CAPTURE = 3;
/** Compiling a character class counts as this many steps of the analysis. */
const STEPS_PER_CLASS = 50;
/** Compiling `\p{…}` counts as this many steps, because the engine compiles it to thousands of ranges. */
const STEPS_PER_PROPERTY = 5_000;

/**
 * Builds the automaton of a pattern, which must compile with the flag `u`. Assertions such as `$` and `\b` count as
 * always true, so the automaton has at least the paths that the engine tries. Returns null if the pattern has
 * look-behind, back-references or flags of a group, if it's too large, or if too many paths match the empty string.
 */
export function buildAutomaton(pattern: string, budget: AnalysisBudget): PatternAutomaton | null {
  const toReads = (node: CharacterNode) => {
    spend(budget, STEPS_PER_PROPERTY * (node.raw.match(/\\p/gi)?.length ?? 0));
    return [node];
  };
  try {
    return toAutomaton(compileSteps(pattern, { ...LIMITS, toReads }), budget);
  } catch (error) {
    if (error instanceof UnsupportedExpression || error instanceof SyntaxError) return null;
    throw error;
  }
}

function spend(budget: AnalysisBudget, steps: number): void {
  budget.stepsLeft -= steps;
  if (budget.stepsLeft < 0) throw new UnsupportedExpression();
}

type PatternStep = Step<CharacterNode | "any">;

function toAutomaton(expression: Expression<CharacterNode>, budget: AnalysisBudget): PatternAutomaton {
  const { starts, retried } = expression;
  const steps: PatternStep[] = [...expression.steps];
  // If the match fails, the engine retries from the next character of the text.
  const skip: PatternStep = { reads: "any", next: [...retried, steps.length] };
  const start: PatternStep = { next: retried.length > 0 ? [...starts, steps.push(skip) - 1] : starts };
  const states = [start, ...steps.filter(({ reads }) => reads !== undefined)];
  const stateOf = new Map(states.map((step, state) => [step, state]));
  const followed = states.map((step) => followPaths(step, steps, budget));
  return {
    next: followed.map(({ paths }) => new Map([...paths].map(([step, count]) => [stateOf.get(step) ?? 0, count]))),
    costs: followed.map(({ cost }) => cost),
    letters: toLetters(
      states.map(({ reads = null }) => reads),
      budget,
    ),
  };
}

/**
 * Follows all paths from a step to the steps that read the next character. Returns the number of paths to each of them,
 * and the steps that the engine takes for all paths.
 */
function followPaths(from: PatternStep, steps: readonly PatternStep[], budget: AnalysisBudget) {
  const arrivals = new Map<PatternStep, number>();
  /** The loops on the current path. True for a loop whose current iteration isn't its first one. */
  const repeats = new Map<Loop, boolean>();
  let cost = 1;
  for (const index of from.next) follow(steps[index]);
  return { paths: [...arrivals].filter(([{ reads }]) => reads !== undefined), cost };

  function follow(step: PatternStep | undefined): void {
    if (step === undefined) return;
    const { reads, ahead, loop, isBack = false, isCapture, next } = step;
    const count = (arrivals.get(step) ?? 0) + 1;
    if (count > MAX_EMPTY_PATHS) throw new UnsupportedExpression();
    arrivals.set(step, count);
    cost += isCapture ? STEPS_PER_CAPTURE : 1;
    spend(budget, 1);
    if (reads !== undefined) return;
    const isRepeat = loop && repeats.get(loop);
    if (loop && isBack && isRepeat !== undefined) {
      // The iteration has read no character. The engine rejects it, unless it is required.
      if (loop.isCounted) throw new UnsupportedExpression();
      if (isRepeat || !loop.isRequired) return;
    }
    if (loop) repeats.set(loop, isBack);
    for (const index of ahead === undefined ? next : [ahead, ...next]) follow(steps[index]);
    if (loop && isRepeat === undefined) repeats.delete(loop);
    else if (loop && isRepeat !== undefined) repeats.set(loop, isRepeat);
  }
}

/** Groups characters that lead to the same states. Omits a letter if another one leads to all its states. */
function toLetters(nodes: readonly (CharacterNode | "any" | null)[], budget: AnalysisBudget) {
  const classes = new Map<string, CharacterNode>();
  for (const node of nodes) if (node !== null && node !== "any") classes.set(node.raw, node);
  const named = [...classes.values()].flatMap(namedCharacters);
  const characters = new Set([...ASCII, ...WIDE_SPACES, ...named, OTHER]);
  spend(budget, STEPS_PER_CLASS * classes.size + characters.size * (classes.size + nodes.length));
  const matchers = new Map([...classes].map(([raw, node]) => [raw, toMatcher(node)]));
  const letters = new Map<string, ReadonlySet<number>>();
  for (const character of characters) {
    const matching = new Set([...matchers].filter(([, matches]) => matches(character)).map(([raw]) => raw));
    const states = nodes.flatMap((node, state) =>
      node === "any" || (node !== null && matching.has(node.raw)) ? [state] : [],
    );
    letters.set(states.join(), new Set(states));
  }
  const sets = [...letters.values()];
  spend(budget, sets.length ** 2);
  return sets.filter((letter) => !sets.some((other) => other !== letter && letter.isSubsetOf(other)));
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
