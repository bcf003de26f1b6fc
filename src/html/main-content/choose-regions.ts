import { type ChildNode, type Document, Element } from "domhandler";
import { bodyOf, headOf } from "../parse/document";
import { excludeHidden } from "../visibility/markup-visibility";
import { dropBoilerplate, dropUnlikely } from "./boilerplate";
import { bestCandidate } from "./candidate";
import { findHeadline, pageTitles } from "./headline";
import { pageHosts } from "./line-kinds";
import { type MainContent, prune } from "./prune";
import { type Region, type RegionTree, readRegions } from "./regions";
import { Selection, total } from "./selection";
import { widen, withLead } from "./widen";

/**
 * If the content has fewer characters than this, regions with unlikely class names are searched, too. Their names may
 * be misleading.
 */
const MIN_LIKELY_CHARS = 500;
/** A page with at most this many characters outside of boilerplate is returned as a whole. */
const SMALL_PAGE_CHARS = 500;
/**
 * Content with less prose than this isn't an article, but for example a list of links, a table or the result of a form.
 * The page is then returned as a whole, unless it declares that it's an article.
 */
const MIN_PROSE_CHARS = 300;
/**
 * The content should have at least this share of the page's text. Otherwise, the wrong region may have been chosen, and
 * the whole page is returned if it's longer.
 */
const MIN_SHARE = 0.1;

/** Chooses the regions that contain the main content, and prunes them. */
export function chooseMainContent(
  document: Document,
  { url, excluded }: { url: string; excluded: ReadonlySet<ChildNode> },
): MainContent {
  const body = bodyOf(document);
  const invisible = new Set(excluded);
  excludeHidden(body, invisible, { byClass: true });
  const page = readRegions(body, invisible);
  const titles = pageTitles(document);
  const headline = findHeadline(page, titles);
  // The front page of a newspaper may declare that it's an article, too, but it has no headline.
  const isArticle = headline !== null && declaresArticle(document);
  const about = { hosts: pageHosts(document, url), headline, titles, invisible, isArticle };

  const sure = new Selection(page, new Set(invisible));
  dropBoilerplate(sure, headline);
  const likely = sure.copy();
  dropUnlikely(likely, about.headline);
  const whole = (selection: Selection): MainContent => ({
    ...about,
    selection: selection.copy(),
    regions: [landmark(page)],
    isWholePage: true,
  });
  if (sure.length(page.root) <= SMALL_PAGE_CHARS) return pruned(whole(sure));

  const article = (selection: Selection): MainContent => {
    const regions = withLead(selection, widen(selection, bestCandidate(selection)), about.headline);
    return { ...about, selection: selection.copy(), regions, isWholePage: false };
  };
  const first = article(likely);
  const best = lengthOf(first) >= MIN_LIKELY_CHARS ? first : longest(first, article(sure));
  const hasProse = about.isArticle || total(best.regions, (region) => best.selection.prose(region)) >= MIN_PROSE_CHARS;
  const content = pruned(hasProse ? best : whole(likely));
  if (lengthOf(content) >= Math.min(MIN_LIKELY_CHARS, MIN_SHARE * likely.length(landmark(page)))) return content;
  return longest(content, pruned(whole(likely)));
}

function pruned(content: MainContent): MainContent {
  prune(content);
  return content;
}

function landmark({ regions, root }: RegionTree): Region {
  const [main, ...more] = regions.filter(
    ({ element, isEmpty }) => !isEmpty && (element.name === "main" || element.attribs.role === "main"),
  );
  return main && more.length === 0 ? main : root;
}

function longest(first: MainContent, second: MainContent): MainContent {
  return lengthOf(second) > lengthOf(first) ? second : first;
}

function lengthOf({ selection, regions }: MainContent): number {
  return total(regions, (region) => selection.length(region));
}

const ARTICLE_TYPE = /"@type"\s*:\s*\[?\s*"[A-Za-z]*(?:Article|Posting)"/;

/** Returns true if Open Graph or JSON-LD declares that the page is an article. */
function declaresArticle(document: Document): boolean {
  return headOf(document).children.some((node) => {
    if (!(node instanceof Element)) return false;
    if (node.name === "meta") return node.attribs.property === "og:type" && /article/i.test(node.attribs.content ?? "");
    return node.name === "script" && node.children.some((child) => "data" in child && ARTICLE_TYPE.test(child.data));
  });
}
