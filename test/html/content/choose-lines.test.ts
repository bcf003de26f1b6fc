import { expect, it } from "vitest";
import { chooseLines } from "../../../src/html/content/choose-lines";
import type { LineGroup } from "../../../src/html/content/page-facts";
import { readRegions } from "../../../src/html/main-content/regions";
import { bodyOf } from "../../../src/html/parse/document";
import { openPage } from "../../../src/html/visible-page";

const { document } = openPage("<ul><li>one<li>two<li>three<li>four<li>five<li>six</ul>");
const page = readRegions(bodyOf(document), new Set());

function group(): LineGroup {
  return { size: 6, words: 1, linkShare: 0, proseShare: 0, variety: 1 };
}

function chosen(groups: LineGroup[], likelihoods: number[]): string[] {
  const flags = chooseLines({ page, dataTables: new Set(), groups }, Float64Array.from(likelihoods));
  return page.lines.filter((line) => flags[line.index]).map(({ text }) => text);
}

it("keeps a single unlikely line between likely lines of its group", () => {
  const groups = Array<LineGroup>(6).fill(group());
  expect(chosen(groups, [0.9, 0.4, 0.9, 0.4, 0.4, 0.9])).toEqual(["one", "two", "three", "six"]);
});

it("drops an unlikely line between lines of another group", () => {
  const [items, ads] = [group(), group()];
  expect(chosen([items, ads, items, items, items, items], [0.9, 0.4, 0.9, 0.9, 0.9, 0.9])).not.toContain("two");
});
