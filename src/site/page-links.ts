import type { Document } from "domhandler";
import { readLinks } from "../html/links";
import { headOf } from "../html/parse/document";
import { attribute, elementsUnder } from "../html/parse/dom";
import { absoluteUrl, baseUrl } from "../html/parse/urls";
import type { ContentSignals } from "../model/crawl";
import { parseContentSignal } from "./content-signals";
import { tidyTitle } from "./sitemap";

/** The links of a page that a crawler can follow, and the page's declarations about them. */
export interface PageLinks {
  title: string | null;
  links: FollowableLink[];
  /** The absolute URLs of the feeds that the page declares. */
  feeds: string[];
  /** The absolute URL that the page declares as its own, or null. */
  canonical: string | null;
  directives: RobotsDirectives;
}

interface FollowableLink {
  /** The absolute http or https URL, without the fragment. */
  url: string;
  text: string;
  /** True if the link has `rel=nofollow`. */
  nofollow: boolean;
}

/** The directives of `<meta name=robots>` and X-Robots-Tag. */
interface RobotsDirectives {
  noindex: boolean;
  nofollow: boolean;
}

const FEED_TYPE = /^\s*application\/(?:rss|atom)\+xml\b/i;
const MAX_FEEDS = 20;

/** Reads the links of a page. `url` is the URL after redirects. `robotsTag` is the header X-Robots-Tag, or null. */
export function readPageLinks(
  document: Document,
  { url, robotsTag = null }: { url: string; robotsTag?: string | null },
): PageLinks {
  const base = baseUrl(document, url);
  const feeds = new Set<string>();
  const directives = toDirectives(robotsTag ?? "");
  let title: string | null = null;
  let canonical: string | null = null;
  for (const element of elementsUnder(document, ({ name }) => name !== "svg")) {
    if (element.name === "title")
      title ??= tidyTitle(element.children.map((c) => ("data" in c ? c.data : "")).join(""));
    else if (element.name === "meta" && /^\s*robots\s*$/i.test(attribute(element, "name"))) {
      const found = toDirectives(attribute(element, "content"));
      directives.noindex ||= found.noindex;
      directives.nofollow ||= found.nofollow;
    } else if (element.name === "link") {
      const relations = attribute(element, "rel").toLowerCase().split(/\s+/);
      const href = toPageUrl(attribute(element, "href"), base);
      if (href === null) continue;
      if (relations.includes("canonical")) canonical ??= href;
      const isFeed = relations.includes("alternate") && FEED_TYPE.test(attribute(element, "type"));
      if (isFeed && feeds.size < MAX_FEEDS) feeds.add(href);
    }
  }
  return { title, links: toLinks(document, base), feeds: [...feeds], canonical, directives };
}

function toLinks(document: Document, base: string): FollowableLink[] {
  const links = new Map<string, FollowableLink>();
  for (const { url, text, rel = "" } of readLinks(document, { baseUrl: base })) {
    const page = url.replace(/#.*$/s, "");
    const nofollow = /(?:^|\s)nofollow(?:\s|$)/i.test(rel);
    const known = links.get(page);
    if (known === undefined) links.set(page, { url: page, text, nofollow });
    else {
      known.text ||= text;
      known.nofollow &&= nofollow;
    }
  }
  return [...links.values()];
}

function toPageUrl(href: string, base: string): string | null {
  const url = href.trim() === "" ? null : absoluteUrl(href, base);
  return url !== null && /^https?:/.test(url) ? url : null;
}

/** Parses directives such as `noindex, nofollow`, except those for other crawlers (`otherbot: noindex`). */
function toDirectives(content: string): RobotsDirectives {
  const names = content
    .toLowerCase()
    .split(",")
    .map((name) => name.trim());
  const has = (name: string) => names.includes(name) || names.includes("none");
  return { noindex: has("noindex"), nofollow: has("nofollow") };
}

/**
 * Returns what a page's headers and its `<head>` say about uses of the page: Content-Signal, `noai` and `noimageai` of
 * the robots directives, and the reservation of TDMRep (https://www.w3.org/community/tdmrep).
 */
export function readContentSignals(
  header: (name: string) => string | null = () => null,
  document: Document | null,
): ContentSignals {
  const signals = parseContentSignal(header("content-signal") ?? "");
  const metas = document === null ? [] : elementsUnder(headOf(document)).filter(({ name }) => name === "meta");
  const found = [["robots", header("x-robots-tag") ?? ""]];
  found.push(["tdm-reservation", header("tdm-reservation") ?? ""]);
  for (const meta of metas) found.push([attribute(meta, "name").trim().toLowerCase(), attribute(meta, "content")]);
  for (const [name, content = ""] of found) {
    const values = content.split(",").map((value) => value.trim().toLowerCase());
    if (name === "robots" && values.includes("noai")) signals.noai = true;
    if (name === "robots" && values.includes("noimageai")) signals.noimageai = true;
    if (name === "tdm-reservation" && values.includes("1")) signals.tdm_reservation = true;
  }
  return signals;
}
