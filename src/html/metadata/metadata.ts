import { type ChildNode, type Document, Element } from "domhandler";
import { absoluteUrl } from "../parse/urls";
import { tidyValue } from "../parse/white-space";
import { cleanAuthor } from "./author-names";
import { readHead } from "./head";
import { chooseHeadline } from "./headline";
import { type Description, readJsonLd } from "./json-ld";
import metaNames from "./meta-names.json";
import { describeByMicrodata } from "./microdata";
import { ShownFacts } from "./shown-facts";
import { findDate } from "./text-date";
import { toIsoTime } from "./time";
import { chooseTitle, isSiteName, siteNames, withoutSiteName } from "./title";

const MAX_TIME_CHARS = 100;

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

/** The elements of a page that metadata is read from, in document order. */
interface PageElements {
  /** The headings <h1> to <h3>. */
  headings: Element[];
  /** The elements with microdata properties. */
  properties: Element[];
  /** The <time> elements. */
  times: Element[];
}

const MAX_HEADINGS = 60;
const MAX_PROPERTIES = 200;
const MAX_TIMES = 50;

/**
 * Reads a page's metadata. Looks for each field in JSON-LD, Open Graph, microdata and meta elements, in this order, and
 * uses the first value that it finds. Reads missing authors and dates in the text near the headline, and the title in
 * the headline.
 */
export function readMetadata(document: Document, { baseUrl, shown: isShown = true }: MetadataOptions): Metadata {
  const page = readPageElements(document);
  const head = readHead(document);
  const linked = readJsonLd(head.nodes);
  const item = describeByMicrodata(page.properties);
  const meta = (...names: string[]) =>
    names.map((name) => head.meta.get(name)).find((value) => tidyValue(value) !== "");
  const times = (...names: string[]) => names.map((name) => head.meta.get(name));
  const url = (address: string | undefined) => absoluteUrl(address ?? "", baseUrl) ?? undefined;
  const language = first(
    linked.language,
    head.language,
    meta("og:locale"),
    item.language,
    meta("content-language", "dc.language"),
  );
  const site = first(linked.site, meta("og:site_name"), item.site, meta("application-name"));
  const canonical = first(head.canonical && url(head.canonical), meta("og:url") && url(meta("og:url")));
  const titles = [linked.title, meta("og:title"), item.title, meta(...metaNames.title), head.title]
    .map(tidyValue)
    .filter((title) => title !== "");
  const sites = siteNames(canonical ?? baseUrl, [site, linked.site, linked.publisher, meta("og:site_name"), item.site]);
  const headline = chooseHeadline(isShown ? page.headings : [], {
    titles,
    clean: (text) => withoutSiteName(text, sites),
  });
  const shown = new ShownFacts({
    document: isShown ? document : null,
    times: page.times,
    headline: headline?.element ?? null,
    language: language ?? "",
  });
  const toTime = (...values: (string | undefined)[]) => firstTime(values, language ?? "");
  const published = toTime(
    linked.published,
    meta("article:published_time"),
    item.published,
    ...times(...metaNames.published),
  );
  const modified = toTime(
    linked.modified,
    meta("article:modified_time", "og:updated_time"),
    item.modified,
    ...times(...metaNames.modified),
  );
  const isArticle = published !== undefined || meta("og:type") === "article";
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
    published_time: published ?? toTime(shown.published) ?? dateInUrl(canonical ?? baseUrl) ?? undefined,
    modified_time: modified ?? (published ? undefined : toTime(shown.modified)),
    site_name: site,
    canonical_url: canonical,
    favicon: head.icon && url(head.icon),
    open_graph: head.openGraph,
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
  shown: ShownFacts;
  isArticle: boolean;
}): string | undefined {
  const described = first(cleanAuthor(linked.author), cleanAuthor(item.author));
  const named = first(
    cleanAuthor(nameOf(meta("article:author"))),
    described,
    ...metaNames.author.map((name) => cleanAuthor(nameOf(meta(name)))),
  );
  const declared = first(cleanAuthor(linked.author), named);
  if (declared === undefined) return first(shown.author, isArticle ? shown.markedAuthor : "");
  const isSite = isSiteName(declared, sites);
  if (!isSite && !(linked.isByOrganization && declared === linked.author)) return declared;
  return first(shown.author, isArticle || declared === described ? declared : "");
}

/** Returns the day in a URL such as `/2024/05/17/title`, or null. */
function dateInUrl(address: string): string | null {
  const date = /\/((?:19|20)\d\d)\/(\d\d?)\/(\d\d?)(?:\/|$)/.exec(URL.parse(address)?.pathname ?? "");
  return date && toIsoTime(`${date[1]}-${date[2]}-${date[3]}`);
}

function first(...values: (string | undefined)[]): string | undefined {
  return values.map(tidyValue).find((value) => value !== "");
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

/**
 * Collects the elements of a page that metadata is read from. Walks through the page only once, without a generator,
 * because this walk takes most of the time.
 */
function readPageElements(document: Document): PageElements {
  const headings: Element[] = [];
  const properties: Element[] = [];
  const times: Element[] = [];
  const stack: ChildNode[] = document.children.toReversed();
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (!(node instanceof Element)) continue;
    const { name, attribs, children } = node;
    if (name === "h1" || name === "h2" || name === "h3") {
      if (headings.length < MAX_HEADINGS) headings.push(node);
    } else if (name === "time" && times.length < MAX_TIMES) times.push(node);
    if (attribs.itemprop !== undefined && properties.length < MAX_PROPERTIES) properties.push(node);
    if (name === "svg" || name === "template") continue;
    for (let at = children.length - 1; at >= 0; at--) {
      const child = children[at];
      if (child instanceof Element) stack.push(child);
    }
  }
  return { headings, properties, times };
}
