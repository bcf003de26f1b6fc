import type { Document } from "domhandler";
import { charsIn, isLinkLine, type TextLine } from "./main-content/regions";
import { typesOf } from "./page/json-ld";
import { readPageModel } from "./page/page-model";
import { bodyOf } from "./parse/document";
import { elementsUnder, hasMoreText } from "./parse/dom";
import type { VisiblePage } from "./visible-page";

/**
 * A page with scripts has enough content with this many characters outside links. With fewer characters, it must have
 * two sentences.
 */
const ENOUGH_CHARS = 400;
const MIN_CHARS = 60;
/** A page has enough content with this many characters, even if all of them are in links. */
const ENOUGH_LINKED_CHARS = 1_000;
/** A page with an empty mount element has enough content with this many characters outside links. */
const ENOUGH_CHARS_WITH_MOUNT = 1_000;
/** A page with facts has at least this many lines: a heading and one fact. */
const MIN_FACT_LINES = 2;
/** A page that shows only a loading message has at most this many lines. */
const MAX_LOADING_LINES = 3;
const RIGHTS = /©|\(c\)|copyright|rights reserved/i;
const SENTENCE_END = /[.!?…](?=\s|$|["'”’»)\]])|[。！？]/g;
const MIN_SENTENCES = 2;
export const SCRIPT = /<script\b(?![^<>]*application\/ld\+json)|<body\b[^<>]*\sonload\b/i;
/** Matches the ids of elements into which frontend frameworks render the page. */
const MOUNT =
  /^(?:app|root|main-?app|react-?(?:app|root)|vue-?app|__next|__nuxt|___gatsby|svelte|ember-?app|app-?root|application|mount|spa)$/i;
const MAX_MOUNT_CHARS = 20;
const MOUNT_NAMES = new Set(["app-root", "my-app", "ember-app"]);
const REQUIRES_JAVASCRIPT =
  /(?:enabl|activate|requires?|turn on|needs?|(?:not|n't|cannot|unable|limited|reduced)[^.]{0,40}without|aktivier|benötigt|activ[eé]|nécessite|habilit|activa|ativ[ae]|attiva|abilita|schakel|włącz|etkinleştir|включ|необходим)[^.]{0,40}java\s?script|java\s?script[^.]{0,40}(?:enable|required|disabled|turned off|aktivier|deaktiviert|désactivé|activé|erforderlich|requerido|habilit|necess|abilitat|disattivat|ingeschakeld|wyłączon|włącz|wymaga|etkin|devre dışı|отключ|включ|необходим|有効|無効|启用|啟用|禁用|활성화|필요)/i;
/** An English sentence about other software than the page, which may also require JavaScript. */
const OTHER_SOFTWARE =
  /^(?!.*\b(?:this|our|you|your|we|please|website|site|page|browser|app|application|enable|activate|turn on)\b).*\b(?:requires?|needs?|without)\b/i;

/** Returns true if a text says that the page, its site or its application requires JavaScript. */
export function requiresJavaScript(text: string): boolean {
  const request = text.split(/(?<=[.!?])\s+/).find((sentence) => REQUIRES_JAVASCRIPT.test(sentence));
  return request !== undefined && !OTHER_SOFTWARE.test(request);
}

/** Matches messages that a page shows while its script is loading. */
export const LOADING =
  /^[^\p{L}]*(?:loading(?!\p{L})|please wait(?!\p{L})|(?:just a|one) moment(?=,? please|\W*$)|(?:seite |inhalt(?:e)? |daten )?wird geladen|lade(?:n| daten)?(?!\p{L})|bitte warten|chargement|cargando|un momento|carregando|a carregar|caricamento|bezig met laden|even geduld|ładowanie|wczytywanie|trwa ładowanie|yükleniyor|загрузка|идет загрузка|идёт загрузка|загружа|подождите|hang (?:on|tight)|ein(?:en)? moment|patientez|veuillez patienter|espere|aguarde|attendere|een ogenblik|lütfen bekleyin|proszę czekać|laddar|ladataan|indlæser|laster|načítá|betöltés|завантаж|se încarcă|memuat|đang tải|جار(?:ي)? التحميل|しばらくお待ち|请稍候|請稍候|잠시만 기다|読み込み中|読込中|ロード中|加载中|正在加载|载入中|載入中|加載中|로딩|불러오는|로드 중)/iu;
/** Matches types of JSON-LD objects that are content. Such an object counts if it has at least MIN_FACTS properties. */
const SUBJECT =
  /Product$|^Recipe$|Event$|^JobPosting$|^Offer$|^Vehicle$|^Car$|^Apartment$|^Book$|^Movie$|^Course$|^Dataset$/;
const MIN_FACTS = 3;

/**
 * Returns true if a fetched page has content without running its scripts. Returns false for an empty application shell,
 * for a page that requires JavaScript, and for a page with only the boilerplate of its site.
 */
export function hasContent(page: VisiblePage): boolean {
  return showsContent(page) || readPageModel(page.document).nodes().some(isSubject);
}

function showsContent({ html, document, page, outside }: VisiblePage): boolean {
  if (page().lines.length === 0) return false;
  if (!SCRIPT.test(html)) return true;
  const lines = outside().filter((line) => !RIGHTS.test(line.text) || line.isProse);
  const length = charsIn(lines);
  const words = lines.reduce((sum, line) => sum + line.length - line.linkLength, 0);
  const mount = findMountElement(document);
  if (mount === "mount") return words >= ENOUGH_CHARS_WITH_MOUNT;
  if (words >= ENOUGH_CHARS || length >= ENOUGH_LINKED_CHARS) return true;
  const text = lines.map((line) => line.text).join("\n");
  if (requiresJavaScript(text) || (LOADING.test(text) && lines.length <= MAX_LOADING_LINES)) return false;
  if (words >= MIN_CHARS && (text.match(SENTENCE_END)?.length ?? 0) >= MIN_SENTENCES) return true;
  return mount === "none" && hasFacts(lines);
}

/**
 * Returns true if the page shows facts, such as opening hours, a price or a small table. Requires a few lines that
 * aren't links, and a digit in one of them.
 */
function hasFacts(all: readonly TextLine[]): boolean {
  const lines = all.filter((line) => !isLinkLine(line));
  return lines.length >= MIN_FACT_LINES && lines.some(({ text }) => /\d/.test(text));
}

function isSubject(node: Record<string, unknown>): boolean {
  const facts = Object.keys(node).filter((key) => !key.startsWith("@"));
  return facts.length >= MIN_FACTS && typesOf(node).some((type) => SUBJECT.test(type));
}

/**
 * Searches for an empty element into which a script can render. Returns "mount" for an element with a typical name,
 * "unknown" for an element with another name, and "none" if there is no such element.
 */
export function findMountElement(document: Document): "mount" | "unknown" | "none" {
  let mount: "unknown" | "none" = "none";
  for (const element of elementsUnder(bodyOf(document))) {
    const { name, attribs } = element;
    const isMount = MOUNT.test(attribs.id ?? "") || MOUNT_NAMES.has(name) || name === "main";
    const isCandidate = name.includes("-") || (attribs.id !== undefined && /^(?:div|section|article)$/.test(name));
    if ((!isMount && !isCandidate) || hasMoreText(element, isMount && name !== "main" ? MAX_MOUNT_CHARS : 0)) continue;
    if (isMount) return "mount";
    mount = "unknown";
  }
  return mount;
}
