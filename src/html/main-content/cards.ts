import { isDataTable } from "./region-kinds";
import { isLinkLine, type Region } from "./regions";
import type { Selection } from "./selection";

const MIN_CARDS = 3;
const MAX_CARD_WORDS = 80;
/** The number of characters in which the first class is searched. The keys of all lines would need gigabytes otherwise. */
const MAX_CLASS_CHARS = 200;
const CARD_TAGS = /^(?:a|article|div|li|section|td|dl)$/;

/** Finds teasers: similar boxes next to each other that have few words and a linked title. */
export function findCards(selection: Selection, root: Region): Region[] {
  const found: Region[] = [];
  function visit(region: Region): void {
    if (isDataTable(region, selection)) return;
    const cards = new Set(region.children.length >= MIN_CARDS ? cardsAmong(region.children, selection) : []);
    found.push(...cards);
    for (const child of region.children) if (!child.isEmpty && !cards.has(child)) visit(child);
  }
  visit(root);
  return found;
}

/** Returns the cards of each group of at least `MIN_CARDS` similar ones. */
function cardsAmong(regions: readonly Region[], selection: Selection): Region[] {
  const similar = new Map<string, Region[]>();
  for (const region of regions) {
    if (!isCard(region, selection)) continue;
    const kind = kindOf(region);
    const group = similar.get(kind);
    if (group) group.push(region);
    else similar.set(kind, [region]);
  }
  return [...similar.values()].filter((group) => group.length >= MIN_CARDS).flat();
}

function isCard(region: Region, selection: Selection): boolean {
  if (!CARD_TAGS.test(region.element.name) || region.end - region.start < 2) return false;
  const words = selection.words(region);
  if (words === 0 || words > MAX_CARD_WORDS) return false;
  return selection.linesIn(region).some((line) => isLinkLine(line) && line.words >= 2);
}

/** Returns a key that similar boxes share. Uses only the first class, because later classes often number the boxes. */
export function kindOf({ element }: Region): string {
  return `${element.name}.${(element.attribs.class ?? "").slice(0, MAX_CLASS_CHARS).trim().split(/\s/, 1)[0]}`;
}
