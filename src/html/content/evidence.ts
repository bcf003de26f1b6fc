import { getOrMake } from "../../lib/lazy";
import { isPictureText } from "../main-content/region-kinds";
import type { Region } from "../main-content/regions";
import type { ContentFacts, Marks, SharedEvidence } from "./content-facts";

/** Receives one piece of evidence. A value of 0 means that there is none. */
export type Witness = (name: string, value: number) => void;

export type SharedWitness = (evidence: SharedEvidence) => void;

const ELEMENTS = new Set(
  (
    "nav header footer aside main article form table ul ol dl figure button dialog details section blockquote " +
    "fieldset a"
  ).split(" "),
);
const ROLES = new Set(
  (
    "navigation menu menubar banner complementary contentinfo search tablist toolbar dialog alert main article " +
    "tabpanel button"
  ).split(" "),
);
const PROPERTIES = new Set(
  (
    "text author description articlebody review name itemlistelement comment price offers recipeingredient " +
    "recipeinstructions"
  ).split(" "),
);
/** A name counts for all lines of a region only if the region has at most this share of the page's words. */
const MAX_NAMED_SHARE = 0.6;
/** A group of siblings is a repeated structure only if each has at most this share of the page's words. */
const MAX_REPEATED_SHARE = 0.5;
const MIN_PART_WORDS = 40;
const MIN_BLOCK_WORDS = 30;

/**
 * Gives the evidence in the elements around a line. It is the same for all lines of one region. `seeShared` receives the
 * part of it that other regions share.
 */
export function placeEvidence(region: Region, facts: ContentFacts, see: Witness, seeShared: SharedWitness): void {
  const { aroundHeadline, siblings, all } = facts;
  const around = region.withAncestors();
  let [repeated, shared] = [1, 0];
  let [block, part]: (Region | undefined)[] = [];
  for (const at of around) {
    const words = all.words(at);
    if (aroundHeadline.has(at)) shared++;
    else block = at;
    if (words < MAX_REPEATED_SHARE * facts.words) repeated = Math.max(repeated, siblings.get(at) ?? 1);
    if (words > MIN_PART_WORDS) part ??= at;
  }
  see(`<${region.element.name}>`, 1);
  seeShared(marksAround(region, facts).shared);
  for (const purpose of new Set(around.slice(0, 2).flatMap(({ purposes }) => purposes)))
    see(`directly in ${purpose}`, 1);
  see("depth", around.length);
  see("largest number of siblings", Math.log(repeated));
  see("siblings", Math.log(siblings.get(region) ?? 1));
  see("regions shared with the headline", facts.headline ? shared : 0);
  see("regions up to the headline's", facts.headline && block ? Math.log1p(aroundHeadline.size - shared) : 0);
  for (const [level, names] of PARENTS.entries()) measure(around[level + 1], names, facts, seeShared);
  measure(block, BLOCK, facts, seeShared);
  measure(part, PART, facts, seeShared);
}

/** The name of the evidence that a line is a caption or another text about an image. */
const IMAGE_TEXT = "describes an image";

/** Returns true if all text of the region, or of a region around it, describes an image. */
export function describesImage(region: Region, facts: ContentFacts): boolean {
  return marksAround(region, facts).names.has(IMAGE_TEXT);
}

/** Returns the marks of a region and of the regions around it, each of them once. */
function marksAround(region: Region, facts: ContentFacts): Marks {
  return getOrMake(facts.marks, region, () => {
    const outer = region.parent ? marksAround(region.parent, facts) : { names: new Set<string>(), shared: [] };
    const own = [...new Set(ownMarks(region, facts))].filter((name) => !outer.names.has(name));
    if (own.length === 0) return outer;
    const shared = [...outer.shared, ...own.map((name) => [name, 1] as const)];
    return { names: new Set([...outer.names, ...own]), shared };
  });
}

function ownMarks(region: Region, facts: ContentFacts): string[] {
  const { aroundHeadline, cards, dataTables, siteElements, all } = facts;
  const { name, attribs } = region.element;
  const names: string[] = [];
  if (ELEMENTS.has(name)) names.push(`in <${name}>`);
  const role = attribs.role?.toLowerCase() ?? "";
  if (ROLES.has(role)) names.push(`in role ${role}`);
  if (attribs["aria-hidden"] === "true") names.push("in aria-hidden");
  const property = attribs.itemprop?.toLowerCase().split(/\s+/, 1)[0] ?? "";
  if (PROPERTIES.has(property)) names.push(`in itemprop ${property}`);
  if (cards.has(region)) names.push("in a card");
  if (dataTables.has(region)) names.push("in a data table");
  if (region.isOverlay) names.push("in an overlay");
  if (siteElements.has(region.element)) names.push("in a part of the site");
  if (isPictureText(region, all)) names.push(IMAGE_TEXT);
  const words = all.words(region);
  if (words >= MAX_NAMED_SHARE * facts.words) return names;
  const isBlock = !aroundHeadline.has(region) && words > MIN_BLOCK_WORDS;
  for (const purpose of region.purposes) {
    names.push(`in ${purpose}`);
    if (isBlock) names.push(`in a block named ${purpose}`);
  }
  return names;
}

const PARENTS = ["parent 1", "parent 2", "parent 3"].map(measureNames);
/** The largest region around a line that isn't around the headline. */
const BLOCK = measureNames("block");
/** The smallest region around a line with more than `MIN_PART_WORDS`. */
const PART = measureNames("part");

/** Returns the names of the values that `measure` reads. */
function measureNames(name: string): readonly string[] {
  return ["link share", "prose share", "words", "page share", "lines"].map((measure) => `${measure} of ${name}`);
}

function measure(
  region: Region | undefined,
  names: readonly string[],
  { all, words, measures }: ContentFacts,
  seeShared: SharedWitness,
): void {
  if (!region) return;
  const known = getOrMake(measures, names, () => new Map<Region, SharedEvidence>());
  const evidence = getOrMake(known, region, () => {
    const own = all.words(region);
    const prose = all.prose(region) / (all.length(region) || 1);
    const values = [
      all.linkDensity(region),
      prose,
      Math.log1p(own),
      own / words,
      Math.log1p(region.end - region.start),
    ];
    return names.map((name, at) => [name, values[at] ?? 0] as const);
  });
  seeShared(evidence);
}
