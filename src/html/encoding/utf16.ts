const LOOKED_AT_BYTES = 1_024;
const MIN_ASCII_SHARE = 0.1;
const MAX_OTHER_SHARE = 0.01;

/**
 * UTF-16 whose byte order mark is missing: markup is ASCII, and in UTF-16 every other byte of it is NUL. No declaration can
 * outweigh that, for no other encoding has NULs in its text.
 */
export function utf16WithoutMark(bytes: Uint8Array): "utf-16le" | "utf-16be" | null {
  const pairs = Math.floor(Math.min(bytes.length, LOOKED_AT_BYTES) / 2);
  let first = 0;
  let second = 0;
  for (let pair = 0; pair < pairs; pair++) {
    if (bytes[2 * pair] === 0) first++;
    if (bytes[2 * pair + 1] === 0) second++;
  }
  const isAscii = (nuls: number) => nuls > 1 && nuls >= MIN_ASCII_SHARE * pairs;
  if (isAscii(second) && first <= MAX_OTHER_SHARE * pairs) return "utf-16le";
  return isAscii(first) && second <= MAX_OTHER_SHARE * pairs ? "utf-16be" : null;
}
