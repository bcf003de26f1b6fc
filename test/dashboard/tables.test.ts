import { describe, expect, it } from "vitest";
import { readTables } from "../../src/dashboard/result-view/tables";

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

  it("omits a table that is longer than the part of the Markdown that is read", async () => {
    const markdown = `| a | b |\n| - | - |\n| 1 | 2 |\n\ntext\n\n| c | d |\n| - | - |\n${"| long | row |\n".repeat(6_000)}`;
    expect((await readTables("scrape", { markdown })).map(({ header }) => header)).toEqual([["a", "b"]]);
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
