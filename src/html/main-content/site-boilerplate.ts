import type { ChildNode, Element } from "domhandler";
import { findConsent, hasOtherText } from "./consent";
import { holdsContent } from "./region-kinds";
import type { Region, RegionTree, TextLine } from "./regions";
import { Selection } from "./selection";

const ROLES = new Set(["navigation", "menubar", "search", "toolbar"]);
/** Matches whole class names of the site's footer. A class such as `card-footer` belongs to a part of the page. */
const SITE_FOOTER = /^(?:(?:site|page|main|global)[-_]?)?footer(?:[-_]?(?:wrapper|container|inner))?$/i;
/** Matches whole class names of the site's header and menus. */
const SITE_HEADER =
  /^(?:(?:site|page|main|global|top|primary)[-_]?)?(?:header|masthead|nav|navi|navbar|navigation|menu|topbar)(?:[-_]?(?:bar|wrapper|container|inner|main|primary|top))?$/i;
/**
 * A region named "menu" or "header" is dropped only if at least this share of its text is links. A region with fewer
 * links may be the menu of a restaurant.
 */
const MIN_MENU_LINKED_SHARE = 0.6;
const RELATED_NAMES = /^(?:related|recommend|outbrain|taboola|verwandt|ads?$|adv$|advert|werbung)/;
/**
 * A region of related stories is dropped only if it has at most this share of the page's words. A larger region is the
 * subject of the page.
 */
const MAX_RELATED_SHARE = 0.4;
const MAX_NAME_CHARS = 80;

/**
 * Finds elements that certainly belong to the site and not to the page: navigation, the header and footer of all pages,
 * dialogs, consent boxes, related stories and advertisements.
 */
export function findSiteBoilerplate(page: RegionTree): ReadonlySet<ChildNode> {
  const selection = new Selection(page);
  const isRelated = (region: Region) =>
    region.isNamed(RELATED_NAMES) && selection.words(region) <= MAX_RELATED_SHARE * selection.words(page.root);
  selection.dropOutermost((region, isInContent) => {
    const isLinks = selection.linkDensity(region) >= MIN_MENU_LINKED_SHARE;
    const isFound = isOfSite(region, isInContent, isLinks) || isRelated(region);
    return isFound && !holdsContent(region.element) && hasOtherText(selection, region);
  });
  for (const region of findConsent(selection, null)) selection.dropRegion(region);
  return selection.dropped;
}

/** Returns the lines of a page outside of the site's boilerplate. The result can be empty. */
export function linesOutsideBoilerplate(page: RegionTree): TextLine[] {
  const selection = new Selection(page);
  selection.dropOutermost(
    (region, isInContent) => isOfSite(region, isInContent, region.isLinked) && !holdsContent(region.element),
  );
  return selection.linesIn(page.root);
}

function isOfSite(region: Region, isInContent: boolean, isLinks: boolean): boolean {
  return isNavigation(region.element) || region.isOverlay || (!isInContent && isHeaderOrFooter(region, isLinks));
}

/** Returns true for the site's navigation. Breadcrumbs aren't included, because they describe the page. */
function isNavigation({ name, attribs }: Element): boolean {
  if (name !== "nav" && !ROLES.has(attribs.role?.toLowerCase() ?? "")) return false;
  return !/breadcrumb/i.test(`${attribs.class ?? ""} ${attribs.id ?? ""} ${attribs["aria-label"] ?? ""}`);
}

function isHeaderOrFooter({ element: { name, attribs }, hints }: Region, isLinks: boolean): boolean {
  if (name === "header" || name === "footer") return true;
  if (/^(?:banner|contentinfo)$/i.test(attribs.role ?? "")) return true;
  const names = [hints.id, ...hints.classes.split(/\s+/)].filter((one) => one !== "" && one.length <= MAX_NAME_CHARS);
  if (names.some((one) => SITE_FOOTER.test(one))) return true;
  return isLinks && names.some((one) => SITE_HEADER.test(one));
}
