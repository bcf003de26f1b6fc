import { describe, expect, it } from "vitest";
import { readDocument } from "../../src/documents/read";
import { writeMarkdown } from "../../src/html/markdown/markdown";
import type { PageSelection } from "../../src/model/page-ranges";
import { makeZip } from "../support/documents";
import {
  makeEpub,
  makeOdf,
  makePptx,
  ODS_SHEETS,
  ODS_STYLES,
  ODT_STYLES,
  ODT_TEXT,
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

  it("that is encrypted fails", async () => {
    const manifest = `<m:manifest xmlns:m="m"><m:file-entry><m:encryption-data/></m:file-entry></m:manifest>`;
    const file = makeOdf("", "", { "META-INF/manifest.xml": manifest, "content.xml": "\0\0" });
    await expect(read(file)).rejects.toMatchObject({
      code: "unsupported_content",
      message: expect.stringContaining("password"),
    });
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
