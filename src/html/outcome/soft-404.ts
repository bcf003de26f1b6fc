import { isDocumentation } from "../block-pages/notice";
import { type TextLine, unlinkedCharsIn } from "../main-content/regions";
import { typesOf } from "../page/json-ld";
import { normalize, sentencesOf, wordsOnly } from "../text/sentences";
import { type OutcomeFacts, textsIn } from "./outcome-facts";
import { announces, PHRASES, quote, says } from "./phrases";

/** The maximum length of the text besides the notice if the title, a heading and a sentence say that the page is missing. */
const MAX_CHARS_WITH_THREE = 2_500;
/** The same limit if only two of these three say so. */
const MAX_CHARS_WITH_TWO = 900;
/** The notice is among the first lines. */
const MAX_NOTES = 30;
/** The maximum length of prose that is neither about the missing page nor about the ways to other pages. */
const MAX_FOREIGN_PROSE_CHARS = 60;
/** A sentence about a missing page is short. */
const MAX_SENTENCE_CHARS = 140;
const MAX_CHARS_WITH_MARK = 600;
const MAX_CHARS_WITH_NAME = 60;
const MAX_CHARS_WITH_SENTENCE = 120;
const MAX_NAME_CHARS = 120;
/** The notice of a page without headings is among the first lines. */
const MAX_FIRST_LINES = 3;
const SENTENCE_END = /[.!?…。！？]["'”’»」)]*$/;
/** Titles of announcements. */
const NOTICE = /안내|お知らせ|公告|通知|\bnotice\b|\brecall|rückruf|hinweis zu/iu;
const SEARCH_URL = /[?&](?:s|q|query|search|keyword|suche)=|\/search\b/i;

/** Returns the evidence that a page with a success status says that it doesn't exist, or null. */
export function findSoft404(facts: OutcomeFacts): string | null {
  const { titleParts, headings, response, head } = facts;
  const { about, documentation, mark, urlMark, searchName } = PHRASES.soft404;
  // These counts include the notice.
  if (facts.exceeds({ unlinkedChars: 3_500, proseChars: 1_200 }) || SEARCH_URL.test(response.url)) return null;
  const lines = facts.notes.slice(0, MAX_NOTES);
  const firstLines = headings.length === 0 ? lines.slice(0, MAX_FIRST_LINES) : [];
  const title = titleParts.find(isNotFoundName) ?? titleParts.find(isNotFoundSentence);
  const heading =
    [...headings, ...firstLines].find(isNotFoundName) ?? headings.slice(0, MAX_FIRST_LINES).find(isNotFoundSentence);
  const sentence = lines.find((text) => text !== heading && isNotice(text, MAX_SENTENCE_CHARS));
  const notice = [title, heading, sentence].filter((one) => one !== undefined);
  if (notice.length === 0) return null;
  const isExplained = (name: string) =>
    lines.some((text) => text !== name && text.includes(name) && isDocumentation(normalize(text)));
  if ([title, heading].some((name) => name !== undefined && isExplained(name))) return null;
  if (facts.exceeds({ code: 0, passwords: 0 }) || head.nodes().some(isSubject)) return null;
  if (about.test(`${head.title}\n${lines.join("\n")}`)) return null;
  const rest = restChars(facts, [heading, sentence]);
  if (rest > MAX_CHARS_WITH_NAME && documentation.test(lines.join("\n"))) return null;
  const maxForeignChars =
    isName(title) && sentence !== undefined ? 2 * MAX_FOREIGN_PROSE_CHARS : MAX_FOREIGN_PROSE_CHARS;
  if (foreignProse(facts, [heading, sentence]) > maxForeignChars) return null;
  const isMarked = mark.test(facts.elements.names) || [response.url, head.canonical].some((url) => urlMark.test(url));
  const isNoIndex = /noindex/i.test(head.meta.get("robots") ?? "");
  const isSearch = [...titleParts, ...headings.slice(0, 1)].some((text) => searchName.test(text));
  if (isSearch && !isName(title) && !isName(heading)) return null;
  const isNumber = [title, heading].every(
    (text) => text === undefined || !/\p{L}{2}/u.test(text.replace(/error/i, "")),
  );
  if (isNumber && sentence === undefined)
    return rest <= MAX_CHARS_WITH_NAME ? toReason({ title, heading, sentence }) : null;
  const isFound =
    (notice.length === 3 && rest <= MAX_CHARS_WITH_THREE) ||
    (notice.length === 2 && rest <= MAX_CHARS_WITH_TWO) ||
    (isMarked && rest <= MAX_CHARS_WITH_MARK) ||
    ((title ?? heading) !== undefined && rest <= MAX_CHARS_WITH_NAME) ||
    (sentence !== undefined && rest <= MAX_CHARS_WITH_NAME && isApology(facts)) ||
    (sentence !== undefined && rest <= MAX_CHARS_WITH_SENTENCE && (isNoIndex || headings.length === 0));
  return isFound ? toReason({ title, heading, sentence }) : null;
}

/**
 * Returns true for a line that says that the page is missing. Its first sentence is the notice, an apology or help: a
 * story begins with another sentence.
 */
function isNotice(text: string, maxChars: number): boolean {
  const first = normalize(sentencesOf(text)[0] ?? "");
  return (
    announces(text, PHRASES.soft404.sentences, maxChars) &&
    [...PHRASES.soft404.sentences, PHRASES.soft404.apology, PHRASES.soft404.help].some((one) => one.test(first))
  );
}

function toReason({ title, heading, sentence }: Record<"title" | "heading" | "sentence", string | undefined>): string {
  if (sentence !== undefined) return `The page says ${quote(sentence)}.`;
  if (title !== undefined && heading !== undefined) return `The title and the heading say ${quote(heading)}.`;
  return heading === undefined
    ? `The title is ${quote(title ?? "")}, and the page has no other content.`
    : `The heading is ${quote(heading)}, and the page has no other content.`;
}

function isSubject(node: Record<string, unknown>): boolean {
  return typesOf(node).some((type) => PHRASES.soft404.subject.test(type));
}

/** Returns true if the title and the headings only say that something went wrong. */
function isApology({ names }: OutcomeFacts): boolean {
  return names.some((text) => text.length <= MAX_NAME_CHARS && PHRASES.soft404.apology.test(text));
}

function isName(text: string | undefined): boolean {
  return text !== undefined && isNotFoundName(text);
}

/** Returns true for a title or heading that says in a sentence that the page is missing. */
function isNotFoundSentence(text: string): boolean {
  return !text.endsWith("?") && !NOTICE.test(text) && announces(text, PHRASES.soft404.sentences, MAX_NAME_CHARS);
}

/** Returns true for the whole text of a heading or title such as "404" or "Page not found". */
function isNotFoundName(text: string): boolean {
  if (text.length > MAX_NAME_CHARS) return false;
  const words = wordsOnly(text);
  const name = words.replace(PHRASES.soft404.fillers, " ").replace(/\s+/g, " ").trim();
  if (name === "") return /\b404\b/.test(words);
  return PHRASES.soft404.names.some((pattern) => pattern.test(name));
}

/**
 * Returns the number of characters in sentences that neither say that the page is missing nor help to find another.
 * Ignores short texts below another heading, because these can be recommendations.
 */
function foreignProse({ content }: OutcomeFacts, notice: readonly (string | undefined)[]): number {
  const start = content.findIndex((line) => notice.includes(line.text));
  const next = content.findIndex((line, at) => at > start && line.headingLevel > 0 && !notice.includes(line.text));
  const sentence = notice.at(-1);
  const isCounted = (line: TextLine, at: number) =>
    line.isProse || ((next < 0 || at < next) && (sentence === undefined || SENTENCE_END.test(line.text)));
  const isOther = ({ text }: TextLine) => !notice.includes(text) && !isNotice(text, 2 * MAX_SENTENCE_CHARS);
  return textsIn(content.filter(isCounted))
    .filter(isOther)
    .reduce((sum, line) => sum + line.length * shareOfOthers(line.text), 0);
}

/** Returns the share of a text in sentences without words for the ways to other pages. */
function shareOfOthers(text: string): number {
  const others = sentencesOf(text).filter((sentence) => !PHRASES.soft404.help.test(normalize(sentence)));
  return others.join("").length / Math.max(1, text.length);
}

/** Returns the number of characters outside of links, headings and the notice itself. */
function restChars({ content }: OutcomeFacts, notice: readonly (string | undefined)[]): number {
  const isRest = ({ text }: TextLine) => !notice.includes(text) && !says(text, PHRASES.soft404.sentences);
  return unlinkedCharsIn(textsIn(content).filter(isRest));
}
