import type { Document } from "domhandler";
import { isLinkLine, type TextLine } from "../../html/main-content/regions";
import { linesOutsideBoilerplate } from "../../html/main-content/site-boilerplate";
import { readHeadElements } from "../../html/metadata/head";
import { parseJsonLd } from "../../html/metadata/json-ld";
import { bodyOf } from "../../html/parse/document";
import { elementsUnder, hasMoreText } from "../../html/parse/dom";
import type { VisiblePage } from "./visible-page";

/** Beside scripts: so many characters outside of links are a page, so many with two sentences as well. */
const SURE_CHARS = 400;
const MIN_CHARS = 60;
/** Lists of links have no other words. */
const SURE_LINKED_CHARS = 1_000;
/** Beside an empty place for the page, short texts have no more. */
const SURE_AROUND_CHARS = 1_000;
/** A heading and what it is about. */
const MIN_FACT_LINES = 2;
const RIGHTS = /©|\(c\)|copyright|rights reserved/i;
const SENTENCE_END = /[.!?…](?=\s|$|["'”’»)\]])|[。！？]/g;
const MIN_SENTENCES = 2;
const SCRIPT = /<script\b(?![^<>]*application\/ld\+json)|<body\b[^<>]*\sonload\b/i;
/** Where frameworks put the page. */
const MOUNT =
  /^(?:app|root|main-?app|react-?(?:app|root)|vue-?app|__next|__nuxt|___gatsby|svelte|ember-?app|app-?root|application|mount|spa)$/i;
const MAX_MOUNT_CHARS = 20;
const MOUNT_NAMES = new Set(["app-root", "my-app", "ember-app"]);
const DEMAND =
  /(?:enable|activate|requires?|turn on|needs?|without|aktivier|benötigt|activer|nécessite|habilit|activa|etkinleştir|включ)[^.]{0,40}java\s?script|java\s?script[^.]{0,40}(?:enable|required|disabled|turned off|aktivier|deaktiviert|désactivé|erforderlich|requerido|etkin|devre dışı|отключ|включ)/i;
/** What a page says while its script works. */
const LOADING =
  /^\W*(?:loading|please wait|one moment|wird geladen|bitte warten|chargement|cargando|yükleniyor|загрузка)/i;
/** A page with one of these and its facts says what it is there for. */
const SUBJECT =
  /Product$|^Recipe$|Event$|^JobPosting$|^Offer$|^Vehicle$|^Car$|^Apartment$|^Book$|^Movie$|^Course$|^Dataset$/;
const MIN_FACTS = 3;

/**
 * Whether a page as it was fetched says anything to speak of, without its scripts. False for the shell of an application, a
 * demand to enable JavaScript, and a page without words but for those of its site.
 */
export function hasContent({ html, document, page }: VisiblePage): boolean {
  if (describesSubject(document)) return true;
  if (page.lines.length === 0) return false;
  if (!SCRIPT.test(html)) return true;
  const lines = linesOutsideBoilerplate(page).filter((line) => !RIGHTS.test(line.text) || line.isProse);
  const length = lines.reduce((sum, line) => sum + line.length, 0);
  const words = lines.reduce((sum, line) => sum + line.length - line.linkLength, 0);
  const places = emptyPlaces(document);
  if (places === "mount") return words >= SURE_AROUND_CHARS;
  if (words >= SURE_CHARS || length >= SURE_LINKED_CHARS) return true;
  const text = lines.map((line) => line.text).join("\n");
  if (DEMAND.test(text) || LOADING.test(text)) return false;
  if (words >= MIN_CHARS && (text.match(SENTENCE_END)?.length ?? 0) >= MIN_SENTENCES) return true;
  return places === "none" && hasFacts(lines);
}

/** A few lines with figures in them: opening hours, a price, a small table. */
function hasFacts(all: readonly TextLine[]): boolean {
  const lines = all.filter((line) => !isLinkLine(line));
  return lines.length >= MIN_FACT_LINES && lines.some(({ text }) => /\d/.test(text));
}

function describesSubject(document: Document): boolean {
  return readHeadElements(document).jsonLd.some((source) => subjectsOf(parseJsonLd(source)).some(isSubject));
}

function subjectsOf(value: unknown): unknown[] {
  const values = Array.isArray(value) ? value : [value];
  return values.flatMap((one) => {
    const graph = typeof one === "object" && one !== null && "@graph" in one ? one["@graph"] : null;
    return Array.isArray(graph) ? graph : [one];
  });
}

function isSubject(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !("@type" in value)) return false;
  const isOne = [value["@type"]].flat().some((type) => SUBJECT.test(String(type).replace(/^.*[/:#]/, "")));
  const facts = Object.keys(value).filter((key) => !key.startsWith("@"));
  return isOne && facts.length >= MIN_FACTS;
}

/** Whether there is an empty place where the page will be: one that is surely for it, or may be. */
function emptyPlaces(document: Document): "mount" | "unknown" | "none" {
  let places: "unknown" | "none" = "none";
  for (const element of elementsUnder(bodyOf(document))) {
    const { name, attribs } = element;
    const isMount = MOUNT.test(attribs.id ?? "") || MOUNT_NAMES.has(name) || name === "main";
    const mayBe = name.includes("-") || (attribs.id !== undefined && /^(?:div|section|article)$/.test(name));
    if ((!isMount && !mayBe) || hasMoreText(element, isMount ? MAX_MOUNT_CHARS : 0)) continue;
    if (isMount) return "mount";
    places = "unknown";
  }
  return places;
}
