import { exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { sleep } from "../../src/lib/clock";
import { PdfBudget, type PdfLimits } from "../../src/pdf/budget";
import { readPdf } from "../../src/pdf/read";
import { ORIGIN } from "../support/client";
import { hostilePdfs } from "../support/hostile-pdfs";
import { makePdf } from "../support/pdf";
import { pdfs } from "../support/pdfs";

const MEGABYTE = 1024 * 1024;
const noAbort = new AbortController().signal;

const STREAM = "A stream of the PDF needs more than 32 MB of memory.";
const TOTAL = "The PDF needs more than 128 MB of memory.";
const PART = "The PDF is too complex: a part of it takes more than 50 million steps.";
const LOWER_PART = "The PDF is too complex: a part of it takes more than 20 million steps.";
const STEPS = "The PDF is too complex: reading it takes more than 20 million steps.";
const TIME = "Reading the PDF takes more than 10 seconds.";
const TEXT = "The PDF has more than 25000 pieces of text.";
const FORMS = "forms that draw each other 2^40 times";

/** For PDFs that take seconds to exceed the limits of production. */
const LOWER_LIMITS: Record<string, Partial<PdfLimits>> = {
  [FORMS]: { steps: 20_000_000 },
  "a million lines": { pieces: 25_000 },
  "400,000 links": { stepsBetweenPauses: 20_000_000 },
};

describe("a hostile PDF is target_too_large and names the budget", () => {
  it.each(Object.entries(hostilePdfs))("%s", async (name, make) => {
    const budget = new PdfBudget(LOWER_LIMITS[name]);
    const error = await readPdf(make(), noAbort, budget).catch((cause) => cause);
    expect(error).toMatchObject({ code: "target_too_large" });
    expect([STREAM, TOTAL, PART, LOWER_PART, STEPS, TIME, TEXT]).toContain(error.message);
    expect(budget.bytes).toBeLessThanOrEqual(128 * MEGABYTE);
  });
});

describe("a limit", () => {
  const cases: [Partial<PdfLimits>, string][] = [
    [{ steps: 5_000_000 }, "The PDF is too complex: reading it takes more than 5 million steps."],
    [{ stepsBetweenPauses: 1_000_000 }, "The PDF is too complex: a part of it takes more than 1 million steps."],
    [{ processingMs: 50 }, "Reading the PDF takes more than 0.05 seconds."],
    [{ pieces: 1_000 }, "The PDF has more than 1000 pieces of text."],
    [{ chars: 1_000 }, "The PDF has more than 1000 characters of text."],
  ];
  it.each(cases)("of %o ends the reading", async (limits, message) => {
    const reading = readPdf(hostilePdfs[FORMS](), noAbort, new PdfBudget(limits));
    await expect(reading).rejects.toMatchObject({ code: "target_too_large", message });
  });

  it("stops pdf.js", async () => {
    let calls = 0;
    class CountingBudget extends PdfBudget {
      override spend(steps: number): void {
        calls++;
        super.spend(steps);
      }
    }
    const reading = readPdf(hostilePdfs[FORMS](), noAbort, new CountingBudget({ steps: 1_000_000 }));
    await expect(reading).rejects.toMatchObject({ code: "target_too_large" });
    await sleep(20);
    const callsAtEnd = calls;
    await sleep(100);
    expect(calls).toBe(callsAtEnd);
  });
});

// pdf.js makes promises before it attaches handlers to them. These limits are exceeded at many places, also in between.
describe("no promise rejects without a handler, wherever a limit is exceeded", () => {
  const limits: Partial<PdfLimits>[] = [
    ...Array.from({ length: 16 }, (_, i) => ({ steps: 3_500 * (i + 1) })),
    ...Array.from({ length: 6 }, (_, i) => ({ steps: 60_000 * 2 ** i })),
    ...Array.from({ length: 6 }, (_, i) => ({ totalBytes: 8 ** (i + 2), steps: 1_000_000 })),
  ];
  // `forms` is one of the hostile PDFs.
  const { forms: _, ...others } = pdfs;
  const ordinary = Object.entries(others).map(([kind, bytes]): [string, () => Uint8Array] => [kind, () => bytes]);

  it.each([...Object.entries(hostilePdfs), ...ordinary])("%s", async (_, make) => {
    const bytes = make();
    const unhandled: unknown[] = [];
    const onUnhandled = (event: PromiseRejectionEvent) => unhandled.push(event.reason);
    globalThis.addEventListener("unhandledrejection", onUnhandled);
    let exceeded = 0;
    for (const limit of limits) {
      const error = await readPdf(toCopy(bytes), noAbort, new PdfBudget(limit)).catch((cause) => cause);
      if (error.code === "target_too_large") exceeded++;
      // The event is fired after the microtasks.
      await sleep(0);
    }
    globalThis.removeEventListener("unhandledrejection", onUnhandled);
    expect(unhandled).toEqual([]);
    expect(exceeded).toBeGreaterThan(0);
  });
});

describe("a budget", () => {
  it("isn't shared with another PDF that is read meanwhile", async () => {
    const hostile = readPdf(hostilePdfs[FORMS](), noAbort, new PdfBudget({ steps: 10_000_000 }));
    const reports = Array.from({ length: 10 }, () => readPdf(toCopy(pdfs.report), noAbort));
    for (const { metadata } of await Promise.all(reports)) expect(metadata.title).toBe("Report of the harbour");
    await expect(hostile).rejects.toMatchObject({ code: "target_too_large" });
  });

  it("is needed for pdf.js to run", async () => {
    const { getDocument } = await import("../../src/pdf/pdfjs.generated.mjs");
    const getDocuments = () => {
      // pdf.js asks the budget once per 1,000 steps.
      for (let i = 0; i < 1_000; i++) getDocument({ data: toCopy(pdfs.report) });
    };
    expect(getDocuments).toThrow("pdf.js ran outside of PdfBudget.run.");
  });

  it("counts the buffers of ordinary streams", async () => {
    const budget = new PdfBudget();
    await readPdf(toCopy(pdfs.report), noAbort, budget);
    expect(budget.bytes).toBeGreaterThan(0);
    expect(budget.bytes).toBeLessThan(MEGABYTE);
  });
});

it("answers other requests while a hostile PDF is read", async () => {
  const getHealth = () => exports.default.fetch(`${ORIGIN}/health`);
  // The first request loads the Worker.
  await getHealth();
  let isDone = false;
  const reading = readPdf(hostilePdfs[FORMS](), noAbort, new PdfBudget({ steps: 30_000_000 }))
    .catch((cause) => cause)
    .finally(() => {
      isDone = true;
    });
  let answered = 0;
  for (; !isDone; answered++) {
    expect((await getHealth()).status).toBe(200);
    // A test's request doesn't leave the task. The reading continues in the next task.
    await sleep(0);
  }
  expect(await reading).toMatchObject({ code: "target_too_large" });
  expect(answered).toBeGreaterThan(10);
});

it("cuts the title, and leaves out addresses that are too long to request", async () => {
  const info = { Title: "t".repeat(5_000) };
  const link = `https://example.com/${"a".repeat(3_000)}`;
  const pdf = makePdf([[{ text: "A page.", y: 700, size: 12 }]], { info, link });
  const { metadata, links } = await readPdf(pdf, noAbort);
  expect([metadata.title?.length, links]).toEqual([1_000, []]);
});

/** pdf.js takes the bytes that it reads. */
function toCopy(bytes: Uint8Array | undefined): Uint8Array {
  return new Uint8Array(bytes ?? []);
}
