import { type Element, isText, type ParentNode } from "domhandler";
import { attribute, hasMoreText, isElement } from "../../html/parse/dom";
import labels from "./ad-labels.json";
import { closest } from "./dom";
import type { OpenPage } from "./engine-page";
import { isLink, type Matcher } from "./matchers";
import { countBelow } from "./structure";
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

/**
 * Finds ads by attributes, by regions with a label such as "Ads", by texts such as "Sponsored", and by click addresses.
 * Returns the title's link of each ad and the element around the ad. `titles`: the links of all titles. `isAd` matches
 * an element that contains exactly one ad, by an attribute of the engine.
 */
export function findAds(
  { index, isAdLink }: OpenPage,
  titles: ReadonlySet<Element>,
  isAd: Matcher,
): Map<Element, Element> {
  const counts = countBelow(titles);
  const signs = new Set<Element>();
  const regions = new Set<Element>();
  for (const element of index.elements) {
    if (isAd(element)) signs.add(element);
    else if (attribute(element, "role") === "region" && isAdLabel(attribute(element, "aria-label")))
      regions.add(element);
    else if (isMark(element) || (isLink(element) && isAdLink(element))) {
      const item = closest(element, (at) => counts.has(at));
      // Several titles share the mark of their region.
      if (item && counts.get(item) === 1 && item.name !== "body") signs.add(item);
    }
  }
  const ads = new Map<Element, Element>();
  for (const title of titles) {
    const item = closest(title, (at) => signs.has(at));
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

/** Returns the largest element around the ad that has no other title and not much text. */
function grow(ad: Element, region: Element | null, counts: ReadonlyMap<ParentNode, number>): Element {
  let item = ad;
  while (isElement(item.parent) && item !== region && counts.get(item.parent) === 1) {
    if (item.parent.name === "body" || hasMoreText(item.parent, MAX_AD_CHARS)) break;
    item = item.parent;
  }
  return item;
}
