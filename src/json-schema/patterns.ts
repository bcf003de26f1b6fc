import { matches } from "./regex/match";
import { parseRegex, type Regex } from "./regex/parse";

/** How many steps all matches may take together, and one alone. */
export interface MatchLimits {
  steps: number;
  stepsAMatch: number;
}

const LIMITS: MatchLimits = { steps: 200_000, stepsAMatch: 20_000 };
/** What each match takes besides its own. */
const STEPS_OF_A_MATCH = 40;
/** So many times as fast as ours is the runtime's engine, at least. */
const ENGINE_SPEED = 20;

/** The patterns of one schema. */
export interface Patterns {
  toRegex(pattern: string): Regex | null;
  /** Null when the pattern isn't understood or would keep an engine busy. */
  hasMatch(pattern: string, text: string): boolean | null;
}

/** Reads each pattern once and answers each question once: the same texts come up at every level. */
export function createPatterns(limits = LIMITS): Patterns {
  const regexes = new Map<string, Regex | null>();
  const answers = new Map<string, Map<string, { found: boolean | null; cost: number }>>();
  const steps = { left: limits.steps };

  function toRegex(pattern: string): Regex | null {
    const known = regexes.get(pattern);
    if (known !== undefined) return known;
    const regex = parseRegex(pattern);
    regexes.set(pattern, regex);
    return regex;
  }

  function hasMatch(pattern: string, text: string): boolean | null {
    const regex = toRegex(pattern);
    if (regex === null) return null;
    const known = answers.get(pattern) ?? new Map<string, { found: boolean | null; cost: number }>();
    answers.set(pattern, known);
    const answer = known.get(text);
    if (answer !== undefined) {
      // The runtime's engine goes through it again.
      steps.left -= answer.cost / ENGINE_SPEED;
      return steps.left > 0 ? answer.found : null;
    }
    const before = steps.left;
    steps.left -= STEPS_OF_A_MATCH;
    const found = matches(regex, text, steps, limits.stepsAMatch);
    known.set(text, { found, cost: before - steps.left });
    return found;
  }

  return { toRegex, hasMatch };
}
