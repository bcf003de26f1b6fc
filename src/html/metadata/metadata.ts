import type { Document } from "domhandler";
import { lazy } from "../../lib/lazy";
import { findDate, toIsoTime } from "../page/dates";
import { chooseHeadline, similarity, wordsOf } from "../page/headline";
import { asNode, type JsonLdNode, withMainEntities } from "../page/json-ld";
import { readItems } from "../page/microdata";
import { readPageModel } from "../page/page-model";
import { findPageParts } from "../page/parts";
import { bodyOf } from "../parse/document";
import { isWithin } from "../parse/dom";
import { absoluteUrl } from "../parse/urls";
import { tidyValue } from "../parse/white-space";
import { cleanAuthor } from "./author-names";
import { type Description, describe, titleOf } from "./description";
import metaNames from "./meta-names.json";
import { findShownFacts } from "./shown-facts";
import { chooseTitle, isSiteName, siteNames, withoutSiteName } from "./title";

const MAX_TIME_CHARS = 100;
/** A node with a title is about the page if the title is at least this similar to the page's title. */
const MIN_SHARED = 0.5;

/** The metadata of a page. Values that the page doesn't have are left out. */
export interface Metadata {
  title?: string;
  description?: string;
  /** The language as the page wrote it, such as `en` or `de-AT`. */
  language?: string;
  /** The author. Several names are joined by commas. */
  author?: string;
  /** The time in ISO 8601. It has an offset only if the page has one. */
  published_time?: string;
  modified_time?: string;
  site_name?: string;
  canonical_url?: string;
  favicon?: string;
  /** The Open Graph properties. The keys lack the prefix `og:`. */
  open_graph?: Record<string, string>;
}

interface MetadataOptions {
  /** Relative URLs are resolved against this URL. */
  baseUrl: string;
  /** If false, reads only what the page declares, without its headings and its text. The default is true. */
  shown?: boolean;
}

/**
 * Reads a page's metadata. Looks for each field in JSON-LD, Open Graph, microdata and meta elements, in this order, and
 * uses the first value that it finds. Reads missing authors and dates in the text near the headline, and the title in
 * the headline.
 */
export function readMetadata(document: Document, { baseUrl, shown: isShown = true }: MetadataOptions): Metadata {
  const model = readPageModel(document);
  const meta = (...names: string[]) =>
    names.map((name) => model.meta.get(name)).find((value) => tidyValue(value) !== "");
  const url = (address: string | undefined) => absoluteUrl(address ?? "", baseUrl) ?? undefined;
  const canonical = first(model.canonical && url(model.canonical), meta("og:url") && url(meta("og:url")));
  const about = {
    titles: present(meta("og:title"), meta(...metaNames.title), model.title),
    addresses: [canonical, baseUrl],
  };
  const isOther = (node: JsonLdNode) => isAboutOther(node, about);
  const linked = describe(model.nodes(), { isOther });
  const named = [linked.site, linked.publisher, meta("og:site_name"), meta("application-name")];
  const knownSites = siteNames(canonical ?? baseUrl, named);
  const headings = model.headings().map((heading) => ({ ...heading, text: withoutSiteName(heading.text, knownSites) }));
  const headline = chooseHeadline(
    isShown ? headings : [],
    present(linked.title, ...about.titles).map((title) => withoutSiteName(title, knownSites)),
  );
  const others = lazy(() => findPageParts(document, { hidden: new Set(), headline }).stories);
  const times = (...names: string[]) =>
    names.map((name) => {
      const element = model.bodyMeta.get(name);
      return element && isWithin(element, others()) ? undefined : model.meta.get(name);
    });
  const items = model.hasMicrodata ? readItems(document, { syntax: "microdata", page: true, hidden: others() }) : [];
  const item = describe(withMainEntities(items), { isOther, maxAuthors: 1 });
  const language = first(
    linked.language,
    model.language,
    meta("og:locale"),
    item.language,
    meta("content-language", "dc.language"),
  );
  const site = first(linked.site, meta("og:site_name"), item.site, meta("application-name"));
  const titles = present(linked.title, meta("og:title"), item.title, meta(...metaNames.title), model.title);
  const sites = siteNames(canonical ?? baseUrl, [...named, item.site]);
  const shown = findShownFacts({
    body: isShown ? bodyOf(document) : null,
    headline: headline?.element ?? null,
    others,
    language: language ?? "",
  });
  const toTime = (...values: (string | undefined)[]) => firstTime(values, language ?? "");
  const published = toTime(
    linked.published,
    ...times("article:published_time"),
    item.published,
    ...times(...metaNames.published),
  );
  const modified = toTime(
    linked.modified,
    ...times("article:modified_time", "og:updated_time"),
    item.modified,
    ...times(...metaNames.modified),
  );
  const isArticle = published !== undefined || model.isArticle;
  return withoutAbsent({
    title: chooseTitle({ titles, headline: headline?.text ?? "", sites, url: canonical ?? baseUrl }),
    description: first(
      linked.description,
      meta("og:description"),
      item.description,
      meta("description", "twitter:description", "dc.description"),
    ),
    language,
    author: chooseAuthor({ linked, item, meta, sites, shown, isArticle }),
    published_time: published ?? toTime(shown.dates().published) ?? dateInUrl(canonical ?? baseUrl) ?? undefined,
    modified_time: modified ?? (published ? undefined : toTime(shown.dates().modified)),
    site_name: site,
    canonical_url: canonical,
    favicon: model.icon && url(model.icon),
    open_graph: model.openGraph,
  });
}

