import { type ChildNode, Element } from "domhandler";
import { findConsent, hasTextBeside } from "./consent";
import { isDataTable } from "./data-tables";
import { Draft } from "./draft";
import { type Block, type Outline, outline, type Unit } from "./outline";
import { isOverlay } from "./overlay";

const ROLES = new Set(["navigation", "menubar", "search", "toolbar"]);
/** Whole names: the header of a card is another thing. */
const SITE_FOOTER = /^(?:(?:site|page|main|global)[-_]?)?footer(?:[-_]?(?:wrapper|container|inner))?$/i;
const SITE_HEADER =
  /^(?:(?:site|page|main|global|top|primary)[-_]?)?(?:header|masthead|nav|navi|navbar|navigation|menu|topbar)(?:[-_]?(?:bar|wrapper|container|inner|main|primary|top))?$/i;
/** Of what bears the name of a menu: with fewer words in links, it may be that of a restaurant. */
const MIN_MENU_LINKED_SHARE = 0.6;
const RELATED_NAMES = /^(?:related|recommend|outbrain|taboola|verwandt|ads?$|adv$|advert|werbung)/;
/** Of the page's words: more, and it is what the page is about. */
const MAX_RELATED_SHARE = 0.4;
const MAX_NAME_CHARS = 80;

/**
 * What is of the site and not of the page, where that is sure: navigation, the header and footer around all pages, dialogs,
 * consent boxes, and what calls itself related or an advertisement. What is `excluded` counts as not there.
 */
export function siteChrome(body: Element, excluded: ReadonlySet<ChildNode>): ReadonlySet<ChildNode> {
  const draft = new Draft(outline(body, excluded));
  const found: Block[] = [];
  function visit(block: Block, isInContent: boolean): void {
    if (isDataTable(block, draft)) return;
    for (const child of block.children) {
      if (isChrome(child, { draft, isInContent })) found.push(child);
      else visit(child, isInContent || isContent(child.element));
    }
  }
  visit(draft.page.root, false);
  for (const block of found) draft.dropBlock(block);
  for (const block of findConsent(draft, null)) draft.dropBlock(block);
  return draft.dropped;
}

function isChrome(block: Block, { draft, isInContent }: { draft: Draft; isInContent: boolean }): boolean {
  const isLinks = draft.linkDensity(block) >= MIN_MENU_LINKED_SHARE;
  const isChrome =
    isOfSite(block.element, { isInContent, isLinks }) ||
    (isRelated(block) && draft.words(block) <= MAX_RELATED_SHARE * draft.words(draft.page.root));
  return isChrome && !holdsContent(block.element) && hasTextBeside(draft, block);
}

/** The lines of a page that aren't in what is of its site, whatever else there is. */
export function linesOfPage({ units }: Outline): Unit[] {
  const known = new Map<Block, "site" | "content" | "page">();
  function placeOf(block: Block): "site" | "content" | "page" {
    const place = known.get(block) ?? findPlace(block);
    known.set(block, place);
    return place;
  }
  function findPlace({ element, parent, isLinked }: Block): "site" | "content" | "page" {
    const outer = parent ? placeOf(parent) : "page";
    if (outer === "site") return outer;
    if (isOfSite(element, { isInContent: outer === "content", isLinks: isLinked }) && !holdsContent(element))
      return "site";
    return isContent(element) ? "content" : outer;
  }
  return units.filter(({ block }) => placeOf(block) !== "site");
}

function isOfSite(element: Element, { isInContent, isLinks }: { isInContent: boolean; isLinks: boolean }): boolean {
  return isNavigation(element) || isOverlay(element) || (!isInContent && isAround(element, isLinks));
}

/** Where the page stands among others is said by links, too. */
function isNavigation({ name, attribs }: Element): boolean {
  if (name !== "nav" && !ROLES.has(attribs.role?.toLowerCase() ?? "")) return false;
  return !/breadcrumb/i.test(`${attribs.class ?? ""} ${attribs.id ?? ""} ${attribs["aria-label"] ?? ""}`);
}

function isAround({ name, attribs }: Element, isLinks: boolean): boolean {
  if (name === "header" || name === "footer") return true;
  if (/^(?:banner|contentinfo)$/i.test(attribs.role ?? "")) return true;
  const names = [attribs.id ?? "", ...(attribs.class ?? "").split(/\s+/)].filter(
    (one) => one !== "" && one.length <= MAX_NAME_CHARS,
  );
  if (names.some((one) => SITE_FOOTER.test(one))) return true;
  return isLinks && names.some((one) => SITE_HEADER.test(one));
}

function isRelated({ names }: Block): boolean {
  return names.some((name) => RELATED_NAMES.test(name));
}

function isContent({ name, attribs }: Element): boolean {
  return name === "article" || name === "main" || attribs.role?.toLowerCase() === "main";
}

function holdsContent(element: Element): boolean {
  return element.children.some(
    (child) => child instanceof Element && (/^(?:article|main|h1)$/.test(child.name) || holdsContent(child)),
  );
}
