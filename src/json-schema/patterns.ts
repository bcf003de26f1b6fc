import { MAX_MATCH_STEPS, MAX_PATTERN_ANALYSIS_STEPS, MAX_PATTERN_CHARS } from "../model/limits";
import { type AnalysisBudget, buildAutomaton, type PatternAutomaton } from "./pattern-automaton";

const NEEDED_ESCAPE = /[\^$\\.*+?()[\]{}|/dDwWsSbBfnrtvcxukpP0-9]/;
const ESCAPE_OR_BRACKET = /\\(.)|[[\]]/gsu;

/**
 * Returns the pattern in a form that compiles with the flag `u`, which the validator uses. Many patterns contain
 * needless escapes such as `\-` and `\@`. The flag forbids them, so they are removed. Returns null if the pattern isn't
 * a regular expression.
 */
export function toUnicodePattern(pattern: string): string | null {
  return [pattern, removeNeedlessEscapes(pattern)].find(compiles) ?? null;
}

function removeNeedlessEscapes(pattern: string): string {
  let inClass = false;
  return pattern.replace(ESCAPE_OR_BRACKET, (found, escaped: string | undefined) => {
    if (escaped === undefined) {
      inClass = found === "[" || (found !== "]" && inClass);
      return found;
    }
    return NEEDED_ESCAPE.test(escaped) || (inClass && escaped === "-") ? found : escaped;
  });
}

function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern, "u") !== null;
  } catch {
    return false;
  }
}

const MAX_ANALYSIS_STEPS = 500_000;
/** The analysis counts the steps for all string lengths up to a limit. The limit is at least twice this number. */
const MIN_COUNTED_CHARS = 64;
/** A pattern is refused if matching a string of this length could exceed the budget of a validation. */
const MIN_MATCHED_CHARS = 100;
/** The degree of the growth is rounded down if it exceeds an integer by at most this much, otherwise up. */
const DEGREE_TOLERANCE = 0.1;

/** Returns the maximum number of steps that the engine takes to match a string of this length. */
type StepEstimate = (chars: number) => number;

/** `exponential`: each additional character can double the steps. `slow`: even a short string can take too long. */
export type RefusedPattern = "exponential" | "slow" | "unsupported";

/**
 * Returns the maximum number of steps for matching a pattern, or the reason to refuse the pattern.
 *
 * The engine tries all paths through the pattern one after the other, and can't be stopped. The number of steps is
 * therefore the number of paths through the pattern's automaton, times the cost of each path. The number of
 * paths grows exponentially if and only if two different paths lead from a state back to itself with the same string
 * (Weber and Seidl, "On the degree of ambiguity of finite automata", 1991). Otherwise, it grows polynomially. The steps
 * can therefore be counted for short strings and extrapolated for longer ones. The count assumes that the match can
 * fail at every character.
 */
export function estimateSteps(pattern: string, budget: AnalysisBudget): StepEstimate | RefusedPattern {
  const own = { stepsLeft: Math.min(budget.stepsLeft, MAX_ANALYSIS_STEPS) };
  const before = own.stepsLeft;
  const automaton = pattern.length > MAX_PATTERN_CHARS ? null : buildAutomaton(pattern, own);
  const isExponential = automaton !== null && hasExponentialPaths(automaton, own);
  const estimate = automaton === null || isExponential ? null : toEstimate(automaton, own);
  budget.stepsLeft -= before - own.stepsLeft;
  if (isExponential) return "exponential";
  if (estimate === null) return "unsupported";
  return estimate(MIN_MATCHED_CHARS) > MAX_MATCH_STEPS ? "slow" : estimate;
}

/**
 * Returns true if two different paths lead from a state back to itself with the same string. Follows two paths together:
 * they start in the same state, separate within a loop and meet again.
 */
function hasExponentialPaths({ next, letters }: PatternAutomaton, budget: AnalysisBudget): boolean {
  const loops = toLoops(next, budget);
  const inLoop = next.map((targets, state) => [...targets].filter(([target]) => loops[target] === loops[state]));
  const lettersOf = next.map((_, state) => letters.filter((letter) => letter.has(state)));
  const pairs: (readonly [left: number, right: number])[] = next.map((_, state) => [state, state]);
  const known = new Set<number>();
  for (let pair = pairs.pop(); pair !== undefined && budget.stepsLeft > 0; pair = pairs.pop()) {
    const [left, right] = pair;
    const isEqual = left === right;
    for (const [leftTarget, paths] of inLoop[left] ?? []) {
      if (isEqual && paths > 1) return true;
      for (const [rightTarget] of inLoop[right] ?? []) {
        budget.stepsLeft--;
        if (leftTarget === rightTarget && !isEqual) return true;
        const key = leftTarget * next.length + rightTarget;
        if (leftTarget === rightTarget || known.has(key)) continue;
        if (!lettersOf[leftTarget]?.some((letter) => letter.has(rightTarget))) continue;
        known.add(key);
        pairs.push([leftTarget, rightTarget]);
      }
    }
  }
  return false;
}

