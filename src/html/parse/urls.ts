import type { Document } from "domhandler";
import { elementsUnder } from "./dom";

/** The schemes of addresses outside of the page, the browser and the machine. */
const SCHEMES = new Set(["http:", "https:", "mailto:", "tel:", "sms:", "ftp:"]);

/** The limit of an address. Servers refuse longer ones, and every link would repeat a long <base>. */
const MAX_ADDRESS_CHARS = 8_000;

/** Returns the absolute form of an address, or null if it is invalid, too long, or of another scheme. */
export function absoluteUrl(address: string, base: string): string | null {
  const url = address.length > MAX_ADDRESS_CHARS ? null : URL.parse(address.trim(), base);
  return url && SCHEMES.has(url.protocol) && url.href.length <= MAX_ADDRESS_CHARS ? url.href : null;
}

/** Returns the address that relative addresses are resolved against: <base href>, or the page's address. */
export function baseUrl(document: Document, pageUrl: string): string {
  const base = elementsUnder(document, ({ name }) => name !== "noscript" && name !== "template").find(
    ({ name, attribs }) => name === "base" && attribs.href !== undefined,
  );
  return (base?.attribs.href && absoluteUrl(base.attribs.href, pageUrl)) || pageUrl;
}
