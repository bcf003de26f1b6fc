import { hostilePdfs } from "./hostile-pdfs.ts";
import { makePdf } from "./pdf.ts";
import { jpeg, makeScan } from "./scans.ts";

const head = (page: number) => ({ text: `Harbour report, page ${page}`, y: 780, size: 9 });

/** Static documents by kind. */
export const pdfs: Record<string, Uint8Array> = {
  report: makePdf(
    [
      [
        head(1),
        { text: "The harbour of Leba", y: 720, size: 24 },
        { text: "Tides", y: 680, size: 16 },
        { text: "The keeper writes each height by hand in a led-", y: 650 },
        { text: "ger that has been kept since 1899, and 2 * 3 = 6", y: 636 },
        { text: "visitors are welcome on Sundays.", y: 622 },
        { text: "A second paragraph stands apart from the first, and", y: 590 },
      ],
      [
        head(2),
        { text: "goes on where the page ends.", y: 740 },
        { text: "\x95 Bring a lamp", y: 700 },
        { text: "\x95 Bring a friend, as the way is long and the light", y: 686 },
        { text: "is poor", y: 672 },
        { text: "1. Wait for the signal", y: 640 },
        { text: "2. Leave", y: 626 },
      ],
      [head(3), { text: "The end.", y: 740 }],
    ],
    {
      info: { Title: "Report of the harbour", Author: "A. Keeper", CreationDate: "D:20261120080000+01'00'" },
      link: "https://example.com/tides",
    },
  ),
  scan: makeScan([{ images: [jpeg("A scan")] }]),
  blank: makePdf([[]]),
  encrypted: makePdf([[{ text: "An encrypted text", y: 700 }]], { encrypted: true }),
  broken: new TextEncoder().encode("%PDF-1.7\nand then nothing that makes sense"),
  long: makePdf(Array.from({ length: 501 }, () => [{ text: "Page", y: 700 }])),
  forms: hostilePdfs["forms that draw each other 2^40 times"](),
};
