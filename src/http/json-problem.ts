import { type ParseErrorCode, visit } from "jsonc-parser";

/** The codes of jsonc-parser's errors. Its enum is a `const enum`, which isolated modules can't use. */
const EXPECTED: Partial<Record<ParseErrorCode, string>> = {
  3: "a property name in double quotes",
  4: "a value",
  5: "':'",
  6: "',' or the end of the object or list",
  7: "'}'",
  8: "']'",
  9: "the end of the body",
};

const RULES: Partial<Record<ParseErrorCode, string>> = {
  10: "JSON has no comments",
  11: "JSON has no comments",
  12: "the string has no closing double quote",
  13: "the number is incomplete",
  14: "\\u must be followed by four hexadecimal digits",
  15: "the string has an unknown escape sequence; write \\\\ for a backslash",
  16: "a string can't contain a control character; write \\n for a line break",
};

const MAX_QUOTED_CHARS = 20;

interface JsonError {
  code: ParseErrorCode;
  offset: number;
  length: number;
  /** Counted from 1. */
  line: number;
  column: number;
}

/** Returns a sentence with the position and the cause of the first error in a JSON text, or null if it isn't known. */
export function describeJsonError(text: string): string | null {
  const error = findFirstError(text);
  if (error === null) return null;
  return `Line ${error.line}, column ${error.column}: ${toCause(text, error)}.`;
}

function findFirstError(text: string): JsonError | null {
  const found: JsonError[] = [];
  const stop = new Error("The first error was found.");
  try {
    visit(
      text,
      {
        onError: (code, offset, length, startLine, startCharacter) => {
          found.push({ code, offset, length, line: startLine + 1, column: startCharacter + 1 });
          throw stop;
        },
      },
      { disallowComments: true },
    );
  } catch (error) {
    // The parser is recursive, so deeply nested text exhausts the stack. The position is then unknown.
    if (error !== stop && !(error instanceof RangeError)) throw error;
  }
  return found[0] ?? null;
}

function toCause(text: string, { code, offset, length }: JsonError): string {
  const rule = RULES[code];
  if (rule !== undefined) return rule;
  const found = text.slice(offset, offset + Math.max(1, length)).slice(0, MAX_QUOTED_CHARS);
  const expected = EXPECTED[code];
  // A code without an entry in EXPECTED is a word that isn't a JSON value, such as `undefined`.
  if (expected === undefined) return toSymbolCause(found);
  if (offset >= text.length) return `the body ends, but ${expected} is expected`;
  if (/[}\]]/.test(found) && text.slice(0, offset).trimEnd().endsWith(",")) return `remove the comma before '${found}'`;
  return `${expected} is expected, not '${found}'`;
}

function toSymbolCause(found: string): string {
  if (found.startsWith("'")) return "strings and property names need double quotes, not single quotes";
  return `'${found}' is not a JSON value; strings and property names need double quotes`;
}
