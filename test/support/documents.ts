import { crc32, deflateRawSync } from "node:zlib";

type Files = Record<string, string | Uint8Array>;

interface ZipOptions {
  /** Changes the fields of the entries, to create malicious files. */
  change?: (entry: { method: number; flags: number; size: number; compressedSize: number; offset: number }) => void;
  /** The number of entries in the end record. By default, it is the number of files. */
  count?: number;
}

/** Returns a zip file of the files. */
export function makeZip(files: Files, { change = () => {}, count }: ZipOptions = {}): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const data = typeof content === "string" ? Buffer.from(content) : content;
    const compressed = deflateRawSync(data);
    const entry = { method: 8, flags: 0, size: data.byteLength, compressedSize: compressed.byteLength, offset };
    change(entry);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(entry.flags, 2);
    fields.writeUInt16LE(entry.method, 4);
    fields.writeUInt32LE(crc32(data), 10);
    fields.writeUInt32LE(entry.compressedSize, 14);
    fields.writeUInt32LE(entry.size, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    parts.push(Buffer.from("PK\x03\x04", "latin1"), fields, Buffer.from(name), compressed);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(entry.offset, 10);
    directory.push(Buffer.from("PK\x01\x02\x14\x00", "latin1"), fields, rest, Buffer.from(name));
    offset += 30 + Buffer.byteLength(name) + compressed.byteLength;
  }
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(count ?? Object.keys(files).length, 10);
  end.writeUInt32LE(offset, 16);
  return new Uint8Array(Buffer.concat([...parts, ...directory, end]));
}

const RELATIONSHIPS = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"';
const CORE = `<?xml version="1.0"?><cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t"><dc:title>Report of the harbour</dc:title><dc:creator>A. Keeper</dc:creator><dcterms:created>2026-11-20T07:00:00Z</dcterms:created></cp:coreProperties>`;

/** Returns a Word document with this XML in its body. */
export function makeDocx(body: string, more: Files = {}): Uint8Array<ArrayBuffer> {
  return makeZip(docxFiles(body, more));
}

