/** How files begin that nobody can read as a text, whatever the server calls them: MIME Sniffing Standard, section 6. */
const SIGNATURES: readonly { at?: number; bytes: string }[] = [
  { bytes: "\x89PNG\r\n\x1a\n" },
  { bytes: "GIF87a" },
  { bytes: "GIF89a" },
  { bytes: "\xff\xd8\xff" },
  { at: 8, bytes: "WEBPVP" },
  { at: 8, bytes: "AVI " },
  { at: 8, bytes: "WAVE" },
  { at: 4, bytes: "ftyp" },
  { bytes: "\x1a\x45\xdf\xa3" },
  { bytes: "OggS\0" },
  { bytes: "ID3" },
  { bytes: "PK\x03\x04" },
  { bytes: "\x1f\x8b\x08" },
  { bytes: "Rar!\x1a\x07" },
  { bytes: "7z\xbc\xaf\x27\x1c" },
  { bytes: "wOFF" },
  { bytes: "wOF2" },
  { bytes: "\0asm" },
  { bytes: "\x7fELF" },
];

/** True for a picture, a film, an archive, … by its first bytes. */
export function isBinary(body: Uint8Array): boolean {
  return SIGNATURES.some(({ at = 0, bytes }) =>
    Array.from(bytes).every((char, index) => body[at + index] === char.charCodeAt(0)),
  );
}
