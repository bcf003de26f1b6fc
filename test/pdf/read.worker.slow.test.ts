import { exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { sleep } from "../../src/lib/clock";
import { PdfBudget, type PdfLimits } from "../../src/pdf/budget";
import { isPdf, readPdf } from "../../src/pdf/read";
import { ORIGIN } from "../support/client";
import { hostilePdfs } from "../support/hostile-pdfs";
import { makePdf } from "../support/pdf";
import { pdfs } from "../support/pdfs";

const MEGABYTE = 1024 * 1024;
const noAbort = { signal: new AbortController().signal };

const LIMIT_MESSAGE =
  /^(?:(?:A stream of the|The) PDF needs more than \d+ MB of memory|The PDF is too complex: reading (?:it|one part of it) takes more than \d+ million steps)\.$/;
const FORMS = "forms that draw each other 2^40 times";

/** The PDFs with text. Some of them have lower limits, because exceeding the default limits would take seconds. */
const LOWER_LIMITS: Record<string, Partial<PdfLimits>> = {
  [FORMS]: { steps: 20_000_000 },
  "a million lines": { steps: 30_000_000 },
  "400,000 links": {},
  "a million rulings": {},
  "a million letters": { steps: 30_000_000 },
  "a table of a million cells": { steps: 30_000_000 },
  "200,000 bookmarks": {},
  "10,000 pages": { steps: 30_000_000 },
};

it.each([
  ["%PDF-1.7", "text/html", true],
  ["HTTP noise\n%PDF-1.7", "application/pdf", true],
  ["HTTP noise\n%PDF-1.7", "application/octet-stream", true],
  ["HTTP noise\n%PDF-1.7", "text/html", false],
  [`${" ".repeat(1_024)}%PDF-1.7`, "application/pdf", false],
])("a file that begins with %j and has the type %s is a PDF: %s", (text, type, expected) => {
  expect(isPdf(new TextEncoder().encode(text), type)).toBe(expected);
});

describe("a hostile PDF is read within the budget, cut, or refused with the name of the limit", () => {
  it.each(Object.entries(hostilePdfs))("%s", async (name, make) => {
    const budget = new PdfBudget(LOWER_LIMITS[name]);
    const result = await readPdf(make(), { ...noAbort, budget }).catch((cause) => cause);
    if (result instanceof Error) {
      expect(result).toMatchObject({ code: "target_too_large", message: expect.stringMatching(LIMIT_MESSAGE) });
    } else {
      expect(Object.keys(LOWER_LIMITS)).toContain(name);
      expect(result.blocks).not.toEqual([]);
      expect([result.truncated, budget.isUsedUp]).not.toEqual([undefined, true]);
    }
    expect(budget.bytes).toBeLessThanOrEqual(128 * MEGABYTE);
  });
});

describe("a limit", () => {
  it.each<Partial<PdfLimits>>([{ steps: 5_000_000 }, { stepsBetweenPauses: 1_000_000 }, { chars: 1_000 }])(
    "of %o ends the reading",
    async (limits) => {
      const { truncated, blocks } = await readPdf(hostilePdfs[FORMS](), { ...noAbort, budget: new PdfBudget(limits) });
      expect(truncated).toBe(true);
      expect(JSON.stringify(blocks).length).toBeGreaterThan(100);
    },
  );

  it("isn't exceeded by an ordinary document", async () => {
    expect(await readPdf(toCopy(pdfs.report), noAbort)).not.toHaveProperty("truncated");
  });

  it("stops pdf.js", async () => {
    let calls = 0;
    class CountingBudget extends PdfBudget {
      override spend(steps: number): void {
        calls++;
        super.spend(steps);
      }
    }
    const reading = readPdf(hostilePdfs[FORMS](), { ...noAbort, budget: new CountingBudget({ steps: 1_000_000 }) });
    await expect(reading).resolves.toMatchObject({ truncated: true });
    await sleep(20);
    const callsAtEnd = calls;
    await sleep(100);
    expect(calls).toBe(callsAtEnd);
  });
});

// pdf.js creates promises before it attaches handlers to them. An error in between would be an unhandled rejection.
// Therefore these tests exceed the limits at many different points.
describe("causes no unhandled rejection, wherever a limit is exceeded", () => {
  const limits: Partial<PdfLimits>[] = [
    ...Array.from({ length: 16 }, (_, i) => ({ steps: 3_500 * (i + 1) })),
    ...Array.from({ length: 6 }, (_, i) => ({ steps: 60_000 * 2 ** i })),
    ...Array.from({ length: 6 }, (_, i) => ({ totalBytes: 8 ** (i + 2), steps: 1_000_000 })),
  ];
  // Omits `forms`, because it exceeds the limits and is already in `hostilePdfs`.
  const { forms: _, ...others } = pdfs;
  const ordinary = Object.entries(others).map(([kind, bytes]): [string, () => Uint8Array] => [kind, () => bytes]);

  it.each([...Object.entries(hostilePdfs), ...ordinary])("%s", async (_, make) => {
    const bytes = make();
    const unhandled: unknown[] = [];
    const onUnhandled = (event: PromiseRejectionEvent) => unhandled.push(event.reason);
    globalThis.addEventListener("unhandledrejection", onUnhandled);
    let exceeded = 0;
    for (const limit of limits) {
      const error = await readPdf(toCopy(bytes), { ...noAbort, budget: new PdfBudget(limit) }).catch((cause) => cause);
      if (error.code === "target_too_large" || error.truncated) exceeded++;
      // Waits for the next task, because the `unhandledrejection` event is fired only after the microtasks.
      await sleep(0);
    }
    globalThis.removeEventListener("unhandledrejection", onUnhandled);
    expect(unhandled).toEqual([]);
    expect(exceeded).toBeGreaterThan(0);
  });
});

describe("a budget", () => {
  it("isn't shared with a PDF that is read at the same time", async () => {
    const hostile = readPdf(hostilePdfs[FORMS](), { ...noAbort, budget: new PdfBudget({ steps: 10_000_000 }) });
    const reports = Array.from({ length: 10 }, () => readPdf(toCopy(pdfs.report), noAbort));
    for (const { metadata } of await Promise.all(reports)) expect(metadata.title).toBe("Report of the harbour");
    await expect(hostile).resolves.toMatchObject({ truncated: true });
  });

  it("is required to run pdf.js", async () => {
    const { getDocument } = await import("../../src/pdf/pdfjs.generated.mjs");
    const getDocuments = () => {
      // Repeats the call, because pdf.js calls the budget only once per 1,000 steps.
      for (let i = 0; i < 1_000; i++) getDocument({ data: toCopy(pdfs.report) });
    };
    expect(getDocuments).toThrow("pdf.js ran outside of PdfBudget.run.");
  });

  it("counts the buffers of ordinary streams", async () => {
    const budget = new PdfBudget();
    await readPdf(toCopy(pdfs.report), { ...noAbort, budget });
    expect(budget.bytes).toBeGreaterThan(0);
    expect(budget.bytes).toBeLessThan(MEGABYTE);
  });
});

it("handles other requests while a hostile PDF is read", async () => {
  const getHealth = () => exports.default.fetch(`${ORIGIN}/health`);
  // The first request takes longer, because it loads the Worker.
  await getHealth();
  let isDone = false;
  const reading = readPdf(hostilePdfs[FORMS](), { ...noAbort, budget: new PdfBudget({ steps: 30_000_000 }) }).finally(
    () => {
      isDone = true;
    },
  );
  let responses = 0;
  for (; !isDone; responses++) {
    expect((await getHealth()).status).toBe(200);
    // Waits for the next task. Only then can the reading of the PDF continue.
    await sleep(0);
  }
  expect(await reading).toMatchObject({ truncated: true });
  expect(responses).toBeGreaterThan(10);
});

it("has the metadata of its information dictionary", async () => {
  const info = {
    ...{ Title: " A report ", Subject: "Boats", Author: "Ida Moen", Keywords: "boats" },
    ...{ CreationDate: "D:20240506070809+02'00'", ModDate: "D:2025" },
  };
  const { metadata } = await readPdf(makePdf([[{ text: "A page.", y: 700 }]], { info }), noAbort);
  expect(metadata).toMatchObject({
    ...{ title: "A report", description: "Boats", author: "Ida Moen" },
    ...{ published_time: "2024-05-06T05:08:09.000Z", modified_time: "2025-01-01T00:00:00.000Z" },
  });
});

it.each([
  ["D:20240506070809Z", "2024-05-06T07:08:09.000Z"],
  ["D:20240506070809-0130", "2024-05-06T08:38:09.000Z"],
  ["D:20240506070809+02", "2024-05-06T05:08:09.000Z"],
  ["D:202405060708", "2024-05-06T07:08:00.000Z"],
  ["D:2024050607", "2024-05-06T07:00:00.000Z"],
  ["D:20240506", "2024-05-06T00:00:00.000Z"],
  ["D:202405", "2024-05-01T00:00:00.000Z"],
  ["D:20241399", undefined],
  ["2024", undefined],
])("reads the date %s as %s", async (date, expected) => {
  const pdf = makePdf([[{ text: "A page.", y: 700 }]], { info: { ModDate: date } });
  expect((await readPdf(pdf, noAbort)).metadata.modified_time).toBe(expected);
});

it("cuts a long title and leaves out URLs over the limit", async () => {
  const info = { Title: "t".repeat(5_000) };
  const link = `https://example.com/${"a".repeat(3_000)}`;
  const pdf = makePdf([[{ text: "A page.", y: 700, size: 12 }]], { info, link });
  const { metadata, links } = await readPdf(pdf, noAbort);
  expect([metadata.title?.length, links]).toEqual([1_000, []]);
});

/** Returns a copy of the bytes, because pdf.js takes ownership of the bytes that it gets. */
function toCopy(bytes: Uint8Array | undefined): Uint8Array {
  return new Uint8Array(bytes ?? []);
}
