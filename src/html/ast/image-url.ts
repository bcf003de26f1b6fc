import type { Element } from "domhandler";
import { attribute, findElement, hasAttribute, isElement } from "../parse/dom";
import { absoluteUrl } from "../parse/urls";

/** The attributes in which pages store the address of an image that a script loads later. */
const LAZY_SOURCE = /^data-(?!old-)(?:(?:[a-z]+-)*(?:src|original|lazy|image|img)|url)$/;
const SOURCE_SETS = ["srcset", "data-srcset", "data-lazy-srcset"];
/** The file names of placeholder images and tracking pixels. */
const PLACEHOLDER =
  /(?:^|[/_.-])(?:blank|spacer|pixel|placeholder|transparent|clear|dot|empty|load(?:ing|er)|1x1|lazy[-_]?load(?:ing)?|grey|gray)\.(?:gif|png|svg|webp|jpe?g)(?:$|[?#])/i;
/** The addresses of small previews, which a page shows until the image is loaded. */
const PREVIEW =
  /[?&](?:w|width|h|height|size|resize|wid)=\d{1,2}(?:$|[&,x])|[?&](?:blur|lqip)\b|\/(?:w_\d{1,2}|e_blur)[,:/]|[-_](?:lqip|blur(?:red)?|tiny)\.|[-_/]\d{1,2}x\d{1,2}\.(?:jpe?g|png|webp)/i;
const EMOJI_NAME = /^:[\w+-]{1,50}:$/;
const EMOJI = /^(?:\p{RGI_Emoji}|\p{Extended_Pictographic}){1,8}$/v;
const EMOJI_CLASS = /(?:^|[\s_-])(?:emoji|smiley|smilie|emoticon)/i;
const EMOJI_FILE = /\/([0-9a-f]{4,6}(?:-[0-9a-f]{2,6})*)\.(?:png|svg|webp)(?:$|\?)/i;
const MAX_EMOJI_CHARS = 30;
/**
 * The maximum number of images in a <picture> that share its sources. Usually, a <picture> has only one image, which is
 * its last element.
 */
const MAX_PICTURE_IMAGES = 4;
const ONE_PIXEL = /^\s*[01](?:px)?\s*$/;
const TINY_STYLE = /(?:^|[;\s])(?:width|height)\s*:\s*[01](?:px)?\s*(?:;|$|!)/i;

/** An image file, and its size if the page declares it. */
export interface ImageFile {
  url: string;
  /** The size in pixels. */
  width?: number;
  height?: number;
}

/** A file in a `srcset` attribute. */
interface SourceSetFile {
  address: string;
  /** The width in pixels, or the density. 0 if the attribute has neither. */
  size: number;
  isWidth: boolean;
}

/**
 * Returns the URL of the image that a reader sees. Returns null if the element has no image or shows a tracking pixel.
 */
export function imageUrl(image: Element, base: string): string | null {
  if (isBeacon(image)) return null;
  const source = attribute(image, "src");
  const lazy = Object.keys(image.attribs)
    .filter((name) => LAZY_SOURCE.test(name))
    .map((name) => attribute(image, name))
    .filter((address) => !isPlaceholder(address) && !PREVIEW.test(address));
  const sets = SOURCE_SETS.map((name) => largestOf(attribute(image, name)).address);
  const pictures = pictureSets(image).map((set) => largestOf(set).address);
  const later = [...lazy, ...sets, ...pictures];
  const isLate = hasAttribute(image, "data-src") || PREVIEW.test(source);
  const candidates = isPlaceholder(source) || isLate ? [...later, ...twinAddresses(image)] : [source, ...later];
  for (const address of isPlaceholder(source) ? candidates : [...candidates, source]) {
    const url = isFile(address) ? absoluteUrl(address, base) : null;
    if (url) return url;
  }
  return null;
}

/** Returns true for a tracking pixel: an element that is at most one pixel wide and high. */
export function isBeacon(image: Element): boolean {
  const sizes = [attribute(image, "width"), attribute(image, "height")].filter((size) => size !== "");
  return sizes.length > 0 ? sizes.every((size) => ONE_PIXEL.test(size)) : TINY_STYLE.test(attribute(image, "style"));
}

/** Returns the address of the image in a <noscript> after a placeholder, which shows the same image without scripts. */
function twinAddresses(image: Element): string[] {
  for (const node of [image, image.parent]) {
    let next = node?.next;
    while (next && !isElement(next) && "data" in next && next.data.trim() === "") next = next.next;
    const twin = isElement(next) && next.name === "noscript" && findElement(next, ({ name }) => name === "img");
    if (twin) return [attribute(twin, "src"), largestOf(attribute(twin, "srcset")).address];
  }
  return [];
}

/** Returns the character or the name of an emoji that an image shows. Returns an empty string for other images. */
export function emojiOf(image: Element): string {
  const alternative = attribute(image, "alt").trim();
  if (EMOJI_NAME.test(alternative) || EMOJI.test(alternative)) return alternative;
  if (!EMOJI_CLASS.test(attribute(image, "class")) || alternative.length > MAX_EMOJI_CHARS) return "";
  const [, codes] = EMOJI_FILE.exec(attribute(image, "src")) ?? [];
  if (alternative !== "" || codes === undefined) return alternative;
  const points = codes.split("-").map((code) => Number.parseInt(code, 16));
  return points.every((point) => point <= 0x10ffff) ? String.fromCodePoint(...points) : "";
}

function isPlaceholder(source: string): boolean {
  return source.startsWith("data:") || PLACEHOLDER.test(source);
}

/**
 * Returns the source sets of the <source> elements that precede the image in its <picture>. Looks back over at most
 * MAX_PICTURE_IMAGES images, so that the time doesn't grow with the square of the number of images.
 */
function pictureSets(image: Element): string[] {
  const picture = image.parent;
  if (!picture || !isElement(picture) || picture.name !== "picture") return [];
  const sets: string[] = [];
  let images = 1;
  for (let node = image.prev; node && images <= MAX_PICTURE_IMAGES; node = node.prev) {
    if (!isElement(node)) continue;
    if (node.name === "img") images++;
    else if (node.name === "source") sets.push(attribute(node, "srcset") || attribute(node, "data-srcset"));
  }
  return sets.toReversed();
}

/**
 * Returns the largest file of an image that the page offers in `srcset` or <picture>, or the file that a reader sees.
 * Returns null if the element has no image or shows a tracking pixel.
 */
export function largestImage(image: Element, base: string): ImageFile | null {
  const shown = imageUrl(image, base);
  if (shown === null) return null;
  const declared = { width: sizeOf(image, "width"), height: sizeOf(image, "height") };
  const sets = [...SOURCE_SETS.map((name) => attribute(image, name)), ...pictureSets(image)];
  const files = sets.map(largestOf).filter(({ address, size }) => address !== "" && size > 0);
  const ofWidth = files.filter(({ isWidth }) => isWidth);
  const [largest] = (ofWidth.length > 0 ? ofWidth : files).toSorted((a, b) => b.size - a.size);
  const url = largest && isFile(largest.address) ? absoluteUrl(largest.address, base) : null;
  if (!largest || url === null || !(largest.isWidth || largest.size > 1)) return { url: shown, ...toSize(declared) };
  const { width = 0, height = 0 } = declared;
  const scale = largest.isWidth ? largest.size / width : largest.size;
  if (width > 0 && height > 0) return { url, width: Math.round(width * scale), height: Math.round(height * scale) };
  return { url, ...(largest.isWidth && { width: largest.size }) };
}

function toSize({ width, height }: { width: number | undefined; height: number | undefined }): Omit<ImageFile, "url"> {
  return { ...(width && { width }), ...(height && { height }) };
}

/** Returns the value of an attribute in pixels. Returns undefined if the attribute isn't a number of pixels. */
function sizeOf(image: Element, name: "width" | "height"): number | undefined {
  const [, digits] = /^\s*(\d{1,5})(?:\.\d*)?(?:px)?\s*$/.exec(attribute(image, name)) ?? [];
  return Number(digits) || undefined;
}

/** Returns false for an address that is JSON, which some pages store in the attributes of images. */
function isFile(address: string): boolean {
  return address.trim() !== "" && !address.includes("{");
}

/** Returns the file with the greatest width or density from a `srcset` attribute. */
function largestOf(set: string): SourceSetFile {
  let largest: SourceSetFile = { address: "", size: 0, isWidth: false };
  let most = -1;
  let url = "";
  for (const token of set.trim().split(/\s+/)) {
    const [descriptor = "", next = ""] = url ? token.split(",") : [];
    if (!url && !token.endsWith(",")) {
      url = token;
      continue;
    }
    // The lookbehind keeps the time linear for a long run of commas.
    const address = url || token.replace(/(?<!,),+$/, "");
    const size = Number.parseFloat(descriptor) || 0;
    if (address && size > most) {
      largest = { address, size, isWidth: /w$/i.test(descriptor) };
      most = size;
    }
    url = next;
  }
  return most < 0 ? { address: url, size: 0, isWidth: false } : largest;
}
