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

describe("a declaration", () => {
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
  ])("of %s is followed, in the header and in the page", (encoding, text) => {
    expect(decodeHtml(encodeLegacy(text, encoding), `text/html; charset=${encoding}`)).toBe(text);
    const page = `<meta charset="${encoding}">${text}`;
    expect(decodeHtml(encodeLegacy(page, encoding), "text/html")).toBe(page);
    const xml = `<?xml version='1.0' encoding='${encoding}' ?><html xmlns="http://www.w3.org/1999/xhtml">${text}</html>`;
    expect(decodeHtml(encodeLegacy(xml, encoding), "application/xhtml+xml")).toBe(xml);
  });

  it.each([
    ["UTF-8 that isn't", encodeLegacy(RUSSIAN, "windows-1251"), "text/html; charset=utf-8", RUSSIAN],
    [
      "UTF-8 of Japanese that isn't",
      encodeLegacy("<p>今日は良い天気です</p>", "euc-jp"),
      "text/html; charset=utf-8",
      "<p>今日は良い天気です</p>",
    ],
    ["Latin-1 that is UTF-8", utf8(FRENCH), "text/html; charset=iso-8859-1", FRENCH],
    ["windows-1252 that is UTF-8", utf8(RUSSIAN), "text/html; charset=windows-1252", RUSSIAN],
    [
      "windows-1254 that is UTF-8",
      utf8("<p>Kışlık çeşitler</p>"),
      "text/html; charset=windows-1254",
      "<p>Kışlık çeşitler</p>",
    ],
    ["iso-8859-2 that is UTF-8", utf8("<p>Łódź, déjà vu</p>"), "text/html; charset=iso-8859-2", "<p>Łódź, déjà vu</p>"],
    ["windows-1251 that is UTF-8", utf8(RUSSIAN), "text/html; charset=windows-1251", RUSSIAN],
    ["GBK that is UTF-8", utf8("<p>欢迎光临本店</p>"), "text/html; charset=gbk", "<p>欢迎光临本店</p>"],
    [
      "GBK that is Turkish in UTF-8",
      utf8("<p>Kışlık çeşitler, büyük öğün İstanbul Şu</p>"),
      "text/html; charset=gb2312",
      "<p>Kışlık çeşitler, büyük öğün İstanbul Şu</p>",
    ],
    ["Shift_JIS that is UTF-8", utf8("<p>今日は良い天気</p>"), "text/html; charset=shift_jis", "<p>今日は良い天気</p>"],
    [
      "Shift_JIS that is a sign in UTF-8",
      utf8("<p>© 2026 – a</p>"),
      "text/html; charset=shift_jis",
      "<p>© 2026 – a</p>",
    ],
    ["Big5 that is UTF-8", utf8(RUSSIAN), "text/html; charset=big5", RUSSIAN],
    ["Thai that is UTF-8", utf8("<p>ตะกร้าสินค้า</p>"), "text/html; charset=windows-874", "<p>ตะกร้าสินค้า</p>"],
    ["ISO-2022-JP that is UTF-8", utf8("<p>今日は</p>"), "text/html; charset=iso-2022-jp", "<p>今日は</p>"],
    ["UTF-16 that is UTF-8", utf8(FRENCH), "text/html; charset=utf-16le", FRENCH],
    ["what no browser decodes any more", encodeLegacy(RUSSIAN, "koi8-r"), "text/html; charset=iso-2022-kr", RUSSIAN],
    ["UTF-8 of UTF-16 without a mark", utf16(RUSSIAN, "le"), "text/html; charset=utf-8", RUSSIAN],
    ["the other byte order", utf16(RUSSIAN, "be"), "text/html; charset=utf-16", RUSSIAN],
  ])("that the bytes disprove isn't followed: %s", (_, bytes, contentType, expected) => {
    expect(decodeHtml(bytes, contentType)).toBe(expected);
  });

  it.each(["windows-1254", "windows-1251", "gbk", "shift_jis", "euc-kr"])(
    "of %s in a <meta> isn't either",
    (encoding) => {
      const page = `<meta charset="${encoding}">${RUSSIAN}<p>今日は良い天気</p>`;
      expect(decodeHtml(utf8(page), "text/html")).toBe(page);
    },
  );

  it("in a <meta> that the bytes disprove isn't followed either", () => {
    const page = `<meta http-equiv="Content-Type" content="text/html; charset=UTF-8">${RUSSIAN}`;
    expect(decodeHtml(encodeLegacy(page, "windows-1251"), null)).toBe(page);
  });

  it.each([
    ["Latin-1 is followed where it is", encodeLegacy(FRENCH, "windows-1252"), "text/html; charset=latin1", FRENCH],
    [
      "a Latin-1 of Russian bytes is followed",
      encodeLegacy("<p>мир</p>", "windows-1251"),
      "text/html; charset=latin1",
      "<p>ìèð</p>",
    ],
    [
      "UTF-8 with a few broken characters stays UTF-8",
      new Uint8Array([...utf8(RUSSIAN), 0xff, 0x20, 0xfe]),
      "text/html; charset=utf-8",
      `${RUSSIAN}\ufffd \ufffd`,
    ],
    ["a stray byte in ASCII stays UTF-8", new Uint8Array([0x61, 0xff, 0x62]), "text/html; charset=utf-8", "a\ufffdb"],
  ])("is believed otherwise: %s", (_, bytes, contentType, expected) => {
    expect(decodeHtml(bytes, contentType)).toBe(expected);
  });
});

