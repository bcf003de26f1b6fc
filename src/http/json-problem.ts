import { type ParseErrorCode, printParseErrorCode, visit } from "jsonc-parser";

/** Returns a sentence about the first error of a JSON text ("Line 1, column 6: colon expected."), or null. */
export function describeJsonError(text: string): string | null {
  let found: string | null = null;
  const stop = new Error("The first error was found.");
  const onError = (code: ParseErrorCode, _offset: number, _length: number, line: number, column: number) => {
    found = `Line ${line + 1}, column ${column + 1}: ${toWords(printParseErrorCode(code))}.`;
    throw stop;
  };
  try {
    visit(text, { onError }, { disallowComments: true });
  } catch (error) {
    // The parser is recursive, so deeply nested text exhausts the stack. The position is then unknown.
    if (error !== stop && !(error instanceof RangeError)) throw error;
  }
  return found;
}

/** Returns the name of an error as words: `PropertyNameExpected` becomes `property name expected`. */
function toWords(name: string): string {
  return name.replace(/\B[A-Z]/g, " $&").toLowerCase();
}