/** Numbers the loops with Kosaraju's algorithm. States that can reach each other get the same number. */
function toLoops(next: PatternAutomaton["next"], budget: AnalysisBudget): number[] {
  const previous: number[][] = next.map(() => []);
  const finished: number[] = [];
  const seen = new Set<number>();
  const visit = (state: number): void => {
    if (seen.size === seen.add(state).size) return;
    for (const target of next[state]?.keys() ?? []) {
      previous[target]?.push(state);
      visit(target);
    }
    finished.push(state);
  };
  for (const state of next.keys()) visit(state);
  const loops: number[] = [];
  const mark = (state: number, loop: number): void => {
    if (loops[state] !== undefined) return;
    loops[state] = loop;
    budget.stepsLeft--;
    for (const source of previous[state] ?? []) mark(source, loop);
  };
  for (const state of finished.reverse()) mark(state, state);
  return loops;
}

/**
 * Counts the maximum number of steps for strings of each length. Groups strings that lead to the same states, and uses
 * the highest number of paths to each state. Returns null if the analysis takes too long.
 */
function toEstimate({ next, costs, letters }: PatternAutomaton, budget: AnalysisBudget): StepEstimate | null {
  const half = MIN_COUNTED_CHARS + next.length;
  const all = 2 * half;
  const start = new Map([[0, 1]]);
  const waysBySet = new Map([["0", start]]);
  let changed = new Set([start]);
  /** By the string's length: `atLast` has the most steps at the last character, and `upTo` those of all. */
  const atLast = [costs[0] ?? 1];
  const upTo = [...atLast];
  for (let length = 1; length <= all; length++) {
    const grown = new Set<Map<number, number>>();
    for (const reached of [...changed].flatMap((paths) => step(paths))) {
      const key = [...reached.keys()].sort((left, right) => left - right).join();
      const known = waysBySet.get(key) ?? new Map<number, number>();
      waysBySet.set(key, known);
      for (const [state, count] of reached) {
        if (count <= (known.get(state) ?? 0)) continue;
        known.set(state, count);
        grown.add(known);
      }
    }
    if (budget.stepsLeft < 0) return null;
    const steps = Math.max(atLast[length - 1] ?? 1, ...[...grown].map(toSteps));
    atLast.push(steps);
    upTo.push(steps + (upTo[length - 1] ?? 1));
    changed = grown;
  }

  const [most, mostAtHalf, total] = [atLast[all] ?? 1, atLast[half] ?? 1, upTo[all] ?? 1];
  const degree = 1 + Math.max(0, Math.ceil(Math.log2(most / mostAtHalf) - DEGREE_TOLERANCE));
  return (chars) => upTo[chars] ?? total + ((most * all) / degree) * ((chars / all) ** degree - 1);

  function step(paths: ReadonlyMap<number, number>): Map<number, number>[] {
    const targets = [...paths].flatMap(([state, count]) =>
      [...(next[state] ?? [])].map(([target, more]) => [target, count * more] as const),
    );
    budget.stepsLeft -= 1 + targets.length * letters.length;
    if (budget.stepsLeft < 0) return [];
    const reached = letters.map((letter) => addUp(targets.filter(([state]) => letter.has(state))));
    return reached.filter(({ size }) => size > 0);
  }

  function toSteps(paths: ReadonlyMap<number, number>): number {
    return [...paths].reduce((sum, [state, count]) => sum + count * (costs[state] ?? 1), 0);
  }
}

function addUp(counts: readonly (readonly [state: number, count: number])[]): Map<number, number> {
  const sum = new Map<number, number>();
  for (const [state, count] of counts) sum.set(state, (sum.get(state) ?? 0) + count);
  return sum;
}

interface CompiledPattern {
  regex: RegExp;
  estimate: StepEstimate;
}

/** Compiles each pattern of a schema once. All patterns share one budget, because the analysis is slow. */
export class PatternCompiler {
  readonly #compiled = new Map<string, CompiledPattern | null>();
  readonly #budget = { stepsLeft: MAX_PATTERN_ANALYSIS_STEPS };

  /** Returns the compiled pattern with its step estimate, or null if the pattern is refused. */
  compile(pattern: string): CompiledPattern | null {
    const known = this.#compiled.get(pattern);
    if (known !== undefined) return known;
    const estimate = estimateSteps(pattern, this.#budget);
    const compiled = typeof estimate === "string" ? null : { regex: new RegExp(pattern, "u"), estimate };
    this.#compiled.set(pattern, compiled);
    return compiled;
  }
}
