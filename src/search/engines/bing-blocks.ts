import type { Element } from "domhandler";
import { attribute } from "../../html/parse/dom";
import { fromBase64 } from "../../lib/crypto";
import { MAX_QUERY_CHARS } from "../../model/limits";
import { MAX_SERP_PAGE_RESULTS, MAX_SERP_SNIPPET_CHARS, MAX_SERP_TITLE_CHARS } from "../../model/search-limits";
import type { BlockContent, FoundBlocks } from "../results/blocks";
import { closest, findAll, isBefore, isButton, isLink, linkIn, type Matcher, textOf, toMatcher } from "../results/dom";
import type { PageIndex } from "../results/page-index";
import {
  attributesIn,
  firstTarget,
  hasHeading,
  isAnyHeading,
  isHiddenByAttribute,
  isListItem,
  type LinkReader,
  linksIn,
  listBlock,
  outermost,
  piecesOf,
  productItems,
  ratingOf,
  reviewsOf,
  toCard,
  toProducts,
  toVideo,
  videoBlocks,
} from "../results/page-parts";
import { linesOf, longestOf } from "../results/structure";
import { isDate } from "../results/texts";

/** A page of Bing with its organic results. */
export interface BingPage {
  index: PageIndex;
  body: Element;
  url: string;
  /** The list of results, if there is one. */
  list: Element | undefined;
  /** The items of the organic results. */
  organic: readonly Element[];
  readLink: LinkReader;
  /** Returns the URL of a link to Bing itself, or null. */
  ownUrl(link: Element): URL | null;
}

const isAside: Matcher = (at) => at.name === "aside" || attribute(at, "id") === "b_context";
const isListElement: Matcher = ({ name }) => name === "li";
/** Matches elements that Bing hides by its style sheet. */
export const isHidden = toMatcher(".b_hide, [role=tooltip], [role=dialog], .pa_hover");
const isAdItem = toMatcher("li.b_ad li");
/** The attributes that the index of a page must have. */
export const BING_ATTRIBUTES = ["data-tag", "aria-expanded"];

/** Extracts the parts of a page besides its organic results. */
export function readBingBlocks(page: BingPage): FoundBlocks {
  const organic = new Set(page.organic);
  const isSkipped: Matcher = (at) => organic.has(at);
  const products = toProducts(productItems(page.index, isSkipped));
  const overview = readOverview(page);
  const card = readCard(page);
  const links = page.index.named("a").flatMap((link) => {
    const target = page.ownUrl(link);
    return target ? [{ link, target }] : [];
  });
  return {
    ...(overview && { ai_overview: overview }),
    ...(card && { knowledge_graph: card }),
    people_also_ask: readQuestions(page, isSkipped),
    related_searches: readRelated(page, links),
    ads: readAds(page),
    local: readPlaces(page),
    top_stories: readStories(page),
    images: readImages(page),
    videos: listBlock(page.body, videoBlocks(page.index, isSkipped), (block) => toBingVideo(block, page)),
    shopping: listBlock(page.body, [...products.keys()], (item) => toBingProduct(item, products.get(item), page)),
    filters: readFilters(page, links),
  };
}

/** A link to Bing itself. */
interface OwnLink {
  link: Element;
  target: URL;
}

/** Reads the related searches: list items that consist of a link to another search. */
function readRelated({ index, body, url, ownUrl }: BingPage, own: readonly OwnLink[]) {
  const query = (URL.parse(url)?.searchParams.get("q") ?? "").toLowerCase();
  const isOtherSearch = ({ pathname, searchParams }: URL) =>
    pathname === "/search" &&
    !searchParams.has("filters") &&
    ![undefined, query].includes(searchParams.get("q")?.toLowerCase());
  const found = own.filter(({ target }) => isOtherSearch(target)).map(({ link }) => link);
  const links = [...new Set([...found, ...index.withClass("b_rs", "b_rrsr").flatMap(linksIn)])];
  const known = new Set<string>();
  return listBlock(body, links.slice(0, MAX_SERP_PAGE_RESULTS), (link) => {
    const item = closest(link, isListElement);
    const text = textOf(link, MAX_QUERY_CHARS);
    if (!item || text === "" || known.has(text) || textOf(item, MAX_QUERY_CHARS) !== text) return null;
    known.add(text);
    const target = ownUrl(link);
    return { query: text, ...(target && { url: target.href }) };
  });
}

