import { isLinkLine, type TextLine } from "../main-content/regions";
import { typesOf } from "../metadata/json-ld-nodes";
import type { PageFacts } from "./page-facts";
import { announces, normalize, quote, says, sentencesOf, wordsOnly } from "./phrases";
import { NOT_FOUND_NAMES, NOT_FOUND_SENTENCES } from "./soft-404-phrases";

/** The most text outside of links and boilerplate, with the notice. */
const MAX_CHARS = 3_500;
/** The most text besides the notice, if the title, a heading and a sentence say that the page doesn't exist. */
const MAX_CHARS_WITH_THREE = 2_500;
/** The same for two of the three. */
const MAX_CHARS_WITH_TWO = 900;
/** The most prose besides the notice. Recommendations below a notice are short lines. */
const MAX_PROSE_CHARS = 500;
/** The most prose, with the notice. */
const MAX_ALL_PROSE_CHARS = 1_200;
/** The notice is among the first lines. */
const MAX_NOTES = 30;
/** The most prose about other things than the missing page and the ways to other pages. */
const MAX_FOREIGN_PROSE_CHARS = 60;
/** A sentence about a missing page is short. */
const MAX_SENTENCE_CHARS = 140;
const MAX_CHARS_WITH_MARK = 600;
const MAX_CHARS_WITH_NAME = 60;
const MAX_CHARS_WITH_SENTENCE = 120;
const MAX_NAME_CHARS = 120;
/** The notice of a page without headings is among the first lines. */
const MAX_FIRST_LINES = 3;

/** Words of "404" headings that don't name the missing thing. */
const FILLERS =
  /(?<![\p{L}\p{N}])(?:404|http|error|err|code|status|oops|ooops|whoops|uh oh|oh no|sorry|fehler|entschuldigung|hoppla|ups|erreur|oups|désolé|lo sentimos|erro|desculpe|errore|spiacenti|fout|helaas|hata|üzgünüz|ошибка|упс|извините|błąd|przepraszamy|エラー|错误|錯誤|抱歉|오류|에러)(?![\p{L}\p{N}])/gu;
/** The classes and ids that templates give to their page for a missing page. */
const MARK =
  /(?:^|\s)(?:(?:error|page|template|body|is|wp)[-_]?)*(?:404|not[-_]?found)(?:[-_]?(?:page|error|body|container|wrapper|content|template|section|title|not-found))*(?=\s|$)|(?:^|\s)(?:noarticletext|cms-no-?route\S*|pagenotfound|no-route|status-404|http-404)(?=\s|$)/i;
const URL_MARK = /[/=._-](?:404|not[-_]?found|page[-_]?not[-_]?found|seite-nicht-gefunden|error404)(?:[/.?&]|$)/i;
/** Text about the status code itself. Such a page is documentation. */
const ABOUT =
  /status code|statuscode|response code|http (?:response|status|error)s?\b.{0,30}(?:code|class|mean|indicat)|client error|how to (?:fix|create|design|make)|wikipedia|(?:is|are) (?:a|an|the) (?:\d{4} |indie |short |american |british |french |german |song|film|album|band|novel|book|play|video game|error message)/i;
/** Words of manuals and answers about missing pages. */
const DOCUMENTATION =
  /\b(?:causes?|solutions?|resolution|troubleshoot\w*|symptoms?|htaccess|nginx|apache|plugins?|permalinks?|webmasters?|server returns|error message|error page|visitors)\b|ursache|lösung|fehlermeldung|fehlerseite|cause :|solución|mensaje de error|solução|soluzione|oplossing|çözüm|решени[ея]|rozwiązani|解決|原因|解决|해결/i;
/** Words for the ways to other pages, and apologies. */
const HELP =
  /search|home ?page|\blinks?\b|\burl|address|\bpages?\b|site ?map|menu|\btry\b|contact|sorry|moved|archive|suche|startseite|seite|adresse|versuch|kontakt|recherch|accueil|\blien|essay|busc|búsqueda|inicio|página|enlace|intent|pesquis|início|endereço|\bcerc|pagina|indirizzo|prova|zoek|probeer|\bara(?:ma|yın)|sayfa|adres|поиск|главн|страниц|ссылк|попробуйте|szuka|stron|spróbuj|検索|トップ|ページ|リンク|ホーム|搜索|搜尋|首页|首頁|页面|頁面|返回|검색|홈|페이지|주소|similar|browse|popular|recommend|below|instead|expired|deleted|removed|found|ähnlich|verschoben|gelöscht|abgelaufen|similaire|parecid|similar|simili|vergelijkbare|hieronder|benzer|похож|возможно|podobn|ほか|他の|类似|相似|다른|här|tillbaka|tilbage|takaisin|zpět|vissza|înapoi/u;
