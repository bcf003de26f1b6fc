import { expect, it } from "vitest";
import { chooseLines } from "../../../src/html/content/choose-lines";
import type { LineGroup } from "../../../src/html/content/page-facts";
import { readRegions } from "../../../src/html/main-content/regions";
import { bodyOf } from "../../../src/html/parse/document";
import { openPage } from "../../../src/html/visible-page";
import type { PageKind } from "../../../src/model/page-kinds";

const { document } = openPage("<ul><li>one<li>two<li>three<li>four<li>five<li>six</ul>");
const page = readRegions(bodyOf(document), new Set());

function group(): LineGroup {
  return { size: 6, words: 1, linkShare: 0, proseShare: 0, variety: 1 };
}

function chosen(groups: LineGroup[], likelihoods: number[], kind: PageKind = "article"): string[] {
  const flags = chooseLines({ page, dataTables: new Set(), groups }, Float64Array.from(likelihoods), kind);
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

it("keeps lines with a lower likelihood on a page of entries", () => {
  const groups = Array.from({ length: 6 }, group);
  const likelihoods = [0.45, 0.45, 0.45, 0.35, 0.35, 0.45];
  expect(chosen(groups, likelihoods, "listing")).toEqual(["one", "two", "three", "six"]);
  expect(chosen(groups, likelihoods, "article")).toEqual([]);
});
