import { describe, expect, it } from "vitest";
import { tidy, toScaledTotal, toSnippet, toTotal } from "../../../src/search/results/texts";

describe("the date at the start of a snippet", () => {
  it.each([
    "Oct 31, 2025 — ",
    "31 Oct 2025 — ",
    "31.10.2025 · ",
    "31. Oktober 2025 — ",
    "31 oct. 2025 - ",
    "31 de out. de 2025 — ",
    "31 окт. 2025 г. — ",
    "31 Eki 2025 — ",
    "2025-10-31 · ",
    "2025年10月31日 — ",
    "2025. 10. 31. — ",
    "24/1/2013 · ",
    "6 days ago — ",
    "1 hour ago · ",
    "vor 3 Tagen — ",
    "il y a 3 jours — ",
    "hace 3 días — ",
    "há 2 horas — ",
    "3 gün önce — ",
    "3 дня назад — ",
    "3 天前 — ",
    "3일 전 — ",
    "yesterday · ",
    "Jul 12, 2025· ",
    "20.08.2025—",
  ])("is removed from the description: %j", (date) => {
    expect(toSnippet(`${date}The cranes lift forty tonnes.`).description).toBe("The cranes lift forty tonnes.");
  });

  it.each([
    "The cranes - all of them - lift forty tonnes.",
    "2011 — a good year for cranes.",
    "Port of Example · forty cranes.",
    "Cranes 12, 2011 and more - a list.",
    "4.5 · 58 reviews",
    "Oct 31, 2025",
    "",
    `${"a".repeat(60)} — b`,
  ])("isn't found in %j", (snippet) => {
    expect(toSnippet(snippet).description).toBe(snippet);
  });
});

describe("the total", () => {
  it.each([
    ["About 21,700,000 results (0.36 seconds)", 21_700_000],
    ["Результатов: примерно 1 270 000 (0,70 сек.)", 1_270_000],
    ["Ungefähr 114.000.000 Ergebnisse(0,25 Sek.)", 114_000_000],
    ["Environ 239 résultats (0,23 s)", 239],
    ["Environ 1\u202f240 résultats (0,23 s)", 1240],
    ["约 1,690,000 个结果", 1_690_000],
    ["約 1,690 件（0.2 秒）", 1_690],
    ["Page 2 of about 137 results (0.29s)", 137],
    ["11-20 of 55,900,000 results", 55_900_000],
    ["About 1,27,00,000 results", 12_700_000],
    ["نحو ١٬٢٤٠ نتيجة", 1240],
    ["About 0 results (0.25s)", 0],
    ["10 results", 10],
    ["Yaklaşık 1.240 sonuç bulundu", 1240],
  ])("of %j is %i", (line, total) => {
    expect(toTotal(line)).toBe(total);
  });

  it.each(["", "no results", "(0.25s)", "9".repeat(40)])("of %j is null", (line) => {
    expect(toTotal(line)).toBeNull();
  });

  it.each([
    ["нашлось 20 млн результатов", 20_000_000],
    ["Нашлось 6 тыс. результатов", 6_000],
    ["нашёлся 1 результат", 1],
    ["Нашлось 10 результатов", 10],
    ["нашлось 2 млрд результатов", 2_000_000_000],
    ["20 milyon sonuç bulundu", 20_000_000],
    ["3 bin sonuç bulundu", 3_000],
    ["1.5 million results found", 1_500_000],
    ["3 thousand results found", 3_000],
  ])("of Yandex's %j is %i", (line, total) => {
    expect(toScaledTotal(line)).toBe(total);
  });
});

it("removes invisible characters and extra white space, and limits the length", () => {
  expect(tidy(" \u200fa\u00adb\u200b \u00a0\n c ", 10)).toBe("ab c");
  expect(tidy("می\u200cخواهم", 20)).toBe("می\u200cخواهم");
  expect(tidy("ab😀", 3)).toBe("ab\ufffd");
});