describe("a page that doesn't say its encoding", () => {
  it.each(["le", "be"] as const)("is read as UTF-16 (%s) by its markup", (order) => {
    for (const text of [RUSSIAN, "<html><body><p>今日は良い天気です</p></body></html>", "<p>plain</p>"]) {
      expect(decodeHtml(utf16(text, order), null)).toBe(text);
    }
  });

  it("stays UTF-8 with a few broken characters", () => {
    expect(decodeHtml(new Uint8Array([...utf8(RUSSIAN), 0xff]), null)).toBe(`${RUSSIAN}\ufffd`);
  });

  it("is read by its lang attribute where the bytes leave it open", () => {
    const [croatian, icelandic] = ["<p>Dođi među nas</p>", "<p>Doði meðu nas</p>"];
    const bytes = (lang: string) => encodeLegacy(`<html lang="${lang}">${croatian}</html>`, "windows-1250");
    expect(decodeHtml(bytes("hr"), null)).toContain(croatian);
    expect(decodeHtml(bytes("is-IS"), null)).toContain(icelandic);
  });

  it("is read by the country of its host where the bytes leave it open", () => {
    const bytes = encodeLegacy("<p>Dođi među nas</p>", "windows-1250");
    expect(decodeHtml(bytes, null, { tld: "hr" })).toBe("<p>Dođi među nas</p>");
    expect(decodeHtml(bytes, null, { tld: "is" })).toBe("<p>Doði meðu nas</p>");
  });

  it("is read by its text against a wrong hint", () => {
    expect(decodeHtml(encodeLegacy(RUSSIAN, "windows-1251"), null, { language: "fr", tld: "fr" })).toBe(RUSSIAN);
  });

  it("is read by what comes after much ASCII", () => {
    const page = `<script>${"var x = 1;\n".repeat(50_000)}</script>${RUSSIAN}`;
    expect(decodeHtml(encodeLegacy(page, "koi8-r"), null)).toBe(page);
  });

  it("of 5 MB is read at once", { timeout: 10_000 }, () => {
    const one = encodeLegacy(RUSSIAN, "windows-1251");
    const bytes = new Uint8Array(one.length * Math.floor(5_000_000 / one.length));
    for (let at = 0; at < bytes.length; at += one.length) bytes.set(one, at);
    expect(decodeHtml(bytes, "text/html; charset=utf-8").startsWith(RUSSIAN)).toBe(true);
  });
});
