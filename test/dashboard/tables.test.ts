import { describe, expect, it } from "vitest";
import { readTables } from "../../src/dashboard/result-view/result-tables";

describe("the tables of a result", () => {
  it("has the search results, with a column for each member", async () => {
    const organic = [
      { position: 1, title: "One", url: "https://a.example/" },
      { position: 2, title: "Two", snippet: null },
    ];
    expect(await readTables("serp", { organic, total_results: 2 })).toEqual([
      {
        name: "Results",
        header: ["position", "title", "url", "snippet"],
        rows: [
          ["1", "One", "https://a.example/", ""],
          ["2", "Two", "", ""],
        ],
      },
    ]);
    expect(await readTables("serp", { organic: [] })).toEqual([]);
  });

  it("has the links and the tables of a scraped page, as plain text", async () => {
    const markdown = `# T

| Name | **Price** |
| --- | --: |
| [Lamp](https://a.example/) &amp; shade | 3<br>4 |

- in a list:

  | a | b |
  | - | - |
  | \`x\` | |
`;
    expect(await readTables("scrape", { markdown, links: [{ url: "https://b.example/", text: "B" }] })).toEqual([
      { name: "Links", header: ["url", "text"], rows: [["https://b.example/", "B"]] },
      { name: "Table 1", header: ["Name", "Price"], rows: [["Lamp & shade", "3\n4"]] },
      { name: "Table 2", header: ["a", "b"], rows: [["x", ""]] },
    ]);
    expect(await readTables("scrape", { markdown: "No table | here.", html: "<table>" })).toEqual([]);
  });

  it("has all tables of a long page, however long a table is", async () => {
    const long = `| c | d |\n| - | - |\n${"| long | [row](https://a.example/) |\n".repeat(20_000)}`;
    const words = `${"Some words about lamps. ".repeat(40)}\n\n`.repeat(100);
    const small = Array.from({ length: 30 }, (_, i) => `| n | v |\n| - | - |\n| ${i} | **x** |\n\n${words}`);
    const tables = await readTables("scrape", { markdown: [long, ...small].join("\n\n") });
    expect(tables.map(({ name, rows }) => [name, rows.length])).toEqual([
      ["Table 1", 20_000],
      ...small.map((_, i) => [`Table ${i + 2}`, 1]),
    ]);
    expect(tables[0]?.rows.at(-1)).toEqual(["long", "row"]);
    expect(tables.slice(1).map(({ rows }) => rows[0])).toEqual(small.map((_, i) => [String(i), "x"]));
  });

  it("doesn't have tables in code", async () => {
    const table = "| a | b |\n| - | - |\n| 1 | 2 |";
    const markdown = `\`\`\`\`md\n${table}\n\nText\n\n\`\`\`\n\n${table}\n\`\`\`\`\n\n| c | d |\n| - | - |\n| 3 | 4 |`;
    expect((await readTables("scrape", { markdown })).map(({ header }) => header)).toEqual([["c", "d"]]);
  });

  it.each([
    ["false tables", "a | b\n- | -x\n\n| - |\n".repeat(40_000)],
    ["punctuation", `| a | b |\n| - | - |\n${`| ${"*_a".repeat(300)} | b |\n`.repeat(500)}`],
    ["an endless list", `${"- a\n\n  | - | - |\n\n".repeat(20_000)}`],
    ["an endless line", `| - | - | ${"[".repeat(500_000)}`],
    ["deep quotes", `${"> ".repeat(50_000)}| - | - |\n`.repeat(3)],
  ])("are read in bounded time from %s", { timeout: 60_000 }, async (_, markdown) => {
    expect(Array.isArray(await readTables("scrape", { markdown }))).toBe(true);
  });

  it("has each list of objects of extracted data, or the data as one row", async () => {
    const items = [{ name: "Lamp", tags: ["a", "b"] }];
    expect(await readTables("parse", { title: "T", items, none: [], words: ["a"] })).toEqual([
      { name: "items", header: ["name", "tags"], rows: [["Lamp", '["a","b"]']] },
    ]);
    expect(await readTables("parse", { name: "Lamp", price: 3, sold: false })).toEqual([
      { name: "Data", header: ["name", "price", "sold"], rows: [["Lamp", "3", "false"]] },
    ]);
    expect(await readTables("parse", {})).toEqual([]);
  });
});
