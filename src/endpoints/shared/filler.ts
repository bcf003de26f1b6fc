/** What `large.test` and its like come out at, at least: over 1 MB, counted either way. */
export const LARGE_CHARS = 1_100_000;

const SENTENCE = "This sentence is repeated until the mock is as large as was asked. ";

/** Plain words of at least that many characters, with nothing in them that JSON, HTML or markdown would escape. */
export function toFiller(chars: number): string {
  return SENTENCE.repeat(Math.ceil(chars / SENTENCE.length)).trimEnd();
}
