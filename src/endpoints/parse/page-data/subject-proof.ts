import type { DataNode, DataObject } from "../../../html/page-data/data-node";
import { nodesAt, objectsIn } from "./candidates";
import { familyOf } from "./families";
import { isNamedAs, isOfSubject, nameOf, type PageView, titleWords } from "./page-view";

/** Matches the separators between the title of a page and the name of its site. */
const SEPARATOR = /\s+[|·•»–—-]\s+|\s*[|»]\s*/;
const MAX_TITLE_PARTS = 5;
const PAGE_FAMILIES = new Set(["FAQPage", "WebPage"]);
const MAX_VALUES = 200;
const MAX_DEPTH = 3;
const MAX_VALUE_CHARS = 60;
/** Words that titles of pages have besides the name of their subject. */
const TITLE_WORDS = new Set(
  "and und et y e con with mit avec recipe rezept recette receta ricetta receita recept the a an der die das le la les el los il lo buy kaufen online m f d w x h mwd mfd all genders gn hf".split(
    " ",
  ),
);
/** Paths to the objects whose names pages put before or after the name of the subject. */
const MAKERS = ["brand", "manufacturer", "hiringOrganization", "author", "publisher"];
/** The types of organizations that have a place, and aren't the operators of directories. */
const GENERAL_ORGANIZATION = /^(?:Organization|Corporation|NewsMediaOrganization|OnlineBusiness|OnlineStore|WebSite)$/;
/** Matches the paths of pages about the operator of a site. */
const ABOUT_OPERATOR =
  /^\/?(?:[a-z]{2}(?:-[a-z]{2})?\/?)?$|\/(?:about|contact|imprint|impressum|kontakt|company|legal|uber-uns|ueber-uns|a-propos|contacto|contatti|chi-siamo|quienes-somos|mentions-legales)(?:-us|s)?(?:\.\w+)?\/?$/i;

/** Returns true if the page's title, its headline or its URL shows that the object is the subject of the page. */
export function isSubjectOf(page: PageView, object: DataObject): boolean {
  if (!isOfSubject(object) || !isNamedAs(object, page.titles)) return false;
  const family = familyOf(object.types);
  if (family === "Organization") return isTitled(object, page) && isAboutOrganization(object, page);
  if (titleWords(nameOf(object)?.value ?? "").length === 0) {
    // The elements of microdata and RDFa are in the main part of the page.
    return PAGE_FAMILIES.has(family) || object.source !== "json_ld" || hasAddressOf(page, object);
  }
  return (
    page.titles.words.size === 0 || isTitled(object, page) || hasAddressOf(page, object) || isMainEntity(page, object)
  );
}

/** Returns true for an organization that the page is about, and not only the site. */
function isAboutOrganization(object: DataObject, page: PageView): boolean {
  const { headings } = page.titles;
  const name = toPhrase(nameOf(object)?.value);
  if (headings.filter(isOfSubject).some(({ value }) => toPhrase(value) === name)) return true;
  if (!object.types.some((type) => GENERAL_ORGANIZATION.test(type))) return true;
  return addressesOf(page).some((address) => ABOUT_OPERATOR.test(address.replace(/^[^/]*/, "")));
}

/**
 * Returns true if a title of the page, or its part before or after the name of the site, is the name of the object. The
 * title can have more words that the object declares, such as its color. Both can differ by the name of the maker.
 */
function isTitled(object: DataObject, { titles }: PageView): boolean {
  const name = toPhrase(nameOf(object)?.value);
  const all = [...titles.headings.filter(isOfSubject), ...titles.declared].map(({ value }) => String(value));
  const parts = [...all, ...all.flatMap((title) => title.split(SEPARATOR, MAX_TITLE_PARTS))].map(toPhrase);
  if (name === "" || parts.includes(name)) return name !== "";
  const makers = new Set([...wordsAt(object, MAKERS), ...TITLE_WORDS]);
  const core = withoutWords(name, makers);
  const declared = new Set([...makers, ...wordsIn(object)]);
  return core !== "" && parts.some((title) => isSameWithout(title, name, { core, makers, declared }));
}

