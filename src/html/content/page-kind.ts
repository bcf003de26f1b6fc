import type { PageKind } from "../../model/page-kinds";
import type { Witness } from "./evidence";
import table from "./kinds.json";

/** Kinds that are hard to tell apart and whose lines look alike share their evidence. */
const GROUPS: Readonly<Record<PageKind, string>> = {
  article: "text",
  collection: "list",
  documentation: "text",
  forum: "forum",
  listing: "list",
  product: "product",
  recipe: "recipe",
  service: "service",
};

/** Returns the name of evidence for one kind of page. Only evidence that means something else on each kind has it. */
export function nameOnKind(name: string, kind: PageKind): string {
  return `${GROUPS[kind]}: ${name}`;
}

/** The name of the evidence that a page is of a kind. */
export function kindName(kind: PageKind): string {
  return `kind of page: ${GROUPS[kind]}`;
}

/** The weights of a page's signals, made by `npm run lab -- train`. Each step has one weight for each kind. */
interface KindTable {
  bias: readonly number[];
  steps: Readonly<Record<string, readonly (readonly number[])[]>>;
}

const { bias, steps } = table as unknown as KindTable;
const STEPS = new Map(
  Object.entries(steps).map(([name, own]) => [name, own.map(([above = 0, ...weights]) => ({ above, weights }))]),
);

/** Returns the likelihood of each kind, in the order of `PAGE_KINDS`. Their sum is 1. */
export function kindsOf(signals: (see: Witness) => void): readonly number[] {
  const sums = [...bias];
  signals((name, value) => {
    for (const { above, weights } of STEPS.get(name) ?? []) {
      if (value <= above) break;
      for (let kind = 0; kind < sums.length; kind++) sums[kind] = (sums[kind] ?? 0) + (weights[kind] ?? 0);
    }
  });
  const highest = Math.max(...sums);
  const powers = sums.map((sum) => Math.exp(sum - highest));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}
