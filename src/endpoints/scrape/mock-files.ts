import type { ScreenshotType } from "../../model/page-files";
import screenshots from "./mock-screenshots.json";

/**
 * Images that show a page: a bar, a headline, lines of text, a list, a table and a code block. The PNG has 1280×800 px
 * and the four chunks that a PNG needs. The other images show the same picture in a smaller size, and were encoded by
 * Chromium.
 */
const SCREENSHOTS: { [T in ScreenshotType]: string } = screenshots;

/** Returns a new copy of the screenshot, because the caller may change its bytes. */
export function mockScreenshot(type: ScreenshotType): Uint8Array {
  return Uint8Array.from(atob(SCREENSHOTS[type]), (char) => char.charCodeAt(0));
}

export function mockPdf(): Uint8Array {
  const text = "BT /F1 24 Tf 72 720 Td (Mock page) Tj ET";
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let pdf = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = pdf.length;
    pdf += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const entries = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`);
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries.join("")}`;
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${pdf.length}\n%%EOF\n`;
  return new TextEncoder().encode(pdf + table + trailer);
}
