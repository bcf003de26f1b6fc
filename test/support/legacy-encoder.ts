/**
 * Encodes text in an encoding that TextEncoder doesn't support. To build the encoding table, it decodes all sequences
 * of one and two bytes. Throws if the encoding lacks a character of the text.
 */
export function encodeLegacy(text: string, encoding: string): Uint8Array {
  if (encoding === "iso-2022-jp") return toIso2022Jp(text);
  const table = tableOf(encoding);
  const bytes: number[] = [];
  for (const char of text) {
    const sequence = char < "\u0080" ? [char.charCodeAt(0)] : table.get(char);
    if (sequence === undefined) throw new Error(`${encoding} has no ${char}.`);
    bytes.push(...sequence);
  }
  return new Uint8Array(bytes);
}

const tables = new Map<string, Map<string, number[]>>();

function tableOf(encoding: string): Map<string, number[]> {
  const known = tables.get(encoding);
  if (known !== undefined) return known;
  const table = new Map<string, number[]>();
  const decoder = new TextDecoder(encoding);
  const add = (...bytes: number[]) => {
    const chars = [...decoder.decode(new Uint8Array(bytes))];
    const [char] = chars;
    if (chars.length === 1 && char !== undefined && char !== "\ufffd" && !table.has(char)) table.set(char, bytes);
  };
  for (let lead = 0x80; lead <= 0xff; lead++) add(lead);
  for (let lead = 0x81; lead <= 0xfe; lead++) for (let trail = 0x40; trail <= 0xfe; trail++) add(lead, trail);
  tables.set(encoding, table);
  return table;
}

/** Encodes text in ISO-2022-JP: the bytes of EUC-JP without the high bits, between escape sequences. */
function toIso2022Jp(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const part of text.split(/([\u0080-\uffff]+)/)) {
    if (part < "\u0080") bytes.push(...encodeLegacy(part, "us-ascii"));
    else bytes.push(0x1b, 0x24, 0x42, ...encodeLegacy(part, "euc-jp").map((byte) => byte & 0x7f), 0x1b, 0x28, 0x42);
  }
  return new Uint8Array(bytes);
}
