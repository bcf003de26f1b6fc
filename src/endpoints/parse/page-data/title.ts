import { isSiteName, siteNames, withoutSiteName } from "../../../html/metadata/title";
import type { DataValue } from "../../../html/page-data/data-node";
import { type PageView, titleWords } from "./page-view";

/** Matches a title with another part, such as the name of the site. */
const PARTS = /\s(?:[|·•»–—-])\s/;
const MIN_SIMILAR_WORDS = 3;
const MIN_SIMILAR_SHARE = 0.65;
const MIN_PART_SHARE = 0.5;
/** The characters between a title and the name of the site. */
const SEPARATOR = /^\s*(?:[|·•»–—:]|-\s)/;
/** Families whose objects have a name. The heading of a page can shorten it. */
const NAMED = new Set(["Product", "Book", "Course", "SoftwareApplication", "Movie"]);
/** The titles of pages about these often have more words than the name. */
const NAMED_BY_DECLARATION = new Set(["Recipe", "JobPosting", "Event", "Organization"]);
/** The name of such an object is rarely the title of the page. */
const SITE_FAMILIES = new Set(["Person", "WebPage", "none"]);

/**
 * Chooses the title of a page or the name of its subject. A declared title must agree with a heading. Without a heading,
 * two declarations must agree, and the page must show the title. Returns null if the titles don't agree, because titles
 * for search engines differ from the title that the page shows.
 */
export function chooseTitle(
  { declared, meta }: { declared: readonly DataValue[]; meta: readonly DataValue[] },
  family: string,
  page: PageView,
): DataValue | null {
  if (NAMED_BY_DECLARATION.has(family) && declared.length > 0) return onlyOf(declared);
  if (family === "Organization") return null;
  const sites = sitesOf(page);
  const own = SITE_FAMILIES.has(family) ? [] : declared.filter(({ value }) => !isSiteName(String(value), sites));
  const headings = page.titles.headings.filter(({ value }) => !isSiteName(String(value), sites));
  const all = [...own, ...meta, ...page.titles.declared];
  const chosen =
    NAMED.has(family) && own.length > 0 ? chooseName(own, headings, page) : chooseHeading(all, headings, page);
  return chosen && { ...chosen, value: withoutSiteName(String(chosen.value), sites) };
}

/** Chooses the declared name. A heading or another declaration must contain it, or the heading must be a part of it. */
function chooseName(own: readonly DataValue[], headings: readonly DataValue[], { titles }: PageView): DataValue | null {
  const name = onlyOf(own);
  if (name === null) return null;
  if (headings.some((heading) => isSame(heading, name))) return name;
  const heading = onlyOf(headings);
  if (heading === null) return titles.declared.some((one) => contains(one, name)) ? name : null;
  if (contains(name, heading)) return SEPARATOR.test(restOf(name, heading)) ? heading : name;
  return contains(heading, name) ? name : null;
}

/**
 * Chooses the heading that agrees with a declared title. The <title> element counts only if nothing else declares a
 * title, because it often begins with the name of the site.
 */
function chooseHeading(
  all: readonly DataValue[],
  headings: readonly DataValue[],
  { shownAnywhere }: PageView,
): DataValue | null {
  const declared = all.filter(({ name }) => name !== "title");
  const titles = declared.length > 0 ? declared : all;
  if (headings.length === 0) {
    const [first, ...others] = declared;
    if (first === undefined || others.length === 0 || !others.every((one) => isSame(one, first))) return null;
    return !PARTS.test(String(first.value)) && shownAnywhere.hasText(String(first.value)) ? first : null;
  }
  for (const agrees of [isSame, isMostlyIn, isBeginning, isSimilar]) {
    const agreeing = headings.filter((heading) => titles.some((one) => agrees(one, heading)));
    if (agreeing.length > 0) return onlyOf(agreeing);
  }
  return null;
}

function isBeginning(part: DataValue, whole: DataValue): boolean {
  return `${titleWords(whole.value).join(" ")} `.startsWith(`${titleWords(part.value).join(" ")} `);
}

/** Returns true if the declared title contains the heading, and the heading is its beginning or most of it. */
function isMostlyIn(title: DataValue, heading: DataValue): boolean {
  if (!contains(title, heading)) return false;
  const isLong = titleWords(heading.value).length >= MIN_PART_SHARE * titleWords(title.value).length;
  return isLong || SEPARATOR.test(restOf(title, heading));
}

/** Returns true if the declared title has most of the words of the heading. */
function isSimilar(title: DataValue, heading: DataValue): boolean {
  const words = new Set(titleWords(title.value));
  const own = [...new Set(titleWords(heading.value))];
  return (
    own.length >= MIN_SIMILAR_WORDS && own.filter((word) => words.has(word)).length >= MIN_SIMILAR_SHARE * own.length
  );
}

function sitesOf({ meta }: PageView): readonly string[] {
  const address = meta.get("canonical") ?? meta.get("og:url") ?? meta.get("url");
  return siteNames(String(address?.value ?? ""), [String(meta.get("og:site_name")?.value ?? "")]);
}

/** Returns true if the text is the name of the site. */
export function isNameOfSite(text: string, page: PageView): boolean {
  return isSiteName(text, sitesOf(page));
}

/** Returns the only different title, or null if there is none or if there are several. */
function onlyOf(values: readonly DataValue[]): DataValue | null {
  const [first, ...others] = values.filter(({ value }) => titleWords(value).length > 0);
  return first !== undefined && others.every((one) => isSame(one, first)) ? first : null;
}

function isSame(left: DataValue, right: DataValue): boolean {
  return titleWords(left.value).join(" ") === titleWords(right.value).join(" ");
}

function contains(whole: DataValue, part: DataValue): boolean {
  return ` ${titleWords(whole.value).join(" ")} `.includes(` ${titleWords(part.value).join(" ")} `);
}

/** Returns what follows the part in the whole title, or an empty string. */
function restOf(whole: DataValue, part: DataValue): string {
  const [text, start] = [String(whole.value), String(part.value)];
  const at = text.toLowerCase().indexOf(start.toLowerCase());
  return at === -1 ? "" : text.slice(at + start.length);
}
