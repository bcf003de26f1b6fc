import { describe, expect, it } from "vitest";
import { formatAccounts, formatData, formatText } from "../../scripts/admin/format";

describe("the output of npm run admin", () => {
  it("has one line per value, with aligned names", () => {
    const data = { id: "a1", rate_per_minute: null, prices: { scrape: 2, parse: 3 }, scopes: ["scrape", "parse"] };
    expect(formatData(data).split("\n")).toEqual([
      "id               a1",
      "rate per minute  -",
      "prices           scrape=2, parse=3",
      "scopes           scrape, parse",
    ]);
  });

  it("has one line per record of an inner list, and an empty line between records", () => {
    expect(
      formatData([
        {
          parts: [
            { part: "store", ms: 1 },
            { part: "queues", ms: { p50: 2 } },
          ],
        },
        { note: "" },
      ]),
    ).toBe("parts  part=store, ms=1\n       part=queues, ms=(p50=2)\n\nnote  -");
    expect([formatData([]), formatData({ parts: [] })]).toEqual(["none", "parts  -"]);
  });

  it("fits 100 columns, unless a word is longer", () => {
    const long = "twelve chars ".repeat(40).trim();
    for (const text of [formatData({ name: long, other: 1 }), formatText(`short  line\n${long}`)])
      for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
    expect(formatText(`short  line\n${"x".repeat(120)}`)).toBe(`short  line\n${"x".repeat(120)}`);
    const account = { id: "local", name: "n".repeat(90), plan: "pro", balance: 5, suspended_at: null };
    expect(formatAccounts([account, { ...account, suspended_at: "2026-11-01" }]).split("\n")).toEqual([
      expect.stringMatching(/^local +pro +5 {2}active +n+$/),
      expect.stringMatching(/^local .{94}$/),
    ]);
  });
});
