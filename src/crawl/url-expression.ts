// Regular expressions that callers compare with URLs. They are matched in linear time, because V8 can take exponential
// time and can't be stopped. Each look-ahead is matched again at each place where it is reached.
import { compileSteps, END, type Expression, type Step, UnsupportedExpression } from "../json-schema/expression";
import { toUnicodePattern } from "../json-schema/patterns";
import { getOrMake } from "../lib/lazy";

/** The characters that a step reads, by ASCII code. */
type Reads = readonly boolean[];

export type UrlExpression = Expression<Reads>;

/** The number of steps that were visited. */
export interface VisitCount {
  visits: number;
}

/** The maximum number of steps of all expressions of a request. */
export const MAX_EXPRESSION_STEPS = 5_000;
const ASCII_CHARS = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
/** The maximum number of visits for one text. */
export const MAX_VISITS = 1_000_000;
/** The number of steps that are prepared in the time of a visit. A look-ahead prepares the steps at each place. */
const STEPS_PER_VISIT = 32;

/** Compiles an expression, or returns the reason to refuse it. */
export function compileExpression(pattern: string, maxSteps = MAX_EXPRESSION_STEPS): UrlExpression | string {
  const unicode = toUnicodePattern(pattern);
  if (unicode === null) return "must be a regular expression that compiles with the flag u";
  const tables = new Map<string, Reads>();
  const toTable = (raw: string) =>
    getOrMake(tables, raw, () => {
      const regex = new RegExp(`^${raw}$`, "u");
      return ASCII_CHARS.map((char) => regex.test(char));
    });
  try {
    return compileSteps(unicode, {
      maxSteps,
      // The path of a URL is percent-encoded.
      toReads: (node) =>
        node.type === "Character" && node.value >= ASCII_CHARS.length
          ? [...encodeURIComponent(String.fromCodePoint(node.value))].map(toTable)
          : [toTable(node.raw)],
    });
  } catch (error) {
    if (error instanceof UnsupportedExpression) return error.message;
    throw error;
  }
}

/**
 * Returns true if the expression matches a part of the text that begins at `from` or, unless it is a look-ahead, later.
 * Visits each step at most once at each character, and adds the visits to `count`. Stops and returns false above
 * MAX_VISITS.
 */
export function matches(
  { steps, starts, retried }: UrlExpression,
  text: string,
  { from = 0, count }: { from?: number; count: VisitCount },
): boolean {
  count.visits += Math.ceil(steps.length / STEPS_PER_VISIT);
  const seenAt = new Int32Array(steps.length).fill(-1);
  let reading: Step<Reads>[] = [];
  for (let at = from; at <= text.length; at++) {
    const pending = reading.flatMap((step) => step.next);
    pending.push(...(at === from ? starts : retried));
    if (count.visits > MAX_VISITS || (pending.length === 0 && retried.length === 0)) return false;
    reading = [];
    for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
      count.visits++;
      if (index === END) return true;
      const step = steps[index];
      if (step === undefined || seenAt[index] === at) continue;
      seenAt[index] = at;
      if (step.reads?.[text.charCodeAt(at)]) reading.push(step);
      else if (step.reads === undefined && holds(step, at)) pending.push(...step.next);
    }
  }
  return false;

  function holds({ assertion, ahead = END }: Step<Reads>, at: number): boolean {
    switch (assertion?.kind) {
      case "start":
        return at === 0;
      case "end":
        return at === text.length;
      case "word":
        return (isWord(text[at - 1]) !== isWord(text[at])) !== assertion.negate;
      case "lookahead":
        return matches({ steps, starts: [ahead], retried: [] }, text, { from: at, count }) !== assertion.negate;
      default:
        return true;
    }
  }
}

function isWord(char: string | undefined): boolean {
  return char !== undefined && /\w/.test(char);
}
