import type { Budget } from "../lib/budget";
import type { Paper } from "../model/page-files";
import { MAX_PDF_BYTES, MAX_PRINTED_PAGES, PRINT_MS } from "../model/page-limits";
import { TimedSender } from "./evaluate";
import { type PdfOptions, RenderError } from "./protocol";
import type { Tab } from "./tab";

/** The number of bytes that one call reads from the PDF. */
const CHUNK_BYTES = 1024 * 1024;
/** The paper sizes in inches. */
const PAPER_SIZES: { [P in Paper]: { paperWidth: number; paperHeight: number } } = {
  a4: { paperWidth: 210 / 25.4, paperHeight: 297 / 25.4 },
  letter: { paperWidth: 8.5, paperHeight: 11 },
};

/**
 * Prints the page as a PDF with up to MAX_PRINTED_PAGES pages. Returns its parts in order. The PDF is read in chunks,
 * because a CDP message over 32 MiB would end the connection. Throws RenderError `target_too_large`, and `render_failed`
 * for a page that takes too long to print. `bytes` is the shared limit for all screenshots and the PDF of the render.
 */
export async function printPdf(
  tab: Tab,
  { paper, landscape, background }: PdfOptions,
  bytes: Budget,
): Promise<Uint8Array[]> {
  const sender = new TimedSender(tab, PRINT_MS, "printed as a PDF");
  const { stream: handle } = await sender.send("Page.printToPDF", {
    ...PAPER_SIZES[paper],
    landscape,
    printBackground: background,
    pageRanges: `1-${MAX_PRINTED_PAGES}`,
    transferMode: "ReturnAsStream",
  });
  if (handle === undefined) throw new Error("The browser returned no PDF.");
  const parts: Uint8Array[] = [];
  for (let size = 0; ; ) {
    const { data, base64Encoded, eof } = await sender.send("IO.read", { handle, size: CHUNK_BYTES });
    const part = base64Encoded ? Uint8Array.fromBase64(data) : new TextEncoder().encode(data);
    size += part.byteLength;
    if (size > MAX_PDF_BYTES || !bytes.spend(part.byteLength))
      throw new RenderError("target_too_large", `The PDF of the page is larger than ${MAX_PDF_BYTES} bytes.`);
    parts.push(part);
    if (eof) break;
  }
  await sender.send("IO.close", { handle });
  return parts;
}
