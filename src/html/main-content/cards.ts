import { isDataTable } from "./region-kinds";
import { isLinkLine, type Region, type TextLine } from "./regions";
import type { Selection } from "./selection";

const MIN_CARDS = 3;
const MAX_CARD_WORDS = 80;
/** The headings of sections have at most this level. */
const MAX_LEVEL = 3;
const NO_CARDS: ReadonlySet<Region> = new Set();
const CARD_TAGS = /^(?:a|article|div|li|section|td|dl)$/;

/**
 * Finds teasers: similar boxes in the same element that have few words and a linked title. With `sections: false`,
 * leaves out the boxes that begin sections of a text. See `withoutSections`.
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
  const groups = [...Map.groupBy(cards, ({ kind }) => kind).values()].filter((group) => group.length >= MIN_CARDS);
  return new Set(sections ? groups.flat() : groups.flatMap((group) => withoutSections(group, selection)));
}

/**
 * Leaves out the boxes that begin a section. For example, a comparison begins the section about each product with a box
 * that has its name and price. Such a box has a heading that isn't a link and that no other box has, and prose
 * separates it from the other boxes.
 */
function withoutSections(group: readonly Region[], selection: Selection): Region[] {
  const titles = group.map((card) => titleOf(card, selection));
  const counts = new Map<string, number>();
  for (const title of titles) if (title !== null) counts.set(title, (counts.get(title) ?? 0) + 1);
  const hasProse = (start: number, end: number) => selection.prose({ start, end }) > 0;
  return group.filter((card, at) => {
    const [before, after, title] = [group[at - 1], group[at + 1], titles[at] ?? null];
    if (title === null || counts.get(title) !== 1) return true;
    return (
      (before !== undefined && !hasProse(before.end, card.start)) ||
      (after !== undefined && !hasProse(card.end, after.start))
    );
  });
}

/** Returns the first heading of a section that isn't a link, or null. */
function titleOf(card: Region, selection: Selection): string | null {
  const isTitle = (line: TextLine) => line.headingLevel > 0 && line.headingLevel <= MAX_LEVEL && !isLinkLine(line);
  return selection.linesIn(card).find(isTitle)?.text ?? null;
}

function isCard(region: Region, selection: Selection): boolean {
  if (!CARD_TAGS.test(region.element.name) || region.end - region.start < 2) return false;
  const words = selection.words(region);
  if (words === 0 || words > MAX_CARD_WORDS) return false;
  return selection.linesIn(region).some((line) => isLinkLine(line) && line.words >= 2);
}
