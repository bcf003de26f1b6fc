/** Returns the text in lower case and without accents. People often write ASCII letters for the replaced ones. */
export function foldText(text: string): string {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return plain.replace(/ı/g, "i").replace(/ß/g, "ss").normalize("NFC");
}

/** Returns the text without percent-encoding, or unchanged if its encoding isn't valid UTF-8. */
export function decodeUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const ESCAPES = /\\x([\da-f]{2})|\\u([\da-f]{4})|\\(.)/gis;

/** Returns the value of a text in a script, without its escapes. */
export function unescapeScript(text: string): string {
  return text.replace(ESCAPES, (_, byte, unit, other) =>
    other === undefined ? String.fromCharCode(Number.parseInt(byte ?? unit, 16)) : other === "n" ? "\n" : other,
  );
}
