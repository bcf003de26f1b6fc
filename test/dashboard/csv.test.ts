import { describe, expect, it } from "vitest";
import { toCsv } from "../../src/dashboard/result-view/result-tables";

describe("toCsv", () => {
  it.each([
    ["plain", "plain"],
    ['with "quotes"', '"with ""quotes"""'],
    ["a, b", '"a, b"'],
    ["two\nlines", '"two\nlines"'],
    ["-1.5", "-1.5"],
    ["+3", "+3"],
    ["-12%", "-12%"],
    ["=HYPERLINK(A1)", "'=HYPERLINK(A1)"],
    ["-1+cmd|' /C calc'!A0", "'-1+cmd|' /C calc'!A0"],
    ["@SUM(1,2)", '"\'@SUM(1,2)"'],
    ["+1 555 0100", "'+1 555 0100"],
    ["\n=1+1", '"\n\'=1+1"'],
    ["＝1+1", "'＝1+1"],
    [" =1+1", " '=1+1"],
    ["a;=1+1", '"a;\'=1+1"'],
    ["a;b", '"a;b"'],
    ["a\t=1+1", '"a\t\'=1+1"'],
    ["a\r\n=1+1", '"a\r\n\'=1+1"'],
    ["=1;+cmd;@SUM(1);-2+3", "\"'=1;'+cmd;'@SUM(1);'-2+3\""],
    ['a; "=1+1', '"a; ""\'=1+1"'],
    ["1;-2;+3%", '"1;-2;+3%"'],
    ["x=1, y=2", '"x=1, y=2"'],
  ])("converts the cell %j to the field %s", (cell, field) => {
    expect(toCsv([{ name: "t", header: ["h"], rows: [[cell]] }])).toBe(`\ufeffh\r\n${field}\r\n`);
  });

  it.each([";", "\t"])("leaves no formula if a spreadsheet splits the lines at %j", (separator) => {
    const cells = [
      `a${separator}=cmd()`,
      `b${separator} "=cmd()`,
      `c${separator}@x`,
      `d\n=cmd()`,
      `${separator}=cmd()`,
    ];
    const lines = toCsv([{ name: "t", header: ["h", "i"], rows: cells.map((cell) => ["x", cell]) }]).split(/[\r\n]+/);
    const parts = lines.flatMap((line) => line.split(separator)).map((part) => part.replace(/^[ "]+/, ""));
    expect(parts.filter((part) => /^[=+\-@]/.test(part))).toEqual([]);
  });

  it("quotes the cells after a number with a sign, because they could continue it as a formula", () => {
    const rows = [
      ["-5", "5+cmd|' /C calc'!A0", 'a "b"', ""],
      ["5", "-5", "5+1"],
    ];
    const csv = toCsv([{ name: "t", header: ["+1", "h"], rows }]);
    expect(csv).toBe(`\ufeff+1,"h"\r\n-5,"5+cmd|' /C calc'!A0","a ""b""",""\r\n5,-5,5+1\r\n`);
  });

  it("writes several tables with their names and empty lines between them", () => {
    const tables = [
      { name: "=A", header: ["a"], rows: [["1"]] },
      { name: "B", header: ["b"], rows: [] },
    ];
    expect(toCsv(tables)).toBe("\ufeff'=A\r\na\r\n1\r\n\r\nB\r\nb\r\n");
  });
});
