import type { Document } from "domhandler";
import { absoluteUrl } from "../parse/urls";
import { tidyValue } from "../parse/white-space";
import { readHeadElements } from "./head";
import { readJsonLd } from "./json-ld";
import { describeByMicrodata } from "./microdata";
import { toIsoTime } from "./time";

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

/**
 * Reads a page's metadata. Looks for each field in JSON-LD, Open Graph, microdata and meta elements, in this order.
 * Uses the first value that it finds.
 */
export function readMetadata(document: Document, { baseUrl }: { baseUrl: string }): Metadata {
  const head = readHeadElements(document);
  const linked = readJsonLd(head.jsonLd);
  const item = describeByMicrodata(document);
  const meta = (name: string) => head.meta.get(name);
  const url = (address: string | undefined) => absoluteUrl(address ?? "", baseUrl) ?? undefined;
  return withoutAbsent({
    title: first(linked.title, meta("og:title"), item.title, meta("twitter:title"), meta("dc.title"), head.title),
    description: first(
      linked.description,
      meta("og:description"),
      item.description,
      meta("description"),
      meta("twitter:description"),
      meta("dc.description"),
    ),
    language: first(
      linked.language,
      head.language,
      meta("og:locale"),
      item.language,
      meta("content-language"),
      meta("dc.language"),
    ),
    author: first(linked.author, nameOf(meta("article:author")), item.author, meta("author"), meta("dc.creator")),
    published_time: firstTime(
      linked.published,
      meta("article:published_time"),
      item.published,
      meta("date"),
      meta("pubdate"),
      meta("publish-date"),
      meta("parsely-pub-date"),
      meta("dc.date"),
      meta("dcterms.created"),
    ),
    modified_time: firstTime(
      linked.modified,
      meta("article:modified_time"),
      meta("og:updated_time"),
      item.modified,
      meta("last-modified"),
      meta("dcterms.modified"),
    ),
    site_name: first(linked.site, meta("og:site_name"), item.site, meta("application-name")),
    canonical_url: first(head.canonical && url(head.canonical), meta("og:url") && url(meta("og:url"))),
    favicon: head.icon && url(head.icon),
    open_graph: head.openGraph,
  });
}

function first(...values: (string | undefined)[]): string | undefined {
  return values.map(tidyValue).find((value) => value !== "");
}

function firstTime(...values: (string | undefined)[]): string | undefined {
  return values.map((value) => toIsoTime(tidyValue(value))).find((time) => time !== null) ?? undefined;
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
