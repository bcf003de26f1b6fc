import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { toFullGuide, toSiteFiles } from "../../scripts/docs-site.ts";

const readPage = (name: string) => readFileSync(join(import.meta.dirname, "../../docs", name), "utf8");

it("llms-full.txt has the pages for users, with links only to its own headings and to other sites", () => {
  const guide = toFullGuide();
  for (const name of ["api/scrape.md", "api/errors.md", "clients.md", "mcp.md"]) {
    const [title = "", ...lines] = readPage(name).trim().split("\n");
    expect(guide).toContain(`${title}\n`);
    for (const line of lines.filter((each) => !each.includes("]("))) expect(guide).toContain(line);
  }
  const headings = [...guide.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, "")
      .replaceAll(" ", "-"),
  );
  const targets = [...guide.matchAll(/\]\(([^)]*)\)/g)].map(([, target = ""]) => target);
  expect(targets.filter((each) => !/^https?:/.test(each) && !headings.includes(each.slice(1)))).toEqual([]);
});

it.each([...toSiteFiles()].filter(([name]) => /^pages\/(?:docs|changelog).*\.json$/.test(name)))(
  "%s has no id twice, so its script finds the elements that it needs",
  (_, content) => {
    const ids = [...'<main id="main">'.concat(JSON.parse(String(content)).html).matchAll(/ id="([^"]*)"/g)];
    const names = ids.map(([, id = ""]) => id);
    expect(names.filter((id, i) => names.indexOf(id) !== i)).toEqual([]);
    expect(names).toContain("docs-search-dialog");
  },
);

it("the examples get the reader's key, except on a page that sets the key itself", () => {
  const files = toSiteFiles();
  const isFilledIn = (page: string) => String(files.get(`pages/docs/${page}.json`)).includes("data-key");
  expect(["api/scrape", "api/parse"].map(isFilledIn)).toEqual([true, true]);
  // These guides need a live key, and the page only has a test key.
  expect(["guides/agent", "guides/pdf-tables"].map(isFilledIn)).toEqual([false, false]);
});
