import { chooseHeadline, type Heading } from "../page/headline";
import type { Region, RegionTree, TextLine } from "./regions";

export interface Headline extends Heading {
  region: Region;
}

/** Finds the page's headline among the visible headings. Returns null if there is none. */
export function findHeadline({ regions, lines }: RegionTree, titles: readonly string[]): Headline | null {
  const headings = regions.filter(({ element, isEmpty }) => !isEmpty && /^h[1-3]$/.test(element.name));
  return chooseHeadline(
    headings.map((region) => ({
      region,
      element: region.element,
      text: textOf(lines.slice(region.start, region.end)),
      isLate: region.start > lines.length / 2,
    })),
    titles,
  );
}

function textOf(lines: readonly TextLine[]): string {
  return lines.map(({ text }) => text).join(" ");
}
