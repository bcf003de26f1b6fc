import type { Element } from "domhandler";
import { findDate } from "../page/dates";
import { CONTRIBUTION } from "../page/microdata";
import { attribute, elementsAround } from "../parse/dom";
import { namesInByline } from "./author-names";

/** A piece of text: the text of one node, or the time in an element's attributes. */
export interface Segment {
  text: string;
  /** The time in the attributes of the element. It is empty if the segment is a text. */
  time: string;
  element: Element;
  /** The number of the line. Segments of the same line have the same number. */
  line: number;
}

const MAX_BYLINE_CHARS = 160;
const MAX_LABEL_CHARS = 40;
const MAX_CLASS_CHARS = 500;
const MAX_LINK_CHARS = 500;
const MAX_WORDS_AROUND_DATE_CHARS = 70;
/** The number of elements around a text whose names are checked. */
const MARKER_DEPTH = 4;
const FOREIGN_DEPTH = 6;
/** The number of segments after a label that can contain names. */
const MAX_AUTHOR_SEGMENTS = 12;
/** The end of a text before "by" that names another person than the author. */
const OTHER_CREDIT =
  /\b(?:photos?|photographs?|images?|pictures?|illustrations?|video|graphics?|artwork|credits?|translated|sponsored|powered|reviewed|edited|checked|verified|presented|sold|shipped|designed|developed|answered|replied|voted|liked|updated|modified)\s*$/i;
const CONJUNCTION = /^(?:[,;&|]|and|und|et|y|e|en|och|og|и)$/i;
const AUTHOR_CLASS =
  /(?:^|[\s_-])(?:author(?!i[tsz])|by-?line|writer|contributors?(?=$|[\s_-])|creator|posted-?by|written-?by|autor|auteur|redacteur|username|user-name|bigusername|poster(?=$|[\s_-]))/;
const AUTHOR_LETTERS = /auth?or|auteur|by-?line|writer|contrib|creator|(?:posted|written)-?by|redact|user|poster/i;
const OTHER_CLASS =
  /(?:^|[\s_-])(?:role|position|job|bio|description|desc|social|follow|count|share|company|avatar|credit|caption|stats?|rank|joined|category|categories|topics?|store|brand|breadcrumbs?)(?=$|[\s_-])/;
const FOREIGN_CLASS =
  /(?:^|[\s_-])(?:comments?|reply|replies|respond|related|recommended|testimonials?|quotes?|reviews?|recent|popular|trending|teaser|tease|related-posts)(?=$|[\s_-])/;
const PROFILE_LINK =
  /^(?!.*(?:youtube|facebook|instagram|linkedin|twitter|pinterest|tiktok)\.com).*(?:\/(?:authors?|by(?=\/[a-z])|people|person|profiles?|users?|members?|contributors?|writers?|columnists?|journalists?|autor(?:en|es)?|auteurs?|u)\/[^/]|\/@\w|member\.php|memberlist\.php|[?&]author=)/i;
const UPDATED =
  /\b(?:updated?|modified|revised|reviewed|edited|last (?:edit|change)|aktualisiert|geändert|bearbeitet|stand|mis à jour|modifiée?|actualizado|atualizado|aggiornato|bijgewerkt|uppdaterad|oppdatert|opdateret|güncelle\w*|zaktualizowano|aktualizováno)\b|обновлен|изменен|更新|수정|تحديث/i;
const NOT_THE_PAGE =
  /\b(?:joined|registered|member since|expires?|until|deadline|copyright|founded|since|born|established|valid)\b|©/i;

/** Returns the names of the author in the segments, joined by commas, or an empty string. */
export function authorIn(segments: readonly Segment[], language: string): string {
  return labeledAuthor(segments, language) || markedAuthor(segments, language);
}

/** Returns the names after a label such as "By". */
function labeledAuthor(segments: readonly Segment[], language: string): string {
  for (const [at, { text, element, line }] of segments.entries()) {
    if (text === "" || text.length > MAX_BYLINE_CHARS) continue;
    const before = segments[at - 1];
    if (before?.line === line && !/^by\b/i.test(text)) continue;
    const names = namesInByline(text, { language, hasLabel: false });
    if (names === null || (before && OTHER_CREDIT.test(before.text)) || isForeign(element)) continue;
    const all = names.length > 0 ? names : namesAfterLabel(segments, at + 1, language);
    if (all.length > 0) return join(all);
  }
  return "";
}

/** Returns the only author that the markup identifies in the segments. Returns an empty string if there are several. */
export function onlyAuthorIn(segments: readonly Segment[], language: string): string {
  const authors = new Map<Element, string>();
  for (const { text, element } of segments) {
    const marker = text === "" || text.length > MAX_BYLINE_CHARS ? null : markerOf(element, isMarked);
    if (marker === null || authors.has(marker)) continue;
    const names = namesInByline(text, { language, hasLabel: true }) ?? [];
    if (names.length > 0) authors.set(marker, join(names));
  }
  const [author = "", ...others] = new Set(authors.values());
  return others.length === 0 ? author : "";
}

/** Returns the names that the markup identifies as the author. */
function markedAuthor(segments: readonly Segment[], language: string): string {
  for (const { text, element } of segments) {
    if (text === "" || text.length > MAX_BYLINE_CHARS || markerOf(element, isMarkedOrLink) === null) continue;
    const names = namesInByline(text, { language, hasLabel: true }) ?? [];
    if (names.length > 0) return join(names);
  }
  return "";
}

