import { describe, expect, it } from "vitest";
import { allocate, isPauseDue, PdfBudget, pause, spend } from "../../src/pdf/budget";

const MB = 1024 * 1024;

describe("the budget of a PDF", () => {
  it.each<[string, number, number, (budget: PdfBudget, amount: number) => void, string]>([
    ["steps", 100, 101, (budget, amount) => budget.spend(amount), "reading it takes more than 0.0001 million steps."],
    [
      "stepsBetweenPauses",
      100,
      101,
      (budget, amount) => budget.spend(amount),
      "reading one part of it takes more than 0.0001 million steps.",
    ],
    [
      "bufferBytes",
      MB,
      MB + 1,
      (budget, amount) => budget.allocate(amount),
      "A stream of the PDF needs more than 1 MB",
    ],
    ["totalBytes", MB, MB + 1, (budget, amount) => budget.allocate(amount), "The PDF needs more than 1 MB of memory."],
    ["chars", 10, 11, (budget, amount) => budget.addText("x".repeat(amount)), "more than 10 characters of text."],
  ])("allows the limit of %s and no more", (name, limit, more, use, message) => {
    use(new PdfBudget({ [name]: limit }), limit);
    expect(() => use(new PdfBudget({ [name]: limit }), more)).toThrow(
      expect.objectContaining({ code: "target_too_large", message: expect.stringContaining(message) }),
    );
  });

  it("adds up the steps and the bytes", () => {
    const budget = new PdfBudget({ steps: 10, totalBytes: 10 });
    budget.spend(6);
    budget.allocate(6);
    expect(budget.bytes).toBe(6);
    expect(() => budget.addText("")).toThrow("million steps");
    expect(() => new PdfBudget({ totalBytes: 10 }).allocate(11)).toThrow("of memory");
    const other = new PdfBudget({ steps: 10 });
    other.spend(6);
    expect(() => other.spend(6)).toThrow("million steps");
    const third = new PdfBudget({ totalBytes: 10 });
    third.allocate(6);
    expect(() => third.allocate(6)).toThrow("of memory");
    expect(third.bytes).toBe(6);
  });

  it("ends permanently with the first error, even if the work ignores it", async () => {
    const budget = new PdfBudget({ steps: 10, bufferBytes: 10 });
    const work = budget.run(async () => {
      try {
        spend(11);
      } catch {
        // pdf.js ignores the error too.
      }
      return "a result";
    });
    await expect(work).rejects.toThrow("million steps");
    expect(() => budget.allocate(1)).toThrow("million steps");
    expect(() => budget.allocate(11)).toThrow("million steps");
    expect(() => budget.spend(0)).toThrow("million steps");
    await expect(budget.run(async () => "another result")).rejects.toThrow("million steps");
  });

  it("ends work that never ends itself", async () => {
    const budget = new PdfBudget({ chars: 1 });
    const work = budget.run(() => new Promise<never>(() => undefined));
    expect(() => budget.addText("xx")).toThrow("characters");
    await expect(work).rejects.toThrow("characters");
  });

  it("is the one in which pdf.js runs", async () => {
    const [one, two] = [new PdfBudget(), new PdfBudget()];
    await Promise.all([one.run(async () => allocate(3, 4)), two.run(async () => allocate([1, 2], 8))]);
    expect([one.bytes, two.bytes]).toEqual([12, 16]);
    expect(() => spend(1)).toThrow("outside of PdfBudget.run");
    expect(() => isPauseDue()).toThrow("outside of PdfBudget.run");
  });

  it.each<[unknown, number]>([
    [8, 32],
    [[1, 2, 3], 12],
    [new Uint8Array(5), 20],
    [new ArrayBuffer(100), 0],
    [undefined, 0],
    [0, 0],
    [-1, 0],
    [{ length: "4" }, 0],
  ])("counts the bytes of a new array from %o", async (argument, bytes) => {
    const budget = new PdfBudget();
    expect(await budget.run(async () => [allocate(argument, 4)])).toEqual([argument]);
    expect(budget.bytes).toBe(bytes);
  });

  it("is due for a pause after two million steps, and counts from 0 after it", async () => {
    const budget = new PdfBudget({ stepsBetweenPauses: 2_500_000 });
    await budget.run(async () => {
      spend(1_999_999);
      expect(isPauseDue()).toBe(false);
      await pause();
      spend(1);
      expect(isPauseDue()).toBe(true);
      await pause();
      expect(isPauseDue()).toBe(false);
      spend(2_500_000);
    });
    expect(budget.isPauseDue).toBe(true);
  });
});
