import { isDataTable } from "./data-tables";
import type { Draft } from "./draft";
import { type Block, isLinkLine } from "./outline";

const MIN_CARDS = 3;
const MAX_CARD_WORDS = 80;
const CARDS = /^(?:a|article|div|li|section|td|dl)$/;

/** Teasers: boxes alike, side by side, each a few words with a link as its title. */
export function findCards(draft: Draft, root: Block): Block[] {
  const found: Block[] = [];
  function visit(block: Block): void {
    if (isDataTable(block, draft)) return;
    const alike = new Map<string, Block[]>();
    for (const child of block.children) {
      if (!isCard(child, draft)) continue;
      const group = alike.get(kindOf(child));
      if (group) group.push(child);
      else alike.set(kindOf(child), [child]);
    }
    const cards = new Set([...alike.values()].filter((group) => group.length >= MIN_CARDS).flat());
    found.push(...cards);
    for (const child of block.children) if (!child.isEmpty && !cards.has(child)) visit(child);
  }
  visit(root);
  return found;
}

function isCard(block: Block, draft: Draft): boolean {
  if (!CARDS.test(block.element.name) || block.end - block.start < 2) return false;
  const words = draft.words(block);
  if (words === 0 || words > MAX_CARD_WORDS) return false;
  return draft.unitsIn(block).some((unit) => isLinkLine(unit) && unit.words >= 2);
}

/** The first class alone: later ones often count. */
function kindOf({ element }: Block): string {
  return `${element.name}.${(element.attribs.class ?? "").trim().split(/\s/, 1)[0]}`;
}
