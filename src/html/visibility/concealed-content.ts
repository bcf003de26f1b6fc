import { type ChildNode, Element, Text } from "domhandler";
import { elementsUnder } from "../parse/dom";
import { OVERLAY } from "./appearing";
import { isSitePart } from "./panels";

/** The content has at least this many characters outside links. */
const MIN_CONTENT_CHARS = 500;
/** The content is at least this share of the text in <main>. */
const MIN_MAIN_SHARE = 0.8;

/**
 * Finds the element with the main content, if a page hides the content until a script has run. Some shops do so with
 * `display: none`, until the script has checked the reader's country or age.
 */
export class ConcealedContent {
  readonly #headlines: Element[] = [];
  readonly #mains: { element: Element; chars: number }[] = [];

  constructor(body: Element) {
    for (const element of elementsUnder(body)) {
      if (element.name === "h1") this.#headlines.push(element);
      else if (element.name === "main" || element.attribs.role === "main")
        this.#mains.push({ element, chars: unlinkedChars(element) });
    }
  }

  /** Returns true for a hidden element with all headlines of the page, or with most of the text in its <main>. */
  has(hidden: Element): boolean {
    const { attribs, name } = hidden;
    if (isSitePart(hidden) || attribs.popover !== undefined || name === "noscript") return false;
    if (OVERLAY.test(`${attribs.class ?? ""} ${attribs.id ?? ""} ${attribs.role ?? ""}`)) return false;
    const [main, ...more] = this.#mains;
    const isInMain = main !== undefined && more.length === 0 && isInside(hidden, main.element);
    const hasHeadlines = this.#headlines.length > 0 && this.#headlines.every((headline) => isInside(headline, hidden));
    if (!isInMain && !hasHeadlines) return false;
    const chars = unlinkedChars(hidden);
    return chars >= MIN_CONTENT_CHARS && (hasHeadlines || chars >= MIN_MAIN_SHARE * (main?.chars ?? 0));
  }
}

function isInside(element: Element, outer: Element): boolean {
  for (let at: Element | null = element; at; at = at.parent instanceof Element ? at.parent : null)
    if (at === outer) return true;
  return false;
}

function unlinkedChars({ children }: Element): number {
  return children.reduce((sum: number, child: ChildNode) => {
    if (child instanceof Text) return sum + child.data.trim().length;
    return child instanceof Element && child.name !== "a" ? sum + unlinkedChars(child) : sum;
  }, 0);
}
