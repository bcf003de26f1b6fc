import type { DomDocument, DomElement } from "./dom";
import { elementsUnder, unwrap } from "./dom";

/** Addresses that lead nowhere outside of a browser. */
const USELESS_SCHEMES = new Set(["javascript:", "vbscript:", "data:", "blob:", "about:"]);
const LAZY_SOURCES = ["data-src", "data-lazy-src", "data-original", "data-lazy", "data-url"];
const LAZY_SOURCE_SETS = ["srcset", "data-srcset", "data-lazy-srcset"];

/** The absolute form of an address; null when it is none, or one that only a browser could follow. */
export function absoluteUrl(address: string, base: string): string | null {
  const url = URL.parse(address.trim(), base);
  return !url || USELESS_SCHEMES.has(url.protocol) ? null : url.href;
}

/** The address that relative ones start from: <base href>, itself relative to the page's. */
export function baseUrl(document: DomDocument, pageUrl: string): string {
  const href = document.querySelector("base[href]")?.getAttribute("href");
  return (href && absoluteUrl(href, pageUrl)) || pageUrl;
}

/** Makes every link and image absolute; links that can't be followed lose their <a>, images without an address go. */
export function resolveUrls(document: DomDocument, base: string): void {
  for (const element of elementsUnder(document.body)) {
    if (element.localName === "a") resolveLink(element, base);
    if (element.localName === "img") resolveImage(element, base);
  }
}

function resolveLink(link: DomElement, base: string): void {
  const href = link.getAttribute("href");
  if (href === null) return;
  const url = absoluteUrl(href, base);
  if (url) link.setAttribute("href", url);
  else unwrap(link);
}

function resolveImage(image: DomElement, base: string): void {
  const url = imageSource(image, base);
  if (url) image.setAttribute("src", url);
  else image.remove();
  for (const name of [...LAZY_SOURCES, ...LAZY_SOURCE_SETS]) image.removeAttribute(name);
}

/** The first usable address: lazy images keep a placeholder, often a data: URL, in `src`. */
function imageSource(image: DomElement, base: string): string | null {
  const lazy = LAZY_SOURCES.map((name) => image.getAttribute(name));
  const sets = LAZY_SOURCE_SETS.map((name) => firstOfSet(image.getAttribute(name)));
  const picture = image.parentNode?.localName === "picture" ? image.parentNode.querySelector("source[srcset]") : null;
  for (const address of [
    ...lazy,
    image.getAttribute("src"),
    ...sets,
    firstOfSet(picture?.getAttribute("srcset") ?? null),
  ]) {
    // Some scripts keep JSON there.
    const url = address?.trim() && !address.includes("{") && absoluteUrl(address, base);
    if (url) return url;
  }
  return null;
}

function firstOfSet(set: string | null): string | null {
  return set?.trim().split(/\s/, 1)[0]?.replace(/,$/, "") ?? null;
}
