import type { Element } from "domhandler";
import { attribute } from "../../html/parse/dom";
import { MAX_QUERY_CHARS } from "../../model/limits";
import { MAX_SERP_PAGE_RESULTS, MAX_SERP_SNIPPET_CHARS, MAX_SERP_TITLE_CHARS } from "../../model/search-limits";
import type { FoundBlocks } from "../results/blocks";
import { closest, findAll, isLink, linkIn, type Matcher, textOf, toMatcher } from "../results/dom";
import {
  compact,
  type EnginePage,
  hasRole,
  headingIn,
  type Item,
  isHiddenByAttribute,
  isNamed,
  linksIn,
  listBlock,
  outermost,
  piecesOf,
  ratingOf,
  readAds,
  readCard,
  readImages,
  readOverview,
  readProducts,
  readRelated,
  readVideos,
  reviewsOf,
  titleOf,
} from "../results/page-parts";
import { linesOf, longestOf } from "../results/structure";
import { isDate } from "../results/texts";

const isAside: Matcher = (at) => at.name === "aside" || attribute(at, "id") === "b_context";
const isListElement = isNamed("li");
const isFurniture: Matcher = ({ name }) => name === "header" || name === "footer" || name === "nav";
const isAdItem = toMatcher("li.b_ad li");
const isAdLabel = toMatcher(".b_adSlug");
const VIDEO_URL = /"murl":"(https?:[^"\\]+)"/;

/** Extracts the parts of a page besides its organic results. */
export function readBingBlocks(page: EnginePage): FoundBlocks {
  const { index, body, url, ownUrl } = page;
  const query = (URL.parse(url)?.searchParams.get("q") ?? "").toLowerCase();
  const searches = index
    .named("a")
    .filter((link) => ownUrl(link)?.pathname === "/search" && !closest(link, isFurniture));
  const isOther: Matcher = (link) => {
    const target = ownUrl(link)?.searchParams;
    const isSame = [undefined, query].includes(target?.get("q")?.toLowerCase());
    return !isSame && !target?.has("filters") && !target?.has("first");
  };
  const related = new Set([...searches.filter(isOther), ...index.withClass("b_rs", "b_rrsr").flatMap(linksIn)]);
  const titles = index.named("h2").slice(0, MAX_SERP_PAGE_RESULTS);
  const answersAbout = (path: string) =>
    titles.flatMap((title) => {
      const link = linkIn(title);
      return link && ownUrl(link)?.pathname === path ? (closest(title, isListElement) ?? []) : [];
    });
  const isPicture: Matcher = (at) =>
    isLink(at) && ownUrl(at)?.pathname === "/images/search" && ownUrl(at)?.searchParams.has("id") === true;
  const pictures = outermost(answersAbout("/images/search")).flatMap((at) => findAll(at, isPicture));
  const stories = answersAbout("/news/search");
  const news = stories.length > 0 ? stories : index.elements.filter(isNews);
  const overview = findOverview(page);
  const card = findCard(page);
  return {
    ...(overview && { ai_overview: overview }),
    ...(card && { knowledge_graph: card }),
    people_also_ask: readQuestions(page),
    related_searches: readRelated(page, related, () => false),
    ads: readAds(page, adItems(page, titles), toAd),
    local: readPlaces(page),
    top_stories: readStories(page, outermost(news).flatMap(linksIn)),
    images: readImages(page, pictures),
    videos: readVideos(page, (block) => {
      const data = findAll(block, (at) => attribute(at, "vrhm") !== "", 1)[0];
      return data && (VIDEO_URL.exec(attribute(data, "vrhm"))?.[1] ?? "");
    }),
    shopping: readProducts(page),
    filters: listBlock<Item<"filters">>(body, searches.filter(isFilter), (link) => {
      const name = textOf(link, MAX_QUERY_CHARS);
      return name === "" ? null : compact({ name, url: ownUrl(link)?.href });
    }),
  };
}

/** Matches refinements: tabs and list items above the list. */
function isFilter(link: Element): boolean {
  const isChip: Matcher = (at) => attribute(at, "role") === "tab" || attribute(at, "role") === "listitem";
  const isElsewhere = closest(link, (at) => at.name === "ol" || isAside(at)) !== null;
  return !isElsewhere && closest(link, isChip) !== null && closest(link, isNamed("main")) !== null;
}

/** Returns the list items with an ad. The heading of a carousel of products leads to Bing's shop instead. */
function adItems({ isAdLink }: EnginePage, titles: readonly Element[]): Element[] {
  const ads = titles.filter((title) => {
    const link = linkIn(title);
    return link && (isAdLink(link) || closest(title, isAdItem));
  });
  const items = ads.map((title) => closest(title, isListElement) ?? title);
  return items.filter((item) => findAll(item, hasRole("listitem"), 1).length === 0);
}

function toAd(item: Element) {
  const title = findAll(item, isNamed("h2"), 1)[0] ?? item;
  const link = linkIn(title);
  const text = findAll(item, isNamed("p"), 1)[0];
  const description = text ? textOf(text, MAX_SERP_SNIPPET_CHARS, isAdLabel) : "";
  return link && { title: titleOf(title), link, address: findAll(item, isNamed("cite"), 1)[0], description };
}

