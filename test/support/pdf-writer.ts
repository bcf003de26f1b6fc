// Writes PDFs with text in any script, drawn paths, links, form fields and bookmarks. The fonts have no programs, only
// widths and a ToUnicode map, so the files are small and text can be read, but not shown.

export interface PdfText {
  text: string;
  x: number;
  y: number;
  size?: number;
  bold?: boolean;
  /** True for text that is written from top to bottom. */
  vertical?: boolean;
  /** The name by which a tag refers to the text. `Artifact` marks text that isn't content. */
  mark?: string;
}

/** An element of the structure tree: its type, then its attributes, its elements and the marks of its texts. */
export type PdfTag = [type: string, ...content: (PdfTag | string | Record<string, number | string>)[]];

export interface PdfPage {
  texts: PdfText[];
  /** Operators that draw paths, such as `50 700 m 550 700 l S`. */
  paths?: string[];
  links?: { box: number[]; url: string }[];
  fields?: { box: number[]; name: string; value: string | boolean }[];
}

type FontName = "Regular" | "Bold" | "Vertical";

const WIDE = /[\u2e80-\u9fff\uac00-\ud7af\uff00-\uffef]/;
const RTL = /[\u0590-\u08ff]/;

/** Returns the width of a text in points. */
export function widthOf(text: string, size: number): number {
  return ([...text].reduce((sum, char) => sum + unitsOf(char), 0) * size) / 1_000;
}

function unitsOf(char: string): number {
  return WIDE.test(char) ? 1_000 : char === " " ? 250 : 500;
}