function isSameWithout(
  title: string,
  name: string,
  { core, makers, declared }: { core: string; makers: ReadonlySet<string>; declared: ReadonlySet<string> },
): boolean {
  if (joined(withoutWords(title, makers)) === joined(core)) return true;
  const at = ` ${title} `.indexOf(` ${name} `);
  if (at === -1) return false;
  return withoutWords(`${title.slice(0, at)} ${title.slice(at + name.length)}`, declared) === "";
}

/** Returns true if the object has the page's address as its own. */
function hasAddressOf(page: PageView, object: DataObject): boolean {
  const addresses = new Set(addressesOf(page));
  const own = ["url", "@id", "mainEntityOfPage"].flatMap((name) => nodesAt(object, [name]));
  const inner = objectsIn(own).flatMap((one) => ["url", "@id"].flatMap((name) => nodesAt(one, [name])));
  const offered = ["url", "@id"].flatMap((name) => nodesAt(object, ["offers", name]));
  return textsOf([...own, ...inner, ...offered]).some((text) => addresses.has(toAddress(text)));
}

/** Returns true if the page, or the object of this page, names the object as its main entity. */
function isMainEntity(page: PageView, object: DataObject): boolean {
  return page.objects.some(
    (one) =>
      familyOf(one.types) === "WebPage" &&
      (hasAddressOf(page, one) || nodesAt(one, ["url"]).length === 0) &&
      objectsIn(nodesAt(one, ["mainEntity"])).includes(object),
  );
}

/** Returns the addresses of the page, in the notation of `toAddress`. */
function addressesOf({ meta }: PageView): string[] {
  return ["url", "canonical", "og:url"].flatMap((name) => {
    const node = meta.get(name);
    return node === undefined ? [] : toAddress(String(node.value));
  });
}

/** Returns a URL without its scheme, `www`, fragment and last slash. Returns the text if it isn't absolute. */
export function toAddress(url: string): string {
  return url
    .trim()
    .replace(/#.*$/, "")
    .replace(/^https?:\/\/(?:www\.)?/i, "")
    .replace(/\/(?=$|\?)/, "");
}

/**
 * Returns false if an object in embedded state has an address or a name in URLs that isn't in the page's address. The page
 * can show the data of several objects.
 */
export function mayBeAt(page: PageView, object: DataObject): boolean {
  const own = textsOf(
    ["url", "slug", "handle", "canonicalUrl", "urlKey", "permalink"].flatMap((name) => nodesAt(object, [name])),
  );
  const addresses = addressesOf(page);
  if (own.length === 0 || addresses.length === 0) return true;
  return own.some((text) => {
    const path = toAddress(text).replace(/^\/|\/$/g, "");
    return path === "" || addresses.some((address) => address === path || `/${address}`.endsWith(`/${path}`));
  });
}

function textsOf(nodes: readonly DataNode[]): string[] {
  return nodes
    .flatMap((node) => (node.kind === "list" ? node.items : [node]))
    .flatMap((node) => (node.kind === "value" ? [String(node.value)] : []));
}

function wordsAt(object: DataObject, names: readonly string[]): string[] {
  const found = names.flatMap((name) => nodesAt(object, [name]));
  return [...textsOf(found), ...objectsIn(found).map((one) => String(nameOf(one)?.value ?? ""))].flatMap(titleWords);
}

/** Returns the words of the short values in the object. */
function wordsIn(object: DataObject): string[] {
  const texts: string[] = [];
  const pending: { node: DataNode; depth: number }[] = [{ node: object, depth: 0 }];
  for (let next = pending.pop(); next !== undefined && texts.length < MAX_VALUES; next = pending.pop()) {
    const { node, depth } = next;
    if (node.kind === "value") texts.push(String(node.value).slice(0, MAX_VALUE_CHARS));
    else if (depth < MAX_DEPTH) {
      const inner = node.kind === "object" ? node.members : node.items;
      for (const child of inner.slice(0, MAX_VALUES)) pending.push({ node: child, depth: depth + 1 });
    }
  }
  return texts.flatMap(titleWords);
}

function toPhrase(text: unknown): string {
  return titleWords(text ?? "").join(" ");
}

/** Returns the letters of a phrase. Some compounds are also written as several words. */
function joined(phrase: string): string {
  return phrase.replaceAll(" ", "");
}

function withoutWords(phrase: string, words: ReadonlySet<string>): string {
  return phrase
    .split(" ")
    .filter((word) => word !== "" && !words.has(word))
    .join(" ");
}
