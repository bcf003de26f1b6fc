import type { Document } from "domhandler";
import { attribute } from "../../html/parse/dom";
import { MAX_SERP_ADDRESS_CHARS } from "../../model/search-limits";
import { findAll } from "./dom";
import { isLink } from "./matchers";

/** The maximum number of nested redirects to unwrap. */
const MAX_WRAPPINGS = 3;
/** Matches a text fragment: the part of a URL that points to a passage of the page. */
const TEXT_FRAGMENT = /#:~:text=.*$|:~:text=.*$/s;
/** Matches the click tag that Google adds to the URLs of shops. */
const CLICK_TAG = /([?&])srsltid=[^&#]*&?/;
/** The largest offset of a result page. A link with a larger offset leads elsewhere. */
const MAX_OFFSET = 10_000;

export interface LinkTarget {
  url: string;
  /** True if `url` is still the engine's redirect, because the link doesn't contain the target. */
  unresolved?: true;
}

/** The rules of an engine for the links on its pages. */
export interface LinkRules {
  /** Matches the hosts of the engine's search, but not of its other products. */
  hosts: RegExp;
  /** Returns the URL that a link wraps, or null. */
  unwrap(link: URL): string | null;
  /** Returns true for a redirect that doesn't contain its target. */
  isRedirect(url: URL): boolean;
  /** Returns true for a page of the engine that is never a result. */
  isSearch(url: URL): boolean;
  /** Returns true for the click address of an ad. */
  isAd(url: URL): boolean;
}

/** Returns the target of a link on a result page. Returns null if the link is an ad or leads back to the search. */
export function readTarget(rules: LinkRules, href: string, base: string): LinkTarget | null {
  const url = unwrapLink(href, base, rules.unwrap);
  return url && toTarget(rules, url);
}

/** Returns the target without its text fragment and click tag. */
export function toTarget({ isRedirect, isSearch, isAd }: LinkRules, url: URL): LinkTarget | null {
  if (isAd(url)) return null;
  if (isRedirect(url)) return { url: removeTags(url), unresolved: true };
  return isSearch(url) ? null : { url: removeTags(url) };
}

/**
 * Unwraps a link until it is no longer a redirect, and returns the URL. `unwrapOnce` returns the wrapped URL, or null
 * if the link is not wrapped. Returns null if the URL is not http(s) or is too long.
 */
export function unwrapLink(href: string, base: string, unwrapOnce: (link: URL) => string | null): URL | null {
  let url = parseAddress(href, base);
  for (let count = 0; url && count < MAX_WRAPPINGS; count++) {
    const wrapped = unwrapOnce(url);
    if (wrapped === null) break;
    const next = /^(?:https?:)?\/\//i.test(wrapped) ? parseAddress(wrapped, url.href) : null;
    if (next === null) break;
    url = next;
  }
  return url;
}

/** Returns the URL. Returns null if it is not http(s) or is too long. */
export function parseAddress(address: string, base?: string): URL | null {
  const url = address.length > MAX_SERP_ADDRESS_CHARS ? null : URL.parse(address.trim(), base);
  return url && /^https?:$/.test(url.protocol) && url.href.length <= MAX_SERP_ADDRESS_CHARS ? url : null;
}

function removeTags(url: URL): string {
  const address = url.href.replace(TEXT_FRAGMENT, "");
  // URLSearchParams would encode all parameters again, and some servers reject such URLs. Therefore, a regular
  // expression removes the tag.
  return CLICK_TAG.test(address) ? address.replace(CLICK_TAG, "$1").replace(/[?&](?=#|$)/, "") : address;
}

/** Returns the URL without its fragment and closing slash, to compare pages. */
export function toPageKey(url: string): string {
  return url.replace(/#.*$/s, "").replace(/\/$/, "");
}

/** Returns the host of the site, without the names of its desktop and mobile versions. */
export function siteOf(url: string): string {
  return URL.parse(url)?.hostname.replace(/^(?:www|m)\./, "") ?? "";
}

/** Adds the parameters to the URL. Skips parameters without a value. */
export function withParameters(base: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(base);
  for (const [name, value] of Object.entries(parameters)) if (value) url.searchParams.set(name, value);
  return url.href;
}

/** Returns the URL of the next page, or null. Compares offsets in `parameter`, because labels are translated. */
export function nextLink(
  document: Document,
  url: string,
  { parameter, first = 0 }: { parameter: string; first?: number },
): string | null {
  const here = URL.parse(url);
  if (!here) return null;
  const pathOf = ({ pathname }: URL) => pathname.replace(/\/$/, "");
  const offsetOf = (address: URL) => Number(address.searchParams.get(parameter) ?? first);
  let next: { offset: number; href: string } | null = null;
  for (const link of findAll(document, isLink)) {
    const href = attribute(link, "href");
    if (!href.includes(`${parameter}=`)) continue;
    const address = URL.parse(href, url);
    if (address?.hostname !== here.hostname || pathOf(address) !== pathOf(here)) continue;
    const offset = offsetOf(address);
    if (offset > offsetOf(here) && offset <= MAX_OFFSET && offset < (next?.offset ?? Number.POSITIVE_INFINITY))
      next = { offset, href: address.href };
  }
  return next?.href ?? null;
}
