/** The minimum length of a large mock result: more than 1 MB, in characters and in bytes. */
export const LARGE_CHARS = 1_100_000;

const SENTENCE = "This sentence is repeated until the mock result is large enough. ";

/** Returns at least `chars` characters of plain text. JSON, HTML and Markdown escape none of them. */
export function toFiller(chars: number): string {
  return SENTENCE.repeat(Math.ceil(chars / SENTENCE.length)).trimEnd();
}
