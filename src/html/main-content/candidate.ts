import type { Draft } from "./draft";
import type { Block } from "./outline";
import { isLeaf, scoreBlocks } from "./scoring";

const TOP_CANDIDATES = 5;
/** So many of the top candidates, nearly as good as the best, make their common ancestor the better choice. */
const MIN_RIVALS = 3;
const RIVAL_SHARE = 0.75;
/** Of the best score: what a sibling needs to belong to the content. */
const SIBLING_SHARE = 0.2;
const MIN_SIBLING_SCORE = 10;
const MIN_SIBLING_CHARS = 80;
const MAX_SIBLING_LINK_DENSITY = 0.25;

/** The block with the best score and its siblings that belong to it, in document order. After Mozilla's Readability. */
export function bestCandidate(draft: Draft): Block[] {
  const scores = scoreBlocks(draft);
  const ranked = [...scores].sort(([, a], [, b]) => b - a).slice(0, TOP_CANDIDATES);
  const [first] = ranked;
  if (!first) return [];
  const { root } = draft.page;
  if (first[0] === root) return [root];
  const top = onlyChildren(betterParent(commonAncestor(ranked, root), scores, root), root);
  return withSiblings(top, scores, draft);
}

function commonAncestor(ranked: readonly [Block, number][], root: Block): Block {
  const [[top, best] = [root, 0], ...others] = ranked;
  const rivals = others
    .filter(([, score]) => score >= RIVAL_SHARE * best)
    .map(([block]) => new Set(ancestorsOf(block)));
  const shared = ancestorsOf(top).find(
    (ancestor) => ancestor !== root && rivals.filter((ancestors) => ancestors.has(ancestor)).length >= MIN_RIVALS,
  );
  return shared ?? top;
}

/** A parent that scores more than its child has found content beside it. */
function betterParent(top: Block, scores: ReadonlyMap<Block, number>, root: Block): Block {
  let last = scores.get(top) ?? 0;
  const threshold = last / 3;
  for (let parent = top.parent; parent && parent !== root; parent = parent.parent) {
    const score = scores.get(parent);
    if (score === undefined) continue;
    if (score < threshold) break;
    if (score > last) return parent;
    last = score;
  }
  return top;
}

function onlyChildren(block: Block, root: Block): Block {
  let top = block;
  while (top.parent && top.parent !== root && top.parent.children.length === 1) top = top.parent;
  return top;
}

function withSiblings(top: Block, scores: ReadonlyMap<Block, number>, draft: Draft): Block[] {
  const best = scores.get(top) ?? 0;
  const name = top.element.attribs.class ?? "";
  const siblings = top.parent?.children ?? [top];
  return siblings.filter((sibling) => {
    if (sibling === top) return true;
    const bonus = name !== "" && sibling.element.attribs.class === name ? SIBLING_SHARE * best : 0;
    const score = scores.get(sibling);
    if (score !== undefined && score + bonus >= Math.max(MIN_SIBLING_SCORE, SIBLING_SHARE * best)) return true;
    if (!isLeaf(sibling) || sibling.element.name === "h2") return false;
    return draft.length(sibling) > MIN_SIBLING_CHARS && draft.linkDensity(sibling) < MAX_SIBLING_LINK_DENSITY;
  });
}

function ancestorsOf(block: Block): Block[] {
  const ancestors: Block[] = [];
  for (let at = block.parent; at; at = at.parent) ancestors.push(at);
  return ancestors;
}