const SENTENCE_END = /[.!?…。！？]["'”’»」)]*$/;
const SUBJECT =
  /Product$|Recipe$|Event$|JobPosting$|Article$|BlogPosting$|^Movie$|^Book$|^Dataset$|^Question$|^TechArticle$|^DefinedTerm$/;
/** Titles and headings of error pages that don't name the error. */
const APOLOGY =
  /^[^\p{L}\p{N}]*(?:oops|whoops|uh[- ]?oh|sorry|error|an error|something went wrong|information|hoppla|ups|hinweis|fehler|oups|erreur|désolé|vaya|lo sentimos|error|desculpe|erro|spiacenti|errore|helaas|fout|üzgünüz|hata|упс|ошибка|извините|ups|błąd|przepraszamy|エラー|申し訳|抱歉|错误|提示|오류|죄송|알림)/iu;
/** Titles of announcements. */
const NOTICE = /안내|お知らせ|公告|通知|\bnotice\b|\brecall|rückruf|hinweis zu/iu;
/** Titles of search pages, which say that nothing was found. */
const SEARCH_NAME =
  /\bsearch\b|\bresults?\b|suche|recherche|résultat|búsqueda|resultado|busca\b|pesquisa|ricerca|risultat|zoek|resultaten|arama|sonuç|поиск|результат|wyszuk|wynik|検索|搜索|搜尋|검색/iu;
const SEARCH_URL = /[?&](?:s|q|query|search|keyword|suche)=|\/search\b/i;

/** Returns the evidence that a page with a success status says that it doesn't exist, or null. */
export function findSoft404(facts: PageFacts): string | null {
  const { titleParts, headings, response } = facts;
  if (facts.unlinkedChars > MAX_CHARS || facts.proseChars > MAX_ALL_PROSE_CHARS) return null;
  if (SEARCH_URL.test(response.url)) return null;
  const lines = facts.notes.slice(0, MAX_NOTES);
  const firstLines = headings.length === 0 ? lines.slice(0, MAX_FIRST_LINES) : [];
  const title = titleParts.find(isNotFoundName) ?? titleParts.find(isNotFoundSentence);
  const heading =
    [...headings, ...firstLines].find(isNotFoundName) ?? headings.slice(0, MAX_FIRST_LINES).find(isNotFoundSentence);
  const sentence = lines.find((text) => text !== heading && announces(text, NOT_FOUND_SENTENCES, MAX_SENTENCE_CHARS));
  if (title === undefined && heading === undefined && sentence === undefined) return null;
  const { elements, head } = facts;
  if (elements.code > 0 || elements.passwords > 0 || facts.nodes.some(isSubject)) return null;
  if (ABOUT.test(`${head.title}\n${lines.join("\n")}`)) return null;
  const rest = restChars(facts, [heading, sentence]);
  if (rest > MAX_CHARS_WITH_NAME && DOCUMENTATION.test(lines.join("\n"))) return null;
  if (proseAround(facts, [heading, sentence]) > MAX_PROSE_CHARS) return null;
  const maxForeignChars =
    isName(title) && sentence !== undefined ? 2 * MAX_FOREIGN_PROSE_CHARS : MAX_FOREIGN_PROSE_CHARS;
  if (foreignProse(facts, [heading, sentence]) > maxForeignChars) return null;
  const isMarked = MARK.test(elements.names) || URL_MARK.test(response.url) || URL_MARK.test(head.canonical);
  const isNoIndex = /noindex/i.test(head.meta.get("robots") ?? "");
  const isSearch = [...titleParts, ...headings.slice(0, 1)].some((text) => SEARCH_NAME.test(text));
  if (isSearch && !isName(title) && !isName(heading)) return null;
  const isNumber = [title, heading].every(
    (text) => text === undefined || !/\p{L}{2}/u.test(text.replace(/error/i, "")),
  );
  if (isNumber && sentence === undefined)
    return rest <= MAX_CHARS_WITH_NAME ? toReason({ title, heading, sentence }) : null;
  const count = [title, heading, sentence].filter((one) => one !== undefined).length;
  const isFound =
    (count === 3 && rest <= MAX_CHARS_WITH_THREE) ||
    (count === 2 && rest <= MAX_CHARS_WITH_TWO) ||
    (isMarked && rest <= MAX_CHARS_WITH_MARK) ||
    ((title ?? heading) !== undefined && rest <= MAX_CHARS_WITH_NAME) ||
    (sentence !== undefined && rest <= MAX_CHARS_WITH_NAME && isApology(facts)) ||
    (sentence !== undefined && rest <= MAX_CHARS_WITH_SENTENCE && (isNoIndex || headings.length === 0));
  return isFound ? toReason({ title, heading, sentence }) : null;
}

function toReason({ title, heading, sentence }: Record<"title" | "heading" | "sentence", string | undefined>): string {
  if (sentence !== undefined) return `The page says ${quote(sentence)}.`;
  if (title !== undefined && heading !== undefined) return `The title and the heading say ${quote(heading)}.`;
  return heading === undefined
    ? `The title is ${quote(title ?? "")}, and the page has no other content.`
    : `The heading is ${quote(heading)}, and the page has no other content.`;
}

function isSubject(node: Record<string, unknown>): boolean {
  return typesOf(node).some((type) => SUBJECT.test(type));
}

/** Returns true if the title and the headings only say that something went wrong. */
function isApology({ titleParts, headings }: PageFacts): boolean {
  return [...titleParts, ...headings].some((text) => text.length <= MAX_NAME_CHARS && APOLOGY.test(text));
}

function isName(text: string | undefined): boolean {
  return text !== undefined && isNotFoundName(text);
}

/** Returns true for a title or heading that says in a sentence that the page is missing. */
function isNotFoundSentence(text: string): boolean {
  return !text.endsWith("?") && !NOTICE.test(text) && announces(text, NOT_FOUND_SENTENCES, MAX_NAME_CHARS);
}

/** Returns true for the whole text of a heading or title such as "404" or "Page not found". */
function isNotFoundName(text: string): boolean {
  if (text.length > MAX_NAME_CHARS) return false;
  const words = wordsOnly(text);
  const name = words.replace(FILLERS, " ").replace(/\s+/g, " ").trim();
  if (name === "") return /\b404\b/.test(words);
  return NOT_FOUND_NAMES.some((pattern) => pattern.test(name));
}

/** Returns the number of characters in prose besides the notice. */
function proseAround(facts: PageFacts, notice: readonly (string | undefined)[]): number {
  return proseBesides(facts, notice).reduce((sum, line) => sum + line.length, 0);
}

/**
 * Returns the number of characters in sentences that neither say that the page is missing nor help to find another.
 * Ignores short texts below another heading, because these can be recommendations.
 */
function foreignProse({ content }: PageFacts, notice: readonly (string | undefined)[]): number {
  const start = content.findIndex((line) => notice.includes(line.text));
  const next = content.findIndex((line, at) => at > start && line.headingLevel > 0 && !notice.includes(line.text));
  const sentence = notice.at(-1);
  const isCounted = (line: TextLine, at: number) =>
    line.isProse || ((next < 0 || at < next) && (sentence === undefined || SENTENCE_END.test(line.text)));
  return content
    .filter(
      (line, at) => line.headingLevel === 0 && !isLinkLine(line) && !notice.includes(line.text) && isCounted(line, at),
    )
    .filter((line) => !announces(line.text, NOT_FOUND_SENTENCES, 2 * MAX_SENTENCE_CHARS))
    .reduce((sum, line) => sum + line.length * shareOfOthers(line.text), 0);
}

/** Returns the share of a text in sentences without words for the ways to other pages. */
function shareOfOthers(text: string): number {
  const others = sentencesOf(text).filter((sentence) => !HELP.test(normalize(sentence)));
  return others.join("").length / Math.max(1, text.length);
}

function proseBesides({ content }: PageFacts, notice: readonly (string | undefined)[]): TextLine[] {
  return content.filter(
    (line) =>
      line.isProse && !notice.includes(line.text) && !announces(line.text, NOT_FOUND_SENTENCES, 2 * MAX_SENTENCE_CHARS),
  );
}

/** Returns the number of characters outside of links, headings and the notice itself. */
function restChars({ content }: PageFacts, notice: readonly (string | undefined)[]): number {
  return content
    .filter((line) => !isLinkLine(line) && !notice.includes(line.text) && line.headingLevel === 0)
    .filter((line) => !says(line.text, NOT_FOUND_SENTENCES))
    .reduce((sum, line) => sum + line.length - line.linkLength, 0);
}
