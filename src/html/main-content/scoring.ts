import type { Draft } from "./draft";
import type { Block } from "./outline";

/** After Mozilla's Readability: what a block is worth for its element alone. */
const ELEMENT_SCORES: Readonly<Record<string, number>> = {
  div: 5,
  article: 5,
  main: 5,
  pre: 3,
  td: 3,
  blockquote: 3,
  address: -3,
  ol: -3,
  ul: -3,
  dl: -3,
  dd: -3,
  dt: -3,
  li: -3,
  form: -3,
  h1: -5,
  h2: -5,
  h3: -5,
  h4: -5,
  h5: -5,
  h6: -5,
  th: -5,
};
const POSITIVE = /article|body|content|entry|main|page|pagination|post|text|blog|story/i;
const NEGATIVE =
  /-ad-|hidden|^hid$| hid$| hid |^hid |banner|combx|comment|com-|contact|footer|gdpr|masthead|media|meta|outbrain|promo|related|scroll|share|shoutbox|sidebar|skyscraper|sponsor|shopping|tags|widget/i;
const NAME_WEIGHT = 25;
const MIN_UNIT_CHARS = 25;
const MAX_ANCESTORS = 5;
const LEAVES = /^(?:p|pre|td|div|h[2-6]|section|article|li|dd)$/;

/** How much each block looks like the one that holds the main content; those without text of their own are absent. */
export function scoreBlocks(draft: Draft): Map<Block, number> {
  const scores = new Map<Block, number>();
  for (const unit of draft.page.units) {
    if (unit.length < MIN_UNIT_CHARS || !draft.has(unit)) continue;
    const points = 2 + unit.commas + Math.min(Math.floor(unit.length / 100), 3);
    let ancestor = isLeaf(unit.block) ? unit.block.parent : unit.block;
    for (let level = 0; ancestor && level < MAX_ANCESTORS; level++) {
      const divider = level === 0 ? 1 : level === 1 ? 2 : level * 3;
      scores.set(ancestor, (scores.get(ancestor) ?? startScore(ancestor)) + points / divider);
      ancestor = ancestor.parent;
    }
  }
  for (const [block, score] of scores) scores.set(block, score * (1 - draft.linkDensity(block)));
  return scores;
}

/** Whether a block is one paragraph, without blocks inside. */
export function isLeaf(block: Block): boolean {
  return block.children.length === 0 && LEAVES.test(block.element.name);
}

function startScore({ element }: Block): number {
  const { class: classes, id } = element.attribs;
  return (ELEMENT_SCORES[element.name] ?? 0) + nameWeight(classes) + nameWeight(id);
}

function nameWeight(name: string | undefined): number {
  if (!name) return 0;
  return (POSITIVE.test(name) ? NAME_WEIGHT : 0) - (NEGATIVE.test(name) ? NAME_WEIGHT : 0);
}
