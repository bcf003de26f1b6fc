import { describe, expect, it } from "vitest";
import { isCsv, readCsv } from "../../src/documents/csv";
import { toFileName } from "../../src/documents/read";
import { formatNumber } from "../../src/documents/xlsx/read";

const cellsOf = (text: string) =>
  readCsv(text)?.table.rows.map((row) =>
    row.map((cell) => cell.map(({ type, value }) => (type === "break" ? "/" : value)).join("")),
  );

describe("values in columns", () => {
  it.each<[string, string, string[][] | undefined]>([
    [
      "commas",
      "a,b\n1,2",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "semicolons with decimal commas",
      "a;b\n1,5;2,5\n3,5;4",
      [
        ["a", "b"],
        ["1,5", "2,5"],
        ["3,5", "4"],
      ],
    ],
    [
      "tabs",
      "a\tb\r\n1\t2\r\n",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "quotes",
      '"a,1","b ""x"""\n"c\nd",e',
      [
        ["a,1", 'b "x"'],
        ["c/d", "e"],
      ],
    ],
    [
      "a missing end quote",
      'a,b\n1,"2\n3',
      [
        ["a", "b"],
        ["1", "2/3"],
      ],
    ],
    [
      "empty cells and rows",
      "a,b,\n\n,,\n1,,3",
      [
        ["a", "b", ""],
        ["1", "", "3"],
      ],
    ],
    ["rows of different lengths", "a,b\n1\n1,2,3", [["a", "b"], ["1"], ["1", "2", "3"]]],
    [
      "a line for Excel",
      "sep=;\r\na;b,c\r\n1;2\r\n",
      [
        ["a", "b,c"],
        ["1", "2"],
      ],
    ],
    ["one column", "a\nb\nc", undefined],
    ["no text", "", undefined],
  ])("are read with %s", (_, text, expected) => {
    expect(cellsOf(text)).toEqual(expected);
  });

  it("chooses the delimiter from complete rows if the text is long", () => {
    const row = `a,${"b".repeat(8_000)};c;d\n`;
    expect(readCsv(row.repeat(4))?.table.rows[0]).toHaveLength(3);
  });

  it("can have a quote without an end in a large file", () => {
    expect(cellsOf(`a,"${"b".repeat(5_000_000)}`)?.[0]?.[1]).toHaveLength(5_000_000);
  });

  it("are truncated after 100,000 cells", () => {
    const csv = readCsv("a,b,c,d\n".repeat(30_000));
    expect([csv?.truncated, csv?.table.rows.length]).toEqual([true, 25_000]);
  });

  it.each([
    ["text/csv", "", true],
    ["text/plain", "data.CSV", true],
    ["application/octet-stream", "data.tsv", true],
    ["text/plain", "data.txt", false],
    ["text/html", "data.csv", false],
  ])("are recognized by type and name: %s %s", (type, name, expected) => {
    expect(isCsv(type, name)).toBe(expected);
  });
});

describe("a number in a workbook", () => {
  it.each([
    ["General", 1.1 + 2.2, "3.3"],
    ["#,##0.00", 1234.5, "1,234.50"],
    ["0%", 0.07, "7%"],
    ["000000", 1234, "001234"],
    ["yyyy-mm-dd", 61, "1900-03-01"],
    ["d/m/yy", 1, "1/1/00"],
    ["mmm", 46346, "Nov"],
    ["[$-407]d. mmmm yyyy", 46346, "20. November 2026"],
    ["#,##0.00 [$€-407]", 1234.5, "1.234,50 €"],
    ["yyyy-mm-dd", 2_958_465, "9999-12-31"],
    ["yyyy-mm-dd", 2_958_466, "2958466"],
    ["dd.mm.yyyy hh:mm", 46346.75, "20.11.2026 18:00"],
    ["h:mm AM/PM", 0.5, "12:00 PM"],
    ["[h]:mm:ss", 1.5, "36:00:00"],
    ['0 "days"', 3, "3 days"],
    ["[Red]0.0;-0.0", 3, "3.0"],
    ["yyyy", -1, "-1"],
    ["yyyy", 1e300, "1e+300"],
    [`yyyy${"[a]".repeat(80)}`, 61, "61"],
    [`yyyy${"[".repeat(800_000)}`, 61, "61"],
  ])("with the format %.20s", (code, value, text) => {
    expect(formatNumber(value, code, { is1904: false })).toBe(text);
  });

  it("can count its days from 1904", () => {
    expect(formatNumber(44884, "yyyy-mm-dd", { is1904: true })).toBe("2026-11-20");
  });
});

it.each([
  ['attachment; filename="a b.csv"', "a b.csv"],
  ["attachment; filename=a.csv; x=1", "a.csv"],
  ["attachment; filename*=UTF-8''b.csv; filename=a.csv", "b.csv"],
  [null, "c.csv"],
])("the name of a file is read from %j", (header, name) => {
  expect(toFileName(header, "https://example.com/x/c.csv?d")).toBe(name);
});
