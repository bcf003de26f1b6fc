import { isHeading } from "../parse/dom";
import { findConsent, hasOtherText } from "./consent";
import type { Headline } from "./read-page";
import { holdsContent } from "./region-kinds";
import type { Region } from "./regions";
import type { Selection } from "./selection";
import { CONTENT_NAMES, EMBED_NAMES, NEVER_NAMES, NOTE_NAMES, UNLIKELY_NAMES } from "./vocabulary";

const ROLES = new Set(
  "navigation menu menubar alert banner complementary contentinfo search tablist toolbar".split(" "),
);
const SLIDE_NAMES = /^slides?$/;
/** A region with more than this share of the page's prose is content, regardless of its class names. */
const MAX_BOILERPLATE_SHARE = 0.6;
/** A region with an unlikely name is dropped only if it has at most this share of the page's prose. */
const MAX_UNLIKELY_SHARE = 0.3;
/** A region with an unlikely name is dropped only if it has at most this share of the page's words. */
const MAX_UNLIKELY_WORDS_SHARE = 0.4;
/**
 * A region above `MAX_BOILERPLATE_SHARE` is still dropped if the other regions have at least this many characters of
 * prose.
 */
const MIN_OTHER_PROSE = 300;
/**
 * Comments and similar regions of any length are dropped if the other regions have at least this many characters of
 * prose.
 */
const MIN_PROSE_LEFT = 400;

/**
 * Drops navigation, page headers and footers, dialogs and consent boxes. Recognizes them by their elements and roles.
 */
export function dropBoilerplate(selection: Selection, headline: Headline | null): void {
  const { root } = selection.page;
  const maxProse = MAX_BOILERPLATE_SHARE * selection.prose(root);
  let left = selection.prose(root);
  const overlays: Region[] = [];
  selection.dropOutermost((region, isInContent) => {
    if (region.isOverlay) overlays.push(region);
    const prose = selection.prose(region);
    if (prose > maxProse && left - prose < MIN_OTHER_PROSE) return false;
    if (!isBoilerplate(region, isInContent, selection)) return false;
    left -= prose;
    return true;
  });
  // A dialog may be longer than the text of a short page, so dialogs of any length are dropped.
  const isOverPage = (region: Region) => !holdsContent(region.element) && hasOtherText(selection, region);
  for (const region of overlays.filter(isOverPage)) selection.dropRegion(region);
  for (const region of findConsent(selection, headline)) selection.dropRegion(region);
}

/** Drops regions with class names that main content seldom has. */
export function dropUnlikely(selection: Selection, headline: Headline | null): void {
  const { root } = selection.page;
  const maxProse = MAX_UNLIKELY_SHARE * selection.prose(root);
  const maxWords = MAX_UNLIKELY_WORDS_SHARE * selection.words(root);
  let left = selection.prose(root);
  selection.dropOutermost((region) => {
    if (/^(?:a|article|main)$/.test(region.element.name) || (headline && region.holds(headline.region))) return false;
    const prose = selection.prose(region);
    const isNever = region.isNamed(NEVER_NAMES) && left - prose >= MIN_PROSE_LEFT;
    const isSmall = prose <= maxProse && selection.words(region) <= maxWords;
    if (!isNever && !(isSmall && isUnlikely(region) && !isHeading(region.element))) return false;
    left -= prose;
    return true;
  });
}

function isBoilerplate(region: Region, isInContent: boolean, selection: Selection): boolean {
  const { element } = region;
  const { name, attribs } = element;
  const role = attribs.role?.toLowerCase() ?? "";
  if (name === "aside" && isInContent && region.isNamed(NOTE_NAMES)) return false;
  if (name === "button") return !isDisclosureButton(region, selection);
  if (name === "header" || name === "footer") return !isInContent && !holdsContent(element);
  const isMarked =
    name === "nav" ||
    name === "aside" ||
    (ROLES.has(role) && !(role === "alert" && isInContent)) ||
    (attribs["aria-hidden"] === "true" && role !== "tabpanel" && !isSlide(region, selection)) ||
    region.isOverlay;
  return isMarked && !holdsContent(element);
}

/** Returns true for a button that shows or hides the text after it, such as a question in an FAQ. */
function isDisclosureButton(button: Region, { page: { lines } }: Selection): boolean {
  const { parent } = button;
  if (parent && /^(?:h[1-6]|summary|dt)$/.test(parent.element.name)) return button.holds(parent);
  if (button.children.some(({ element }) => isHeading(element))) return true;
  if (lines[button.end - 1]?.text.endsWith("?")) return true;
  const { attribs } = button.element;
  const isNext = button.end < Math.max(parent?.end ?? 0, parent?.parent?.end ?? 0);
  const isControl = attribs["aria-expanded"] !== undefined || attribs["aria-controls"] !== undefined;
  return isControl && isNext && lines[button.end]?.isProse === true;
}

/** Returns true for a slide with text that a visitor can show. The slides of a shop link to other products. */
function isSlide(region: Region, selection: Selection): boolean {
  return region.isNamed(SLIDE_NAMES) && selection.linkDensity(region) === 0;
}

function isUnlikely(region: Region): boolean {
  return region.isNamed(UNLIKELY_NAMES) && !region.isNamed(CONTENT_NAMES) && !region.isNamed(EMBED_NAMES);
}
