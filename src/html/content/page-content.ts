import type { ChildNode, Document, Element } from "domhandler";
import { PAGE_KINDS, type PageKind } from "../../model/page-kinds";
import { chooseArticle } from "../main-content/choose-regions";
import { copyContent } from "../main-content/main-content";
import type { MainContent } from "../main-content/prune";
import { readPage } from "../main-content/read-page";
import { isLinkLine, type Region, type TextLine, wordsIn } from "../main-content/regions";
import { Selection } from "../main-content/selection";
import { chooseLines } from "./choose-lines";
import { type ContentFacts, readContentFacts } from "./content-facts";
import { describesImage } from "./evidence";
import { kindsOf, pageSignals } from "./page-kind";
import { findPosts, laterPosts, type Posts } from "./posts";
import { likelihoodsOf } from "./weights";

/** If the page is an article with a smaller likelihood, the evidence decides. The training also uses it. */
export const MIN_ARTICLE_LIKELIHOOD = 0.8;
/**
 * The article extraction is more precise within an article, but sometimes chooses the wrong part of a page. It is used
 * if it keeps this share of the page's prose, or if it agrees with the evidence to this degree.
 */
const MIN_PROSE_SHARE = 0.6;
const MIN_AGREEMENT = 0.7;
/**
 * A page with fewer lines has too little evidence about its lines, so the article extraction is used. A thread is an
 * exception, because the article extraction drops short posts as comments.
 */
const MIN_LINES = 40;
/** If the evidence finds a smaller share of the page's words, it is probably wrong. The article extraction is used. */
const MIN_SHARE = 0.03;

export interface PageContent {
  kind: PageKind;
  /** A copy of the content, with its headline first as <h1>. It is empty only if the page shows no text. */
  root: Element;
  /** The headings of the sections that aren't content, in the order of the page. See `MAX_OMITTED`. */
  omitted: string[];
}

/**
 * Extracts the main content of a page of any kind. Leaves out `excluded` nodes. In a thread, inserts a rule between the
 * posts.
 */
export function extractContent(
  document: Document,
  options: { url: string; excluded: ReadonlySet<ChildNode> },
): PageContent {
  const article = chooseArticle(readPage(document, options));
  const posts = findPosts(article.page);
  const kinds = kindsOf((see) => pageSignals(article, posts, see));
  const highest = kinds.indexOf(Math.max(...kinds));
  const kind = PAGE_KINDS[highest] ?? "article";
  const likelihood = kinds[highest] ?? 0;
  const content = chooseContent(article, { posts, kind, likelihood });
  const omitted = omittedHeadings(content);
  if (kind !== "forum") return { kind, root: copyContent(content), omitted };
  const lines = content.selection.linesIn(content.regions);
  const texts = lines.filter(({ region }) => region !== content.headline?.region);
  return { kind, root: copyContent(content, laterPosts(posts, texts)), omitted };
}

const MAX_OMITTED = 20;
const MAX_HEADING_CHARS = 200;

/** Returns the headings outside of the content. The headline and the titles of other pages don't count. */
function omittedHeadings({ page, regions, selection, headline }: MainContent): string[] {
  const kept = new Set(selection.linesIn(regions));
  const omitted = new Set<string>();
  for (const line of page.lines) {
    if (line.headingLevel === 0 || kept.has(line) || isLinkLine(line)) continue;
    if (line.text === headline?.text || headline?.region.holds(line.region)) continue;
    omitted.add(line.text.slice(0, MAX_HEADING_CHARS).toWellFormed());
    if (omitted.size === MAX_OMITTED) break;
  }
  return [...omitted];
}

function chooseContent(
  article: MainContent,
  { posts, kind, likelihood }: { posts: Posts; kind: PageKind; likelihood: number },
): MainContent {
  const isArticle = kind === "article" && likelihood >= MIN_ARTICLE_LIKELIHOOD;
  const isShort = article.page.lines.length < MIN_LINES && !(kind === "forum" && posts.count > 0);
  if (isShort || (isArticle && hasMostProse(article))) return article;
  const facts = readContentFacts(article, posts);
  const chosen = chooseLines(facts, likelihoodsOf(facts, kind), kind);
  const isWrong = wordsOf(facts, chosen) < MIN_SHARE * facts.words;
  return isWrong || (isArticle && agrees(facts, chosen)) ? article : selectLines(facts, chosen);
}

/** Returns true if the regions have most of the prose of the page. The training also uses it. */
export function hasMostProse({ regions, selection, all, page }: MainContent): boolean {
  const prose = selection.prose(regions);
  return prose > 0 && prose >= MIN_PROSE_SHARE * all.prose(page.root);
}

/** Returns true if the chosen lines are mostly those of the article extraction. */
export function agrees(facts: ContentFacts, chosen: readonly boolean[]): boolean {
  const { articleLines } = facts;
  const byArticle = facts.page.lines.map(({ index }) => articleLines.has(index));
  const shared = wordsOf(
    facts,
    byArticle.map((isKept, at) => isKept && chosen[at] === true),
  );
  return 2 * shared >= MIN_AGREEMENT * (wordsOf(facts, byArticle) + wordsOf(facts, chosen));
}

function wordsOf({ page }: ContentFacts, chosen: readonly boolean[]): number {
  return wordsIn(page.lines.filter(({ index }) => chosen[index]));
}

/** Returns the content with the chosen lines. */
function selectLines(facts: ContentFacts, chosen: readonly boolean[]): MainContent {
  const { page } = facts;
  const selection = new Selection(page);
  for (const line of page.lines) {
    if (chosen[line.index]) continue;
    if (isNearChosen(line.region, chosen) && describesImage(line.region, facts)) selection.dropText(line);
    else selection.dropLine(line);
  }
  // The images next to a repeated headline stay.
  for (const line of repeatedHeadlines(facts, chosen)) selection.dropText(line);
  for (const region of page.regions) if (region.isEmpty && !isNearChosen(region, chosen)) selection.dropRegion(region);
  return { ...facts.article, selection, regions: [page.root], isWholePage: true };
}

/** Returns true if a chosen line is next to the region, inside the closest region around it that has lines. */
function isNearChosen(region: Region, chosen: readonly boolean[]): boolean {
  const { start, end } = region;
  let around = region.parent;
  while (around?.isEmpty || (around?.start === start && around.end === end)) around = around.parent;
  if (!around) return false;
  return (start > around.start && chosen[start - 1] === true) || (end < around.end && chosen[end] === true);
}

/** Returns the headings that repeat the headline, up to the first other heading. The headline is above the content. */
function repeatedHeadlines({ page, headline }: ContentFacts, chosen: readonly boolean[]): TextLine[] {
  const headings = page.lines.filter(
    (line) => line.headingLevel > 0 && line.region !== headline?.region && chosen[line.index],
  );
  const repeated = headline?.text.toLowerCase();
  const other = headings.findIndex((line) => line.text.toLowerCase() !== repeated);
  return other === -1 ? headings : headings.slice(0, other);
}