const PHONE = /\+?\(?\d[\d\s().-]{6,}\d/;
const HOURS = /\d\s?(?:AM|PM)\b|\d{1,2}:\d\d|\b24\b/i;
const MAX_CARDS = 1_000;

/** Reads the places next to a map: cards with a heading, in an answer that links to Bing's map. */
function readPlaces({ index, body, ownUrl, readLink }: EnginePage) {
  const isMapLink: Matcher = (at) => isLink(at) && ownUrl(at)?.pathname.startsWith("/maps") === true;
  const isPlace: Matcher = (at) => findAll(closest(at, isListElement) ?? at, isMapLink, 1).length > 0;
  const buttons = index.elements.filter(hasRole("button")).slice(0, MAX_CARDS);
  const cards = buttons.filter((at) => headingIn(at) && isPlace(at) && !closest(at, isAside));
  return listBlock<Item<"local">>(body, outermost(cards), (card) => {
    const heading = headingIn(card);
    const title = heading ? titleOf(heading) : "";
    const skip: Matcher = (at) => isHiddenByAttribute(at) || at === heading;
    const lines = linesOf(card, { maxChars: MAX_SERP_TITLE_CHARS, skip });
    const contact = lines.find((line) => PHONE.test(line));
    const hours = lines.find((line) => line !== contact && HOURS.test(line));
    const parts = contact?.split("·").map((part) => part.trim());
    const website = linksIn(card).find((link) => attribute(link, "role") === "link" && readLink(link));
    if (title === "") return null;
    return compact<Item<"local">>({
      title,
      rating: ratingOf(card),
      reviews: reviewsOf(piecesOf(card)),
      type: [contact, hours].includes(lines[0]) ? undefined : lines[0]?.split("·").at(-1)?.trim(),
      address: parts?.find((part) => !PHONE.test(part)),
      phone: PHONE.exec(contact ?? "")?.[0],
      hours,
      website: website && readLink(website),
    });
  });
}

const isNews: Matcher = (at) => attribute(at, "data-tag") === "NewsAnswer.Container";
/** Matches the age of a story, such as "6h". */
const AGE = /^\d{1,3}\s?\p{L}{1,3}$/u;

function readStories({ body, readLink }: EnginePage, links: readonly Element[]) {
  return listBlock<Item<"top_stories">>(
    body,
    links.filter((link) => readLink(link)),
    (link) => {
      const pieces = piecesOf(link);
      const title = longestOf(pieces).slice(0, MAX_SERP_TITLE_CHARS);
      const cite = findAll(link, isNamed("cite"), 1)[0];
      const date = pieces.find((piece) => isDate(piece) || AGE.test(piece));
      const source = cite && (attribute(cite, "title") || piecesOf(cite).find((piece) => piece !== date));
      return title === "" ? null : compact<Item<"top_stories">>({ title, url: readLink(link), source, date });
    },
  );
}

const QUESTION = /[?？]$/u;

/** Reads "People also ask". Without the attribute, a question is an element that can be expanded. */
function readQuestions({ index, body, isResult, readLink }: EnginePage) {
  const marked = index.elements.filter((at) => attribute(at, "data-tag").includes("RelatedQnA.Item"));
  const isQuestion: Matcher = (at) => QUESTION.test(textOf(at, MAX_QUERY_CHARS)) && !closest(at, isResult);
  const folded = () =>
    index.elements
      .filter((at) => attribute(at, "aria-expanded") !== "")
      .slice(0, MAX_CARDS)
      .filter(isQuestion);
  const items = outermost(marked.length > 0 ? marked : folded());
  return listBlock<Item<"people_also_ask">>(body, items, (item) => {
    const pieces = piecesOf(item);
    const question = pieces.find((piece) => QUESTION.test(piece)) ?? (attribute(item, "data-query") || pieces[0]);
    if (question === undefined) return null;
    const link = linksIn(item).find((at) => readLink(at));
    const snippet = longestOf(pieces.filter((piece) => piece !== question));
    return compact<Item<"people_also_ask">>({
      question,
      snippet,
      title: link && titleOf(link),
      url: link && readLink(link),
    });
  });
}

const GENERATED = /Copilot|\b(?:AI|KI|IA)\b|ИИ|人工智能/u;

/** Finds the generated answer in the list above the results. */
function findOverview(page: EnginePage) {
  const text = page.index.withClass("gs_text", "b_cnt_resp")[0];
  if (text) return readOverview(page, closest(text, isNamed("ol")) ?? text, text);
  const isOverview: Matcher = (at) =>
    !page.organic.some(({ parent }) => parent === at) && GENERATED.test(textOf(at, MAX_SERP_SNIPPET_CHARS));
  const lists = page.index.named("ol").filter((list) => !closest(list, isAside));
  const at = lists.slice(0, 2).find(isOverview);
  return at ? readOverview(page, at) : null;
}

const isEntity = toMatcher(".b_entityTP, .lite-entcard-main");

/** Finds the card in the column at the right. */
function findCard(page: EnginePage): FoundBlocks["knowledge_graph"] | null {
  const items = page.index.named("li").filter((at) => closest(at, isAside) && !linksIn(at).some(page.isAdLink));
  for (const at of outermost(items.slice(0, MAX_SERP_PAGE_RESULTS))) {
    const entity = findAll(at, isEntity, 1)[0];
    const content = readCard(page, entity ?? at);
    if (content && (entity || content.facts.length > 0)) return { content, at };
  }
  return null;
}
