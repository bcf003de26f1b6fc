import type { Element } from "domhandler";
import type { BlockName } from "../../contract/serp-blocks";
import { CURRENCY, NUMBER } from "../../html/page/prices";
import { attribute, hasAttribute, isElement, isWithin } from "../../html/parse/dom";
import { MAX_SERP_TITLE_CHARS } from "../../model/search-limits";
import type { FoundBlocks } from "../results/blocks";
import { closest, findAll, isButton, isLink, linkIn, type Matcher, textOf } from "../results/dom";
import { attributeIn, compact, type Item, linksIn, listBlock, piecesOf } from "../results/page-parts";
import { isDate } from "../results/texts";
import { isNavigation, isPicture, isSectionTitle, isTitle, isVideo, type PageParts, shownLines } from "./google-parts";
import sectionNames from "./google-sections.json";

type SectionKind = keyof typeof sectionNames;
const KINDS = new Map(
  Object.entries(sectionNames).flatMap(([kind, names]) => names.split("|").map((name) => [name, kind as SectionKind])),
);
/** The parameters of a section's link to all of its results. `tbm` is the older one. */
const KINDS_BY_TYPE: Readonly<Record<string, SectionKind>> = {
  "udm=1": "local",
  "udm=2": "images",
  "udm=7": "videos",
  "udm=12": "top_stories",
  "udm=18": "perspectives",
  "udm=39": "short_videos",
  "tbm=isch": "images",
  "tbm=lcl": "local",
  "tbm=nws": "top_stories",
  "tbm=vid": "videos",
};

/** A part of the page between a heading of level 2, or an organic result, and the next one. */
interface Section {
  kind: SectionKind | null;
  titles: Element[];
  links: Element[];
  images: Element[];
}

/** Reads the sections of cards: their heading or their link to all results tells the kind of the cards. */
export function readSections(parts: PageParts): FoundBlocks {
  const found: FoundBlocks = {};
  for (const section of sectionsOf(parts)) readSection(parts, section, found);
  return found;
}

function sectionsOf(parts: PageParts): Section[] {
  const sections: Section[] = [];
  let section: Section = { kind: null, titles: [], links: [], images: [] };
  const start = (kind: SectionKind | null) => {
    section = { kind, titles: [], links: [], images: [] };
    sections.push(section);
  };
  start(null);
  for (const element of parts.marked) {
    if (parts.organic.has(element)) start(null);
    if (isWithin(element, parts.taken) || closest(element, isNavigation)) continue;
    if (isSectionTitle(element)) start(KINDS.get(textOf(element, MAX_SERP_TITLE_CHARS).toLowerCase()) ?? null);
    else if (isTitle(element)) section.titles.push(element);
    else if (hasAttribute(element, "data-lpage")) section.images.push(element);
    if (!isLink(element)) continue;
    const search = parts.readSearchLink(attribute(element, "href"));
    const type = ["udm", "tbm"].map((name) => `${name}=${search?.searchParams.get(name)}`);
    const kind = type.map((key) => KINDS_BY_TYPE[key]).find(Boolean);
    if (kind) section.kind ??= kind;
    else section.links.push(element);
  }
  return sections;
}

function readSection(parts: PageParts, { kind, titles, links, images }: Section, found: FoundBlocks): void {
  const add = <Name extends BlockName>(
    name: Name,
    elements: readonly Element[],
    read: (at: Element) => Item<Name> | null,
  ) => {
    const [root] = elements;
    const { content, at } = root ? listBlock(root, elements, read) : { content: [], at: null };
    const earlier = found[name];
    if (content.length === 0) return;
    Object.assign(found, {
      [name]: { content: [...((earlier?.content ?? []) as object[]), ...content], at: earlier?.at ?? at },
    });
  };
  const places = titles.filter((title) => isPlace(parts, title, kind));
  add("local", places, (title) => readPlace(parts, title));
  const cards = places.length > 0 ? [] : titles.filter((title) => linkIn(title) !== null);
  if (kind === "top_stories" || kind === "perspectives" || kind === "short_videos" || kind === "videos")
    add(kind, cards, (title) => readCard(parts, title, kind));
  else
    add(
      "videos",
      cards.filter((title) => isTimed(parts.blocks.get(title) ?? title)),
      (title) => readCard(parts, title, "videos"),
    );
  const pictures = images.length > 0 ? images : pictureLinks(parts, links, kind);
  add("images", pictures, (item) => readImage(parts, item));
}

const DURATION = /^\d{1,2}(?::\d\d){1,2}$/;
const MAX_NAME_CHARS = 60;

/** Returns true if the card has the length of a video, or the attribute of one. */
function isTimed(card: Element): boolean {
  if (closest(card, isVideo) || findAll(card, isVideo, 1).length > 0) return true;
  return piecesOf(card).some((text) => DURATION.test(text));
}

