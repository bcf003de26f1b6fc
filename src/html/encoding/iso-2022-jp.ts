const ESCAPE = 0x1b;
const MULTI_BYTE = 0x24;
const JIS_X_0208: readonly number[] = [0x40, 0x42];

/** ISO-2022-JP is ASCII with escapes into Japanese, and so is valid UTF-8. */
export function isIso2022Jp(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(ESCAPE); at !== -1; at = bytes.indexOf(ESCAPE, at + 1)) {
    if (bytes[at + 1] === MULTI_BYTE && JIS_X_0208.includes(bytes[at + 2] ?? 0)) return true;
  }
  return false;
}