/** Matches the paths of the click addresses of ads. */
export const AD_PATH = /^\/(?:aclk|aclick|alink)(?:\/|$)/;

function readAds(page: BingPage) {
  const isAdLink = (link: Element) => AD_PATH.test(page.ownUrl(link)?.pathname ?? "");
  const titles = titlesIn(page).filter((title) => {
    const link = linkIn(title);
    return link !== null && (isAdLink(link) || closest(title, isAdItem) !== null);
  });
  const [first] = page.organic;
  return listBlock(page.body, titles, (heading) => {
    const link = linkIn(heading);
    const item = closest(heading, isListElement) ?? heading;
    // The heading of a carousel of products leads to Bing's shop.
    if (!link || findAll(item, isListItem, 1).length > 0) return null;
    const title = textOf(heading, MAX_SERP_TITLE_CHARS);
    const cite = findAll(item, ({ name }) => name === "cite", 1)[0];
    const text = findAll(item, ({ name }) => name === "p", 1)[0];
    const sitelinks = linksIn(item).flatMap((at) => {
      const isOther = at !== link && isAdLink(at) && !closest(at, ({ name }) => name === "cite");
      const name = textOf(at, MAX_SERP_TITLE_CHARS);
      return isOther && name !== "" ? [{ title: name, url: adTarget(at, page) }] : [];
    });
    return {
      block_position: closest(heading, isAside) ? "right" : first && isBefore(first, heading) ? "bottom" : "top",
      title,
      url: adTarget(link, page),
      ...(cite && { displayed_url: textOf(cite, MAX_SERP_TITLE_CHARS) }),
      ...(text && { description: textOf(text, MAX_SERP_SNIPPET_CHARS, isAdLabel) }),
      ...(sitelinks.length > 0 && { sitelinks }),
    } as const;
  });
}

function titlesIn({ index }: BingPage): readonly Element[] {
  return index.named("h2").slice(0, MAX_SERP_PAGE_RESULTS);
}

const isAdLabel = toMatcher(".b_adSlug");

/** Returns the advertiser's URL if the click address contains it. Otherwise, returns the click address. */
function adTarget(link: Element, { url, ownUrl }: BingPage): string {
  const click = ownUrl(link);
  const encoded = click?.searchParams.get("u") ?? "";
  try {
    const target = encoded === "" ? "" : decodeURIComponent(new TextDecoder().decode(fromBase64(encoded)));
    return (URL.parse(target) ?? click)?.href ?? attribute(link, "href");
  } catch {
    return click?.href ?? url;
  }
}

