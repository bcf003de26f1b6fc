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

/** The patterns of one schema. */
export interface Patterns {
  toRegex(pattern: string): Regex | null;
  /** Null when the pattern isn't understood or would keep an engine busy. */
  hasMatch(pattern: string, text: string): boolean | null;
}

/** Reads each pattern once and answers each question once: the same texts come up at every level. */
export function createPatterns(limits = LIMITS): Patterns {
  const regexes = new Map<string, Regex | null>();
  const answers = new Map<string, Map<string, boolean | null>>();
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
    const known = answers.get(pattern) ?? new Map<string, boolean | null>();
    answers.set(pattern, known);
    const answer = known.get(text);
    if (answer !== undefined) return answer;
    steps.left -= STEPS_OF_A_MATCH;
    const found = matches(regex, text, steps, limits.stepsAMatch);
    known.set(text, found);
    return found;
  }

  return { toRegex, hasMatch };
}