/**
 * Returns the author. A name near the headline replaces the name of the site or of an organization, which many pages
 * declare for all their articles.
 */
function chooseAuthor({
  linked,
  item,
  meta,
  sites,
  shown,
  isArticle,
}: {
  linked: Description;
  item: Description;
  meta: (...names: string[]) => string | undefined;
  sites: readonly string[];
  shown: ReturnType<typeof findShownFacts>;
  isArticle: boolean;
}): string | undefined {
  const described = first(cleanAuthor(linked.author), cleanAuthor(item.author));
  const named = first(
    cleanAuthor(nameOf(meta("article:author"))),
    described,
    ...metaNames.author.map((name) => cleanAuthor(nameOf(meta(name)))),
  );
  const declared = first(cleanAuthor(linked.author), named);
  if (declared === undefined) return first(shown.author(), isArticle ? shown.markedAuthor() : "");
  const isSite = isSiteName(declared, sites);
  if (!isSite && !(linked.isByOrganization && declared === linked.author)) return declared;
  return first(shown.author(), isArticle || declared === described ? declared : "");
}

/** Returns the day in a URL such as `/2024/05/17/title`, or null. */
function dateInUrl(address: string): string | null {
  const date = /\/((?:19|20)\d\d)\/(\d\d?)\/(\d\d?)(?:\/|$)/.exec(URL.parse(address)?.pathname ?? "");
  return date && toIsoTime(`${date[1]}-${date[2]}-${date[3]}`);
}

function first(...values: (string | undefined)[]): string | undefined {
  return present(...values)[0];
}

/** Returns the values that aren't empty, without the white space around them. */
function present(...values: (string | undefined)[]): string[] {
  return values.map(tidyValue).filter((value) => value !== "");
}

function firstTime(values: readonly (string | undefined)[], language: string): string | undefined {
  for (const value of values) {
    const text = tidyValue(value);
    const time = toIsoTime(text) ?? findDate(text.slice(0, MAX_TIME_CHARS), language)?.day;
    if (time) return time;
  }
  return undefined;
}

/**
 * Returns the author's name, or undefined if the value is a URL. Open Graph requires a profile URL in the author
 * property, but many pages write a name there.
 */
function nameOf(author: string | undefined): string | undefined {
  return author && /^https?:/i.test(author) ? undefined : author;
}

/** Removes undefined values and empty strings. */
export function withoutAbsent(fields: { [Key in keyof Metadata]: Metadata[Key] | undefined }): Metadata {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== ""));
}

/** Returns true for a node with another title than the page, unless the node has the page's URL. */
function isAboutOther(
  node: JsonLdNode,
  { titles, addresses }: { titles: readonly string[]; addresses: readonly (string | undefined)[] },
): boolean {
  const { mainEntityOfPage: page } = node;
  const named = [node.url, node["@id"], page, asNode(page)?.["@id"]];
  if (named.some((address) => typeof address === "string" && addresses.includes(address))) return false;
  const words = wordsOf(titleOf(node));
  return (
    words.size > 0 && titles.length > 0 && !titles.some((title) => similarity(words, wordsOf(title)) >= MIN_SHARED)
  );
}
