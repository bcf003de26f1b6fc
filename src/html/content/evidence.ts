import { isPictureText } from "../main-content/region-kinds";
import type { Region } from "../main-content/regions";
import type { ContentFacts, Marks } from "./content-facts";

/** Receives one piece of evidence. A value of 0 means that there is none. */
export type Witness = (name: string, value: number) => void;

/** Evidence that many lines share: names and their values. The receiver adds up the weights of a list only once. */
export type SharedEvidence = readonly (readonly [name: string, value: number])[];
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
  let [repeated, depth, shared] = [1, 0, 0];
  let block: Region | null = null;
  let part: Region | null = null;
  for (let at: Region | null = region; at; at = at.parent) {
    const words = all.words(at);
    if (aroundHeadline.has(at)) shared++;
    else block = at;
    if (words < MAX_REPEATED_SHARE * facts.words) repeated = Math.max(repeated, siblings.get(at) ?? 1);
    if (!part && words > MIN_PART_WORDS) part = at;
    depth++;
  }
  seeShared(marksAround(region, facts).shared);
  for (const name of new Set([region, region.parent].flatMap((at) => (at ? directNames(at) : [])))) see(name, 1);
  see("depth", depth);
  see("largest number of siblings", Math.log(repeated));
  see("siblings", Math.log(siblings.get(region) ?? 1));
  see("regions shared with the headline", facts.headline ? shared : 0);
  see("regions up to the headline's", facts.headline && block ? Math.log1p(levelsUp(facts, block.parent)) : 0);
  let around = region.parent;
  for (const names of PARENTS) {
    measure(around, names, facts, seeShared);
    around = around?.parent ?? null;
  }
  measure(block, BLOCK, facts, seeShared);
  measure(part, PART, facts, seeShared);
}

function directNames(region: Region): string[] {
  return region.purposes.map((purpose) => `directly in ${purpose}`);
}

/** The name of the evidence that a line is a caption or another text about an image. */
const IMAGE_TEXT = "describes an image";

/** Returns true if all text of the region, or of a region around it, describes an image. */
export function describesImage(region: Region, facts: ContentFacts): boolean {
  return marksAround(region, facts).names.has(IMAGE_TEXT);
}

/** Returns the marks of a region and of the regions around it, each of them once. */
function marksAround(region: Region, facts: ContentFacts): Marks {
  const known = facts.marks.get(region);
  if (known) return known;
  const outer = region.parent ? marksAround(region.parent, facts) : { names: new Set<string>(), shared: [] };
  const own = [...new Set(ownMarks(region, facts))].filter((name) => !outer.names.has(name));
  const marks =
    own.length === 0
      ? outer
      : {
          names: new Set([...outer.names, ...own]),
          shared: [...outer.shared, ...own.map((name) => [name, 1] as const)],
        };
  facts.marks.set(region, marks);
  return marks;
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
  if (isPictureText(region, (one) => all.words(one))) names.push(IMAGE_TEXT);
  const words = all.words(region);
  if (words >= MAX_NAMED_SHARE * facts.words) return names;
  const isBlock = !aroundHeadline.has(region) && words > MIN_BLOCK_WORDS;
  for (const purpose of region.purposes) {
    names.push(`in ${purpose}`);
    if (isBlock) names.push(`in a block named ${purpose}`);
  }
  return names;
}

function levelsUp({ headline }: ContentFacts, end: Region | null): number {
  let levels = 0;
  for (let at = headline?.region ?? null; at && at !== end; at = at.parent) levels++;
  return levels;
}

interface MeasureNames {
  linkShare: string;
  proseShare: string;
  words: string;
  pageShare: string;
  lines: string;
}

const PARENTS = ["parent 1", "parent 2", "parent 3"].map(measureNames);
/** The largest region around a line that isn't around the headline. */
const BLOCK = measureNames("block");
/** The smallest region around a line with more than `MIN_PART_WORDS`. */
const PART = measureNames("part");

function measureNames(name: string): MeasureNames {
  return {
    linkShare: `link share of ${name}`,
    proseShare: `prose share of ${name}`,
    words: `words of ${name}`,
    pageShare: `page share of ${name}`,
    lines: `lines of ${name}`,
  };
}

function measure(
  region: Region | null,
  names: MeasureNames,
  { all, words, measures }: ContentFacts,
  seeShared: SharedWitness,
): void {
  if (!region) return;
  const key = names.words;
  let known = measures.get(key);
  if (!known) {
    known = new Map();
    measures.set(key, known);
  }
  let evidence = known.get(region);
  if (!evidence) {
    evidence = [
      [names.linkShare, all.linkDensity(region)],
      [names.proseShare, all.prose(region) / (all.length(region) || 1)],
      [names.words, Math.log1p(all.words(region))],
      [names.pageShare, all.words(region) / words],
      [names.lines, Math.log1p(region.end - region.start)],
    ];
    known.set(region, evidence);
  }
  seeShared(evidence);
}
