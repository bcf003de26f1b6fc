import { describe, expect, it } from "vitest";
import { type TextRun, toBlocks } from "../../src/pdf/layout";

const COUNT = 250_000;

function makeRuns(place: (i: number) => Partial<TextRun>): TextRun[] {
  return Array.from({ length: COUNT }, (_, i) => ({
    text: "words of a line",
    x: 50,
    y: 700,
    width: 80,
    size: 10,
    endsLine: true,
    ...place(i),
  }));
}

// If the layout took quadratic time, these tests would take hours.
describe("the largest allowed number of runs", () => {
  it("can form one paragraph", () => {
    const blocks = toBlocks([makeRuns((i) => ({ y: -12 * i }))]);
    expect(blocks).toHaveLength(1);
  });

  it("can form one line", () => {
    const blocks = toBlocks([makeRuns((i) => ({ x: 100 * i, endsLine: false }))]);
    expect(blocks).toHaveLength(1);
  });

  it("can have a different size each", () => {
    const blocks = toBlocks([makeRuns((i) => ({ size: 10 + i, y: -12 * i }))]);
    expect(blocks).toHaveLength(COUNT);
  });
});
