/**
 * Decodes the percent-encodings of unreserved characters, which never change the meaning of a URL. Writes the other
 * percent-encodings in upper case. See RFC 3986, section 6.2.2.
 */
export function normalizeEncoding(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (encoded) => {
    const char = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return /[\w.~-]/.test(char) ? char : encoded.toUpperCase();
  });
}
