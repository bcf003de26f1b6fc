import type { Element } from "domhandler";
import { attribute, findElement, hasAttribute, isElement } from "../parse/dom";
import { absoluteUrl } from "../parse/urls";
import type { Mark } from "./blocks";
import { attributeWords } from "./line";
import type { Reader } from "./reader";

const LAZY_SOURCES = ["data-src", "data-lazy-src", "data-original", "data-lazy", "data-url", "data-hi-res-src"];
const SOURCE_SETS = ["srcset", "data-srcset", "data-lazy-srcset"];
/** Names of the pictures that stand in `src` until the real one is loaded, and of those that count visits. */
const STAND_IN =
  /(?:^|[/_.-])(?:blank|spacer|pixel|placeholder|transparent|clear|dot|1x1|lazy[-_]?load(?:ing)?|grey|gray)\.(?:gif|png|svg|jpe?g)(?:$|[?#])/i;
const ONE_PIXEL = /^\s*[01](?:px)?\s*$/;
const TINY_STYLE = /(?:^|[;\s])(?:width|height)\s*:\s*[01](?:px)?\s*(?:;|$|!)/i;

export function visitImage(reader: Reader, element: Element, marks: Mark | null): void {
  const url = imageUrl(element, reader.base);
  if (!url || !reader.addresses.spend(url.length)) return;
  const alternative = attributeWords(attribute(element, "alt"));
  const title = reader.caption ?? attributeWords(attribute(element, "title"));
  reader.caption = null;
  const isNew = title !== "" && title !== alternative;
  reader.add({ type: "image", value: alternative, marks, url, ...(isNew && { title }) });
}

/** <noscript> tells the reader to switch scripts on, or holds the picture that a script would load. */
export function visitNoscript(reader: Reader, element: Element, marks: Mark | null): void {
  const image = findElement(element, ({ name }) => name === "img");
  const url = image && imageUrl(image, reader.base);
  if (image && url && reader.lastImage?.url !== url) visitImage(reader, image, marks);
}

/** The address of the picture that a reader gets to see; null when it has none, or only counts the visit. */
export function imageUrl(image: Element, base: string): string | null {
  if (isBeacon(image)) return null;
  const source = attribute(image, "src");
  const lazy = LAZY_SOURCES.map((name) => attribute(image, name));
  const sets = SOURCE_SETS.map((name) => largestOf(attribute(image, name)));
  const candidates = [...(isStandIn(source) ? [] : [source]), ...lazy, ...sets, ...pictureSources(image)];
  for (const address of hasAttribute(image, "data-src") ? [...lazy, ...candidates] : candidates) {
    // Some scripts keep JSON there.
    const url = address.trim() && !address.includes("{") ? absoluteUrl(address, base) : null;
    if (url) return url;
  }
  return null;
}

function isBeacon(image: Element): boolean {
  const sizes = [attribute(image, "width"), attribute(image, "height")].filter((size) => size !== "");
  return sizes.length > 0 ? sizes.every((size) => ONE_PIXEL.test(size)) : TINY_STYLE.test(attribute(image, "style"));
}

function isStandIn(source: string): boolean {
  return source.startsWith("data:") || STAND_IN.test(source);
}

function pictureSources(image: Element): string[] {
  const picture = image.parent;
  if (!picture || !isElement(picture) || picture.name !== "picture") return [];
  return picture.children
    .filter(isElement)
    .filter(({ name }) => name === "source")
    .map((source) => largestOf(attribute(source, "srcset") || attribute(source, "data-srcset")));
}

/** The candidate of a source set with the greatest width or density. */
function largestOf(set: string): string {
  let largest = "";
  let most = -1;
  let url = "";
  for (const token of set.trim().split(/\s+/)) {
    const [size = "", next = ""] = url ? token.split(",") : [];
    if (!url && !token.endsWith(",")) {
      url = token;
      continue;
    }
    const candidate = url || token.replace(/,+$/, "");
    if (candidate && (Number.parseFloat(size) || 0) > most) [largest, most] = [candidate, Number.parseFloat(size) || 0];
    url = next;
  }
  return most < 0 ? url : largest;
}