export function writePdf(pages: PdfPage[], bookmarks: string[] = [], tags: PdfTag | null = null): Uint8Array {
  const chars = [...new Set(pages.flatMap(({ texts }) => texts.flatMap(({ text }) => [...text])))];
  const codes = new Map(chars.map((char, i) => [char, i + 1]));
  const objects: string[] = [];
  const add = (body: string) => objects.push(body);
  const stream = (data: string) => `<</Length ${data.length}>>stream\n${data}\nendstream`;
  const [catalog, tree] = [add(""), add("")];
  const map = chars.map((char) => `<${hex(codes.get(char) ?? 0)}> <${utf16(char)}>`).join("\n");
  const toUnicode = add(
    stream(
      `/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange ${chars.length} beginbfchar\n${map}\nendbfchar endcmap end`,
    ),
  );
  const widths = chars.map((char) => `${codes.get(char)} [${unitsOf(char)}]`).join(" ");
  const fonts = (["Regular", "Bold", "Vertical"] as const).map((name) => {
    const font = `Sample-${name}`;
    const descriptor = add(
      `<</Type/FontDescriptor/FontName/${font}/Flags 4/FontBBox[0 -200 1000 800]/Ascent 800/Descent -200/ItalicAngle 0/StemV 80/CapHeight 700>>`,
    );
    const descendant = add(
      `<</Type/Font/Subtype/CIDFontType2/BaseFont/${font}/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor ${descriptor} 0 R/W[${widths}]>>`,
    );
    const encoding = name === "Vertical" ? "Identity-V" : "Identity-H";
    return `/${name} ${add(`<</Type/Font/Subtype/Type0/BaseFont/${font}/Encoding/${encoding}/DescendantFonts[${descendant} 0 R]/ToUnicode ${toUnicode} 0 R>>`)} 0 R`;
  });
  const show = ({ text, x, y, size = 10, bold, vertical }: PdfText) => {
    const name: FontName = vertical ? "Vertical" : bold ? "Bold" : "Regular";
    // The glyphs of text from right to left are stored in the order in which they are shown.
    const shown = RTL.test(text) ? [...text].reverse() : [...text];
    const words = shown.map((char) => hex(codes.get(char) ?? 0)).join("");
    return `BT /${name} ${size} Tf 1 0 0 1 ${x} ${y} Tm <${words}> Tj ET`;
  };
  const fieldNumbers: number[] = [];
  const marked = new Map<string, { page: number; mcid: number }[]>();
  const kids = pages.map(({ texts, paths = [], links = [], fields = [] }, page) => {
    let next = 0;
    const showMarked = (text: PdfText) => {
      if (text.mark === undefined) return show(text);
      if (text.mark === "Artifact") return `/Artifact BMC ${show(text)} EMC`;
      marked.set(text.mark, [...(marked.get(text.mark) ?? []), { page, mcid: next }]);
      return `/Span<</MCID ${next++}>>BDC ${show(text)} EMC`;
    };
    const content = add(stream([...paths, ...texts.map(showMarked)].join("\n")));
    const annotations = links.map(({ box, url }) =>
      add(`<</Type/Annot/Subtype/Link/Rect[${box.join(" ")}]/A<</S/URI/URI(${url})>>>>`),
    );
    for (const { box, name, value } of fields) {
      const data =
        typeof value === "string"
          ? `/FT/Tx/V<feff${utf16(value)}>`
          : `/FT/Btn/V/${value ? "Yes" : "Off"}/AS/${value ? "Yes" : "Off"}/AP<</N<</Yes null/Off null>>>>`;
      const number = add(`<</Type/Annot/Subtype/Widget/Rect[${box.join(" ")}]/T(${name})${data}>>`);
      fieldNumbers.push(number);
      annotations.push(number);
    }
    const annots = annotations.map((number) => `${number} 0 R`).join(" ");
    return add(
      `<</Type/Page/Parent ${tree} 0 R/MediaBox[0 0 600 800]/Contents ${content} 0 R/Resources<</Font<<${fonts.join("")}>>>>/Annots[${annots}]/StructParents ${page}>>`,
    );
  });
  objects[tree - 1] = `<</Type/Pages/Kids[${kids.map((kid) => `${kid} 0 R`).join(" ")}]/Count ${kids.length}>>`;
  const outline = bookmarks.length > 0 ? add("") : null;
  if (outline !== null) {
    const first = objects.length + 1;
    for (const [i, title] of bookmarks.entries()) {
      const next = i + 1 < bookmarks.length ? `/Next ${first + i + 1} 0 R` : "";
      add(`<</Title<feff${utf16(title)}>/Parent ${outline} 0 R/Dest[${kids[0]} 0 R/Fit]${next}>>`);
    }
    objects[outline - 1] = `<</Type/Outlines/First ${first} 0 R/Last ${objects.length} 0 R/Count ${bookmarks.length}>>`;
  }
  const parents = pages.map((): number[] => []);
  const addTag = ([type, ...content]: PdfTag, parent: number): number => {
    const number = add("");
    let attributes = "";
    const inside = content.flatMap((part) => {
      if (Array.isArray(part)) return [`${addTag(part, number)} 0 R`];
      if (typeof part !== "string") {
        for (const [name, value] of Object.entries(part))
          attributes += typeof value === "string" ? `/${name}<feff${utf16(value)}>` : `/A[<</${name} ${value}>>]`;
        return [];
      }
      return (marked.get(part) ?? []).map(({ page, mcid }) => {
        (parents[page] ?? [])[mcid] = number;
        return `<</Type/MCR/Pg ${kids[page]} 0 R/MCID ${mcid}>>`;
      });
    });
    objects[number - 1] = `<</Type/StructElem/S/${type}/P ${parent} 0 R/K[${inside.join(" ")}]${attributes}>>`;
    return number;
  };
  const root = tags === null ? null : add("");
  if (root !== null && tags !== null) {
    const top = addTag(tags, root);
    const numbers = parents.map(
      (refs, page) => `${page}[${Array.from(refs, (ref) => (ref ? `${ref} 0 R` : "null")).join(" ")}]`,
    );
    objects[root - 1] = `<</Type/StructTreeRoot/K[${top} 0 R]/ParentTree<</Nums[${numbers.join(" ")}]>>>>`;
  }
  const form = `/AcroForm<</Fields[${fieldNumbers.map((number) => `${number} 0 R`).join(" ")}]>>`;
  objects[catalog - 1] =
    `<</Type/Catalog/Pages ${tree} 0 R${form}${outline === null ? "" : `/Outlines ${outline} 0 R`}${root === null ? "" : `/StructTreeRoot ${root} 0 R`}>>`;
  const body = objects.map((object, i) => `${i + 1} 0 obj${object}endobj`).join("\n");
  const file = `%PDF-1.7\n${body}\ntrailer<</Root ${catalog} 0 R>>\n%%EOF`;
  return Uint8Array.from(file, (char) => char.charCodeAt(0));
}

function hex(code: number): string {
  return code.toString(16).padStart(4, "0");
}

function utf16(text: string): string {
  return Array.from({ length: text.length }, (_, i) => hex(text.charCodeAt(i))).join("");
}
