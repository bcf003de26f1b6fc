import type { PageKind } from "../../model/page-kinds";
import table from "./kinds.json";
import type { Receiver } from "./page-signals";

/** Evidence that means something else on each kind of page. It also counts with the kind in front of its name. */
const DEPENDS_ON_KIND: ReadonlySet<string> = new Set([
  "article extraction",
  "prose",
  "heading",
  "price",
  "date",
  "few words",
  "line of links",
  "repetitions",
  "below a heading about related",
  "below a heading about popular",
  "below a heading about review",
  "below a heading about comment",
  "below a heading about detail",
  "below a heading about shop",
  "below a heading about award",
  "invitation",
  "after the last prose",
  "headline",
  "<li>",
  "in <blockquote>",
  "in <form>",
  "in <table>",
  "in <aside>",
  "in a card",
  "in a part of the site",
  "in a post",
  "time of a post",
  "before the time of its post",
  "before the posts",
  "between posts",
  "after the posts",
  "in itemprop text",
  "in byline",
  "in button",
  "in card",
  "in comment",
  "in content",
  "in date",
  "in description",
  "in detail",
  "in faq",
  "in forum",
  "in meta",
  "in popular",
  "in product",
  "in promotion",
  "in recipe",
  "in related",
  "in review",
  "in shop",
  "in sidebar",
  "in signature",
  "in tags",
]);

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

/** Returns the name of evidence for one kind of page, or null if the evidence means the same on all kinds. */
export function nameOnKind(name: string, kind: PageKind): string | null {
  return DEPENDS_ON_KIND.has(name) ? `${GROUPS[kind]}: ${name}` : null;
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
export function kindsOf(signals: (see: Receiver) => void): readonly number[] {
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
