const WORD = /[\p{L}\p{N}_]+/gu;
/** A word counts as found if it is in a sequence of this number of words that both texts have. */
const SEQUENCE_WORDS = 3;

/**
 * Compares the expected text of a page with the output. Returns one line for each line with differences:
 * `- ` an expected line that is missing, `~ ` an expected line whose words in brackets are missing, and `+ ` a line of
 * the output that has words that aren't expected. The order of the lines doesn't matter.
 */
export function diffPage(expected: string, output: string): string[] {
  return [
    ...linesMissingFrom(output, expected).map(({ line, isWhole }) => `${isWhole ? "-" : "~"} ${line}`),
    ...linesMissingFrom(expected, output).map(({ line }) => `+ ${line}`),
  ];
}

/** Returns the lines of `text` with words that `other` doesn't have. These words are in brackets. */
function linesMissingFrom(other: string, text: string): { line: string; isWhole: boolean }[] {
  const sequences = new Set(toSequences(wordsOf(other)));
  const normalized = ` ${wordsOf(other).join(" ")} `;
  return text.split("\n").flatMap((line) => {
    const words = wordsOf(line);
    if (words.length === 0 || normalized.includes(` ${words.join(" ")} `)) return [];
    const isFound = words.map(() => false);
    for (const [start, sequence] of toSequences(words).entries())
      if (sequences.has(sequence)) isFound.fill(true, start, start + SEQUENCE_WORDS);
    if (isFound.every(Boolean)) return [];
    const isWhole = !isFound.some(Boolean);
    return [{ line: isWhole ? line.trim() : bracket(line.trim(), isFound), isWhole }];
  });
}

/** Puts each run of words that weren't found in brackets. */
function bracket(line: string, isFound: readonly boolean[]): string {
  let result = "";
  let end = 0;
  let isOpen = false;
  for (const [index, { 0: word, index: start }] of Array.from(line.matchAll(WORD)).entries()) {
    const between = line.slice(end, start);
    const isMissing = isFound[index] === false;
    if (isOpen && !isMissing) result += `]${between}`;
    else result += isMissing && !isOpen ? `${between}[` : between;
    result += word;
    isOpen = isMissing;
    end = start + word.length;
  }
  return `${result}${isOpen ? "]" : ""}${line.slice(end)}`;
}

function toSequences(words: readonly string[]): string[] {
  const count = Math.max(0, words.length - SEQUENCE_WORDS + 1);
  return Array.from({ length: count }, (_, start) => words.slice(start, start + SEQUENCE_WORDS).join(" "));
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(WORD) ?? [];
}