const PHONE = /\+?\(?\d[\d\s().-]{6,}\d/;
const MAX_CARDS = 1_000;
const HOURS = /\d\s?(?:AM|PM)\b|\d{1,2}:\d\d|\b24\b/i;

/** Reads the places next to a map: cards with a heading, in an answer that links to Bing's map. */
function readPlaces(page: BingPage) {
  const isMapLink: Matcher = (at) => isLink(at) && (page.ownUrl(at)?.pathname.startsWith("/maps") ?? false);
  const cards = page.index.withRole("button").slice(0, MAX_CARDS).filter(hasHeading);
  const isPlace = (card: Element) => findAll(card, isMapLink, 1).length > 0;
  return listBlock(page.body, cards.filter(isPlace), (card) => {
    const heading = findAll(card, isAnyHeading, 1)[0];
    if (!heading) return null;
    const lines = linesOf(card, {
      maxChars: MAX_SERP_TITLE_CHARS,
      skip: (at) => isHiddenByAttribute(at) || at === heading,
    });
    const contact = lines.find((line) => PHONE.test(line));
    const phone = PHONE.exec(contact ?? "")?.[0];
    const address = contact
      ?.split("·")
      .find((part) => !PHONE.test(part))
      ?.trim();
    const hours = lines.find((line) => line !== contact && HOURS.test(line));
    const type = lines[0] === contact || lines[0] === hours ? undefined : lines[0]?.split("·").at(-1)?.trim();
    const rating = ratingOf(card);
    const reviews = reviewsOf(piecesOf(card));
    const website = firstTarget(card, (link) =>
      isMapLink(link) || attribute(link, "role") === "" ? null : page.readLink(link),
    )?.url;
    return {
      title: textOf(heading, MAX_SERP_TITLE_CHARS),
      ...(rating !== null && { rating }),
      ...(reviews && { reviews }),
      ...(type && { type }),
      ...(address && { address }),
      ...(phone && { phone }),
      ...(hours && { hours }),
      ...(website && { website }),
    };
  });
}

/** Finds the answers whose heading links to one of Bing's other searches, such as /news/search. */
function answersAbout(path: string, page: BingPage): Element[] {
  const headings = titlesIn(page).filter((heading) => {
    const link = linkIn(heading);
    return link !== null && page.ownUrl(link)?.pathname === path;
  });
  return [...new Set(headings.flatMap((heading) => closest(heading, isListElement) ?? []))];
}

const AGE = /^\d{1,3}\s?\p{L}{1,3}$/u;

function readStories(page: BingPage) {
  const answers = answersAbout("/news/search", page);
  const regions = answers.length > 0 ? answers : page.index.withAttribute("data-tag", ["NewsAnswer.Container"]);
  const links = regions.flatMap(linksIn).filter((link) => page.readLink(link) !== null);
  return listBlock(page.body, links, (link) => {
    const pieces = piecesOf(link);
    const title = longestOf(pieces).slice(0, MAX_SERP_TITLE_CHARS);
    const cite = findAll(link, ({ name }) => name === "cite", 1)[0];
    const date = pieces.find((piece) => isDate(piece) || AGE.test(piece));
    const source = cite && (attribute(cite, "title") || piecesOf(cite).find((piece) => piece !== date));
    const url = page.readLink(link)?.url;
    return title === "" || !url ? null : { title, url, ...(source && { source }), ...(date && { date }) };
  });
}

function readImages(page: BingPage) {
  const isPicture: Matcher = (at) => {
    const target = isLink(at) ? page.ownUrl(at) : null;
    return target?.pathname === "/images/search" && target.searchParams.has("id");
  };
  const links = answersAbout("/images/search", page).flatMap((answer) =>
    findAll(answer, isPicture, MAX_SERP_PAGE_RESULTS),
  );
  const items = new Set(links.map((link) => closest(link, isListItem) ?? link));
  return listBlock(page.body, [...items], (item) => {
    const title = attributesIn(item, "title")[0] ?? attribute(item, "title");
    const source = piecesOf(item).find((piece) => piece !== title && /^[\w-]+(?:\.[\w-]+)+$/.test(piece));
    return { ...(title && { title }), ...(source && { source }) };
  });
}

const VIDEO_URL = /"murl":"(https?:[^"\\]+)"/;

function toBingVideo(block: Element, page: BingPage) {
  const video = toVideo(block);
  const data = findAll(block, (at) => attribute(at, "vrhm") !== "", 1)[0];
  const url = (data && VIDEO_URL.exec(attribute(data, "vrhm"))?.[1]) ?? firstTarget(block, page.readLink)?.url;
  return video && { ...video, ...(url && { url }) };
}

function toBingProduct(item: Element, product: BlockContent<"shopping">[number] | undefined, page: BingPage) {
  const link = linksIn(item)[0];
  if (!product || !link) return null;
  const isAd = AD_PATH.test(page.ownUrl(link)?.pathname ?? "");
  return { ...product, url: adTarget(link, page), ...(isAd && { is_ad: true }) };
}

/** Reads the refinements: tabs and list items above the list that search for something else. */
function readFilters({ body }: BingPage, own: readonly OwnLink[]) {
  const filters = own.filter(({ link, target: { pathname } }) => {
    if (pathname !== "/search" || !closest(link, (at) => attribute(at, "role") === "tab" || isListItem(at)))
      return false;
    return closest(link, isListOrAside) === null && closest(link, ({ name }) => name === "main") !== null;
  });
  const targets = new Map(filters.map(({ link, target }) => [link, target]));
  return listBlock(body, [...targets.keys()], (link) => {
    const name = textOf(link, MAX_QUERY_CHARS);
    const url = targets.get(link)?.href;
    return name === "" ? null : { name, ...(url && { url }) };
  });
}

