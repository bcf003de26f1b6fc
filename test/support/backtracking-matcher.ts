import { type AST, RegExpParser } from "@eslint-community/regexpp";

type Next = (at: number) => boolean;

/** The indexes of the text that a group has matched. */
interface Captured {
  start: number;
  end: number;
}

interface Options {
  flags?: string;
  /** The number of steps after which the search stops. */
  limit: number;
}

/**
 * Counts the steps that a backtracking engine takes to search a text for the first match, or for all matches if the
 * flags contain `g`. Each visit of a pattern node and each repetition of a character is one step. Tries alternatives in
 * the same order as V8. A lookbehind counts as one step.
 */
export function countMatchSteps(pattern: string, text: string, { flags = "u", limit }: Options): number {
  const tree = parsePattern(pattern, flags);
  const ownFlags = flags.replace(/[gy]/g, "");
  const characters = /[uv]/.test(flags) ? [...text] : text.split("");
  const offsets = [0];
  for (const character of characters) offsets.push((offsets.at(-1) ?? 0) + character.length);
  const captures = new Map<AST.CapturingGroup | undefined, Captured | undefined>();
  const lookbehinds = new Map<string, RegExp>();
  let steps = 0;

  function runAlternatives(alternatives: readonly AST.Alternative[], at: number, next: Next): boolean {
    return alternatives.some(({ elements }) => runElements(elements, 0, at, next));
  }

  function runElements(elements: readonly AST.Element[], index: number, at: number, next: Next): boolean {
    const element = elements[index];
    return element === undefined || steps > limit
      ? next(at)
      : run(element, at, (end) => runElements(elements, index + 1, end, next));
  }

  function run(element: AST.Element, at: number, next: Next): boolean {
    if (++steps > limit) return true;
    switch (element.type) {
      case "Group":
        return runAlternatives(element.alternatives, at, next);
      case "CapturingGroup": {
        const previous = captures.get(element);
        const isFound = runAlternatives(element.alternatives, at, (end) => {
          captures.set(element, { start: at, end });
          return next(end);
        });
        if (!isFound) captures.set(element, previous);
        return isFound;
      }
      case "Quantifier":
        return isCharacter(element.element) ? repeatCharacter(element, at, next) : repeatGroup(element, 0, at, next);
      case "Assertion":
        return holds(element, at) && next(at);
      case "Backreference":
        return repeatCapture(captures.get([element.resolved].flat()[0]), at, next);
      default:
        return isMatch(element, at) && next(at + 1);
    }
  }

  /** Repeats a character without recursion, so that long texts don't exceed the stack. */
  function repeatCharacter({ element, min, max, greedy }: AST.Quantifier, at: number, next: Next): boolean {
    let count = 0;
    const canRepeat = () => count < max && ++steps <= limit && isMatch(element, at + count);
    while (count < min) {
      if (!canRepeat()) return steps > limit;
      count++;
    }
    if (!greedy) {
      while (!next(at + count)) {
        if (!canRepeat()) return steps > limit;
        count++;
      }
      return true;
    }
    while (canRepeat()) count++;
    for (; count >= min; count--) if (++steps > limit || next(at + count)) return true;
    return false;
  }

  function repeatGroup(quantifier: AST.Quantifier, iterations: number, at: number, next: Next): boolean {
    const { element, min, max, greedy } = quantifier;
    const matchNext = () =>
      iterations < max &&
      // Rejects an optional iteration that matches the empty string, as JavaScript does. The iteration could otherwise
      // repeat forever.
      run(element, at, (end) => (end > at || iterations < min) && repeatGroup(quantifier, iterations + 1, end, next));
    if (iterations < min) return matchNext();
    return greedy ? matchNext() || next(at) : next(at) || matchNext();
  }

  /** Matches the text of a capturing group again. A group that hasn't matched repeats the empty text. */
  function repeatCapture(captured: Captured | undefined, at: number, next: Next): boolean {
    const { start, end } = captured ?? { start: at, end: at };
    for (let index = start; index < end; index++)
      if (++steps > limit || characters[index] !== characters[at + index - start]) return steps > limit;
    return next(at + end - start);
  }

  function holds(assertion: AST.Assertion, at: number): boolean {
    const [before, after] = [characters[at - 1], characters[at]];
    switch (assertion.kind) {
      case "start":
        return at === 0 || (flags.includes("m") && before === "\n");
      case "end":
        return at === characters.length || (flags.includes("m") && after === "\n");
      case "word":
        return (/\w/.test(before ?? "") !== /\w/.test(after ?? "")) !== assertion.negate;
      case "lookahead":
        return runAlternatives(assertion.alternatives, at, () => true) !== assertion.negate;
      case "lookbehind": {
        const regex = lookbehinds.get(assertion.raw) ?? new RegExp(assertion.raw, `${ownFlags}y`);
        lookbehinds.set(assertion.raw, regex);
        regex.lastIndex = offsets[at] ?? 0;
        return regex.test(text);
      }
    }
  }

  function isMatch(element: AST.Element | AST.QuantifiableElement, at: number): boolean {
    const character = characters[at];
    return character !== undefined && matchesCharacter(element.raw, character, ownFlags);
  }

  for (let start = 0; start <= characters.length && steps <= limit; start++) {
    let end = -1;
    const isFound = runAlternatives(tree.alternatives, start, (at) => {
      end = at;
      return true;
    });
    if (isFound && !flags.includes("g")) break;
    if (isFound) start = Math.max(start, end - 1);
    else if (flags.includes("y") || startsAtBeginning(tree, flags)) break;
  }
  return steps;
}

/** Returns the syntax tree of a pattern. Throws SyntaxError if the pattern isn't valid. */
export function parsePattern(pattern: string, flags: string): AST.Pattern {
  const options = { unicode: flags.includes("u"), unicodeSets: flags.includes("v") };
  return new RegExpParser().parsePattern(pattern, 0, pattern.length, options);
}

/** Returns true if a pattern of one character matches the character. */
export function matchesCharacter(pattern: string, character: string, flags: string): boolean {
  const key = `${pattern}/${flags}`;
  const matcher = MATCHERS.get(key) ?? { regex: new RegExp(`^(?:${pattern})$`, flags), known: new Map() };
  MATCHERS.set(key, matcher);
  const known = matcher.known.get(character) ?? matcher.regex.test(character);
  matcher.known.set(character, known);
  return known;
}

const MATCHERS = new Map<string, { regex: RegExp; known: Map<string, boolean> }>();

const isCharacter = ({ type }: AST.Element): boolean => type.startsWith("Character");

/** Returns true if a match can only start at the beginning of the text. An engine then makes only one attempt. */
function startsAtBeginning({ alternatives }: AST.Pattern, flags: string): boolean {
  return (
    !flags.includes("m") &&
    alternatives.every(({ elements: [first] }) => first?.type === "Assertion" && first.kind === "start")
  );
}
