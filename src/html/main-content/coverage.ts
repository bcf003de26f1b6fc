import { isBeside } from "./block-names";
import { findCards } from "./cards";
import { type Draft, total } from "./draft";
import type { Headline } from "./headline";
import type { Block } from "./outline";
import { MEDIA_NAMES, PICTURE_NAMES } from "./words";

/** Of the page's prose: with less, the candidate is the wrong block, or one of several. */
const MIN_COVERAGE = 0.6;
/** Of the page's prose: what the block holds that is taken instead. */
const WIDE_COVERAGE = 0.85;
/** Of the content's prose: what an ancestor must add, and how much else it may add for it. */
const MIN_GAIN = 0.1;
const MAX_WASTE = 0.3;
const MAX_LEADS = 3;
const MAX_LEAD_WORDS = 120;
const MAX_LEAD_DISTANCE_WORDS = 250;

/**
 * The second choice: where the candidate holds little of the page's prose (teasers don't count as such), the block that
 * holds most of it; else the candidate, or the ancestor that adds prose and little else.
 */
export function widen(draft: Draft, candidate: Block[]): Block[] {
  const { root } = draft.page;
  const own = draft.copy();
  for (const card of findCards(draft, root)) own.dropBlock(card);
  const covered = total(candidate, (block) => own.prose(block));
  return covered < MIN_COVERAGE * own.prose(root) ? [mostProse(own)] : climb(own, candidate);
}

function mostProse(draft: Draft): Block {
  let block = draft.page.root;
  const enough = WIDE_COVERAGE * draft.prose(block);
  for (;;) {
    const next = block.children.find((child) => draft.prose(child) >= enough);
    if (!next) return block;
    block = next;
  }
}

function climb(draft: Draft, candidate: Block[]): Block[] {
  let current = candidate;
  let prose = total(candidate, (block) => draft.prose(block));
  let length = total(candidate, (block) => draft.length(block));
  for (let at = candidate[0]?.parent ?? null; at; at = at.parent) {
    const gain = draft.prose(at) - prose;
    const waste = draft.length(at) - length - gain;
    if (gain < MIN_GAIN * prose || waste > MAX_WASTE * gain) continue;
    current = [at];
    prose += gain;
    length = draft.length(at);
  }
  return current;
}

/** With the standfirst that stands between the headline and the content. */
export function withLead(draft: Draft, content: Block[], headline: Headline | null): Block[] {
  const [first] = content;
  if (!headline || !first || first.start < headline.block.end) return content;
  const between = draft.unitsIn({ start: headline.block.end, end: first.start });
  if (between.reduce((words, unit) => words + unit.words, 0) > MAX_LEAD_DISTANCE_WORDS) return content;
  const leads = between.filter(
    (unit) => unit.isProse && unit.words <= MAX_LEAD_WORDS && !isBesideHeadline(unit.block, headline.block),
  );
  if (leads.length > MAX_LEADS) return content;
  return [...new Set(leads.map(({ block }) => block).filter((block) => block.children.length === 0)), ...content];
}

function isBesideHeadline(block: Block, headline: Block): boolean {
  for (let at: Block | null = block; at && !at.holds(headline); at = at.parent) {
    if (/^fig(?:ure|caption)$/.test(at.element.name) || isBeside(at)) return true;
    if (at.names.some((name) => PICTURE_NAMES.test(name) || MEDIA_NAMES.test(name))) return true;
  }
  return false;
}
