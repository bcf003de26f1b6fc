/** Of a length: seven bits a byte, the eighth says that more follow. */
const VARINT_BITS = 7;

/**
 * Google's parameter for a place: `w+` and, in base64, the protobuf message {1: 2 (role), 2: 32 (producer), 4: name}. The
 * name is the canonical one of https://developers.google.com/google-ads/api/data/geotargets; any other is passed over
 * without a word.
 */
export function toUule(name: string): string {
  const bytes = new TextEncoder().encode(name);
  // Each field is its number shifted by three, with its wire type: 0 for a number, 2 for bytes with their length.
  const message = [(1 << 3) | 0, 2, (2 << 3) | 0, 32, (4 << 3) | 2, ...varint(bytes.length), ...bytes];
  return `w+${btoa(String.fromCharCode(...message)).replace(/=+$/, "")}`;
}

function varint(value: number): number[] {
  const low = value % (1 << VARINT_BITS);
  return value < 1 << VARINT_BITS ? [value] : [low | (1 << VARINT_BITS), ...varint((value - low) / (1 << VARINT_BITS))];
}
