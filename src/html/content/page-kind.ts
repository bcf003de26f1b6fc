import { toRegExp } from "../../lib/to-reg-exp";
import type { PageKind } from "../../model/page-kinds";
import type { MainContent } from "../main-content/prune";
import type { Region, TextLine } from "../main-content/regions";
import type { Selection } from "../main-content/selection";
import type { PageModel } from "../page/page-model";
import type { Witness } from "./evidence";
import table from "./kinds.json";
import type { Posts } from "./posts";
import urlWords from "./url-words.json";

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

/** Words in a page's URL that sites use for pages of one kind. */
const URL_WORDS = Object.entries(urlWords).map(([name, pattern]) => [name, toRegExp(pattern)] as const);
const TYPES = new Set(
  (
    "Article NewsArticle BlogPosting TechArticle Product Offer AggregateOffer Brand ItemList CollectionPage FAQPage " +
    "QAPage DiscussionForumPosting Recipe Service LocalBusiness Organization WebPage WebSite BreadcrumbList Person Event " +
    "JobPosting SoftwareApplication VideoObject"
  ).split(" "),
);
/** The elements whose shares of the text are signals, with the names of the signals. */
const PLACES = new Map(
  ["li", "pre", "td", "p", "dt", "article", "main", "form", "table"].map((name) => [name, `share in <${name}>`]),
);
const PURPOSES: ReadonlyMap<string, string> = new Map(
  "forum product shop code comment faq description review card recipe content"
    .split(" ")
    .map((purpose) => [purpose, `share in ${purpose}`]),
);
const MAX_NAMED_SHARE = 0.95;

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

/** Passes the signals that tell the kind of a page to `see`. */
export function pageSignals(article: MainContent, posts: Posts, see: Witness): void {
  const { head, url, all } = article;
  const { root, lines, regions } = article.page;
  const words = all.words(root) || 1;
  see("words", Math.log(words));
  see("prose share", all.prose(root) / (all.length(root) || 1));
  see("link share", all.linkDensity(root));
  see("words per line", Math.log(words / Math.max(1, lines.length)));
  see("article share", article.selection.words(article.regions) / words);
  see("not an article", Number(article.isWholePage));
  see("declares an article", Number(article.isArticle));
  see("headline", Number(article.headline !== null));
  const count = (name: string, test: (line: TextLine) => boolean) => see(name, Math.log1p(lines.filter(test).length));
  count("prices", (line) => line.hasPrice);
  count("questions", ({ text }) => text.endsWith("?"));
  count("dates", (line) => line.hasDate);
  count("headings", ({ headingLevel }) => headingLevel > 0);
  see("posts", Math.log1p(posts.count));
  see("share in posts", posts.share);
  shares(regions, all, words, see);
  urlSignals(url, see);
  declaredTypes(head, see);
}

/** Gives the shares of the page's words in elements and in regions with a purpose. */
function shares(regions: readonly Region[], all: Selection, words: number, see: Witness): void {
  const sums = new Map<string, number>();
  const ends = new Map<string, number>();
  // Only the outermost region of a name counts, because the regions inside it have the same words.
  const add = (name: string, region: Region) => {
    if (region.start < (ends.get(name) ?? 0)) return;
    ends.set(name, region.end);
    sums.set(name, (sums.get(name) ?? 0) + all.words(region));
  };
  let largest = 1;
  for (const region of regions) {
    if (region.isEmpty) continue;
    const { name, attribs } = region.element;
    const place = PLACES.get(name);
    if (place) add(place, region);
    if (attribs.itemprop === "text") add("share in itemprop text", region);
    if (all.words(region) < MAX_NAMED_SHARE * words)
      for (const purpose of region.purposes) {
        const signal = PURPOSES.get(purpose);
        if (signal) add(signal, region);
      }
    largest = Math.max(largest, region.children.length);
  }
  for (const [name, sum] of sums) see(name, sum / words);
  see("most children", Math.log(largest));
}

function urlSignals(url: string, see: Witness): void {
  const address = URL.parse(url);
  const path = `${address?.hostname ?? ""}${address?.pathname ?? ""}`.toLowerCase();
  for (const [name, pattern] of URL_WORDS) see(`URL like ${name}`, Number(pattern.test(path)));
  const steps = (address?.pathname ?? "/").split("/").filter((step) => step !== "").length;
  see("URL steps", steps);
  see("start page", Number(steps === 0));
}

/** Gives the types of the page in Open Graph and JSON-LD. */
function declaredTypes({ openGraphTypes, types: inJsonLd }: PageModel, see: Witness): void {
  const types = new Set(openGraphTypes.map((type) => `og ${type.trim().toLowerCase().split(/[.:]/, 1)[0]}`));
  for (const type of TYPES) if (inJsonLd().has(type)) types.add(type);
  for (const type of types) see(`type ${type}`, 1);
}
