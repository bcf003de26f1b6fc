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
  readonly #body: Element;
  /** The page's headlines and <main> elements. Found for the first hidden element that isn't a part of the site. */
  #marks: { headlines: Element[]; mains: { element: Element; chars: number }[] } | null = null;

  constructor(body: Element) {
    this.#body = body;
  }

  /** Returns true for a hidden element with all headlines of the page, or with most of the text in its <main>. */
  has(hidden: Element): boolean {
    const { attribs, name } = hidden;
    if (isSitePart(hidden) || attribs.popover !== undefined || name === "noscript") return false;
    if (OVERLAY.test(`${attribs.class ?? ""} ${attribs.id ?? ""} ${attribs.role ?? ""}`)) return false;
    this.#marks ??= marksIn(this.#body);
    const { headlines, mains } = this.#marks;
    const [main, ...more] = mains;
    const isInMain = main !== undefined && more.length === 0 && isInside(hidden, main.element);
    const hasHeadlines = headlines.length > 0 && headlines.every((headline) => isInside(headline, hidden));
    if (!isInMain && !hasHeadlines) return false;
    const chars = unlinkedChars(hidden);
    return chars >= MIN_CONTENT_CHARS && (hasHeadlines || chars >= MIN_MAIN_SHARE * (main?.chars ?? 0));
  }
}

function marksIn(body: Element) {
  const headlines: Element[] = [];
  const mains: { element: Element; chars: number }[] = [];
  for (const element of elementsUnder(body)) {
    if (element.name === "h1") headlines.push(element);
    else if (element.name === "main" || element.attribs.role === "main")
      mains.push({ element, chars: unlinkedChars(element) });
  }
  return { headlines, mains };
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
