import { MAX_PATTERN_CHARS } from "../model/limits";
import { type AnalysisBudget, buildAutomaton, type PatternAutomaton } from "./pattern-automaton";

const NEEDED_ESCAPE = /[\^$\\.*+?()[\]{}|/dDwWsSbBfnrtvcxukpP0-9]/;
const ESCAPE_OR_BRACKET = /\\(.)|[[\]]/gsu;

/**
 * Returns the pattern as the validator compiles it, with the flag `u`, or null if it isn't a regular expression. That flag
 * forbids escapes that have no meaning (`\-`, `\@`). Many patterns have them, so they are removed.
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

/** The runtime's engine may have so many ways to read a text, and more for a text that is longer. */
const MAX_WAYS = 1_000;
const MAX_WAYS_PER_CHAR = 8;
/** Limits the analysis of one pattern to about 20 ms. */
const MAX_ANALYSIS_STEPS = 500_000;
/** The analysis counts the ways to read texts of at least this length, and of twice the length. */
const MIN_COUNTED_CHARS = 64;
/** Allows at most about twice as many ways for a text that is twice as long. */
const MAX_GROWTH = 2.2;

/** Returns the highest number of steps that the runtime's engine takes for a text of so many characters. */
export type StepEstimate = (chars: number) => number;

/**
 * Returns how many steps matching a pattern takes at most. The runtime's engine tries one way to read the text after the
 * other, and can't be stopped. If the number of ways is constant, the time is linear. If it grows in proportion to the
 * text, the time is quadratic. Returns `slow` for a pattern whose ways grow faster, such as `(a+)+$`, `(a|a)*$` and
 * `\s+\s+$`, and `unsupported` for a pattern that can't be analyzed.
 */
export function estimateSteps(pattern: string, budget: AnalysisBudget): StepEstimate | "slow" | "unsupported" {
  const automaton = pattern.length > MAX_PATTERN_CHARS ? null : buildAutomaton(pattern, budget);
  if (automaton === null) return "unsupported";
  const chars = MIN_COUNTED_CHARS + 2 * automaton.next.length;
  const counts = countWays(automaton, chars, budget);
  if (counts === null) return "slow";
  const { atLength, atTwice, isConstant } = counts;
  if (atTwice > MAX_WAYS + (isConstant ? 0 : MAX_WAYS_PER_CHAR * chars)) return "slow";
  if (isConstant) return (length) => (length + 1) * atTwice;
  if (atTwice > MAX_GROWTH * atLength) return "slow";
  return (length) => (length + 1) * Math.max(atTwice, (atTwice * length) / (2 * chars));
}

/**
 * Counts the ways to read a text of at most `chars` characters, and of twice as many. Texts that lead to the same states
 * are counted together, with the highest number for each state. Returns null if that takes too many steps.
 */
function countWays(
  { next, letters }: PatternAutomaton,
  chars: number,
  budget: AnalysisBudget,
): { atLength: number; atTwice: number; isConstant: boolean } | null {
  const waysBySet = new Map([["0", new Map([[0, 1]])]]);
  let changed: readonly Map<number, number>[] = [...waysBySet.values()];
  let [steps, most, atLength] = [0, 1, 1];
  for (let length = 1; length <= 2 * chars && changed.length > 0; length++) {
    const updates: Map<number, number>[] = [];
    for (const ways of changed) {
      const targets = [...ways].flatMap(([state, count]) =>
        [...(next[state] ?? [])].map(([to, n]) => [to, count * n] as const),
      );
      const cost = 1 + targets.length * letters.length;
      steps += cost;
      budget.stepsLeft -= cost;
      if (steps > MAX_ANALYSIS_STEPS || budget.stepsLeft < 0) return null;
      for (const letter of letters) {
        const reached = addUp(targets.filter(([state]) => letter.has(state)));
        if (reached.size > 0) updates.push(reached);
      }
    }
    const grown = new Set<Map<number, number>>();
    for (const reached of updates) {
      const key = [...reached.keys()].sort((left, right) => left - right).join();
      const known = waysBySet.get(key) ?? new Map<number, number>();
      waysBySet.set(key, known);
      for (const [state, count] of reached) {
        if (count <= (known.get(state) ?? 0)) continue;
        known.set(state, count);
        grown.add(known);
      }
    }
    for (const ways of grown)
      most = Math.max(
        most,
        [...ways.values()].reduce((sum, count) => sum + count, 0),
      );
    if (most > Number.MAX_SAFE_INTEGER) return null;
    if (length <= chars) atLength = most;
    changed = [...grown];
  }
  return { atLength, atTwice: most, isConstant: changed.length === 0 };
}

function addUp(counts: readonly (readonly [state: number, count: number])[]): Map<number, number> {
  const sum = new Map<number, number>();
  for (const [state, count] of counts) sum.set(state, (sum.get(state) ?? 0) + count);
  return sum;
}
