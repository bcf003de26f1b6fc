import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { readContent } from "../../src/endpoints/shared/read-content";
import { writeText } from "../../src/html/text/text";
import { makeCjkPdf } from "../support/cjk-pdf";

/** Returns the codes of a text in UTF-16, in hexadecimal. */
const utf16 = (text: string) =>
  Array.from({ length: text.length }, (_, i) => text.charCodeAt(i).toString(16).padStart(4, "0")).join("");

async function read(pdf: Uint8Array, assets: Pick<Env, "ASSETS"> = env) {
  const content = await readContent(
    { url: "https://example.com/a.pdf", status: 200, contentType: "application/pdf", body: pdf, disposition: null },
    { env: assets, signal: new AbortController().signal, beforeReading: async () => {} },
  );
  if (content.kind !== "document") throw new Error("The PDF wasn't recognized.");
  return content.document;
}

const JAPANESE = "港の図書館は夏も開いています。";

it.each([
  ["Japanese", "UniJIS-UTF16-H", "Japan1", utf16(JAPANESE), JAPANESE],
  ["Japanese in Shift_JIS", "90ms-RKSJ-H", "Japan1", "8d6082cc907d8f918ad9", "港の図書館"],
  ["Japanese in vertical lines", "UniJIS-UTF16-V", "Japan1", utf16("港の図書館"), "港の図書館"],
  ["Chinese", "UniGB-UTF16-H", "GB1", utf16("港口图书馆每天开放"), "港口图书馆每天开放"],
  ["Chinese in GBK", "GBK-EUC-H", "GB1", "b8dbbfda", "港口"],
  ["traditional Chinese", "UniCNS-UTF16-H", "CNS1", utf16("港口圖書館每天開放"), "港口圖書館每天開放"],
  ["Korean", "UniKS-UTF16-H", "Korea1", utf16("항구 도서관"), "항구 도서관"],
  ["Korean in UHC", "KSCms-UHC-H", "Korea1", "c7d7b1b8", "항구"],
])("reads a PDF with a predefined character map for %s", async (_, cmap, ordering, hex, text) => {
  const document = await read(makeCjkPdf({ cmap, ordering, hex }));
  expect(writeText(document.blocks).trim().replaceAll("\n", "")).toBe(text);
  expect(document).not.toHaveProperty("truncated");
});

it("says that a PDF is incomplete if its character map can't be loaded", async () => {
  const pdf = makeCjkPdf({ cmap: "UniJIS-UTF16-H", ordering: "Japan1", hex: utf16(JAPANESE) });
  const notFound = { ASSETS: { ...env.ASSETS, fetch: async () => new Response("", { status: 404 }) } as Fetcher };
  expect(await read(pdf, notFound)).toMatchObject({ truncated: true, blocks: [] });
});
