import type { Element } from "domhandler";
import { elementsUnder, hasMoreText } from "../parse/dom";

/** The attributes and class names with which libraries mark elements that appear when a reader scrolls to them. */
const ATTRIBUTE = /^data-(?:aos|sal|scroll|anim|reveal|sr|wow|w-id|framer|stagger|motion|in-?view|fade|entrance)/;
const CLASS =
  /(?:^|[\s_-])(?:wow|aos|reveal\w*|animat\w*|fade\w*|slide-?in\w*|in-?view\w*|appear\w*|elementor-invisible|motion|loading|loaded|preload\w*)(?:$|[\s_-])/i;
const STRUCTURE = /^(?:h[1-6]|a|img|table|ul|ol|button)$/;
/** A transparent element with this much content is a part of the page's layout. A script shows it. */
const MIN_LAYOUT_CHARS = 150;
const MIN_LAYOUT_ELEMENTS = 5;
/** The number of elements that are searched for a heading, a link, an image, a table or a list. */
const MAX_LAYOUT_ELEMENTS = 500;
/** The classes of elements that appear only while the pointer is on another element, or for a message. */
export const OVERLAY =
  /tooltip|dropdown|menu|modal|popup|popover|overlay|dialog|flyout|hovercard|toast|snackbar|lightbox/i;

/**
 * Returns true if a transparent or invisible element appears later: when a script has run, or when a reader scrolls to
 * it. `hasMotion`: the element's style moves or animates it.
 */
export function appearsLater(element: Element, { hasMotion }: { hasMotion: boolean }): boolean {
  const { attribs } = element;
  if (OVERLAY.test(`${attribs.class ?? ""} ${attribs.role ?? ""}`)) return false;
  if (hasMotion || CLASS.test(attribs.class ?? "")) return true;
  return Object.keys(attribs).some((name) => ATTRIBUTE.test(name)) || isLayout(element);
}

function isLayout(element: Element): boolean {
  if (!hasMoreText(element, MIN_LAYOUT_CHARS)) return false;
  let elements = 0;
  let isStructured = false;
  for (const { name } of elementsUnder(element)) {
    if (++elements > MAX_LAYOUT_ELEMENTS) return false;
    isStructured ||= STRUCTURE.test(name);
    if (isStructured && elements >= MIN_LAYOUT_ELEMENTS) return true;
  }
  return false;
}
