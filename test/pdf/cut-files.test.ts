import { expect, it } from "vitest";
import { readPdf } from "../../src/pdf/read";
import { toPlainText } from "../../src/pdf/rows";
import { writePdf } from "../support/pdf-writer";

const pages = ["The first page.", "The second page."].map((text) => ({ texts: [{ text, x: 50, y: 700 }] }));
const file = new TextDecoder("latin1").decode(writePdf(pages));

async function read(text: string) {
  const bytes = Uint8Array.from(text, (char) => char.charCodeAt(0));
  const { blocks, truncated } = await readPdf(bytes, { signal: new AbortController().signal });
  return { texts: blocks.map((block) => (block.type === "paragraph" ? toPlainText(block.content) : "")), truncated };
}

const both = ["The first page.", "The second page."];

it.each<[string, string, { texts: string[]; truncated?: true }]>([
  ["with other bytes after its end", `${file}\n${"<!-- from a proxy -->".repeat(1_000)}`, { texts: both }],
  ["that was extended", `${file}\n99 0 obj<</Type/Metadata>>endobj\n${file.slice(-60)}`, { texts: both }],
  ["without its end", file.slice(0, -5), { texts: both, truncated: true }],
  ["that was cut after it was extended", `${file}\n99 0 obj<</Type/Meta`, { texts: both, truncated: true }],
  [
    "whose second page is missing",
    file.replace(/(\/Kids\[\d+ 0 R) \d+ 0 R/, "$1 98 0 R"),
    { texts: ["The first page."], truncated: true },
  ],
])("a PDF %s gives the text that can be read", async (_, text, expected) => {
  expect(await read(text)).toEqual({ truncated: undefined, ...expected });
});
