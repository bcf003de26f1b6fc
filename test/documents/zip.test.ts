import { describe, expect, it } from "vitest";
import { readDocument } from "../../src/documents/read";
import { Zip } from "../../src/documents/zip";
import { docxFiles, makeDocx, makeXlsx, makeZip, REPORT_BODY } from "../support/documents";

const read = async (bytes: Uint8Array, name = "a.docx") =>
  await readDocument(
    { bytes, contentType: null, name },
    { signal: new AbortController().signal, beforeReading: async () => {} },
  );

async function readEntry(zip: Zip, name: string): Promise<number> {
  let size = 0;
  for await (const chunk of zip.read(name)) size += chunk.byteLength;
  return size;
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Returns the letters of a column. `column` starts at 0. */
function toLetters(column: number): string {
  const rest = Math.floor(column / LETTERS.length);
  return `${rest === 0 ? "" : toLetters(rest - 1)}${LETTERS[column % LETTERS.length]}`;
}

it("a document with a tag of many megabytes is truncated", async () => {
  const tag = `<w:p w:rsid="${"&lt;".repeat(5_000_000)}"/>`;
  const document = await read(
    makeDocx(`<w:p><w:r><w:t>Before.</w:t></w:r></w:p>${tag}<w:p><w:r><w:t>After.</w:t></w:r></w:p>`),
  );
  expect([document?.truncated, document?.blocks.length]).toEqual([true, 1]);
});

describe("a zip file", () => {
  it("is refused if it has too many entries", () => {
    expect(() => new Zip(makeZip({ a: "" }, { count: 60_000 }))).toThrow("more than 5000 parts");
  });

  it.each([1, 65_535])("can end with a comment of %i bytes", async (length) => {
    const bytes = makeZip({ a: "one" });
    const commented = new Uint8Array(bytes.byteLength + length);
    commented.set(bytes);
    new DataView(commented.buffer).setUint16(bytes.byteLength - 2, length, true);
    expect(await readEntry(new Zip(commented), "a")).toBe(3);
  });

  it("counts the bytes of all parts, and not the sizes in the file", async () => {
    const bytes = makeZip(
      { a: "x".repeat(3_000_000), b: "x".repeat(3_000_000) },
      { change: (entry) => (entry.size = 1) },
    );
    const zip = new Zip(bytes, { bytes: 4 * 1024 * 1024 });
    expect(await readEntry(zip, "a")).toBe(3_000_000);
    await expect(readEntry(zip, "b")).rejects.toThrow("more than 4 MB");
  });

  it("counts overlapping parts each time", async () => {
    const files = Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`${i}`, "x".repeat(1_000_000)]));
    const zip = new Zip(makeZip(files, { change: (entry) => (entry.offset = 0) }), { bytes: 3_000_000 });
    for (const name of ["0", "1"]) await readEntry(zip, name);
    await readEntry(zip, "2");
    await expect(readEntry(zip, "3")).rejects.toThrow("of memory");
  });

  it.each<[string, Parameters<typeof makeZip>[1], string]>([
    ["encrypted", { change: (entry) => (entry.flags = 1) }, "encrypted"],
    ["with an unknown compression", { change: (entry) => (entry.method = 12) }, "unknown compression"],
    ["with a wrong offset", { change: (entry) => (entry.offset = 4_000_000_000) }, "broken"],
    ["with a wrong size", { change: (entry) => (entry.compressedSize = 4_000_000_000) }, "incomplete"],
    ["with a wrong number of entries", { count: 4_000 }, "broken"],
    ["with truncated data", { change: (entry) => (entry.compressedSize = 20) }, "broken"],
  ])("%s is refused", async (_, options, message) => {
    await expect(read(makeZip(docxFiles(REPORT_BODY), options))).rejects.toThrow(message);
  });

  it("can end anywhere without another error", async () => {
    const bytes = makeDocx(REPORT_BODY);
    for (let length = 4; length < bytes.byteLength; length += 37) {
      const result = await read(bytes.slice(0, length)).catch((error: unknown) => error);
      // The text before the end is returned. The first parts don't say yet which document it is.
      if (result !== null)
        expect(result).toMatchObject(result instanceof Error ? { code: "unsupported_content" } : { truncated: true });
    }
  });

  it("can have any changed byte without another error", async () => {
    const bytes = makeDocx(REPORT_BODY);
    for (let at = 0; at < bytes.byteLength; at += 29) {
      const changed = bytes.slice();
      changed[at] = (changed[at] ?? 0) ^ 0xff;
      const error = await read(changed).catch((cause: unknown) => cause);
      if (error instanceof Error) expect(error).toHaveProperty("code");
    }
  });
});

describe("a document", () => {
  it("with deeply nested elements is refused", async () => {
    const tables = 5_000;
    const open = "<w:tbl><w:tr><w:tc>".repeat(tables);
    await expect(read(makeDocx(open + "</w:tc></w:tr></w:tbl>".repeat(tables)))).rejects.toThrow("nested too deeply");
  });

  it("with very many elements in one part is refused", async () => {
    await expect(read(makeDocx(`<w:p>${"<w:r/>".repeat(300_000)}</w:p>`))).rejects.toThrow("too complex");
  });

  it("with very many small paragraphs or texts is refused", async () => {
    await expect(read(makeDocx("<w:p/>".repeat(4_100_000)))).rejects.toMatchObject({ code: "target_too_large" });
    const strings = `<sst>${"<si><t>a</t></si>".repeat(1_400_000)}</sst>`;
    const workbook = makeXlsx({ A: "<sheetData/>" }, { "xl/sharedStrings.xml": strings });
    await expect(read(workbook)).rejects.toMatchObject({ code: "target_too_large" });
  });

  it("with each value in another column and row is truncated", async () => {
    const row = (index: number) => `<row r="${index + 1}"><c r="${toLetters(index)}${index + 1}"><v>1</v></c></row>`;
    const rows = Array.from({ length: 3_000 }, (_, index) => row(index)).join("");
    const document = await read(makeXlsx({ A: `<sheetData>${rows}</sheetData>` }));
    expect(document?.truncated).toBe(true);
  });

  it("with merged cells of any size ends", async () => {
    const rows = '<sheetData><row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c></row></sheetData>';
    const merged = '<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>';
    const document = await read(makeXlsx({ A: rows + merged }));
    expect(document?.blocks).toHaveLength(2);
  });

  it("with too many cells is truncated", async () => {
    const row = `<row>${"<c><v>1</v></c>".repeat(100)}</row>`;
    const document = await read(makeXlsx({ A: `<sheetData>${row.repeat(1_001)}</sheetData>` }));
    expect(document?.truncated).toBe(true);
    const table = document?.blocks[1];
    expect(table?.type === "table" && table.rows.length).toBe(1_000);
  });

  it("with cells far from each other has no empty columns", async () => {
    const cells = '<sheetData><row r="1"><c r="A1"><v>1</v></c><c r="XFD1"><v>2</v></c></row></sheetData>';
    const table = (await read(makeXlsx({ A: cells })))?.blocks[1];
    expect(table?.type === "table" && table.rows[0]).toHaveLength(2);
  });
});
