import { isDataTable } from "./region-kinds";
import { isLinkLine, type Region } from "./regions";
import type { Selection } from "./selection";

const MIN_CARDS = 3;
const MAX_CARD_WORDS = 80;
const NO_CARDS: ReadonlySet<Region> = new Set();
const CARD_TAGS = /^(?:a|article|div|li|section|td|dl)$/;

/**
 * Finds teasers: similar boxes in the same element that have few words and a linked title. With `sections: false`,
 * leaves out the boxes that begin sections of a text. See `isSection`.
 */
export function findCards(
  selection: Selection,
  root: Region,
  { sections = true }: { sections?: boolean } = {},
): Region[] {
  const found: Region[] = [];
  function visit(region: Region): void {
    if (isDataTable(region, selection)) return;
    const cards = cardsAmong(region.children, selection, sections);
    if (cards.size > 0) found.push(...cards);
    for (const child of region.children) if (!child.isEmpty && !cards.has(child)) visit(child);
  }
  visit(root);
  return found;
}

/** Returns the cards of each group of at least `MIN_CARDS` similar ones. */
function cardsAmong(regions: readonly Region[], selection: Selection, sections: boolean): ReadonlySet<Region> {
  const cards = regions.length < MIN_CARDS ? [] : regions.filter((region) => isCard(region, selection));
  if (cards.length < MIN_CARDS) return NO_CARDS;
  const similar = new Map<string, Region[]>();
  for (const region of cards) {
    const group = similar.get(region.kind);
    if (group) group.push(region);
    else similar.set(region.kind, [region]);
  }
  const groups = [...similar.values()].filter((group) => group.length >= MIN_CARDS);
  return new Set(
    groups.flatMap((group) => (sections ? group : group.filter((card, at) => !isSection(card, group, at, selection)))),
  );
}

/**
 * Returns true for a box that begins a section, such as the box with the name and the price of a product in a
 * comparison: it has a heading that isn't a link, and prose is between it and the boxes before and after it.
 */
function isSection(card: Region, group: readonly Region[], at: number, selection: Selection): boolean {
  const [before, after] = [group[at - 1], group[at + 1]];
  const hasProse = (start: number, end: number) => selection.prose({ start, end }) > 0;
  return (
    (before === undefined || hasProse(before.end, card.start)) &&
    (after === undefined || hasProse(card.end, after.start)) &&
    selection.linesIn(card).some((line) => line.headingLevel > 0 && !isLinkLine(line))
  );
}

function isCard(region: Region, selection: Selection): boolean {
  if (!CARD_TAGS.test(region.element.name) || region.end - region.start < 2) return false;
  const words = selection.words(region);
  if (words === 0 || words > MAX_CARD_WORDS) return false;
  return selection.linesIn(region).some((line) => isLinkLine(line) && line.words >= 2);
}
