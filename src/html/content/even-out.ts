import { getOrMake } from "../../lib/lazy";
import type { PageKind } from "../../model/page-kinds";
import type { Region, RegionTree } from "../main-content/regions";
import type { ContentFacts } from "./content-facts";

export const LISTS: ReadonlySet<string> = new Set(["dl", "ol", "ul"]);
/** In a text, each paragraph is judged on its own. */
const TEXTS: ReadonlySet<PageKind> = new Set(["article", "documentation"]);
/** Boxes are tiles if this number of boxes next to each other have the same element and first class. */
const MIN_TILES = 3;
/** The number of regions around a line that can be its tile. */
const TILE_LEVELS = 6;

/**
 * Returns the likelihoods of the lines, with equal likelihoods for equal parts of a list. If a list of products had some
 * of its prices, its readers would be misled. `tileParts`: see `partsOfTiles`.
 */
export function evenOut(
  page: RegionTree,
  likelihoods: Float64Array,
  tileParts: readonly (readonly number[])[],
): Float64Array {
  const evened = likelihoods.slice();
  for (const lines of tileParts) replaceByMean(evened, lines);
  for (const lines of itemsOfLists(page)) replaceByMean(evened, lines);
  return evened;
}

function replaceByMean(likelihoods: Float64Array, lines: readonly number[]): void {
  const mean = lines.reduce((sum, at) => sum + (likelihoods[at] ?? 0), 0) / lines.length;
  for (const at of lines) likelihoods[at] = mean;
}

/**
 * Returns the lines at the same place of the tiles next to each other, such as the prices in a list of products. The
 * place of a line consists of the elements and first classes from the line up to its tile. Paragraphs inside tiles are
 * left out, because sections about different subjects look like tiles. Paragraphs next to each other are tiles. Texts
 * have no tiles.
 */
export function partsOfTiles(
  { page: { lines }, siblings }: Pick<ContentFacts, "page" | "siblings">,
  kind: PageKind,
): number[][] {
  if (TEXTS.has(kind)) return [];
  const places = new Map<Region | null, Map<string, { tiles: Set<Region>; lines: number[] }>>();
  for (const { index, region, isProse } of lines) {
    const around = region.withAncestors(TILE_LEVELS);
    const level = around.findIndex((at) => (siblings.get(at) ?? 1) >= MIN_TILES);
    const tile = around[level];
    if (!tile || (isProse && tile !== region)) continue;
    const place = around.slice(0, level + 1).reduce((inner, { kind }) => `${inner}${kind}<`, "");
    const own = getOrMake(places, tile.parent, () => new Map());
    const part = getOrMake(own, place, () => ({ tiles: new Set<Region>(), lines: [] }));
    part.tiles.add(tile);
    part.lines.push(index);
  }
  const parts = [...places.values()].flatMap((own) => [...own.values()]);
  return parts.filter((part) => part.tiles.size >= MIN_TILES).map((part) => part.lines);
}

/** Returns the items of lists with one line each. Paragraphs and short items are separate. */
function itemsOfLists({ lines, regions }: RegionTree): number[][] {
  const found: number[][] = [];
  for (const { element, children } of regions) {
    if (!LISTS.has(element.name)) continue;
    const single = children.filter(({ start, end }) => end - start === 1);
    // The terms of kept definitions are kept, so they don't count. See `keepTerms`.
    const definitions = single.filter((child) => child.element.name === "dd");
    const items = (definitions.length > 0 ? definitions : single).map(({ start }) => start);
    const isParagraph = (at: number) => element.name !== "dl" && lines[at]?.isProse === true;
    // The only item of a nested list shares the mean of the list around it.
    for (const wanted of [true, false]) {
      const own = items.filter((at) => isParagraph(at) === wanted);
      if (own.length > 1) found.push(own);
    }
  }
  return found;
}
