import { describe, expect, it } from "vitest";
import { decodeHtml } from "../../../src/html/encoding/decode";
import { encodeLegacy } from "../../support/legacy-encoder";

const RUSSIAN = "<p>Бесплатная доставка по всей стране</p>";
const FRENCH = "<p>Votre été à la mer, déjà réservé</p>";
const utf8 = (text: string) => new TextEncoder().encode(text);

function utf16(text: string, order: "le" | "be"): Uint8Array {
  const view = new DataView(new ArrayBuffer(2 * text.length));
  for (let at = 0; at < text.length; at++) view.setUint16(2 * at, text.charCodeAt(at), order === "le");
  return new Uint8Array(view.buffer);
}

function bytesOf(...parts: (string | number[])[]): Uint8Array {
  return new Uint8Array(
    parts.flatMap((part) => (typeof part === "string" ? [...new TextEncoder().encode(part)] : part)),
  );
}

const E_UTF8 = [0xc3, 0xa9];
const E_LATIN = [0xe9];

describe("the character encoding", () => {
  it.each([
    [
      "a byte order mark before the header",
      bytesOf([0xef, 0xbb, 0xbf], E_UTF8),
      "text/html; charset=windows-1252",
      "é",
    ],
    ["a UTF-16 byte order mark", bytesOf([0xff, 0xfe, 0xe9, 0x00]), null, "é"],
    ["a big-endian UTF-16 byte order mark", bytesOf([0xfe, 0xff, 0x00, 0xe9]), null, "é"],
    [
      "the header before the <meta>",
      bytesOf('<meta charset="koi8-r">', E_LATIN),
      "text/html; charset=ISO-8859-1",
      '<meta charset="koi8-r">é',
    ],
    ["a header with quotes", bytesOf([0xd0]), 'text/html;Charset="KOI8-R"', "п"],
    [
      "the <meta> if the header's encoding is unknown",
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
      "the second <meta> if the first is unknown",
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
    ["UTF-8 if the <meta> declares UTF-16", bytesOf("<meta charset=utf-16>", E_UTF8), null, "<meta charset=utf-16>é"],
    [
      "an XML declaration",
      bytesOf('<?xml version="1.0" encoding="koi8-r"?>', [0xd0]),
      null,
      '<?xml version="1.0" encoding="koi8-r"?>п',
    ],
    ["the byte order mark of UTF-8", bytesOf([0xef, 0xbb, 0xbf], E_UTF8), "text/html; charset=koi8-r", "é"],
    ["the byte order mark of UTF-16", bytesOf([0xff, 0xfe, 0x61, 0x00]), "text/html; charset=utf-8", "a"],
    ["the byte order mark of UTF-16 (big-endian)", bytesOf([0xfe, 0xff, 0x00, 0x61]), "text/html", "a"],
    ["the bytes if they are UTF-8", bytesOf(E_UTF8), "text/html", "é"],
    ["UTF-8 if the last character is incomplete", bytesOf(E_UTF8, [0xe2, 0x82]), null, "é"],
    ["windows-1252 by default", bytesOf(E_LATIN, [0x20, 0x80, 0x93]), null, "é €“"],
    [
      "UTF-8 with replacement characters if it is declared",
      bytesOf("a", E_LATIN),
      "text/html; charset=utf-8",
      "a\ufffd",
    ],
    ["nothing for an empty page", bytesOf(), null, ""],
  ])("follows %s", (_, bytes, contentType, expected) => {
    expect(decodeHtml(bytes, contentType)).toBe(expected);
  });
});

describe("a declared encoding", () => {
  it.each([
    ["ibm866", RUSSIAN],
    ["iso-8859-5", RUSSIAN],
    ["x-mac-cyrillic", RUSSIAN],
    ["koi8-u", "<p>Ґанок, їжак, єнот</p>"],
    ["iso-8859-15", "<p>œuvre à 5 €</p>"],
    ["macintosh", FRENCH],
    ["windows-1257", "<p>Ąžuolas, šeši, ūkis</p>"],
    ["windows-1258", "<p>Tôi đi chơi</p>"],
    ["windows-874", "<p>ตะกร้าสินค้าว่างเปล่า</p>"],
    ["iso-8859-9", "<p>Kışlık ayakkabı çeşitleri</p>"],
    ["gb2312", "<p>欢迎光临</p>"],
    ["x-sjis", "<p>今日は良い天気</p>"],
    ["ks_c_5601-1987", "<p>오늘의 날씨</p>"],
    ["iso-2022-jp", "<p>今日は良い天気</p>"],
  ])("%s is used, in the header and in the page", (encoding, text) => {
    expect(decodeHtml(encodeLegacy(text, encoding), `text/html; charset=${encoding}`)).toBe(text);
    const page = `<meta charset="${encoding}">${text}`;
    expect(decodeHtml(encodeLegacy(page, encoding), "text/html")).toBe(page);
    const xml = `<?xml version='1.0' encoding='${encoding}' ?><html xmlns="http://www.w3.org/1999/xhtml">${text}</html>`;
    expect(decodeHtml(encodeLegacy(xml, encoding), "application/xhtml+xml")).toBe(xml);
  });

  it.each([
    ["Russian declared as UTF-8", encodeLegacy(RUSSIAN, "windows-1251"), "text/html; charset=utf-8", RUSSIAN],
    [
      "Japanese declared as UTF-8",
      encodeLegacy("<p>今日は良い天気です</p>", "euc-jp"),
      "text/html; charset=utf-8",
      "<p>今日は良い天気です</p>",
    ],
    ["UTF-8 declared as Latin-1", utf8(FRENCH), "text/html; charset=iso-8859-1", FRENCH],
    ["UTF-8 declared as windows-1252", utf8(RUSSIAN), "text/html; charset=windows-1252", RUSSIAN],
    [
      "UTF-8 declared as windows-1254",
      utf8("<p>Kışlık çeşitler</p>"),
      "text/html; charset=windows-1254",
      "<p>Kışlık çeşitler</p>",
    ],
    [
      "UTF-8 declared as iso-8859-2",
      utf8("<p>Łódź, déjà vu</p>"),
      "text/html; charset=iso-8859-2",
      "<p>Łódź, déjà vu</p>",
    ],
    ["UTF-8 declared as windows-1251", utf8(RUSSIAN), "text/html; charset=windows-1251", RUSSIAN],
    ["UTF-8 declared as GBK", utf8("<p>欢迎光临本店</p>"), "text/html; charset=gbk", "<p>欢迎光临本店</p>"],
    [
      "Turkish UTF-8 declared as GBK",
      utf8("<p>Kışlık çeşitler, büyük öğün İstanbul Şu</p>"),
      "text/html; charset=gb2312",
      "<p>Kışlık çeşitler, büyük öğün İstanbul Şu</p>",
    ],
    [
      "UTF-8 declared as Shift_JIS",
      utf8("<p>今日は良い天気</p>"),
      "text/html; charset=shift_jis",
      "<p>今日は良い天気</p>",
    ],
    [
      "UTF-8 punctuation declared as Shift_JIS",
      utf8("<p>© 2026 – a</p>"),
      "text/html; charset=shift_jis",
      "<p>© 2026 – a</p>",
    ],
    ["UTF-8 declared as Big5", utf8(RUSSIAN), "text/html; charset=big5", RUSSIAN],
    ["UTF-8 declared as Thai", utf8("<p>ตะกร้าสินค้า</p>"), "text/html; charset=windows-874", "<p>ตะกร้าสินค้า</p>"],
    ["UTF-8 declared as ISO-2022-JP", utf8("<p>今日は</p>"), "text/html; charset=iso-2022-jp", "<p>今日は</p>"],
    ["UTF-8 declared as UTF-16", utf8(FRENCH), "text/html; charset=utf-16le", FRENCH],
    [
      "an encoding that browsers no longer decode",
      encodeLegacy(RUSSIAN, "koi8-r"),
      "text/html; charset=iso-2022-kr",
      RUSSIAN,
    ],
    ["UTF-16 without a byte order mark declared as UTF-8", utf16(RUSSIAN, "le"), "text/html; charset=utf-8", RUSSIAN],
    ["UTF-16 declared with the wrong byte order", utf16(RUSSIAN, "be"), "text/html; charset=utf-16", RUSSIAN],
  ])("is ignored if the bytes contradict it: %s", (_, bytes, contentType, expected) => {
    expect(decodeHtml(bytes, contentType)).toBe(expected);
  });

  it.each(["windows-1254", "windows-1251", "gbk", "shift_jis", "euc-kr"])(
    "%s in a <meta> is ignored if the bytes contradict it",
    (encoding) => {
      const page = `<meta charset="${encoding}">${RUSSIAN}<p>今日は良い天気</p>`;
      expect(decodeHtml(utf8(page), "text/html")).toBe(page);
    },
  );

  it("UTF-8 in a <meta> is ignored if the bytes contradict it", () => {
    const page = `<meta http-equiv="Content-Type" content="text/html; charset=UTF-8">${RUSSIAN}`;
    expect(decodeHtml(encodeLegacy(page, "windows-1251"), null)).toBe(page);
  });

  it.each([
    ["Latin-1 bytes", encodeLegacy(FRENCH, "windows-1252"), "text/html; charset=latin1", FRENCH],
    [
      "Russian bytes declared as Latin-1",
      encodeLegacy("<p>мир</p>", "windows-1251"),
      "text/html; charset=latin1",
      "<p>ìèð</p>",
    ],
    [
      "UTF-8 with a few invalid bytes",
      new Uint8Array([...utf8(RUSSIAN), 0xff, 0x20, 0xfe]),
      "text/html; charset=utf-8",
      `${RUSSIAN}\ufffd \ufffd`,
    ],
    ["ASCII with an invalid byte", new Uint8Array([0x61, 0xff, 0x62]), "text/html; charset=utf-8", "a\ufffdb"],
  ])("is used if the bytes don't contradict it: %s", (_, bytes, contentType, expected) => {
    expect(decodeHtml(bytes, contentType)).toBe(expected);
  });
});

describe("a page that doesn't declare its encoding", () => {
  it.each(["le", "be"] as const)("is decoded as UTF-16 (%s) because of its markup", (order) => {
    for (const text of [RUSSIAN, "<html><body><p>今日は良い天気です</p></body></html>", "<p>plain</p>"]) {
      expect(decodeHtml(utf16(text, order), null)).toBe(text);
    }
  });

  it("is decoded as UTF-8 despite a few invalid bytes", () => {
    expect(decodeHtml(new Uint8Array([...utf8(RUSSIAN), 0xff]), null)).toBe(`${RUSSIAN}\ufffd`);
  });

  it("is decoded by its lang attribute if the bytes are ambiguous", () => {
    const [croatian, icelandic] = ["<p>Dođi među nas</p>", "<p>Doði meðu nas</p>"];
    const bytes = (lang: string) => encodeLegacy(`<html lang="${lang}">${croatian}</html>`, "windows-1250");
    expect(decodeHtml(bytes("hr"), null)).toContain(croatian);
    expect(decodeHtml(bytes("is-IS"), null)).toContain(icelandic);
  });

  it("is decoded by the top-level domain of its host if the bytes are ambiguous", () => {
    const bytes = encodeLegacy("<p>Dođi među nas</p>", "windows-1250");
    expect(decodeHtml(bytes, null, { tld: "hr" })).toBe("<p>Dođi među nas</p>");
    expect(decodeHtml(bytes, null, { tld: "is" })).toBe("<p>Doði meðu nas</p>");
  });

  it("is decoded by its text despite a wrong hint", () => {
    expect(decodeHtml(encodeLegacy(RUSSIAN, "windows-1251"), null, { language: "fr", tld: "fr" })).toBe(RUSSIAN);
  });

  it("is decoded by the text after a long ASCII part", () => {
    const page = `<script>${"var x = 1;\n".repeat(50_000)}</script>${RUSSIAN}`;
    expect(decodeHtml(encodeLegacy(page, "koi8-r"), null)).toBe(page);
  });

  it("is decoded quickly if it has 5 MB", { timeout: 60_000 }, () => {
    const one = encodeLegacy(RUSSIAN, "windows-1251");
    const bytes = new Uint8Array(one.length * Math.floor(5_000_000 / one.length));
    for (let at = 0; at < bytes.length; at += one.length) bytes.set(one, at);
    expect(decodeHtml(bytes, "text/html; charset=utf-8").startsWith(RUSSIAN)).toBe(true);
  });
});
