import { type AST, RegExpParser } from "@eslint-community/regexpp";

type Next = (at: number) => boolean;

/**
 * Counts the steps that a backtracking engine takes to search for a match. Each visit of a pattern node is one step.
 * Tries alternatives in the same order as V8. Stops at `limit`.
 */
export function countMatchSteps(pattern: string, text: string, limit: number): number {
  const tree = new RegExpParser().parsePattern(pattern, 0, pattern.length, { unicode: true });
  const characters = [...text];
  const matchers = new Map<string, RegExp>();
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
      case "CapturingGroup":
        return runAlternatives(element.alternatives, at, next);
      case "Quantifier":
        return matchQuantifier(element, 0, at, next);
      case "Assertion":
        return holds(element, at) && next(at);
      case "Character":
      case "CharacterSet":
      case "CharacterClass":
        return isMatch(element.raw, characters[at]) && next(at + 1);
      default:
        throw new Error(`The matcher doesn't support ${element.type}.`);
    }
  }

  function matchQuantifier(quantifier: AST.Quantifier, iterations: number, at: number, next: Next): boolean {
    const { element, min, max, greedy } = quantifier;
    const matchNext = () =>
      iterations < max &&
      // Rejects an optional iteration that matches the empty string, as JavaScript does. The iteration could otherwise
      // repeat forever.
      run(
        element,
        at,
        (end) => (end > at || iterations < min) && matchQuantifier(quantifier, iterations + 1, end, next),
      );
    if (iterations < min) return matchNext();
    return greedy ? matchNext() || next(at) : next(at) || matchNext();
  }

  function holds(assertion: AST.Assertion, at: number): boolean {
    switch (assertion.kind) {
      case "start":
        return at === 0;
      case "end":
        return at === characters.length;
      case "word":
        return (isMatch("\\w", characters[at - 1]) !== isMatch("\\w", characters[at])) !== assertion.negate;
      case "lookahead":
        return runAlternatives(assertion.alternatives, at, () => true) !== assertion.negate;
      default:
        throw new Error("The matcher doesn't support lookbehind.");
    }
  }

  function isMatch(source: string, character: string | undefined): boolean {
    const matcher = matchers.get(source) ?? new RegExp(`^${source}$`, "u");
    matchers.set(source, matcher);
    return character !== undefined && matcher.test(character);
  }

  for (let start = 0; start <= characters.length; start++) {
    if (runAlternatives(tree.alternatives, start, () => true)) break;
  }
  return steps;
}
