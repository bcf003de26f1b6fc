import type { AST } from "@eslint-community/regexpp";

type Matches = (character: string) => boolean;
type Holds = (text: readonly string[], at: number) => boolean;

/** An instruction of a compiled pattern. Each instruction except `fork` and `jump` continues with the next one. */
type Instruction =
  | { kind: "repeat"; matches: Matches; min: number; max: number; greedy: boolean }
  | { kind: "assert"; holds: Holds }
  | { kind: "look"; program: readonly Instruction[]; negate: boolean }
  | { kind: "fork"; first: number; second: number }
  | { kind: "jump"; to: number };

/** A place to continue if the current attempt fails: the instruction, and the first and last position to try. */
interface Attempt {
  instruction: number;
  at: number;
  last: number;
}

/** The maximum number of instructions. A repeated group is written out as often as its count requires. */
const MAX_INSTRUCTIONS = 3_000;

/** Thrown if a pattern isn't supported: it's invalid or too large, or has look-behind, back-references or flags. */
export class UnsupportedPatternError extends Error {}

/** Thrown if a match takes more steps than the limit. */
export class MatchLimitExceeded extends Error {}

/**
 * Matches a pattern like the engine, and counts the steps. The engine can't be stopped, so it only gets strings for
 * which this matcher takes few steps. Both try the same alternatives in the same order.
 */
export class PatternMatcher {
  readonly #program: readonly Instruction[];

  /** No unlimited repetition in `tree` may match the empty string. Throws UnsupportedPatternError. */
  constructor(tree: AST.Pattern) {
    this.#program = compile(tree.alternatives);
  }

  /** Searches a string for the pattern. Throws MatchLimitExceeded after `maxSteps`. */
  search(string: string, maxSteps: number): { found: boolean; steps: number } {
    const text = [...string];
    const counter = { steps: 0, maxSteps };
    for (let start = 0; start <= text.length; start++)
      if (run(this.#program, text, start, counter)) return { found: true, steps: counter.steps };
    return { found: false, steps: counter.steps };
  }
}

function run(
  program: readonly Instruction[],
  text: readonly string[],
  start: number,
  counter: { steps: number; maxSteps: number },
): boolean {
  const attempts: Attempt[] = [{ instruction: 0, at: start, last: start }];
  for (let attempt = attempts.pop(); attempt !== undefined; attempt = attempts.pop()) {
    let { instruction, at } = attempt;
    if (at !== attempt.last) attempts.push({ instruction, at: at + Math.sign(attempt.last - at), last: attempt.last });
    for (;;) {
      if (++counter.steps > counter.maxSteps) throw new MatchLimitExceeded();
      const current = program[instruction];
      if (current === undefined) return true;
      instruction++;
      if (current.kind === "jump") instruction = current.to;
      else if (current.kind === "fork") {
        attempts.push({ instruction: current.second, at, last: at });
        instruction = current.first;
      } else if (current.kind === "repeat") {
        const { matches, min, max, greedy } = current;
        let end = at;
        while (end - at < max && matches(text[end] ?? "")) end++;
        counter.steps += end - at;
        const least = at + min;
        if (end < least) break;
        const [next, last] = greedy ? [end, least] : [least, end];
        if (next !== last) attempts.push({ instruction, at: next + Math.sign(last - next), last });
        at = next;
      } else {
        const holds =
          current.kind === "assert"
            ? current.holds(text, at)
            : run(current.program, text, at, counter) !== current.negate;
        if (!holds) break;
      }
    }
  }
  return false;
}

function compile(alternatives: readonly AST.Alternative[]): readonly Instruction[] {
  const program: Instruction[] = [];

  function add(instruction: Instruction): number {
    if (program.length >= MAX_INSTRUCTIONS) throw new UnsupportedPatternError("The pattern is too large.");
    return program.push(instruction) - 1;
  }

  /** Adds a choice between the code that `write` adds and the code after it. */
  function addOptional(write: () => void, isWriteFirst: boolean): void {
    const fork = add({ kind: "jump", to: 0 });
    write();
    const [first, second] = isWriteFirst ? [fork + 1, program.length] : [program.length, fork + 1];
    program[fork] = { kind: "fork", first, second };
  }

  function addAlternatives(options: readonly AST.Alternative[]): void {
    const [first, ...others] = options;
    if (first === undefined) return;
    if (others.length === 0) {
      first.elements.forEach(addElement);
      return;
    }
    let jump = 0;
    addOptional(() => {
      first.elements.forEach(addElement);
      jump = add({ kind: "jump", to: 0 });
    }, true);
    addAlternatives(others);
    program[jump] = { kind: "jump", to: program.length };
  }

  function addElement(element: AST.Element): void {
    switch (element.type) {
      case "Character":
      case "CharacterSet":
      case "CharacterClass":
        add({ kind: "repeat", matches: toMatches(element), min: 1, max: 1, greedy: true });
        break;
      case "Group":
        if (element.modifiers) throw new UnsupportedPatternError("Flags of a group aren't supported.");
        addAlternatives(element.alternatives);
        break;
      case "CapturingGroup":
        addAlternatives(element.alternatives);
        break;
      case "Quantifier":
        addRepetition(element);
        break;
      case "Assertion":
        addAssertion(element);
        break;
      default:
        throw new UnsupportedPatternError(`${element.type} isn't supported.`);
    }
  }

  function addRepetition({ element, min, max, greedy }: AST.Quantifier): void {
    if (element.type === "Character" || element.type === "CharacterSet" || element.type === "CharacterClass") {
      add({ kind: "repeat", matches: toMatches(element), min, max, greedy });
      return;
    }
    for (let count = 0; count < min; count++) addEach();
    if (max === Infinity) {
      const start = program.length;
      addOptional(() => {
        addEach();
        add({ kind: "jump", to: start });
      }, greedy);
    } else if (max > min) addCopies(max - min);

    function addEach(): void {
      addElement(element);
      // An empty group adds no instruction. Its count must still be limited.
      add({ kind: "assert", holds: () => true });
    }

    function addCopies(copies: number): void {
      addOptional(() => {
        addEach();
        if (copies > 1) addCopies(copies - 1);
      }, greedy);
    }
  }

  function addAssertion(assertion: AST.Assertion): void {
    if (assertion.kind === "lookahead")
      add({ kind: "look", program: compile(assertion.alternatives), negate: assertion.negate });
    else if (assertion.kind === "lookbehind") throw new UnsupportedPatternError("Look-behind isn't supported.");
    else add({ kind: "assert", holds: toHolds(assertion) });
  }

  addAlternatives(alternatives);
  return program;
}

function toMatches(node: AST.Character | AST.CharacterSet | AST.CharacterClass): Matches {
  if (node.type === "Character") {
    const named = String.fromCodePoint(node.value);
    return (character) => character === named;
  }
  const regex = new RegExp(`^${node.raw}$`, "u");
  return (character) => regex.test(character);
}

const WORD = /^\w$/u;

function toHolds(assertion: AST.EdgeAssertion | AST.WordBoundaryAssertion): Holds {
  if (assertion.kind === "start") return (_, at) => at === 0;
  if (assertion.kind === "end") return (text, at) => at === text.length;
  const isWord = (character: string | undefined) => character !== undefined && WORD.test(character);
  const negate = "negate" in assertion && assertion.negate;
  return (text, at) => (isWord(text[at - 1]) !== isWord(text[at])) !== negate;
}
