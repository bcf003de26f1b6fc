/** Shorter parts of a text are always copies. */
const MIN_PART_CHARS = 13;

/**
 * Returns a copy of a text for a cache. A part of a long text can be a reference to the whole text, which then stays in
 * memory as long as its part. V8 creates such references for parts of 13 characters or more:
 * https://crbug.com/v8/2869
 */
export function ownString(text: string): string {
  if (text.length < MIN_PART_CHARS) return text;
  // The joined text is copied before it is cut, so that the result refers only to the copy.
  return ` ${text}`.slice(1);
}
