import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { toFullGuide } from "../../scripts/docs-site.ts";

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
