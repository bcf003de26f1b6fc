import type { z } from "@hono/zod-openapi";
import type { Document, Element } from "domhandler";
import type { BlockName, SerpBlocks, Sitelink as SitelinkSchema } from "../../contract/serp-blocks";
import { elementsUnder } from "../../html/parse/dom";
import { MAX_SERP_PAGE_RESULTS } from "../../model/search-limits";

export type Sitelink = z.infer<typeof SitelinkSchema>;

/** The content of a block without the positions of its items. */
export type BlockContent<Name extends BlockName> =
  Exclude<SerpBlocks[Name], undefined> extends (infer Item)[] ? Omit<Item, "position">[] : SerpBlocks[Name];

export type Item<Name extends BlockName> = BlockContent<Name> extends readonly (infer One)[] ? One : never;
/** The members of an item or a block. Empty ones are to be left out. */
type Members<Of> = { [Key in keyof Of]: Of[Key] | null | undefined | "" };

/** Returns the members that aren't empty. */
export function compact<Of extends object>(members: Members<Of>): Of {
  const isGiven = ([, value]: [string, unknown]) => value !== null && value !== undefined && value !== "";
  return Object.fromEntries(Object.entries(members).filter(isGiven)) as Of;
}

/** Returns a list block. Omits elements without an item. `root` is the block's place if it has no items. */
export function listBlock<One>(root: Element, elements: Iterable<Element>, toItem: (element: Element) => One | null) {
  const items = [...elements].slice(0, MAX_SERP_PAGE_RESULTS).flatMap((at) => {
    const item = toItem(at);
    return item === null ? [] : [{ item, at }];
  });
  return { content: items.map(({ item }) => item), at: items[0]?.at ?? root };
}

/** Returns a list block of the items of elements. */
export function mapBlock<One>(root: Element, items: ReadonlyMap<Element, One>) {
  return listBlock(root, items.keys(), (at) => items.get(at) ?? null);
}

/** The blocks that an engine's parser found: the content of each, and its first element on the page. */
export type FoundBlocks = { [Name in BlockName]?: { content: BlockContent<Name>; at: Element } };

/**
 * Converts the blocks of a page to the form of the response: numbers their items, and counts the organic results above
 * each block. Omits empty lists. `organic`: an element of each organic result.
 */
export function placeBlocks(document: Document, found: FoundBlocks, organic: readonly Element[]): SerpBlocks {
  const names = new Map<Element, BlockName[]>();
  for (const [name, { content, at }] of Object.entries(found) as [BlockName, { content: unknown; at: Element }][]) {
    if (Array.isArray(content) && content.length === 0) continue;
    names.set(at, [...(names.get(at) ?? []), name]);
  }
  if (names.size === 0) return {};
  const results = new Set(organic);
  const blocks: Record<string, unknown> = {};
  const positions: Partial<Record<BlockName, number>> = {};
  let above = 0;
  for (const element of elementsUnder(document)) {
    if (results.has(element)) above++;
    for (const name of names.get(element) ?? []) {
      const content = found[name]?.content;
      blocks[name] = Array.isArray(content) ? toItems(content) : content;
      positions[name] = above;
    }
  }
  return { ...blocks, block_positions: positions };
}

function toItems(items: readonly object[]): object[] {
  return items.slice(0, MAX_SERP_PAGE_RESULTS).map((item, index) => ({ position: index + 1, ...item }));
}

/** Returns only the wanted blocks. Undefined means all. */
export function selectBlocks(blocks: SerpBlocks, wanted: readonly BlockName[] | undefined): SerpBlocks {
  if (wanted === undefined) return blocks;
  const { block_positions, ...contents } = blocks;
  const select = <Values extends object>(values: Values) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => wanted.some((block) => block === name)));
  const selected = select(contents);
  return Object.keys(selected).length === 0 ? {} : { ...selected, block_positions: select(block_positions ?? {}) };
}
