import elementScores from "./element-scores.json";
import type { Region } from "./regions";
import type { Selection } from "./selection";

const TOP_CANDIDATES = 5;
/** If at least this many other candidates score nearly as much as the best one, their common ancestor is chosen. */
const MIN_RIVALS = 3;
const RIVAL_SHARE = 0.75;
/** A sibling of the best region belongs to the content if its score is at least this share of the best score. */
const SIBLING_SHARE = 0.2;
const MIN_SIBLING_SCORE = 10;
const MIN_SIBLING_CHARS = 80;
const MAX_SIBLING_LINK_DENSITY = 0.25;

/**
 * Returns the region with the best score and the siblings that belong to it, in document order. Based on Mozilla's
 * Readability.
 */
export function bestCandidate(selection: Selection): Region[] {
  const scores = scoreRegions(selection);
  const ranked = [...scores].sort(([, a], [, b]) => b - a).slice(0, TOP_CANDIDATES);
  const [first] = ranked;
  if (!first) return [];
  const { root } = selection.page;
  if (first[0] === root) return [root];
  const top = onlyChildren(betterParent(commonAncestor(ranked, root), scores, root), root);
  return withSiblings(top, scores, selection);
}

function commonAncestor(ranked: readonly [Region, number][], root: Region): Region {
  const [[top, best] = [root, 0], ...others] = ranked;
  const rivals = others
    .filter(([, score]) => score >= RIVAL_SHARE * best)
    .map(([region]) => new Set(ancestorsOf(region)));
  const shared = ancestorsOf(top).find(
    (ancestor) => ancestor !== root && rivals.filter((ancestors) => ancestors.has(ancestor)).length >= MIN_RIVALS,
  );
  return shared ?? top;
}

/**
 * Returns the closest ancestor of `top` that scores more than the region below it. A higher score means more content.
 * Returns `top` if there is no such ancestor.
 */
function betterParent(top: Region, scores: ReadonlyMap<Region, number>, root: Region): Region {
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

function onlyChildren(region: Region, root: Region): Region {
  let top = region;
  while (top.parent && top.parent !== root && top.parent.children.length === 1) top = top.parent;
  return top;
}

function withSiblings(top: Region, scores: ReadonlyMap<Region, number>, selection: Selection): Region[] {
  const best = scores.get(top) ?? 0;
  const name = top.element.attribs.class ?? "";
  const siblings = top.parent?.children ?? [top];
  const isPart = (sibling: Region) => {
    if (sibling === top) return true;
    const bonus = name !== "" && sibling.element.attribs.class === name ? SIBLING_SHARE * best : 0;
    const score = scores.get(sibling);
    if (score !== undefined && score + bonus >= Math.max(MIN_SIBLING_SCORE, SIBLING_SHARE * best)) return true;
    if (!isLeaf(sibling) || sibling.element.name === "h2") return false;
    return selection.length(sibling) > MIN_SIBLING_CHARS && selection.linkDensity(sibling) < MAX_SIBLING_LINK_DENSITY;
  };
  // Page builders write each heading, list and image as a sibling of the texts around it.
  const first = siblings.findIndex(isPart);
  const before = siblings[first - 1];
  const start = before && isStructure(before, selection, HEADING) ? first - 1 : first;
  return siblings
    .slice(start, siblings.findLastIndex(isPart) + 1)
    .filter((sibling) => isPart(sibling) || sibling.isEmpty || isStructure(sibling, selection, HEADING_OR_ITEM));
}

const HEADING = /^h[1-6]$/;
const HEADING_OR_ITEM = /^(?:h[1-6]|li|dt|dd)$/;

/** Returns true if all lines of a region are in elements with these names, and most of them aren't links. */
function isStructure(region: Region, selection: Selection, names: RegExp): boolean {
  const lines = selection.linesIn(region);
  if (lines.length === 0 || selection.linkDensity(region) >= MAX_SIBLING_LINK_DENSITY) return false;
  return lines.every((line) => names.test(line.region.element.name));
}

function ancestorsOf(region: Region): Region[] {
  const ancestors: Region[] = [];
  for (let at = region.parent; at; at = at.parent) ancestors.push(at);
  return ancestors;
}

/** The initial scores of regions by the name of their element, as in Mozilla's Readability. */
const ELEMENT_SCORES: Readonly<Record<string, number>> = elementScores;
const POSITIVE = /article|body|content|entry|main|page|pagination|post|text|blog|story/i;
const NEGATIVE =
  /-ad-|hidden|^hid$| hid$| hid |^hid |banner|combx|comment|com-|contact|footer|gdpr|masthead|media|meta|outbrain|promo|related|scroll|share|shoutbox|sidebar|skyscraper|sponsor|shopping|tags|widget/i;
const NAME_WEIGHT = 25;
const MIN_LINE_CHARS = 25;
const MAX_ANCESTORS = 5;
const LEAVES = /^(?:p|pre|td|div|h[2-6]|section|article|li|dd)$/;

/**
 * Scores the regions. A higher score means that the region more likely contains the main content. Each line adds points
 * to the regions around it.
 */
function scoreRegions(selection: Selection): Map<Region, number> {
  const scores = new Map<Region, number>();
  for (const line of selection.page.lines) {
    if (line.length < MIN_LINE_CHARS || !selection.has(line)) continue;
    const points = 2 + line.commas + Math.min(Math.floor(line.length / 100), 3);
    let ancestor = isLeaf(line.region) ? line.region.parent : line.region;
    for (let level = 0; ancestor && level < MAX_ANCESTORS; level++) {
      const divider = level === 0 ? 1 : level === 1 ? 2 : level * 3;
      scores.set(ancestor, (scores.get(ancestor) ?? startScore(ancestor)) + points / divider);
      ancestor = ancestor.parent;
    }
  }
  for (const [region, score] of scores) scores.set(region, score * (1 - selection.linkDensity(region)));
  return scores;
}

/** Returns true if a region is a single paragraph without regions inside. */
function isLeaf(region: Region): boolean {
  return region.children.length === 0 && LEAVES.test(region.element.name);
}

function startScore({ element, hints }: Region): number {
  const { class: classes = "", id = "" } = element.attribs;
  const positive = Number(POSITIVE.test(classes)) + Number(POSITIVE.test(id));
  const negative = Number(NEGATIVE.test(hints.classes)) + Number(NEGATIVE.test(hints.id));
  return (ELEMENT_SCORES[element.name] ?? 0) + NAME_WEIGHT * (positive - negative);
}
