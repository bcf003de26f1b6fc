/** The minimum length of a large mock result: more than 1 MB, in characters and in bytes. */
export const LARGE_CHARS = 1_100_000;

const SENTENCE = "This sentence is repeated until the mock is as large as was asked. ";

/** Returns plain words of at least `chars` characters, without any that JSON, HTML or markdown escape. */
export function toFiller(chars: number): string {
  return SENTENCE.repeat(Math.ceil(chars / SENTENCE.length)).trimEnd();
}
