import type { Document } from "domhandler";
import { findElement } from "./content/elements";

/** Addresses that lead nowhere outside of a browser. */
const USELESS_SCHEMES = new Set(["javascript:", "vbscript:", "data:", "blob:", "about:"]);

/** Servers refuse longer ones, and a long <base> would be repeated by every link. */
const MAX_ADDRESS_CHARS = 8_000;

/** The absolute form of an address; null when it is none, is too long, or only a browser could follow it. */
export function absoluteUrl(address: string, base: string): string | null {
  const url = address.length > MAX_ADDRESS_CHARS ? null : URL.parse(address.trim(), base);
  return !url || USELESS_SCHEMES.has(url.protocol) || url.href.length > MAX_ADDRESS_CHARS ? null : url.href;
}

/** The address that relative ones start from: <base href>, itself relative to the page's. */
export function baseUrl(document: Document, pageUrl: string): string {
  const base = findElement(document, ({ name, attribs }) => name === "base" && attribs.href !== undefined);
  return (base?.attribs.href && absoluteUrl(base.attribs.href, pageUrl)) || pageUrl;
}
