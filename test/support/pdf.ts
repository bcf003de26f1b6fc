// Writes small PDFs with positioned lines of text in Helvetica.

export interface PdfLine {
  text: string;
  x?: number;
  y: number;
  size?: number;
}

interface Options {
  /** Entries of the document information dictionary, such as `Title`. */
  info?: Record<string, string>;
  /** A URL that the first page links to. */
  link?: string;
  /** True if the document declares that it requires a password. */
  encrypted?: boolean;
}

/** Creates a PDF 1.4 without a cross-reference table. Readers rebuild the table. Supports only Latin-1 text. */
export function makePdf(pages: PdfLine[][], { info = {}, link, encrypted = false }: Options = {}): Uint8Array {
  const first = 6;
  const kids = pages.map((_, i) => `${first + 2 * i} 0 R`).join(" ");
  const objects = [
    "1 0 obj<</Type/Catalog/Pages 2 0 R/Lang(en)>>endobj",
    `2 0 obj<</Type/Pages/Kids[${kids}]/Count ${pages.length}>>endobj`,
    "3 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>endobj",
    `4 0 obj<<${Object.entries(info)
      .map(([name, value]) => `/${name}(${escapeText(value)})`)
      .join("")}>>endobj`,
    `5 0 obj<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(${link ?? ""})>>>>endobj`,
    ...pages.flatMap((lines, i) => {
      const text = lines
        .map(({ text, x = 50, y, size = 12 }) => `BT /F1 ${size} Tf ${x} ${y} Td (${escapeText(text)}) Tj ET`)
        .join("\n");
      const number = first + 2 * i;
      return [
        `${number} 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents ${number + 1} 0 R
/Resources<</Font<</F1 3 0 R>>>>${i === 0 && link ? "/Annots[5 0 R]" : ""}>>endobj`,
        `${number + 1} 0 obj<</Length ${text.length}>>stream\n${text}\nendstream endobj`,
      ];
    }),
  ];
  const key = "0".repeat(64);
  const encrypt = encrypted ? `/Encrypt<</Filter/Standard/V 1/R 2/O<${key}>/U<${key}>/P -4>>/ID[<00><00>]` : "";
  const file = `%PDF-1.4\n${objects.join("\n")}\ntrailer<</Root 1 0 R/Info 4 0 R${encrypt}>>\n%%EOF`;
  return Uint8Array.from(file, (character) => character.charCodeAt(0));
}

function escapeText(text: string): string {
  return text.replace(/[\\()]/g, "\\$&");
}
