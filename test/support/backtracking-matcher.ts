import { type AST, RegExpParser } from "@eslint-community/regexpp";

type Next = (at: number) => boolean;

/**
 * Counts the steps of a backtracking engine that looks for a match: each entry into a node of the pattern is one step. Tries
 * the ways in the same order as the runtime's engine. Stops at the limit.
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
        return repeat(element, 0, at, next);
      case "Assertion":
        return holds(element, at) && next(at);
      case "Character":
      case "CharacterSet":
      case "CharacterClass":
        return isMatch(element.raw, characters[at]) && next(at + 1);
      default:
        throw new Error(`The matcher doesn't know ${element.type}.`);
    }
  }

  function repeat(quantifier: AST.Quantifier, rounds: number, at: number, next: Next): boolean {
    const { element, min, max, greedy } = quantifier;
    const again = () =>
      rounds < max &&
      // An optional round that reads nothing is never repeated.
      run(element, at, (end) => (end > at || rounds < min) && repeat(quantifier, rounds + 1, end, next));
    if (rounds < min) return again();
    return greedy ? again() || next(at) : next(at) || again();
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
        throw new Error("The matcher doesn't know look-behind.");
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