function join(names: readonly string[]): string {
  return [...new Set(names)].join(", ");
}

/** Returns the names in the segments after a label. Further names need a conjunction or a comma before them. */
function namesAfterLabel(segments: readonly Segment[], start: number, language: string): string[] {
  const names: string[] = [];
  let isJoined = true;
  for (const { text } of segments.slice(start, start + MAX_AUTHOR_SEGMENTS)) {
    if (text === "") continue;
    if (CONJUNCTION.test(text)) {
      isJoined = true;
      continue;
    }
    if (!isJoined && !/^(?:and|&|,)\s/i.test(text)) break;
    const own = namesInByline(text.replace(/^(?:and|&|,)\s+/i, ""), { language, hasLabel: true });
    if (!own || own.length === 0 || (names.length > 0 && !own.every((name) => name.includes(" ")))) break;
    names.push(...own);
    isJoined = /(?:,|&|\band)$/i.test(text);
  }
  return names;
}

/** Returns the element at or around a text that identifies it as the author, or null. */
function markerOf(element: Element, isMarker: (element: Element) => boolean): Element | null {
  const around = elementsAround(element, MARKER_DEPTH);
  const at = around.findIndex(isMarker);
  const isOther = around.slice(0, at + 1).some((one) => OTHER_CLASS.test(namesOf(one)));
  return at < 0 || isOther || isForeign(element) ? null : (around[at] ?? null);
}

function isMarkedOrLink(element: Element): boolean {
  const href = element.name === "a" ? attribute(element, "href") : "";
  return isMarked(element) || PROFILE_LINK.test(href.slice(0, MAX_LINK_CHARS));
}

/** Returns true if an attribute of the element says that it is the author. */
function isMarked({ attribs }: Element): boolean {
  const { class: classes, id, rel, itemprop } = attribs;
  return (
    (classes !== undefined && hasAuthorName(classes)) ||
    (id !== undefined && hasAuthorName(id)) ||
    (rel !== undefined && /\bauthor\b/i.test(rel)) ||
    (itemprop !== undefined && /\b(?:author|creator)\b/.test(itemprop))
  );
}

/** Returns true if a class or an id contains a name for authors. The first check is fast, and most classes fail it. */
function hasAuthorName(names: string): boolean {
  return AUTHOR_LETTERS.test(names) && AUTHOR_CLASS.test(withHyphens(names));
}

/** The classes of these elements describe the page, such as `comments-open`. */
const ROOTS: ReadonlySet<string> = new Set(["html", "body"]);

/** Returns true for text that isn't about the page itself, such as comments, quotations and related articles. */
function isForeign(element: Element): boolean {
  return elementsAround(element, FOREIGN_DEPTH).some(
    (one) =>
      one.name === "blockquote" ||
      CONTRIBUTION.test(one.attribs.itemtype ?? "") ||
      (!ROOTS.has(one.name) && FOREIGN_CLASS.test(namesOf(one))),
  );
}

/** Returns the classes and the id of an element in lower case, with hyphens between words. */
function namesOf({ attribs: { class: classes, id } }: Element): string {
  return classes === undefined && id === undefined ? "" : withHyphens(`${classes ?? ""} ${id ?? ""}`);
}

function withHyphens(names: string): string {
  return names
    .slice(0, MAX_CLASS_CHARS)
    .replace(/([a-z])([A-Z])/g, "$1-$2")
    .toLowerCase();
}

/** Returns the dates in the segments. The first date that isn't the date of a change is the date of publication. */
export function datesIn(segments: readonly Segment[], language: string): { published: string; modified: string } {
  const dates = { published: "", modified: "" };
  for (const [at, segment] of segments.entries()) {
    const day = segment.time || dayIn(segment.text, language);
    if (day === "" || isForeign(segment.element)) continue;
    if (NOT_THE_PAGE.test(wordsBefore(segments, at, { sameLine: true }))) continue;
    if (UPDATED.test(wordsBefore(segments, at, { sameLine: false }))) dates.modified ||= day;
    else dates.published ||= day;
    if (dates.published !== "" && dates.modified !== "") break;
  }
  return dates;
}

/** Returns the day in a text that is little more than a date, or an empty string. */
function dayIn(text: string, language: string): string {
  const date = text.length > MAX_BYLINE_CHARS ? null : findDate(text, language);
  return date && text.length - (date.end - date.start) <= MAX_WORDS_AROUND_DATE_CHARS ? date.day : "";
}

/**
 * Returns the words that say what the date at this index means: its own text, its classes, and the two short texts
 * before it.
 */
function wordsBefore(segments: readonly Segment[], at: number, { sameLine }: { sameLine: boolean }): string {
  const segment = segments[at];
  if (!segment) return "";
  const next = segments[at + 1];
  const own = segment.text === "" && next?.element === segment.element ? next.text : segment.text;
  const before: string[] = [];
  for (const { text, line } of segments.slice(Math.max(0, at - 2), at).reverse()) {
    if (text.length >= MAX_LABEL_CHARS || /\d/.test(text) || (sameLine && line !== segment.line)) break;
    before.unshift(text);
  }
  return [...before, own, namesOf(segment.element)].join(" ");
}
