import type { Element } from "domhandler";
import { findElement } from "../parse/dom";
import { hostOf } from "../parse/urls";
import openings from "./openings.json";
import type { ReadPage } from "./read-page";
import { isLinkLine, isOnPage, linksIn, type Region, type TextLine } from "./regions";
import { SOCIAL_HOSTS } from "./vocabulary";

const SENTENCE_END = /[.!?…。！？]["'”’»)]*$/;
const LETTER = /^\p{L}/u;
const PUNCTUATION = /^\s*[^\p{L}\p{N}\s]/u;

/** The beginnings of lines that invite readers to other pages or to an action. */
const INVITATIONS = Map.groupBy(openings.invitations, (phrase) => phrase[0]);
/** The beginnings of short lines about the text, such as its date, author, topics, images and rights. */
const ABOUT_TEXT = Map.groupBy(openings.aboutText, (phrase) => phrase[0]);

export function endsLikeSentence({ text }: TextLine): boolean {
  return SENTENCE_END.test(text);
}

/**
 * Returns true if a line starts like an invitation, such as "Read more", "Related:" or "Subscribe". With `isTitle`, a
 * single word isn't enough: "Newsletter" can be the title of a section.
 */
export function isInvitation({ text }: TextLine, isTitle = false): boolean {
  const line = lowerCase(text);
  return (INVITATIONS.get(line[0]) ?? []).some(
    (opening) => line.startsWith(opening) && isOpening(line, opening) && (!isTitle || opening.includes(" ")),
  );
}

/** Returns true if a line starts like information about the text, such as "Published", "Tags:" or "Photo:". */
export function isAboutText({ text }: TextLine): boolean {
  const line = lowerCase(text);
  return (ABOUT_TEXT.get(line[0]) ?? []).some((opening) => line.startsWith(opening));
}

/** Converts a line to lower case. JavaScript converts the Turkish "İ" to "i" with a separate dot, which no phrase has. */
function lowerCase(text: string): string {
  return text.replaceAll("İ", "i").toLowerCase();
}

/**
 * Returns true if the phrase at the start of the line is an invitation: "Advertising:" or "Read more about". Returns
 * false if the phrase is part of a sentence: "Advertising pays".
 */
function isOpening(line: string, opening: string): boolean {
  const rest = line.slice(opening.length);
  if (LETTER.test(rest)) return false;
  return rest === "" || opening.includes(" ") || opening.endsWith(":") || PUNCTUATION.test(rest);
}

const MAX_LINE_WORDS = 40;
const MIN_LISTS_OF_GUIDE = 5;
const BUTTON = /(?:^|[\s_-])(?:btn|button)/i;
/** The links that open an email or a call. */
const ADDRESS = /^(?:mailto|tel):/i;
const FILE = /\.(?:pdf|docx?|xlsx?|pptx?|odt|ods|csv|epub|zip|gz|tgz|dmg|exe|deb|rpm|apk|ics|gpx)(?:[?#]|$)/i;

/**
 * Finds lines of menus and related stories. Leaves out links that belong to the text: links within the page, links to
 * files, linked code, terms of a definition list, lists of other sites, and lists that the text announces.
 */
export function findLinkLines(lines: readonly TextLine[], read: ReadPage): TextLine[] {
  const hosts = pageHosts(read);
  const found: TextLine[] = [];
  const lastProse = lines.findLastIndex((line) => line.isProse);
  const lists = findListsOfGuide(lines, lastProse);
  let before: TextLine | undefined;
  for (const [at, line] of lines.entries()) {
    if (line.headingLevel > 0 || line.words >= MAX_LINE_WORDS || !isLinkLine(line)) {
      before = line;
      continue;
    }
    const isAnnounced = before !== undefined && isAboveList(before, at < lastProse);
    const isOfGuide = line.region.parent !== null && lists.has(line.region.parent);
    if (!isAnnounced && !isOfGuide && !isSingleLinkedItem(line) && !belongsToText(line, hosts)) found.push(line);
  }
  return found;
}

/**
 * Finds the lists of links in a guide. Each follows a paragraph, and more text follows. Returns no lists if there are
 * only a few, because an article may have some lists of related articles.
 */
function findListsOfGuide(lines: readonly TextLine[], lastProse: number): ReadonlySet<Region> {
  const lists = new Set<Region>();
  for (const [at, line] of lines.slice(0, Math.max(0, lastProse)).entries()) {
    const { index, region } = line;
    const list = region.parent;
    const above = lines[at - 1];
    if (region.element.name !== "li" || list?.start !== index || !above || !isLinkLine(line)) continue;
    const isParagraph = above.region.element.name === "p" && above.region.parent === list.parent;
    if (isParagraph && !isLinkLine(above) && !isInvitation(above)) lists.add(list);
  }
  return lists.size >= MIN_LISTS_OF_GUIDE ? lists : new Set();
}

/** Returns true for a sentence that announces a list: it ends with a colon, and it isn't an invitation. */
export function announcesList(line: TextLine): boolean {
  return line.isProse && line.text.endsWith(":") && !isLinkLine(line) && !isInvitation(line);
}

/** Returns true for a line above a list that belongs to the text: a heading above more text, or an announcement. */
function isAboveList(line: TextLine, hasTextBelow: boolean): boolean {
  if (line.headingLevel === 0) return announcesList(line);
  return hasTextBelow && !isLinkLine(line) && !isInvitation(line);
}

/** Returns true for a linked list item if at most half of the list's items are links. */
function isSingleLinkedItem({ region: { element, parent } }: TextLine): boolean {
  return parent !== null && element.name === "li" && parent.linkedChildren <= 0.5 * parent.children.length;
}

function belongsToText(line: TextLine, hosts: ReadonlySet<string>): boolean {
  const { name } = line.region.element;
  if (name === "dt") return true;
  const links = linksIn(line);
  if (links.length === 0) return false;
  return links.every(
    (link) => isOnPage(link) || isFile(link) || isCode(link) || (name === "li" && isOtherSite(link, hosts)),
  );
}

/**
 * Returns true for a line between two paragraphs that isn't a teaser: it has several links, text outside of its link,
 * or a link to a file, an address or another site.
 */
export function refersToSubject(line: TextLine, hosts: ReadonlySet<string>): boolean {
  const links = linksIn(line);
  if (links.length === 0) return false;
  const isOther = (link: Element) =>
    isOnPage(link) || isFile(link) || isOtherSite(link, hosts) || ADDRESS.test(link.attribs.href ?? "");
  return (
    links.some(isOther) ||
    links.some(({ attribs }) => BUTTON.test(attribs.class ?? "")) ||
    ((links.length > 1 || line.linkLength < line.length) && !links.some(isSocial))
  );
}

function isSocial({ attribs: { href = "" } }: Element): boolean {
  return SOCIAL_HOSTS.test(hostOf(href) ?? "");
}

function isFile({ attribs }: Element): boolean {
  return FILE.test(attribs.href ?? "");
}

function isCode(link: Element): boolean {
  return findElement(link, ({ name }) => name === "code") !== undefined;
}

function isOtherSite({ attribs: { href = "" } }: Element, hosts: ReadonlySet<string>): boolean {
  const host = hostOf(href);
  if (host === null || SOCIAL_HOSTS.test(host)) return false;
  // The last two labels are enough to recognize `video.paper.example` as a part of `paper.example`.
  const site = host.split(".").slice(-2).join(".");
  return ![...hosts].some((own) => own === host || own.endsWith(`.${site}`) || own === site);
}

/**
 * Returns the page's host names without `www.`. Includes the hosts of the canonical URL and of `og:url`, because the
 * page may be a copy of a page on another host.
 */
export function pageHosts({ head, url }: ReadPage): ReadonlySet<string> {
  const addresses = [url, head.canonical, head.meta.get("og:url") ?? ""];
  return new Set(addresses.map(hostOf).filter((host) => host !== null));
}
