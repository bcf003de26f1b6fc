import type { Document } from "domhandler";
import { elementsUnder, hasMoreText } from "../html/content/elements";
import { outline } from "../html/main-content/outline";
import { readHead } from "../html/metadata/head";
import { parseJsonLd } from "../html/metadata/json-ld";
import type { SeenPage } from "./seen-page";

/** Beside scripts: so many characters outside of links are a page, so many with two sentences as well. */
const SURE_CHARS = 400;
const MIN_CHARS = 60;
/** Lists of links have no other words. */
const SURE_LINKED_CHARS = 1_000;
/** Header and footer around an empty place for the page have no more. */
const SURE_AROUND_CHARS = 2_000;
const SENTENCE_END = /[.!?…](?=\s|$|["'”’»)\]])|[。！？]/g;
const MIN_SENTENCES = 2;
const SCRIPT = /<script\b(?![^<>]*application\/ld\+json)/i;
/** Where frameworks put the page. */
const MOUNT =
  /^(?:app|root|main-?app|react-?(?:app|root)|vue-?app|__next|__nuxt|___gatsby|svelte|ember-?app|app-?root|application|mount|spa)$/i;
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
 * demand to enable JavaScript, and a page without words.
 */
export function hasContent({ html, document, whole }: SeenPage): boolean {
  if (describesSubject(document)) return true;
  const { units } = outline(whole, new Set());
  const text = units.map((unit) => unit.text).join("\n");
  if (text === "") return false;
  if (!SCRIPT.test(html)) return true;
  const length = units.reduce((sum, unit) => sum + unit.length, 0);
  const words = units.reduce((sum, unit) => sum + unit.length - unit.linkLength, 0);
  if (hasEmptyMount(document)) return words >= SURE_AROUND_CHARS;
  if (words >= SURE_CHARS || length >= SURE_LINKED_CHARS) return true;
  if (DEMAND.test(text) || LOADING.test(text)) return false;
  return words >= MIN_CHARS && (text.match(SENTENCE_END)?.length ?? 0) >= MIN_SENTENCES;
}

function describesSubject(document: Document): boolean {
  return readHead(document).jsonLd.some((source) => subjectsOf(parseJsonLd(source)).some(isSubject));
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

function hasEmptyMount(document: Document): boolean {
  for (const element of elementsUnder(document)) {
    const isMount = MOUNT.test(element.attribs.id ?? "") || MOUNT_NAMES.has(element.name);
    if (isMount && !hasMoreText(element, 20)) return true;
  }
  return false;
}