const isListOrAside: Matcher = (at) => at.name === "ol" || isAside(at);

/** Reads "People also ask". Without the attribute, a question is an element that can be expanded. */
function readQuestions({ index, body, readLink }: BingPage, isSkipped: Matcher) {
  const marked = outermost(index.withAttribute("data-tag", ["RelatedQnA.Item"]));
  const isQuestion: Matcher = (at) => /[?？]$/u.test(textOf(at, MAX_QUERY_CHARS)) && !closest(at, isSkipped);
  const items =
    marked.length > 0 ? marked : index.withAttribute("aria-expanded").slice(0, MAX_CARDS).filter(isQuestion);
  return listBlock(body, items.slice(0, MAX_SERP_PAGE_RESULTS), (item) => {
    const pieces = piecesOf(item);
    const question = pieces.find((piece) => /[?？]$/u.test(piece)) ?? pieces[0];
    if (question === undefined) return null;
    const snippet = longestOf(pieces.filter((piece) => piece !== question));
    const url = firstTarget(item, readLink)?.url;
    return { question, ...(snippet && { snippet }), ...(url && { url }) };
  });
}

const isGenerated = (text: string) => /Copilot|\b(?:AI|KI|IA)\b|ИИ|人工智能/u.test(text);
const MIN_OVERVIEW_CHARS = 60;

/** Reads the generated answer in the list above the results, and its sources. */
function readOverview(page: BingPage): FoundBlocks["ai_overview"] | null {
  const skip: Matcher = (at) => isHiddenByAttribute(at) || isHidden(at) || isButton(at);
  const [marked] = page.index.withClass("gs_text", "b_cnt_resp");
  const isList: Matcher = ({ name }) => name === "ol";
  const region = marked
    ? (closest(marked, isList) ?? marked)
    : page.index
        .named("ol")
        .slice(0, 2)
        .find((at) => at !== page.list && !closest(at, isAside) && isGenerated(textOf(at, MAX_SERP_SNIPPET_CHARS)));
  if (!region) return null;
  const lines = marked
    ? [textOf(marked, MAX_SERP_SNIPPET_CHARS, skip)]
    : linesOf(region, { maxChars: MAX_SERP_SNIPPET_CHARS, skip });
  const text = lines.find((line) => line.length >= MIN_OVERVIEW_CHARS);
  if (!text) return null;
  const sources = new Map<string, { title: string; url: string }>();
  for (const link of linksIn(region)) {
    const url = closest(link, skip) ? undefined : page.readLink(link)?.url;
    const [title, ...others] = linesOf(link, { maxChars: MAX_SERP_TITLE_CHARS, skip });
    if (url && title && (others.length > 0 || !sources.has(url)) && !text.includes(title))
      sources.set(url, { title, url });
  }
  return { content: { text, sources: [...sources.values()], complete: true }, at: region };
}

const isEntity = toMatcher(".b_entityTP, .lite-entcard-main");
const isColumnItem: Matcher = (at) => isListElement(at) && closest(at, isAside) !== null;
const OFFICIAL = /official|offizi|ofici|officiel|ufficial|официальн|resmi|官方|官网/iu;

/** Reads the card in the column at the right. */
function readCard(page: BingPage): FoundBlocks["knowledge_graph"] | null {
  const items = page.index.named("li").filter(isColumnItem).slice(0, MAX_SERP_PAGE_RESULTS);
  for (const at of outermost(items)) {
    const entity = findAll(at, isEntity, 1)[0];
    const card = toCard(entity ?? at, isHidden);
    if (!card || (!entity && card.facts.length === 0)) continue;
    const links = linksIn(at).flatMap((link) => {
      const url = page.ownUrl(link)?.href ?? page.readLink(link)?.url;
      return url ? [{ url, name: textOf(link, MAX_SERP_TITLE_CHARS) || (attribute(link, "title") ?? "") }] : [];
    });
    const source = links.find(({ url }) => /^https?:\/\/[\w.]+\.wikipedia\.org\//.test(url));
    const website = links.find(({ name }) => OFFICIAL.test(name));
    return { content: { ...card, ...(source && { source }), ...(website && { website: website.url }) }, at };
  }
  return null;
}
