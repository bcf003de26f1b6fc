import { compile } from "css-select";
import { parse } from "css-what";

/** A rule for an error of the selector parser: the pattern of its message, and our description of the problem. */
type Rule = [pattern: RegExp, describe: (selector: string, match: RegExpExecArray) => string];

/** The rules for the errors of css-what. They find the position in the selector, which the parser doesn't report. */
const SYNTAX_RULES: readonly Rule[] = [
  [
    /^Expected name, found ([\s\S]*)$/,
    (selector, [, rest = ""]) => missingName(selector, selector.length - rest.length),
  ],
  [/^Unmatched selector: ([\s\S]*)$/, (selector, [, rest = ""]) => unexpected(selector, selector.length - rest.length)],
  [/^(?:Parenthesis not matched|Missing closing parenthesis)/, (selector) => unclosed(selector, "(")],
  [/^Attribute selector didn't terminate/, (selector) => unclosed(selector, "[")],
  [/^Attribute value didn't end/, (selector) => unclosed(selector, "quote")],
  [/^Expected `=`/, (selector) => at(selector, /[~^$*|!](?!=)[^[]*$/, (char) => `'=' must follow '${char}'`)],
  [/^Comment was not terminated/, (selector) => at(selector, /\/\*/, () => "the comment has no '*/'")],
  [
    /^Pseudo-selector (\S+) cannot be quoted/,
    (_, [, name = ""]) => `:${name}() takes selectors without quotation marks`,
  ],
  [
    /^Did not expect successive traversals/,
    (selector) => at(selector, /(?<=[>+~]\s*)[>+~]/, (char) => `an element must precede the combinator '${char}'`),
  ],
  [/^Empty sub-selector/, describeEmpty],
];

/** The rules for the errors of css-select, which supports fewer selectors than a browser. */
const SUPPORT_RULES: readonly Rule[] = [
  [
    /^Unknown pseudo-class :([\w-]+)/,
    (selector, [, name = ""]) => at(selector, `:${name}`, () => `the pseudo-class ':${name}' is not supported`),
  ],
  [/^Pseudo-elements are not supported/, (selector) => at(selector, "::", () => "pseudo-elements are not supported")],
  [/^Column combinators are not/, (selector) => at(selector, "||", () => "the combinator '||' is not supported")],
  [/^Namespaced /, (selector) => at(selector, "|", () => "namespaces are not supported")],
  [
    /^Pseudo(?:-class)? :?([\w-]+) doesn't have any arguments/,
    (selector, [, name = ""]) => at(selector, `:${name}`, () => `':${name}' takes no argument`),
  ],
  [
    /^Pseudo-class :([\w-]+) requires an argument/,
    (selector, [, name = ""]) => at(selector, `:${name}`, () => `':${name}' needs an argument in parentheses`),
  ],
  [
    /^n-th rule couldn't be parsed/,
    (selector) => at(selector, /:nth-[\w-]+/, () => "the argument must have a form such as 2, odd or 2n+1"),
  ],
];

/** Describes the syntax error of a CSS selector and its position. Returns null if the syntax is valid. */
export function findSyntaxProblem(selector: string): string | null {
  try {
    parse(selector);
    return null;
  } catch (error) {
    return describe(selector, error, SYNTAX_RULES);
  }
}

/** Describes why the conversion can't use a CSS selector. Returns null if it can use the selector. */
export function findSelectorProblem(selector: string): string | null {
  const problem = findSyntaxProblem(selector);
  if (problem !== null) return problem;
  try {
    compile(selector);
    return null;
  } catch (error) {
    return describe(selector, error, SUPPORT_RULES);
  }
}

function describe(selector: string, error: unknown, rules: readonly Rule[]): string {
  const message = error instanceof Error ? error.message : "";
  for (const [pattern, toText] of rules) {
    const match = pattern.exec(message);
    if (match !== null) return toText(selector, match);
  }
  return "its syntax is not supported";
}

/**
 * Returns the problem with the position of its cause. The position is the first match of `cause`, or the last match if
 * `cause` is anchored to the end.
 */
function at(selector: string, cause: string | RegExp, toText: (char: string) => string): string {
  const index = typeof cause === "string" ? selector.indexOf(cause) : selector.search(cause);
  return index < 0 ? toText("") : toPosition(selector, index, toText(selector.charAt(index)));
}

/** Adds the position to a problem. Positions count characters from 1. */
function toPosition(selector: string, index: number, problem: string): string {
  return `${problem} (character ${[...selector.slice(0, index)].length + 1})`;
}

function missingName(selector: string, index: number): string {
  const char = [...selector.slice(index)][0];
  if (char === undefined) return `a name must follow '${selector.trimEnd().slice(-1)}' at the end`;
  if (/[.#:]/.test(char)) return toPosition(selector, index, `a name must follow '${char}'`);
  return toPosition(selector, index, `expected a name, not '${char}'`);
}

function unexpected(selector: string, index: number): string {
  return toPosition(selector, index, `'${[...selector.slice(index)][0] ?? ""}' is unexpected`);
}

/** Describes the last bracket, parenthesis or quotation mark that isn't closed. */
function unclosed(selector: string, kind: "(" | "[" | "quote"): string {
  const open: { char: string; index: number }[] = [];
  for (let index = 0; index < selector.length; index++) {
    const char = selector.charAt(index);
    const last = open.at(-1)?.char ?? "";
    if (char === "\\") index++;
    else if (/["']/.test(last)) {
      if (char === last) open.pop();
    } else if (/[("'[]/.test(char)) open.push({ char, index });
    else if (char === { "(": ")", "[": "]" }[last]) open.pop();
  }
  const found = open.findLast(({ char }) => (kind === "quote" ? /["']/.test(char) : char === kind)) ?? open.at(-1);
  if (found === undefined) return "a bracket is not closed";
  const closing = { "(": ")", "[": "]" }[found.char] ?? found.char;
  return toPosition(selector, found.index, `'${found.char}' needs a closing '${closing}'`);
}

function describeEmpty(selector: string): string {
  if (/^\s*\.{0,2}\//.test(selector)) return "it looks like XPath, which is not supported";
  const char = selector.trim().charAt(0);
  if (/[\]){}@!%&/\\=;?^]/.test(char)) return at(selector, /\S/, () => `a selector can't begin with '${char}'`);
  return at(selector, /(?<=^\s*|\(\s*|,\s*)[,)]|,(?=\s*$)/, (found) =>
    found === "," ? "a selector is missing before or after the comma" : "a selector is missing in the parentheses",
  );
}
