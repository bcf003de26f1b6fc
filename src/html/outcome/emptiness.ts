import { hasContent } from "../has-content";
import { isLinkLine, readRegions } from "../main-content/regions";
import { linesOutsideBoilerplate } from "../main-content/site-boilerplate";
import { bodyOf } from "../parse/document";
import { elementsUnder, rawText } from "../parse/dom";
import type { VisiblePage } from "../visible-page";
import type { PageFacts } from "./page-facts";
import { quote } from "./phrases";

const SCRIPT = /<script\b(?![^<>]*application\/ld\+json)|<body\b[^<>]*\sonload\b/i;
const REQUIRES_JAVASCRIPT =
  /(?:enable|activate|requires?|turn on|needs?|without|aktivier|benötigt|activer|nécessite|habilit|activa|ative|attiva|abilita|schakel|włącz|etkinleştir|включ)[^.]{0,40}java\s?script|java\s?script[^.]{0,40}(?:enable|required|disabled|turned off|aktivier|deaktiviert|désactivé|erforderlich|requerido|necess|abilitat|ingeschakeld|wyłączon|etkin|devre dışı|отключ|включ|有効|启用|啟用|활성화|사용)/i;
const LOADING =
  /^\W*(?:loading|please wait|one moment|wird geladen|bitte warten|chargement|cargando|carregando|caricamento|laden|bezig met laden|ładowanie|wczytywanie|yükleniyor|загрузка|読み込み中|加载中|正在加载|載入中|로딩|불러오는)/iu;
/** Hidden or <noscript> text of at least this length is content, because the output contains it. */
const MIN_HIDDEN_CHARS = 1_000;
const MIN_NOSCRIPT_CHARS = 400;

/** The outcome of a page without enough content. */
export interface Emptiness {
  outcome: "needs_rendering" | "empty";
  reason: string;
}

/** Returns the outcome of a page without enough content. Returns null for a page with content. */
export function findEmptiness(page: VisiblePage, facts: PageFacts): Emptiness | null {
  if (hasContent(page)) return null;
  const { response, lines, elements, html } = facts;
  if (elements.media > 0 && lines.length === 0) return null;
  if (hasHiddenContent(page, facts)) return null;
  const request = [...lines.map(({ text }) => text), ...noscriptTexts(page)].find((text) =>
    REQUIRES_JAVASCRIPT.test(text.slice(0, 400)),
  );
  const visible = lines.some(({ text }) => REQUIRES_JAVASCRIPT.test(text.slice(0, 400)));
  if (response.rendered) {
    if (visible) return { outcome: "needs_rendering", reason: "The page asks readers to enable JavaScript." };
    const unlinked = facts.content.filter((line) => !isLinkLine(line));
    const loading = unlinked.find(({ text }) => LOADING.test(text));
    if (loading) return { outcome: "empty", reason: `The rendered page shows only ${quote(loading.text)}.` };
    if (unlinked.length > 0 || facts.content.length > 0) return null;
    return { outcome: "empty", reason: "The rendered page has no text." };
  }
  if (!SCRIPT.test(html)) return { outcome: "empty", reason: "The page has no text, facts or images." };
  if (request !== undefined)
    return { outcome: "needs_rendering", reason: "The page asks readers to enable JavaScript." };
  const loading = facts.content.find(({ text }) => LOADING.test(text));
  if (loading)
    return { outcome: "needs_rendering", reason: `The page shows only ${quote(loading.text)} until its scripts run.` };
  return { outcome: "needs_rendering", reason: "The page has almost no content until its scripts run." };
}

function hasHiddenContent(page: VisiblePage, { lines }: PageFacts): boolean {
  const body = bodyOf(page.document);
  if (lines.length === 0 && noscriptTexts(page).join("").length >= MIN_NOSCRIPT_CHARS) return true;
  const all = linesOutsideBoilerplate(readRegions(body, new Set()));
  return all.reduce((sum, line) => sum + (line.isProse ? line.length - line.linkLength : 0), 0) >= MIN_HIDDEN_CHARS;
}

function noscriptTexts({ document }: VisiblePage): string[] {
  const texts: string[] = [];
  for (const element of elementsUnder(bodyOf(document), ({ name }) => name !== "noscript"))
    if (element.name === "noscript") texts.push(rawText(element).trim());
  return texts.filter((text) => text !== "");
}
