import { describe, expect, it } from "vitest";
import { decodeHtml } from "../../src/html/encoding/decode";

function bytesOf(...parts: (string | number[])[]): Uint8Array {
  return new Uint8Array(
    parts.flatMap((part) => (typeof part === "string" ? [...new TextEncoder().encode(part)] : part)),
  );
}

const E_UTF8 = [0xc3, 0xa9];
const E_LATIN = [0xe9];

describe("the encoding", () => {
  it.each([
    ["a byte order mark before all else", bytesOf([0xef, 0xbb, 0xbf], E_UTF8), "text/html; charset=windows-1252", "é"],
    ["a UTF-16 mark", bytesOf([0xff, 0xfe, 0xe9, 0x00]), null, "é"],
    ["a big-endian UTF-16 mark", bytesOf([0xfe, 0xff, 0x00, 0xe9]), null, "é"],
    [
      "the header before the page",
      bytesOf('<meta charset="koi8-r">', E_LATIN),
      "text/html; charset=ISO-8859-1",
      '<meta charset="koi8-r">é',
    ],
    ["a quoted header", bytesOf([0xd0]), 'text/html;Charset="KOI8-R"', "п"],
    [
      "the <meta> when the header's is unknown",
      bytesOf("<meta charset=koi8-r>", [0xd0]),
      "text/html; charset=nope",
      "<meta charset=koi8-r>п",
    ],
    [
      "a <meta http-equiv>",
      bytesOf('<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=windows-1251">', [0xff]),
      null,
      '<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=windows-1251">я',
    ],
    [
      "the second <meta> when the first is unknown",
      bytesOf("<meta charset=x><meta charset=shift_jis>", [0x82, 0xa0]),
      null,
      "<meta charset=x><meta charset=shift_jis>あ",
    ],
    ["no <meta> in a comment", bytesOf("<!--<meta charset=koi8-r>-->", E_UTF8), null, "<!--<meta charset=koi8-r>-->é"],
    [
      "no <meta> past 1,024 bytes",
      bytesOf(" ".repeat(1_024), "<meta charset=koi8-r>", E_UTF8),
      null,
      `${" ".repeat(1_024)}<meta charset=koi8-r>é`,
    ],
    ["UTF-8 where the <meta> says UTF-16", bytesOf("<meta charset=utf-16>", E_UTF8), null, "<meta charset=utf-16>é"],
    [
      "an XML declaration",
      bytesOf('<?xml version="1.0" encoding="koi8-r"?>', [0xd0]),
      null,
      '<?xml version="1.0" encoding="koi8-r"?>п',
    ],
    ["UTF-8 when the bytes are", bytesOf(E_UTF8), "text/html", "é"],
    ["UTF-8 when the last character is cut off", bytesOf(E_UTF8, [0xe2, 0x82]), null, "é"],
    ["windows-1252 else", bytesOf(E_LATIN, [0x20, 0x80, 0x93]), null, "é €“"],
    ["UTF-8 with replacements when it is promised", bytesOf("a", E_LATIN), "text/html; charset=utf-8", "a\ufffd"],
    ["nothing of nothing", bytesOf(), null, ""],
  ])("follows %s", (_, bytes, contentType, expected) => {
    expect(decodeHtml(bytes, contentType)).toBe(expected);
  });
});
