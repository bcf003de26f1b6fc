import type { ChildNode, Document } from "domhandler";
import { Budget } from "../lib/budget";
import { type ImageFile, largestImage } from "./ast/image-url";
import { attribute, elementsUnder, isWithin } from "./parse/dom";
import { attributeText } from "./parse/white-space";
import { addressesAi } from "./visibility/ai-instructions";

export interface PageImage extends ImageFile {
  /** The alternative text. Empty if the image has none. */
  alt: string;
}

const MAX_IMAGES = 2_000;
/** The maximum total length of a page's URLs, including repeated URLs. A long <base> makes every relative URL long. */
const MAX_ADDRESSES_CHARS = 4_000_000;

interface ImageOptions {
  baseUrl: string;
  /** The nodes that a person can't see. */
  hidden?: ReadonlySet<ChildNode>;
}

/**
 * Returns the images of a page in document order, up to MAX_IMAGES. Lists each URL once, with the first alternative
 * text that isn't empty. Omits tracking pixels, placeholders, `data:` URLs and drawings. Also omits hidden alternative
 * texts that contain instructions for an AI.
 */
export function readImages(document: Document, { baseUrl, hidden = new Set() }: ImageOptions): PageImage[] {
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
    image.alt ||= altOf(attributeText(attribute(element, "alt")), () => isWithin(element, hidden));
    images.set(file.url, image);
  }
  return [...images.values()];
}

function altOf(text: string, isHidden: () => boolean): string {
  return text !== "" && addressesAi(text) && isHidden() ? "" : text;
}
