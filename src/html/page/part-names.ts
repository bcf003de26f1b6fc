import type { Element } from "domhandler";
import relatedHeadings from "./related-headings.json";

/** Matches headings of parts with other pages' subjects, such as “Related products”, in several languages. */
const RELATED_HEADING = new RegExp(relatedHeadings.join("|"), "iu");
/** Matches the classes, ids and labels of such parts, and of other parts next to the content. */
const RELATED_NAME =
  /related|recommend|similar|up-?sells?\b|cross-?sells?\b|also[-_]?(?:bought|like|viewed)|recently[-_]?viewed|bought[-_]?together|outbrain|taboola|sponsor|(?:^|[\s_-])ads?(?:[\s_-]|$)|advert|verwandt|aehnlich|empfehl|relacionad|recomend|similaires|recommand|correlat|gerelateerd|breadcrumb|accessor(?:y|ies)|more[-_]?from|you[-_]?may/i;
/** Matches class names that describe what the page has around the element. */
const ABOUT_PAGE = /(?:^|[-_])(?:has|no|not|without|with|is|hide|show)[-_]/i;
const MAX_NAME_CHARS = 80;
const MAX_NAMES = 20;
/** Returns true for the heading of a part with other subjects, such as “You may also like”. */
export function isRelatedHeading(text: string): boolean {
  return RELATED_HEADING.test(text);
}

/** Returns true if the names of an element mark a part with other subjects. */
export function isNamedAside(element: Element): boolean {
  return namesOf(element).some((name) => RELATED_NAME.test(name) && !ABOUT_PAGE.test(name));
}

function namesOf({ name, attribs }: Element): string[] {
  const names = [...(attribs.class ?? "").split(/\s+/, MAX_NAMES), attribs.id ?? "", attribs["aria-label"] ?? ""];
  return [...names, name.includes("-") ? name : ""].filter((one) => one !== "" && one.length <= MAX_NAME_CHARS);
}
