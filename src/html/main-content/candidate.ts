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

/**
 * Returns the region with the best score and the siblings that belong to it, in document order. Based on Mozilla's
 * Readability.
 */
export function bestCandidate(selection: Selection): Region[] {
  const scores = scoreRegions(selection);
  const ranked = [...scores].sort(([, a], [, b]) => b - a).slice(0, TOP_CANDIDATES);
  return ranked.length > 0 ? withSiblings(commonAncestor(ranked, selection.page.root), scores) : [];
}

function commonAncestor(ranked: readonly [Region, number][], root: Region): Region {
  const [[top, best] = [root, 0], ...others] = ranked;
  const rivals = others
    .filter(([, score]) => score >= RIVAL_SHARE * best)
    .map(([{ parent }]) => new Set(parent?.withAncestors()));
  const shared = top.parent
    ?.withAncestors()
    .find((one) => one !== root && rivals.filter((around) => around.has(one)).length >= MIN_RIVALS);
  return shared ?? top;
}

/** Returns the best region, its siblings with nearly as much content, and the images between them. */
function withSiblings(top: Region, scores: ReadonlyMap<Region, number>): Region[] {
  const minScore = Math.max(MIN_SIBLING_SCORE, SIBLING_SHARE * (scores.get(top) ?? 0));
  const siblings = top.parent?.children ?? [top];
  const isPart = (sibling: Region) => sibling === top || (scores.get(sibling) ?? 0) >= minScore;
  return siblings
    .slice(siblings.findIndex(isPart), siblings.findLastIndex(isPart) + 1)
    .filter((sibling) => isPart(sibling) || sibling.isEmpty);
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
    const { region } = line;
    const isLeaf = region.children.length === 0 && LEAVES.test(region.element.name);
    const around = (isLeaf ? region.parent : region)?.withAncestors(MAX_ANCESTORS) ?? [];
    for (const [level, ancestor] of around.entries()) {
      const divider = level === 0 ? 1 : level === 1 ? 2 : level * 3;
      scores.set(ancestor, (scores.get(ancestor) ?? startScore(ancestor)) + points / divider);
    }
  }
  for (const [region, score] of scores) scores.set(region, score * (1 - selection.linkDensity(region)));
  return scores;
}

function startScore({ element, hints }: Region): number {
  const { class: classes = "", id = "" } = element.attribs;
  const positive = Number(POSITIVE.test(classes)) + Number(POSITIVE.test(id));
  const negative = Number(NEGATIVE.test(hints.classes)) + Number(NEGATIVE.test(hints.id));
  return (ELEMENT_SCORES[element.name] ?? 0) + NAME_WEIGHT * (positive - negative);
}