/** Reads a card: a link with a heading, next to the site, the channel or author, the date and the length of a video. */
function readCard<Kind extends "videos" | "short_videos" | "top_stories" | "perspectives">(
  parts: PageParts,
  heading: Element,
  kind: Kind,
): Item<Kind> | null {
  const link = linkIn(heading);
  const target = link ? parts.readLink(attribute(link, "href")) : null;
  const [title] = shownLines(heading);
  if (!target || !title) return null;
  const item = parts.blocks.get(heading) ?? heading;
  const pieces = piecesOf(item).filter((piece) => !title.includes(piece));
  const isName = (piece: string) => piece.length <= MAX_NAME_CHARS && !isDate(piece) && !DURATION.test(piece);
  const [source, author] = pieces.filter(isName);
  const isFilm = kind === "videos" || kind === "short_videos";
  return compact<Item<"videos"> & Item<"perspectives">>({
    title: title.slice(0, MAX_SERP_TITLE_CHARS),
    url: target.url,
    source: source ?? attributeIn(item, "alt"),
    author: kind === "perspectives" ? author : undefined,
    channel: isFilm ? author : undefined,
    date: pieces.find(isDate),
    duration: isFilm ? pieces.find((piece) => DURATION.test(piece)) : undefined,
  }) as Item<Kind>;
}

/** Returns the links to the pages of pictures: all links in a section of images, and links of the image search. */
function pictureLinks(parts: PageParts, links: readonly Element[], kind: SectionKind | null): Element[] {
  return links.filter((link) => {
    const href = attribute(link, "href");
    return href.includes("imgurl=") || (kind === "images" && parts.readLink(href) !== null);
  });
}

/** Reads a picture. The parameter `imgrefurl` of a link to the image search is the page with the picture. */
function readImage(parts: PageParts, element: Element): Item<"images"> | null {
  const item = isLink(element) && findAll(element, isPicture, 1).length === 0 ? parentOf(element) : element;
  const image = findAll(item, isPicture, 1)[0];
  const href = attribute(element, "data-lpage") || attribute(element, "href");
  const page = URL.parse(href, parts.url)?.searchParams.get("imgrefurl") ?? href;
  const target = parts.readLink(page);
  if (!image || !target) return null;
  const [first, ...others] = piecesOf(item);
  const thumbnail = URL.parse(attribute(image, "src"), parts.url);
  return compact<Item<"images">>({
    title: first ?? attributeIn(item, "alt"),
    url: target.url,
    source: others.at(-1),
    thumbnail: thumbnail?.protocol === "https:" ? thumbnail.href : undefined,
  });
}

function parentOf(element: Element): Element {
  return isElement(element.parent) ? element.parent : element;
}

const isRouteLink: Matcher = (element) => isLink(element) && /\/maps\/(?:dir|place)\//.test(attribute(element, "href"));
const RATING = /^\D{0,2}(\d[.,]\d)\s*(?:\(([\d.,\s]+\p{L}*)\))?/u;
const PHONE = /^\+?[\d\s()./–-]{6,20}$/;
const PRICE = new RegExp(`^(?:${CURRENCY})\\s?${NUMBER}|^${NUMBER}\\s?(?:${CURRENCY})|^[$€£¥₹₺₽₩]{1,4}$`, "u");

/** Returns true for the title of a business: a heading in a button, or in a link of a section of places. */
function isPlace(parts: PageParts, title: Element, kind: SectionKind | null): boolean {
  if (kind === "local" && closest(title, isLink)) return true;
  const item = parts.blocks.get(title) ?? title;
  const isRouted = kind === "local" || findAll(item, isRouteLink, 1).length > 0;
  return linkIn(title) === null && closest(title, isButton) !== null && isRouted;
}

/** Reads a business: its lines are the rating and type, the address and phone number, and the opening hours. */
function readPlace(parts: PageParts, heading: Element): Item<"local"> | null {
  const title = textOf(heading, MAX_SERP_TITLE_CHARS);
  const item = parts.blocks.get(heading) ?? heading;
  if (title === "") return null;
  const place: Item<"local"> = { title };
  const lines = shownLines(closest(heading, isButton) ?? item);
  for (const line of lines.slice(lines.indexOf(title) + 1)) {
    if (/^["“„«]/.test(line)) continue;
    const rated = place.rating === undefined ? RATING.exec(line) : null;
    const texts = line.split(/(?<!\s)\s*[·⋅]\s*/).filter((text) => text !== "");
    if (rated) {
      place.rating = Number(rated[1]?.replace(",", "."));
      if (rated[2]) place.reviews = rated[2].trim();
    }
    for (const text of rated ? texts.slice(1) : texts) {
      if (PRICE.test(text)) place.price ??= text;
      else if (PHONE.test(text)) place.phone ??= text;
      else if (place.type === undefined && (rated || place.rating === undefined)) place.type = text;
      else if (place.address === undefined) place.address = text;
      else if (place.hours === undefined) place.hours = texts.join(" · ");
    }
  }
  const website = linksIn(item).flatMap((link) => parts.readLink(attribute(link, "href")) ?? [])[0]?.url;
  return compact<Item<"local">>({ ...place, website });
}
