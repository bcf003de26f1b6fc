import type { Regex } from "./parse";

const MAX_STEPS = 20_000;
const MAX_NESTING = 1_000;
const MAX_TEXT_CHARS = 10_000;

/** One for all: a stack of calls would cost more than the rest, and nobody reads it. */
const TOO_LONG = new Error("Too long.");

/** What all matches together may still take. */
export interface Steps {
  left: number;
}

/**
 * Whether the text has a match; null when finding out takes too many steps. It goes about it as the runtime's own engine
 * does, trying and going back, so that a pattern that comes to an end here comes to an end there: only such a pattern may
 * be given to that engine, which can't be stopped.
 */
export function matches(regex: Regex, text: string, steps: Steps, maxSteps = MAX_STEPS): boolean | null {
  if (steps.left <= 0 || text.length > MAX_TEXT_CHARS) return null;
  const signs = [...text];
  const run = toRun(signs, steps, maxSteps);
  try {
    for (let start = 0; start <= signs.length; start++) {
      if (run(regex, start, () => true)) return true;
    }
    return false;
  } catch (error) {
    if (error === TOO_LONG) return null;
    throw error;
  }
}

type Next = (at: number) => boolean;

function toRun(
  signs: readonly string[],
  steps: Steps,
  maxSteps: number,
): (regex: Regex, at: number, next: Next) => boolean {
  const end = Math.max(0, steps.left - maxSteps);
  let nesting = 0;

  function step(): void {
    if (--steps.left < end || nesting >= MAX_NESTING) throw TOO_LONG;
  }

  function run(regex: Regex, at: number, next: Next): boolean {
    step();
    nesting++;
    const found = runKind(regex, at, next);
    nesting--;
    return found;
  }

  function runKind(regex: Regex, at: number, next: Next): boolean {
    switch (regex.kind) {
      case "sign":
        return hasSign(regex.sign, at) && next(at + 1);
      case "sequence":
        return runItems(regex.items, 0, at, next);
      case "either":
        return regex.options.some((option) => run(option, at, next));
      case "edge":
        return isEdge(regex.at, at) && next(at);
      case "look":
        return run(regex.item, at, () => true) !== regex.negative && next(at);
      case "repeat":
        return regex.item.kind === "sign" ? runSigns(regex, regex.item.sign, at, next) : runAgain(regex, 0, at, next);
    }
  }

  function runItems(items: readonly Regex[], index: number, at: number, next: Next): boolean {
    const item = items[index];
    return item === undefined ? next(at) : run(item, at, (end) => runItems(items, index + 1, end, next));
  }

  function runAgain(regex: Regex & { kind: "repeat" }, count: number, at: number, next: Next): boolean {
    const goOn = () =>
      count < regex.max &&
      // A round that took nothing would be repeated forever.
      run(regex.item, at, (end) => (end > at || count < regex.min) && runAgain(regex, count + 1, end, next));
    if (count < regex.min) return goOn();
    return regex.lazy ? next(at) || goOn() : goOn() || next(at);
  }

  /** The repetition of one character, as a loop: a text of thousands of characters needs no stack. */
  function runSigns(regex: Regex & { kind: "repeat" }, sign: Signs, at: number, next: Next): boolean {
    let longest = 0;
    while (longest < regex.max && hasSign(sign, at + longest)) {
      step();
      longest++;
    }
    for (let tried = regex.min; tried <= longest; tried++) {
      step();
      if (next(at + (regex.lazy ? tried : longest + regex.min - tried))) return true;
    }
    return false;
  }

  function hasSign(sign: Signs, at: number): boolean {
    const found = signs[at];
    return found !== undefined && sign.has(found);
  }

  function isEdge(edge: (Regex & { kind: "edge" })["at"], at: number): boolean {
    if (edge === "start") return at === 0;
    if (edge === "end") return at === signs.length;
    return (isWordSign(signs[at - 1]) !== isWordSign(signs[at])) === (edge === "word");
  }

  return run;
}

type Signs = (Regex & { kind: "sign" })["sign"];

function isWordSign(sign: string | undefined): boolean {
  return sign !== undefined && /\w/.test(sign);
}
