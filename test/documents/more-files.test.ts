import { describe, expect, it } from "vitest";
import { readDocument } from "../../src/documents/read";
import { writeMarkdown } from "../../src/html/markdown/markdown";
import type { PageSelection } from "../../src/model/page-ranges";
import { makeXlsx, makeZip } from "../support/documents";
import {
  makeEpub,
  makeOdf,
  makePptx,
  ODS_SHEETS,
  ODS_STYLES,
  ODT_STYLES,
  ODT_TEXT,
  odsCell,
  SLIDE_LINKS,
  SLIDES,
  shape,
} from "../support/more-documents";

async function read(bytes: Uint8Array, selection: PageSelection = {}) {
  const { signal } = new AbortController();
  const document = await readDocument(
    { bytes, contentType: null, name: "" },
    { ...selection, signal, beforeReading: async () => {} },
  );
  if (document === null) throw new Error("The file wasn't recognized.");
  return { ...document, markdown: writeMarkdown(document.blocks) };
}

describe("a presentation", () => {
  it("has its slides in order, with titles, lists, links and tables", async () => {
    const { markdown, links, metadata, pages } = await read(makePptx(SLIDES, SLIDE_LINKS));
    expect(markdown).toBe(`## Tides

- Bring a lamp
  - **Oil, not petrol**

See [the table](https://example.com/table)

## Heights

| Day | Height | Height |
| --- | --- | --- |
| Monday | 1.25 m | 3.5 m |`);
    expect(links).toEqual([{ url: "https://example.com/table", text: "the table" }]);
    expect(metadata).toEqual({ title: "Harbour" });
    expect(pages).toEqual({ total: 3, read: [1, 2, 3] });
  });

  it("has only the selected slides, each with a marker", async () => {
    const { markdown, pages } = await read(makePptx(SLIDES), { pages: [{ first: 2, last: 9 }], pageMarkers: true });
    expect(markdown).toMatch(/^<!-- page 2 -->\n\n## Heights[\s\S]*<!-- page 3 -->$/);
    expect(pages).toEqual({ total: 3, read: [2, 3] });
    await expect(read(makePptx(SLIDES), { pages: [{ first: 4, last: 5 }] })).rejects.toMatchObject({
      code: "section_not_found",
      message: expect.stringContaining("only 3 slides"),
    });
  });

  it("has the texts of its diagrams", async () => {
    const drawing = shape("", "Fill") + shape("", "Light");
    const { markdown } = await read(
      makePptx([{ shapes: shape("<p:ph type='title'/>", "Steps") }], {
        "ppt/slides/_rels/slide1.xml.rels": `<Relationships><Relationship Id="rId2" Target="../diagrams/drawing1.xml"/></Relationships>`,
        "ppt/diagrams/drawing1.xml": `<p:drawing xmlns:p="p" xmlns:a="a"><p:spTree>${drawing}</p:spTree></p:drawing>`,
      }),
    );
    expect(markdown).toBe("## Steps\n\nFill\n\nLight");
  });

  it("has no hidden groups", async () => {
    const group = `<p:grpSp><p:nvGrpSpPr><p:cNvPr id="1" hidden="1"/></p:nvGrpSpPr>${shape("", "HIDDEN")}</p:grpSp>`;
    expect((await read(makePptx([{ shapes: group + shape("", "Shown") }]))).markdown).toBe("Shown");
  });

  it("with very many slides is truncated", async () => {
    const slides = Array.from({ length: 1_100 }, (_, i) => ({ shapes: shape("", `Slide ${i + 1}.`) }));
    const { truncated, pages } = await read(makePptx(slides));
    expect([truncated, pages?.total, pages?.read.length]).toEqual([true, 1_100, 500]);
  });
});

describe("an OpenDocument text", () => {
  it("has headings, formatting, notes, lists and tables", async () => {
    const { markdown, metadata, links } = await read(makeOdf(ODT_TEXT, ODT_STYLES));
    expect(markdown).toBe(`# The harbour

The **keeper** writes[^1] in a [ledger](https://example.com/ledger).

- Bring a lamp
  1. Oil
  2. Wick

| Day | Height |
| --- | --- |
| Monday | 1.25 m |

The end.

[^1]: Since 1899.`);
    expect(links).toEqual([{ url: "https://example.com/ledger", text: "ledger" }]);
    expect(metadata).toMatchObject({ title: "Harbour", modified_time: "2026-11-21T07:00:00.000Z" });
  });

  it("that LibreOffice has encrypted as a whole fails", async () => {
    const manifest = `<m:manifest xmlns:m="m"><m:file-entry m:full-path="encrypted-package"><m:encryption-data/></m:file-entry></m:manifest>`;
    const file = makeZip({ mimetype: "", "encrypted-package": "\0\0", "META-INF/manifest.xml": manifest });
    await expect(read(file)).rejects.toMatchObject({
      code: "unsupported_content",
      message: expect.stringContaining("password"),
    });
  });

  it("that is encrypted fails", async () => {
    const manifest = `<m:manifest xmlns:m="m"><m:file-entry><m:encryption-data/></m:file-entry></m:manifest>`;
    const file = makeOdf("", "", { "META-INF/manifest.xml": manifest, "content.xml": "\0\0" });
    await expect(read(file)).rejects.toMatchObject({
      code: "unsupported_content",
      message: expect.stringContaining("password"),
    });
  });
});

describe("an OpenDocument text with nested parts", () => {
  const nest = (levels: number, wrap: (inner: string) => string): string =>
    levels === 0 ? "<text:p>deepest</text:p>" : wrap(nest(levels - 1, wrap));

  it.each<[string, (inner: string) => string]>([
    [
      "text boxes in footnotes",
      (inner) =>
        `<text:p>a<text:note><text:note-body><text:p>b<draw:frame><draw:text-box>${inner}</draw:text-box></draw:frame></text:p></text:note-body></text:note></text:p>`,
    ],
    [
      "footnotes in text boxes",
      (inner) =>
        `<text:p>a<draw:text-box><text:p>b<text:note><text:note-body>${inner}</text:note-body></text:note></text:p></draw:text-box></text:p>`,
    ],
    [
      "numbered headings with footnotes",
      (inner) =>
        `<text:list><text:list-item><text:h>a<text:note><text:note-body>${inner}</text:note-body></text:note></text:h></text:list-item></text:list>`,
    ],
  ])("reads each of them once: %s", async (_, wrap) => {
    const { markdown } = await read(makeOdf(`<office:text>${nest(12, wrap)}</office:text>`));
    expect(markdown.match(/deepest/g)).toHaveLength(1);
  });

  it("has the texts of frames, numbered paragraphs, and tables in lists", async () => {
    const cell = "<table:table-cell><text:p>Cell</text:p></table:table-cell>";
    const { markdown } = await read(
      makeOdf(`<office:text><draw:frame><draw:text-box><text:p>Box</text:p></draw:text-box></draw:frame>
<text:numbered-paragraph><text:p>Numbered</text:p></text:numbered-paragraph>
<text:list><text:list-item><text:p>Item</text:p><table:table><table:table-row>${cell}${cell}</table:table-row></table:table></text:list-item></text:list></office:text>`),
    );
    expect(markdown).toMatch(/^Box\n\nNumbered\n\n- Item\n\n[\s\S]*\| Cell \| Cell \|/);
  });

  it("doesn't keep the text of nested links for each of them", async () => {
    const link = (levels: number): string =>
      levels === 0
        ? "x".repeat(500_000)
        : `<text:a xlink:href="https://example.com/${levels}">a${link(levels - 1)}</text:a>`;
    const { links } = await read(makeOdf(`<office:text><text:p>${link(20)}</text:p></office:text>`));
    expect(links.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(5_100_000);
  });
});

describe("an OpenDocument spreadsheet", () => {
  it("has the visible sheets with the values as they are shown", async () => {
    const { markdown, truncated } = await read(makeOdf(ODS_SHEETS, ODS_STYLES));
    expect(markdown).toBe(`## Heights

| Day | Code | Share |
| --- | --- | --- |
| 20.11.26 | 00042 | 12.5 % |
| same | same |  |
| same | same |  |

## More

| One | Two |
| --- | --- |`);
    expect(truncated).toBeUndefined();
  });

  it("with a million cells is truncated", async () => {
    const row = `<table:table-row table:number-rows-repeated="1000000"><table:table-cell table:number-columns-repeated="1000"><text:p>x</text:p></table:table-cell></table:table-row>`;
    const { truncated, blocks } = await read(
      makeOdf(`<office:spreadsheet><table:table table:name="A">${row}</table:table></office:spreadsheet>`),
    );
    expect([truncated, blocks.length]).toEqual([true, 2]);
  });

  it("doesn't repeat a long text without limit", async () => {
    const row = `<table:table-row table:number-rows-repeated="50">${odsCell("x".repeat(500_000))}</table:table-row>`;
    const { truncated, markdown } = await read(
      makeOdf(`<office:spreadsheet><table:table>${row}</table:table></office:spreadsheet>`),
    );
    expect([truncated, markdown.length < 6_000_000]).toEqual([true, true]);
  });

  it("has no hidden columns", async () => {
    const columns = `<table:table-column table:number-columns-repeated="2"/><table:table-column-group><table:table-column table:visibility="collapse"/></table:table-column-group><table:table-column/>`;
    const row = ["A", "B", "HIDDEN", "D"].map((text) => odsCell(text)).join("");
    const { markdown } = await read(
      makeOdf(
        `<office:spreadsheet><table:table>${columns}<table:table-row>${row}</table:table-row></table:table></office:spreadsheet>`,
      ),
    );
    expect(markdown).toBe("| A | B | D |\n| --- | --- | --- |");
  });
});

it("a workbook doesn't repeat a long text in merged cells without limit", async () => {
  const rows = Array.from(
    { length: 50 },
    (_, i) =>
      `<row r="${i + 1}"><c r="A${i + 1}" t="inlineStr"><is><t>${i === 0 ? "x".repeat(500_000) : ""}</t></is></c><c r="B${i + 1}"><v>1</v></c></row>`,
  );
  const { truncated, markdown } = await read(
    makeXlsx({ A: `<sheetData>${rows.join("")}</sheetData><mergeCells><mergeCell ref="A1:A50"/></mergeCells>` }),
  );
  expect([truncated, markdown.length < 6_000_000]).toEqual([true, true]);
});

describe("a book", () => {
  it("has its chapters in the order of reading, without links inside of the book", async () => {
    const { markdown, metadata, links } = await read(
      makeEpub([
        `<h1><a id="start"/>One</h1><p>The keeper <em>writes</em>, as <a href="chapter%201.xhtml">told</a>.</p><img src="map.png" alt=""/>`,
        `<h1>Two</h1><script src="x.js"/><ul><li>A lamp</li></ul><p>See <a href="https://example.com/">the site</a>.</p>`,
      ]),
    );
    expect(markdown).toBe(`# One

The keeper _writes_, as told.

# Two

- A lamp

See [the site](https://example.com/).`);
    expect(links).toMatchObject([{ url: "https://example.com/", text: "the site" }]);
    expect(metadata).toEqual({ title: "The keeper", author: "Ida Moen", language: "en" });
  });

  it("can have its spine before its manifest, and the type declaration of older books", async () => {
    const opf = `<!DOCTYPE package PUBLIC "+//ISBN 0-9673008-1-9//DTD OEB 1.2 Package//EN" "http://openebook.org/dtds/oeb-1.2/oebpkg12.dtd"><package><metadata/><spine><itemref idref="a"/></spine><manifest><item id="a" href="text/chapter%200.xhtml"/></manifest></package>`;
    expect(await read(makeEpub(["<p>A.</p>"], { "OEBPS/book.opf": opf }))).toMatchObject({ markdown: "A." });
  });

  it("is truncated if a chapter is missing, or after 2,000 chapters", async () => {
    const opf = (refs: string) =>
      `<package><manifest><item id="a" href="text/chapter%200.xhtml"/><item id="b" href="gone.xhtml"/></manifest><spine>${refs}</spine></package>`;
    const refer = (id: string) => `<itemref idref="${id}"/>`;
    const gone = await read(makeEpub(["<p>A.</p>"], { "OEBPS/book.opf": opf(refer("b") + refer("a")) }));
    expect(gone).toMatchObject({ markdown: "A.", truncated: true });
    const long = await read(makeEpub(["<p>A.</p>"], { "OEBPS/book.opf": opf(refer("a").repeat(2_001)) }));
    expect([long.blocks.length, long.truncated]).toEqual([2_000, true]);
  });

  it("whose chapters are encrypted fails, unlike one with encrypted fonts", async () => {
    const encrypt = (path: string) => ({
      "META-INF/encryption.xml": `<encryption><EncryptedData><CipherData><CipherReference URI="${path}"/></CipherData></EncryptedData></encryption>`,
    });
    await expect(read(makeEpub(["<p>A.</p>"], encrypt("OEBPS/text/chapter%200.xhtml")))).rejects.toMatchObject({
      code: "unsupported_content",
      message: expect.stringContaining("password"),
    });
    expect((await read(makeEpub(["<p>A.</p>"], encrypt("OEBPS/a.otf")))).markdown).toBe("A.");
  });
});

it.each([
  ["presentation", makePptx(SLIDES)],
  ["text", makeOdf(ODT_TEXT, ODT_STYLES)],
  ["book", makeEpub(["<p>A.</p>", "<p>B.</p>"])],
])("a %s that ends anywhere has an error or the text before its end", async (_, bytes) => {
  for (let length = 8; length < bytes.byteLength; length += 29) {
    const result = await read(bytes.slice(0, length)).catch((error: unknown) => error);
    // The first parts don't say yet which document it is.
    if (result instanceof Error && result.message === "The file wasn't recognized.") continue;
    if (result instanceof Error) expect(result).toMatchObject({ code: "unsupported_content" });
    else expect(result).toMatchObject({ truncated: true, markdown: expect.stringMatching(/./) });
  }
});

it("a zip file of zip files isn't a document", async () => {
  await expect(read(makeZip({ "inner.zip": makePptx(SLIDES) }))).rejects.toThrow("wasn't recognized");
});
