// Builds presentations, OpenDocument files and books.
import { makeZip } from "./documents.ts";

type Files = Record<string, string | Uint8Array>;

const RELATIONSHIPS = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"';

/** Returns a presentation with these slides. Each value is the XML of the shapes. Attributes are those of the slide. */
export function makePptx(slides: { shapes: string; attributes?: string }[], more: Files = {}): Uint8Array<ArrayBuffer> {
  const ids = slides.map((_, i) => `<p:sldId id="${256 + i}" r:id="rId${i + 1}"/>`).join("");
  // The files have the reverse order, because only the list of ids has the order of the slides.
  const fileOf = (i: number) => `slides/slide${slides.length - i}.xml`;
  const targets = slides.map((_, i) => `<Relationship Id="rId${i + 1}" Type="slide" Target="${fileOf(i)}"/>`).join("");
  const parts = slides.map(({ shapes, attributes = "" }, i) => [
    `ppt/${fileOf(i)}`,
    `<p:sld xmlns:p="p" xmlns:a="a" xmlns:r="r" ${attributes}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`,
  ]);
  return makeZip({
    "[Content_Types].xml": "<Types/>",
    "ppt/presentation.xml": `<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst>${ids}</p:sldIdLst></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": `<Relationships ${RELATIONSHIPS}>${targets}</Relationships>`,
    "docProps/core.xml": `<cp:coreProperties xmlns:cp="c" xmlns:dc="d"><dc:title>Harbour</dc:title></cp:coreProperties>`,
    ...Object.fromEntries(parts),
    ...more,
  });
}

const run = (text: string, properties = "") => `<a:r><a:rPr ${properties}/><a:t>${text}</a:t></a:r>`;

/** Returns a shape of a slide. `kind` is the XML of its placeholder, and each paragraph is the XML of its runs. */
export function shape(kind: string, ...paragraphs: string[]): string {
  const texts = paragraphs.map((text) => (text.startsWith("<a:p>") ? text : `<a:p>${run(text)}</a:p>`)).join("");
  return `<p:sp><p:nvSpPr><p:cNvPr id="1" name="x"/><p:nvPr>${kind}</p:nvPr></p:nvSpPr><p:txBody>${texts}</p:txBody></p:sp>`;
}

const slideCell = (text: string, attributes = "") =>
  `<a:tc ${attributes}><a:txBody><a:p>${run(text)}</a:p></a:txBody></a:tc>`;

/** The slides of a presentation that contains all kinds of content. */
export const SLIDES = [
  {
    shapes:
      shape("<p:ph type='body'/>", "Bring a lamp", `<a:p><a:pPr lvl="1"/>${run("Oil, not petrol", 'b="1"')}</a:p>`) +
      shape("<p:ph type='title'/>", "Tides") +
      shape("<p:ph type='sldNum'/>", "NUMBER") +
      shape("", `<a:p>${run("See ")}<a:r><a:rPr><a:hlinkClick r:id="rId9"/></a:rPr><a:t>the table</a:t></a:r></a:p>`),
  },
  {
    shapes: `${shape("<p:ph type='ctrTitle'/>", "Heights")}<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tblPr firstRow="1"/><a:tr>${slideCell("Day")}${slideCell("Height", 'gridSpan="2"')}${slideCell("", 'hMerge="1"')}</a:tr><a:tr>${slideCell("Monday")}${slideCell("1.25 m")}${slideCell("3.5 m")}</a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`,
  },
  { shapes: shape("<p:ph type='title'/>", "HIDDEN"), attributes: 'show="0"' },
];

/** The links of the slide with the table. */
export const SLIDE_LINKS = {
  "ppt/slides/_rels/slide3.xml.rels": `<Relationships ${RELATIONSHIPS}><Relationship Id="rId9" Target="https://example.com/table" TargetMode="External"/></Relationships>`,
};

const ODF =
  'xmlns:office="o" xmlns:text="t" xmlns:table="b" xmlns:style="s" xmlns:fo="f" xmlns:xlink="x" xmlns:draw="d" xmlns:meta="m" xmlns:dc="c"';

/** Returns an OpenDocument file. `body` is the XML inside of office:body, and `styles` that of the automatic styles. */
export function makeOdf(body: string, styles = "", more: Files = {}): Uint8Array<ArrayBuffer> {
  return makeZip({
    mimetype: "application/vnd.oasis.opendocument.text",
    "META-INF/manifest.xml": `<manifest:manifest xmlns:manifest="m"><manifest:file-entry manifest:full-path="content.xml"/></manifest:manifest>`,
    "meta.xml": `<office:document-meta ${ODF}><office:meta><dc:title>Harbour</dc:title><meta:creation-date>2026-11-20T07:00:00Z</meta:creation-date><dc:date>2026-11-21T07:00:00Z</dc:date></office:meta></office:document-meta>`,
    "content.xml": `<office:document-content ${ODF}><office:automatic-styles>${styles}</office:automatic-styles><office:body>${body}</office:body></office:document-content>`,
    ...more,
  });
}

/** The styles and the text of a document that contains all kinds of content. */
export const ODT_STYLES = `<style:style style:name="T1"><style:text-properties fo:font-weight="bold"/></style:style><style:style style:name="T2"><style:text-properties text:display="none"/></style:style><text:list-style style:name="L1"><text:list-level-style-bullet text:level="1"/></text:list-style><text:list-style style:name="L2"><text:list-level-style-number text:level="1"/></text:list-style>`;
export const ODT_TEXT = `<office:text><text:tracked-changes><text:p>DELETED</text:p></text:tracked-changes>
<text:h text:outline-level="1">The harbour</text:h>
<text:p>The <text:span text:style-name="T1">keeper</text:span><text:s/>writes<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Since 1899.</text:p></text:note-body></text:note> in a <text:a xlink:href="https://example.com/ledger">ledger</text:a>.<text:span text:style-name="T2">HIDDEN</text:span></text:p>
<text:list text:style-name="L1"><text:list-item><text:p>Bring a lamp</text:p><text:list text:style-name="L2"><text:list-item><text:p>Oil</text:p></text:list-item><text:list-item><text:p>Wick</text:p></text:list-item></text:list></text:list-item></text:list>
<table:table><table:table-header-rows><table:table-row><table:table-cell><text:p>Day</text:p></table:table-cell><table:table-cell><text:p>Height</text:p></table:table-cell></table:table-row></table:table-header-rows><table:table-row><table:table-cell><text:p>Monday</text:p></table:table-cell><table:table-cell><text:p>1.25 m</text:p></table:table-cell></table:table-row></table:table>
<text:section><text:p>The end.</text:p></text:section></office:text>`;

export const odsCell = (text: string, attributes = "") =>
  `<table:table-cell ${attributes}>${text && `<text:p>${text}</text:p>`}</table:table-cell>`;

/** A spreadsheet with two visible sheets and a hidden one. */
export const ODS_STYLES = `<style:style style:name="ta2"><style:table-properties table:display="false"/></style:style>`;
export const ODS_SHEETS = `<office:spreadsheet><table:table table:name="Heights"><table:table-column/>
<table:table-row>${odsCell("Day")}${odsCell("Code")}${odsCell("Share")}</table:table-row>
<table:table-row>${odsCell("20.11.26", 'office:value-type="date" office:date-value="2026-11-20"')}${odsCell("00042")}${odsCell("12.5 %")}${odsCell("", 'table:number-columns-repeated="16000"')}</table:table-row>
<table:table-row table:visibility="filter">${odsCell("HIDDEN")}</table:table-row>
<table:table-row table:number-rows-repeated="2">${odsCell("same", 'table:number-columns-repeated="2"')}</table:table-row>
<table:table-row table:number-rows-repeated="1048000">${odsCell("")}</table:table-row>
</table:table><table:table table:name="Secret" table:style-name="ta2"><table:table-row>${odsCell("HIDDEN")}</table:table-row></table:table><table:table table:name="More"><table:table-row>${odsCell("One")}${odsCell("Two")}</table:table-row></table:table></office:spreadsheet>`;

/** Returns a book with these chapters, which are the XHTML of each body. */
export function makeEpub(chapters: string[], more: Files = {}): Uint8Array<ArrayBuffer> {
  const indexes = chapters.map((_, i) => i);
  return makeZip({
    mimetype: "application/epub+zip",
    "META-INF/container.xml": `<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>`,
    "OEBPS/book.opf": `<package xmlns:dc="d"><metadata><dc:title>The keeper</dc:title><dc:creator>Ida Moen</dc:creator><dc:language>en</dc:language></metadata><manifest>${indexes
      .toReversed()
      .map((i) => `<item id="c${i}" href="text/chapter%20${i}.xhtml"/>`)
      .join("")}</manifest><spine>${indexes.map((i) => `<itemref idref="c${i}"/>`).join("")}</spine></package>`,
    ...Object.fromEntries(
      chapters.map((body, i) => [
        `OEBPS/text/chapter ${i}.xhtml`,
        `<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>${body}</body></html>`,
      ]),
    ),
    ...more,
  });
}

/** Static files by name. */
export const moreDocuments: Record<string, () => Uint8Array> = {
  "slides.pptx": () => makePptx(SLIDES, SLIDE_LINKS),
  "report.odt": () => makeOdf(ODT_TEXT, ODT_STYLES),
  "heights.ods": () => makeOdf(ODS_SHEETS, ODS_STYLES),
  "book.epub": () => makeEpub(["<h1>One</h1><p>The lamp of Leba burns 14 litres of oil a night.</p>"]),
};
