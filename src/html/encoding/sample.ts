const MAX_SAMPLE_BYTES = 4 * 1_024;
/** ASCII that is kept on both sides of what isn't: what a letter stands beside tells of its encoding. */
const MARGIN_BYTES = 16;

/** The beginning of what isn't ASCII, each run of it with a little of its surroundings. */
export function toSample(bytes: Uint8Array): Uint8Array {
  const sample = new Uint8Array(MAX_SAMPLE_BYTES);
  let size = 0;
  let end = 0;
  for (let at = 0; at < bytes.length && size < MAX_SAMPLE_BYTES; at++) {
    if ((bytes[at] ?? 0) < 0x80) continue;
    const from = Math.max(end, at - MARGIN_BYTES);
    end = at + 1;
    while (end < bytes.length && end - at < MARGIN_BYTES) end++;
    const part = bytes.subarray(from, Math.min(end, from + MAX_SAMPLE_BYTES - size));
    sample.set(part, size);
    size += part.length;
    at = end - 1;
  }
  return sample.subarray(0, size);
}
