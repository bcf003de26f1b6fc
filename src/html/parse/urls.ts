import type { Document } from "domhandler";
import { headOf } from "./document";
import { isElement } from "./dom";

/** The URL schemes that work outside of the page. Excludes `javascript:`, `data:`, `file:` and similar schemes. */
const SCHEMES = new Set(["http:", "https:", "mailto:", "tel:", "sms:", "ftp:"]);

/** The maximum length of a URL. Servers refuse longer ones, and a <base> would be repeated in each link. */
const MAX_ADDRESS_CHARS = 8_000;

/** Resolves a URL against `base`. Returns null if it's invalid, too long, or has a scheme that isn't in `SCHEMES`. */
export function absoluteUrl(address: string, base: string): string | null {
  const url = address.length > MAX_ADDRESS_CHARS ? null : URL.parse(address.trim(), base);
  return url && SCHEMES.has(url.protocol) && url.href.length <= MAX_ADDRESS_CHARS ? url.href : null;
}

/** Returns the host name of a URL without `www.`, or null if the URL isn't absolute. */
export function hostOf(address: string): string | null {
  const host = URL.parse(address.startsWith("//") ? `https:${address}` : address)?.hostname;
  return host ? host.replace(/^www\./, "") : null;
}

/** Returns the URL that relative URLs are resolved against: <base href> or, without it, the page's URL. */
export function baseUrl(document: Document, pageUrl: string): string {
  // The parser puts each <base> into <head>, except those in <noscript> and <template>.
  for (const node of headOf(document).children) {
    if (!isElement(node) || node.name !== "base" || node.attribs.href === undefined) continue;
    return absoluteUrl(node.attribs.href, pageUrl) ?? pageUrl;
  }
  return pageUrl;
}
