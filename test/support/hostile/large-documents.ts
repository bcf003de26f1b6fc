import { makeDocx, makeXlsx, makeZip } from "../documents.ts";

const numbered = (count: number, toText: (number: number) => string) =>
  Array.from({ length: count }, (_, number) => toText(number)).join("");
const RELATIONSHIP = '<Relationship Id="r1" Target="worksheets/s.xml"/>';
const ROW = "<row><c><v>1</v></c></row>";

/** Documents whose XML needs as much work as possible. */
export const LARGE_DOCUMENTS: Readonly<Record<string, () => Uint8Array>> = {
  "900,000 paragraphs": () => makeDocx("<w:p><w:r><w:t>a</w:t></w:r></w:p>".repeat(900_000)),
  "300,000 tables": () =>
    makeDocx("<w:tbl><w:tr><w:tc><w:p><w:r><w:t>x</w:t></w:r></w:p></w:tc></w:tr></w:tbl>".repeat(300_000)),
  "6 million characters": () => makeDocx(`<w:p><w:r><w:t>${"word ".repeat(500)}</w:t></w:r></w:p>`.repeat(2_400)),
  "one million cells": () =>
    makeXlsx({ A: `<sheetData>${`<row>${"<c><v>1</v></c>".repeat(100)}</row>`.repeat(10_000)}</sheetData>` }),
  "60,000 sheets in one part": () =>
    makeZip({
      "xl/workbook.xml": `<workbook><sheets>${'<sheet name="a" r:id="r1"/>'.repeat(60_000)}</sheets></workbook>`,
      "xl/_rels/workbook.xml.rels": `<Relationships>${RELATIONSHIP}</Relationships>`,
      "xl/worksheets/s.xml": `<worksheet><sheetData>${ROW}</sheetData></worksheet>`,
    }),
  "a text of 60 MB": () => makeDocx(`<w:p><w:r><w:t>${"a".repeat(60_000_000)}</w:t></w:r></w:p>`),
  "15 million elements around the text": () =>
    makeDocx("", { "word/document.xml": `<w:document>${"<a/>".repeat(15_000_000)}` }),
  "4 million attributes": () => makeDocx(`<w:p ${numbered(4_000_000, (n) => `a${n}="" `)}/>`),
  "500,000 hidden columns": () =>
    makeXlsx({
      A: `<cols>${'<col min="1" max="16384" hidden="1"/>'.repeat(500_000)}</cols><sheetData>${ROW}</sheetData>`,
    }),
};

/** Texts with comma-separated values. */
export const LARGE_TABLES: Readonly<Record<string, () => string>> = {
  "1,250,000 rows": () => "a,b\n".repeat(1_250_000),
  "a row with 2,500,000 cells": () => "a,".repeat(2_500_000),
  "cells with 2,400,000 lines": () => `a,b\n${`"${"a\n".repeat(1_000)}",b\n`.repeat(2_400)}`,
};

/** Sitemaps of up to 50 MB. */
export const LARGE_SITEMAPS: Readonly<Record<string, () => string>> = {
  "50,000 long URLs": () =>
    `<urlset>${numbered(50_000, (n) => `<url><loc>https://a.example/${"a".repeat(900)}${n}</loc></url>`)}</urlset>`,
  "2,500,000 different elements": () =>
    `<urlset><url><loc>/a</loc></url><url>${numbered(2_500_000, (n) => `<a${n}>x</a${n}>`)}</url></urlset>`,
};
