// The real pages of the crawl site: a shop with categories, subcategories and products. The same number of pages always
// makes the same site.
import { createRandom, type Random } from "../../../lab/chaos/random.ts";

/** The behavior of a page's responses. */
export type Kind =
  | "plain"
  /** The response is slow. */
  | "slow"
  /** The first request gets a 429 with Retry-After. */
  | "limited"
  /** The first request gets a 503. */
  | "unavailable";

/** A page that a crawl must visit. */
export interface RealPage {
  /** The canonical path. */
  path: string;
  title: string;
  kind: Kind;
  /** True if only the sitemap lists the page. */
  isOrphan: boolean;
  /** True if the other pages don't link to this page, but to a redirect to it. */
  isMoved: boolean;
  paragraphs: string[];
  /** The paths of the real pages that this page links to. */
  links: string[];
}

const CATEGORIES = "boats sails ropes charts lamps clothing engines anchors galley instruments".split(" ");
const SUBCATEGORIES = "classic modern coastal offshore racing family winter summer repair".split(" ");
const QUALITIES = "oak brass linen copper cedar woolen slate".split(" ");
const THINGS = "harbor lantern compass drum kettle ladder whistle barrel".split(" ");
/** The products of this category have numbers in their paths: /item/{n}. */
const NUMBERED_CATEGORY = "instruments";
const WORDS =
  "the harbor opens early and every crew checks its lines before the tide turns while gulls follow a slow ferry past old wooden piers where sailors repair nets paint hulls and trade stories about storms distant islands quiet bays strong currents bright lamps heavy anchors and warm bread from small bakeries near the market square".split(
    " ",
  );

/**
 * Every n-th product has this property. The numbers have no common factors, so that only few products have two of these
 * properties.
 */
const EVERY = { slow: 83, limited: 89, unavailable: 97, orphan: 37, moved: 41 } as const;

/** Returns the pages: the home page, the categories, the subcategories and the products. */
export function makePages(count: number): RealPage[] {
  const random = createRandom(count);
  const folders = CATEGORIES.flatMap((category) => SUBCATEGORIES.map((name) => ({ category, name })));
  const productCount = count - 1 - CATEGORIES.length - folders.length;
  if (productCount < folders.length) throw new Error(`A site needs at least ${1 + 10 + 2 * folders.length} pages.`);
  const products = Array.from({ length: productCount }, (_, n) => makeProduct(n, folders));
  const listed = products.filter(({ isOrphan }) => !isOrphan);
  const byFolder = Map.groupBy(listed, ({ folder }) => folder);
  return [
    page(
      "/",
      "Ship chandler",
      CATEGORIES.map((name) => `/${name}/`),
      random,
    ),
    ...CATEGORIES.map((name) =>
      page(`/${name}/`, `All ${name}`, ["/", ...SUBCATEGORIES.map((sub) => `/${name}/${sub}/`)], random),
    ),
    ...folders.map(({ category, name }) => {
      const path = `/${category}/${name}/`;
      const links = (byFolder.get(path) ?? []).map((product) => product.path);
      return page(path, `${capitalize(name)} ${category}`, [`/${category}/`, ...links], random);
    }),
    ...products.map((product) => {
      const related = Array.from({ length: 4 }, () => listed[random.between(0, listed.length - 1)]?.path ?? "/");
      return { ...page(product.path, product.title, [product.folder, ...related], random), ...product };
    }),
  ];
}

interface Product extends Pick<RealPage, "path" | "title" | "kind" | "isOrphan" | "isMoved"> {
  /** The path of its subcategory. */
  folder: string;
}

function makeProduct(n: number, folders: { category: string; name: string }[]): Product {
  const { category, name } = folders[n % folders.length] ?? { category: "boats", name: "classic" };
  const folder = `/${category}/${name}/`;
  const position = Math.floor(n / folders.length);
  const quality = QUALITIES[position % QUALITIES.length] ?? "";
  const thing = THINGS[Math.floor(position / QUALITIES.length)] ?? `part-${toLetters(position)}`;
  const isOrphan = n % EVERY.orphan === 1;
  return {
    folder,
    path: category === NUMBERED_CATEGORY ? `/item/${1_000 + n}` : `${folder}${quality}-${thing}`,
    title: `${capitalize(quality)} ${thing}, ${name} ${category}`,
    kind: toKind(n),
    isOrphan,
    isMoved: !isOrphan && n % EVERY.moved === 2,
  };
}

function toKind(n: number): Kind {
  if (n % EVERY.slow === 3) return "slow";
  if (n % EVERY.limited === 4) return "limited";
  return n % EVERY.unavailable === 5 ? "unavailable" : "plain";
}

function page(path: string, title: string, links: string[], random: Random): RealPage {
  const paragraphs = Array.from({ length: 4 }, () => makeParagraph(random, `${title} (${path})`));
  return { path, title, kind: "plain", isOrphan: false, isMoved: false, paragraphs, links };
}

/** Returns 40 to 80 words. The subject makes the text unique. */
function makeParagraph(random: Random, subject: string): string {
  const words = Array.from({ length: random.between(40, 80) }, () => WORDS[random.between(0, WORDS.length - 1)]);
  return `${subject}: ${words.join(" ")}.`;
}

function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Returns the number with the letters a to j as digits. A path without digits doesn't look like a numbered page. */
function toLetters(n: number): string {
  return [...String(n)].map((digit) => "abcdefghij"[Number(digit)]).join("");
}
