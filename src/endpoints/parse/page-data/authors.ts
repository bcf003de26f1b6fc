import { cleanAuthor } from "../../../html/metadata/author-names";
import type { PageView } from "./page-view";
import type { Scalar } from "./scalars";
import { isNameOfSite } from "./title";

const MAX_NAME_WORDS = 5;
/** Characters that separate a name from a role, a site or another name. */
const NOT_IN_NAMES = /[:|/@·•,;&]|\s[-–—]\s|\d{3}/;
const ORGANIZATION =
  /\b(?:team|staff|editors?|editorial|ltd|inc|llc|gmbh|company|group|media|redaktion|rédaction|redacción|redazione|desk|contributors?|admin)\b/i;

/**
 * Returns false for an author that the page doesn't show as its only author: an organization, a placeholder, a user name,
 * or one of several names. A meta element is used only if the page shows the name after a word such as “by”.
 */
export function isShownAuthor({ value, source }: Scalar, page: PageView | null): boolean {
  const name = String(value);
  if (cleanAuthor(name) !== name || NOT_IN_NAMES.test(name) || ORGANIZATION.test(name)) return false;
  if (name.split(/\s+/).length > MAX_NAME_WORDS) return false;
  if (page === null) return true;
  if (isNameOfSite(name, page)) return false;
  if (!page.shownAnywhere.isComparable) return true;
  return page.shownAnywhere.hasAuthor(name, { isLabeled: source === "meta" || source === "open_graph" });
}
