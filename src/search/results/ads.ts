import { type Element, isText, type ParentNode } from "domhandler";
import { attribute, hasMoreText, isElement } from "../../html/parse/dom";
import labels from "./ad-labels.json";
import { closest, isLink, type Matcher } from "./dom";
import { tidy } from "./texts";

const LABELS = new Set(Object.values(labels).join("|").split("|"));
const MAX_LABEL_CHARS = 40;
/** Matches the label of the button that explains an ad. */
const WHY_THIS_AD = /\bwhy (?:this|am i seeing this) ad\b/i;
/** An ad has at most this many characters. */
const MAX_AD_CHARS = 800;
/** Elements that emphasize words of the query. Their text can equal a label by chance. */
const EMPHASIS = /^(?:em|b|strong|i|mark)$/;

/** Returns true if the text is a mark of ads, such as "Sponsored". Engines add punctuation and invisible characters. */
export function isAdLabel(text: string): boolean {
  const label = text.replace(/^[\s·•:]+|(?<![\s·•:])[\s·•:]+$/g, "").toLowerCase();
  return label !== "" && LABELS.has(label);
}

/** The way to recognize the ads of an engine, in addition to their labels. */
export interface AdSigns {
  /** Matches an element that contains exactly one ad, by an attribute of the engine. */
  isAd: Matcher;
  /** Matches a link that goes through the engine's counter of paid clicks. */
  isAdLink: Matcher;
}

/**
 * Finds ads by attributes, by regions with a label such as "Ads", by texts such as "Sponsored", and by click addresses.
 * Returns the title's link of each ad and the element around the ad. `shown`: the elements of the page. `titles`: the
 * links of all titles.
 */
export function findAds(
  shown: readonly Element[],
  titles: ReadonlySet<Element>,
  { isAd, isAdLink }: AdSigns,
): Map<Element, Element> {
  const counts = new Map<ParentNode, number>();
  for (const title of titles)
    for (let at: ParentNode | null = title; at; at = at.parent) counts.set(at, (counts.get(at) ?? 0) + 1);
  const items = new Set<Element>();
  const regions = new Set<Element>();
  for (const element of shown) {
    if (isAd(element)) items.add(element);
    else if (attribute(element, "role") === "region" && isAdLabel(attribute(element, "aria-label")))
      regions.add(element);
    else if (isMark(element) || isAdLink(element)) {
      const item = itemAround(element, counts);
      if (item) items.add(item);
    }
  }
  const ads = new Map<Element, Element>();
  for (const title of titles) {
    const item = closest(title, (at) => items.has(at));
    const region = item ? null : closest(title, (at) => regions.has(at));
    if (item || region) ads.set(title, grow(item ?? title, region, counts));
  }
  return ads;
}

/** Returns true if the element's text is only a label, or if it is the button that explains an ad. */
function isMark(element: Element): boolean {
  const label = element.attribs["aria-label"];
  if (label !== undefined && WHY_THIS_AD.test(label)) return true;
  const [first] = element.children;
  if (element.children.length !== 1 || !first || !isText(first) || first.data.length > MAX_LABEL_CHARS) return false;
  return isAdLabel(tidy(first.data, MAX_LABEL_CHARS)) && !EMPHASIS.test(element.name) && !closest(element, isLink);
}

/** Returns the nearest element around the mark with a title. Returns null if it has several titles. */
function itemAround(mark: Element, counts: ReadonlyMap<ParentNode, number>): Element | null {
  let at: ParentNode | null = mark;
  while (at && !counts.has(at)) at = at.parent;
  return isElement(at) && counts.get(at) === 1 && at.name !== "body" ? at : null;
}

/** Returns the largest element around the ad that has no other title and not much text. */
function grow(ad: Element, region: Element | null, counts: ReadonlyMap<ParentNode, number>): Element {
  let item = ad;
  while (isElement(item.parent) && item !== region && counts.get(item.parent) === 1) {
    if (item.parent.name === "body" || hasMoreText(item.parent, MAX_AD_CHARS)) break;
    item = item.parent;
  }
  return item;
}