export function docxFiles(body: string, more: Files = {}): Files {
  return {
    "[Content_Types].xml": "<Types/>",
    "word/document.xml": `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><w:document xmlns:w="w" xmlns:r="r"><w:body>${body}</w:body></w:document>`,
    "word/styles.xml": `<w:styles xmlns:w="w"><w:style w:type="paragraph" w:styleId="Titel"><w:name w:val="Title"/></w:style><w:style w:type="paragraph" w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style><w:style w:type="paragraph" w:styleId="Eigene"><w:name w:val="My heading"/><w:basedOn w:val="berschrift2"/></w:style><w:style w:type="paragraph" w:styleId="Zitat"><w:name w:val="Quote"/></w:style></w:styles>`,
    "word/numbering.xml": `<w:numbering xmlns:w="w"><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl><w:lvl w:ilvl="1"><w:start w:val="3"/><w:numFmt w:val="decimal"/></w:lvl></w:abstractNum><w:num w:numId="7"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
    "word/_rels/document.xml.rels": `<Relationships ${RELATIONSHIPS}><Relationship Id="rId9" Type="hyperlink" Target="https://example.com/tides" TargetMode="External"/></Relationships>`,
    "word/footnotes.xml": `<w:footnotes xmlns:w="w"><w:footnote w:id="0"><w:p/></w:footnote><w:footnote w:id="2"><w:p><w:r><w:t>Since 1899.</w:t></w:r></w:p></w:footnote></w:footnotes>`,
    "docProps/core.xml": CORE,
    ...more,
  };
}

const p = (text: string, properties = "") =>
  `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
const item = (text: string, level: number) =>
  p(text, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="7"/></w:numPr>`);
const cell = (text: string, properties = "") => `<w:tc><w:tcPr>${properties}</w:tcPr>${p(text)}</w:tc>`;

/** The body of a document that contains all kinds of content. */
export const REPORT_BODY = [
  p("The harbour of Leba", '<w:pStyle w:val="Titel"/>'),
  p("Tides", '<w:pStyle w:val="Eigene"/>'),
  `<w:p><w:r><w:t xml:space="preserve">The keeper writes </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">each </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>height</w:t></w:r><w:r><w:rPr><w:b w:val="0"/><w:i/></w:rPr><w:t xml:space="preserve"> by hand</w:t></w:r><w:r><w:t xml:space="preserve"> in a </w:t></w:r><w:hyperlink r:id="rId9"><w:r><w:t>ledger</w:t></w:r></w:hyperlink><w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:t>.</w:t></w:r><w:del><w:r><w:delText>DELETED</w:delText></w:r></w:del><w:r><w:rPr><w:vanish/></w:rPr><w:t>HIDDEN</w:t></w:r></w:p>`,
  item("Bring a lamp", 0),
  item("Follow the signs", 1),
  item("Wait", 1),
  item("Bring a friend", 0),
  p("Patience is a tide.", '<w:pStyle w:val="Zitat"/>'),
  `<w:tbl><w:tblPr><w:tblLook w:val="04A0" w:firstRow="1"/></w:tblPr><w:tr>${cell("Day")}${cell("Heights", '<w:gridSpan w:val="2"/>')}</w:tr><w:tr>${cell("Monday", '<w:vMerge w:val="restart"/>')}${cell("1.2")}${cell("3 | 4")}</w:tr><w:tr>${cell("", "<w:vMerge/>")}${cell("1.4")}${cell("3.5")}</w:tr></w:tbl>`,
  `<w:p><w:r><mc:AlternateContent><mc:Choice><w:drawing><w:txbxContent>${p("In a box")}</w:txbxContent></w:drawing></mc:Choice><mc:Fallback><w:pict><w:txbxContent>${p("In a box")}</w:txbxContent></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>`,
].join("");

/** Returns a workbook with these sheets. The values are the XML of each sheet's worksheet element. */
export function makeXlsx(sheets: Record<string, string>, more: Files = {}): Uint8Array<ArrayBuffer> {
  const names = Object.keys(sheets);
  const list = names.map(
    (name, i) =>
      `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i + 1}" ${name === "Secret" ? 'state="hidden"' : ""}/>`,
  );
  const targets = names.map(
    (_, i) => `<Relationship Id="rId${i + 1}" Type="worksheet" Target="worksheets/sheet${i + 1}.xml"/>`,
  );
  const parts = Object.values(sheets).map((xml, i) => [
    `xl/worksheets/sheet${i + 1}.xml`,
    `<worksheet xmlns:r="r">${xml}</worksheet>`,
  ]);
  return makeZip({
    "[Content_Types].xml": "<Types/>",
    "xl/workbook.xml": `<workbook xmlns:r="r"><sheets>${list.join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships ${RELATIONSHIPS}>${targets.join("")}</Relationships>`,
    "xl/sharedStrings.xml":
      "<sst><si><t>Day</t></si><si><r><t>Hei</t></r><r><t>ght</t></r><rPh><t>PHONETIC</t></rPh></si></sst>",
    "xl/styles.xml":
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="10"/></cellXfs></styleSheet>',
    "xl/vbaProject.bin": "MACRO",
    "docProps/core.xml": CORE,
    ...Object.fromEntries(parts),
    ...more,
  });
}

/** The sheet of a workbook that contains all kinds of cells. */
export const REPORT_SHEET = `<cols><col min="4" max="4" hidden="1"/></cols><sheetData>
<row r="2"><c r="B2" t="s"><v>0</v></c><c r="C2" t="s"><v>1</v></c><c r="D2" t="inlineStr"><is><t>HIDDEN</t></is></c><c r="E2" t="inlineStr"><is><t>Share</t></is></c><c r="F2" t="str"><v>Open</v></c></row>
<row r="3"><c r="B3" s="1"><v>46346</v></c><c r="C3"><v>0.30000000000000004</v></c><c r="E3" s="3"><v>0.125</v></c><c r="F3" t="b"><v>1</v></c></row>
<row r="4" hidden="1"><c r="B4" t="inlineStr"><is><t>HIDDEN</t></is></c></row>
<row r="5"><c r="B5" s="2"><v>46346.5</v></c><c r="C5"><f>A1/0</f><v>42</v></c><c r="F5" t="e"><v>#DIV/0!</v></c></row>
<row r="6"><c r="B6" t="inlineStr"><is><t>Both</t></is></c><c r="E6"><v>1</v></c></row>
</sheetData><mergeCells><mergeCell ref="B6:C6"/></mergeCells><hyperlinks><hyperlink ref="B2" r:id="rId1"/></hyperlinks>`;

export const REPORT_SHEET_RELATIONSHIPS = {
  "xl/worksheets/_rels/sheet1.xml.rels": `<Relationships ${RELATIONSHIPS}><Relationship Id="rId1" Target="https://example.com/days" TargetMode="External"/></Relationships>`,
};

const compound = (text: string) =>
  new Uint8Array(
    Buffer.concat([
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
      Buffer.alloc(504),
      Buffer.from(text, "utf16le"),
    ]),
  );

/** Static files by name. */
export const documents: Record<string, () => Uint8Array> = {
  "report.docx": () => makeDocx(REPORT_BODY),
  "report.xlsx": () => makeXlsx({ Heights: REPORT_SHEET, Secret: REPORT_SHEET }, REPORT_SHEET_RELATIONSHIPS),
  "report.csv": () => Buffer.from('Tag;Höhe\n"Montag; früh";1,2\n\nDienstag;"3 ""m"""\n', "latin1"),
  "empty.docx": () => makeDocx("<w:p/>"),
  "old.doc": () => compound("WordDocument"),
  "encrypted.docx": () => compound("EncryptedPackage"),
  "broken.docx": () => makeDocx(REPORT_BODY).slice(0, 900),
  "beginning.docx": () => makeDocx(REPORT_BODY).slice(0, 50),
  "bomb.docx": () => makeDocx(`<w:p><w:r><w:t>${"a".repeat(80_000_000)}</w:t></w:r></w:p>`),
  "entities.docx": () =>
    makeZip({
      ...docxFiles(""),
      "word/document.xml":
        '<!DOCTYPE d [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><w:document xmlns:w="w"><w:body><w:p><w:r><w:t>&b;</w:t></w:r></w:p></w:body></w:document>',
    }),
  "archive.zip": () => makeZip({ "a.txt": "a" }),
};
