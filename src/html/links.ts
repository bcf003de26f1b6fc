import type { ChildNode, Document, Element } from "domhandler";
import { Budget } from "../lib/budget";
import { type ImageFile, largestImage } from "./ast/image-url";
import { attribute, elementsUnder, isElement, isWithin, MEDIA, NEVER_TEXT, separatedText } from "./parse/dom";
import { absoluteUrl } from "./parse/urls";
import { attributeText, tidyValue } from "./parse/white-space";
import { addressesAi } from "./visibility/ai-instructions";

export interface PageLink {
  /** The absolute http or https URL. */
  url: string;
  /**
   * The link's text. If the link has no text: its label, its title, or the alternative text of its image. Empty if the
   * link has none of them.
   */
  text: string;
  /** The `rel` attribute as the page wrote it. */
  rel?: string;
}

/** The maximum total length of a page's URLs. A long <base> makes every relative URL long. */
const MAX_ADDRESSES_CHARS = 4_000_000;

interface LinkOptions {
  baseUrl: string;
  /** The nodes that a person can't see. */
  hidden?: ReadonlySet<ChildNode>;
}

const NOTHING: ReadonlySet<ChildNode> = new Set();

export interface PageImage extends ImageFile {
  /** The alternative text. Empty if the image has none. */
  alt: string;
}

const MAX_IMAGES = 2_000;

/**
 * Returns the links of a page in document order. Lists each URL once, with the first text that isn't empty. Leaves out
 * links to a position on the same page, hidden media, and hidden texts that tell an AI what to do.
 */
export function readLinks(document: Document, { baseUrl, hidden = NOTHING }: LinkOptions): PageLink[] {
  const links = new Map<string, PageLink>();
  const concealed = new Set<PageLink>();
  const page = withoutFragment(baseUrl);
  const budget = new Budget(MAX_ADDRESSES_CHARS);
  for (const element of elementsUnder(document)) {
    if ((element.name !== "a" && element.name !== "area") || !element.attribs.href) continue;
    const { parent } = element;
    if (isElement(parent) && MEDIA.has(parent.name) && isWithin(parent, hidden)) continue;
    const url = absoluteUrl(element.attribs.href, baseUrl);
    if (!url || !/^https?:/.test(url) || (url.includes("#") && withoutFragment(url) === page)) continue;
    const known = links.get(url);
    if (known && known.text !== "") continue;
    if (!known && !budget.spend(url.length)) continue;
    const link = known ?? toLink(url, element);
    link.text ||= wordsOf(element);
    links.set(url, link);
    if (hidden.size > 0 && isIn(element, hidden)) concealed.add(link);
  }
  // Most hidden links are in closed menus, and their texts are wanted. All texts are checked together, which is faster.
  if (addressesAi(Array.from(concealed, ({ text }) => text).join(" . ")))
    for (const link of concealed) if (addressesAi(link.text)) link.text = "";
  return [...links.values()];
}

function isIn(element: Element, hidden: ReadonlySet<ChildNode>): boolean {
  return isWithin(element, hidden) || element.children.some((child) => hidden.has(child));
}

function toLink(url: string, element: Element): PageLink {
  const rel = attribute(element, "rel").trim();
  return { url, text: wordsOf(element), ...(rel && { rel }) };
}

/** Returns the text of a link, or else its label, its title or the first alternative text in it. */
function wordsOf(link: Element): string {
  // A link without an end tag also contains the links after it.
  const isOther = (node: ChildNode) => isElement(node) && (node.name === "a" || node.name === "svg");
  const words = tidyValue(separatedText(link, { separator: "", isSkipped: isOther }));
  if (words !== "") return words;
  const named = attribute(link, "aria-label") || attribute(link, "title") || attribute(link, "alt");
  const pictures = elementsUnder(link, (inner) => !isOther(inner) && !NEVER_TEXT.has(inner.name));
  return tidyValue(named || pictures.map(alternativeOf).find((text) => text !== ""));
}

function alternativeOf(picture: Element): string {
  if (picture.name === "img") return attribute(picture, "alt");
  return picture.name === "svg" ? attribute(picture, "aria-label") || attribute(picture, "title") : "";
}

function withoutFragment(url: string): string {
  return url.replace(/#.*$/s, "");
}

/**
 * Returns the images of a page in document order, up to MAX_IMAGES. Lists each URL once, with the first alternative
 * text that isn't empty. Omits tracking pixels, placeholders, `data:` URLs and drawings. Also omits hidden alternative
 * texts that contain instructions for an AI.
 */
export function readImages(document: Document, { baseUrl, hidden = NOTHING }: LinkOptions): PageImage[] {
  const images = new Map<string, PageImage>();
  const budget = new Budget(MAX_ADDRESSES_CHARS);
  for (const element of elementsUnder(document, ({ name }) => name !== "template")) {
    if (element.name !== "img") continue;
    const file = largestImage(element, baseUrl);
    if (file === null || !/^https?:/.test(file.url)) continue;
    if (!budget.spend(file.url.length)) break;
    const known = images.get(file.url);
    if (!known && images.size >= MAX_IMAGES) continue;
    const image = known ?? { alt: "", ...file };
    const alt = attributeText(attribute(element, "alt"));
    if (!addressesAi(alt) || !isWithin(element, hidden)) image.alt ||= alt;
    images.set(file.url, image);
  }
  return [...images.values()];
}
