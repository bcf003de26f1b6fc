import type { Document } from "domhandler";
import { elementsUnder } from "./dom";

/** What anybody can follow: not scripts, nor what lies in the page, the browser or the machine. */
const SCHEMES = new Set(["http:", "https:", "mailto:", "tel:", "sms:", "ftp:"]);

/** Servers refuse longer ones, and a long <base> would be repeated by every link. */
const MAX_ADDRESS_CHARS = 8_000;

/** The absolute form of an address; null when it is none, is too long, or leads nowhere outside of the browser. */
export function absoluteUrl(address: string, base: string): string | null {
  const url = address.length > MAX_ADDRESS_CHARS ? null : URL.parse(address.trim(), base);
  return url && SCHEMES.has(url.protocol) && url.href.length <= MAX_ADDRESS_CHARS ? url.href : null;
}

/** The address that relative ones start from: <base href>, itself relative to the page's. */
export function baseUrl(document: Document, pageUrl: string): string {
  const base = elementsUnder(document, ({ name }) => name !== "noscript" && name !== "template").find(
    ({ name, attribs }) => name === "base" && attribs.href !== undefined,
  );
  return (base?.attribs.href && absoluteUrl(base.attribs.href, pageUrl)) || pageUrl;
}
