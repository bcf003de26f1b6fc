import { describe, expect, it } from "vitest";
import { PdfBudget } from "../../src/pdf/budget";
import { readPdf } from "../../src/pdf/read";
import { createClient, page, read } from "../support/client";
import { hostilePdfs } from "../support/hostile-pdfs";
import { pdfs } from "../support/pdfs";

const MEGABYTE = 1024 * 1024;
const noAbort = new AbortController().signal;

const STREAM = "A stream of the PDF takes more than 32 MB to decode.";
const TOTAL = "The PDF takes more than 128 MB to decode.";
const PART = "A part of the PDF takes more than 50 million steps to read.";
const STEPS = "Reading the PDF takes more than 500 million steps.";
const TIME = "Reading the PDF takes more than 10 seconds.";
const TEXT = "The PDF has more than 250000 pieces of text.";

describe("a hostile PDF is target_too_large and names the budget", () => {
  it.each(Object.entries(hostilePdfs))("%s", async (_, make) => {
    const budget = new PdfBudget();
    const error = await readPdf(make(), noAbort, budget).catch((cause) => cause);
    expect(error).toMatchObject({ code: "target_too_large" });
    expect([STREAM, TOTAL, PART, STEPS, TIME, TEXT]).toContain(error.message);
    expect(budget.bytes).toBeLessThanOrEqual(128 * MEGABYTE);
  });
});

describe("a budget", () => {
  it("isn't shared with another PDF that is read meanwhile", async () => {
    const hostile = readPdf(hostilePdfs["forms that draw each other 2^40 times"](), noAbort);
    const reports = Array.from({ length: 10 }, () => readPdf(toCopy(pdfs.report), noAbort));
    for (const { metadata } of await Promise.all(reports)) expect(metadata.title).toBe("Report of the harbour");
    await expect(hostile).rejects.toMatchObject({ code: "target_too_large" });
  });

  it("is needed for pdf.js to run", async () => {
    const { getDocument } = await import("../../src/pdf/pdfjs.generated.mjs");
    expect(() => getDocument({ data: toCopy(pdfs.report) })).toThrow("pdf.js ran outside of a budget");
  });

  it("counts the buffers of ordinary streams", async () => {
    const budget = new PdfBudget();
    await readPdf(toCopy(pdfs.report), noAbort, budget);
    expect(budget.bytes).toBeGreaterThan(0);
    expect(budget.bytes).toBeLessThan(MEGABYTE);
  });
});

it("answers other requests while a hostile PDF is read", async () => {
  const client = await createClient();
  let isDone = false;
  const scraped = client.scrape({ url: `${page("pdf")}?kind=forms`, formats: ["text"] }).finally(() => {
    isDone = true;
  });
  let answered = 0;
  for (; !isDone; answered++) {
    expect((await client.call("GET", "/health")).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve));
  }
  expect((await read(await scraped)).error).toMatchObject({ code: "target_too_large" });
  expect(answered).toBeGreaterThan(10);
});

/** pdf.js takes the bytes that it reads. */
function toCopy(bytes: Uint8Array | undefined): Uint8Array {
  return new Uint8Array(bytes ?? []);
}
