import { type Document, Element } from "domhandler";
import { headOf } from "../parse/document";

/** Hosts without their `www.`: the page's own, and those that it says it lives at: it may have been fetched from a copy. */
export function pageHosts(document: Document, url: string): ReadonlySet<string> {
  const addresses = [url];
  for (const node of headOf(document).children) {
    if (!(node instanceof Element)) continue;
    const { rel = "", href = "", property, content = "" } = node.attribs;
    if (node.name === "link" && /(?:^|\s)canonical(?:\s|$)/i.test(rel)) addresses.push(href);
    else if (node.name === "meta" && property === "og:url") addresses.push(content);
  }
  return new Set(addresses.map(hostOf).filter((host) => host !== null));
}

/** Null for what isn't an absolute address. */
export function hostOf(address: string): string | null {
  const host = URL.parse(address.startsWith("//") ? `https:${address}` : address)?.host;
  return host ? host.replace(/^www\./, "") : null;
}
