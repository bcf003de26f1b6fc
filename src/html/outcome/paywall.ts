import { charsIn, isLinkLine, type TextLine } from "../main-content/regions";
import { typesOf } from "../page/json-ld";
import { normalize } from "../text/sentences";
import type { OutcomeFacts } from "./outcome-facts";
import { PHRASES, quote, says } from "./phrases";

/** A teaser has at most this much prose. */
const MAX_TEASER_CHARS = 1_500;
/** The same limit if the page's JSON-LD says that the article isn't free. */
const MAX_MARKED_CHARS = 3_500;
/** A page that only its JSON-LD marks as not free has at most this much prose. */
const MAX_UNSAID_CHARS = 700;
const MIN_TEASER_CHARS = 35;
const MIN_CONTINUED_CHARS = 600;
const MAX_NOTICE_CHARS = 200;
const MAX_LABEL_CHARS = 60;
/** A page with such a title is about paywalls. */
const ABOUT = /pay ?-?wall|subscription (?:model|business)|bezahlschranke/i;
/** There are at most this many lines between the teaser and the notice. */
const MAX_LINES_BETWEEN = 7;
/** A page with less text and a field for a password is a sign-in page. */
const MAX_SIGN_IN_CHARS = 300;
/** The end of a text that isn't cut off. */
const SENTENCE_END = /[.!?:;。！？][)\]"'”’»」』]*\s*$/;
const CUT_OFF = /(?:…|\.\.\.|\[(?:…|\.\.\.)\])\W*$/;
/** The lines before a notice that can be its heading or its first sentence. */
const LINES_BEFORE_NOTICE = 2;
const MIN_TEXT_CHARS = 80;
const MIN_IDEOGRAPHIC_TEXT_CHARS = 35;
const IDEOGRAPHIC = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}]/u;
const CONTENT_TIER = /^(?:locked|metered|premium|subscriber)/i;

/**
 * Returns the evidence that the page shows only the beginning of an article to readers without a subscription, or null.
 */
export function findPaywall(facts: OutcomeFacts): string | null {
  const { offer } = PHRASES.paywall;
  const proseChars = charsIn(facts.content.filter(isText));
  if (proseChars > MAX_MARKED_CHARS || proseChars === 0) return null;
  const notices = findNotices(facts);
  const notice = notices.find((line) => withholds(line, facts)) ?? notices[0];
  const offersAccess = notice !== undefined && offer.test(normalize(notice.text));
  if (proseChars <= MAX_SIGN_IN_CHARS && facts.elements.passwords > 0 && !offersAccess) return null;
  const isNotFree = saysNotFree(facts);
  if (notice === undefined && !isNotFree) return null;
  if (facts.titleParts.some((part) => ABOUT.test(part))) return null;
  if (notice !== undefined && (isInText(notice, facts) || isFree(facts))) return null;
  const isMarked = isNotFree || CONTENT_TIER.test(facts.head.meta.get("article:content_tier") ?? "");
  const isTeaser = proseChars >= MIN_TEASER_CHARS && (isMarked || proseChars <= MAX_TEASER_CHARS);
  if (notice !== undefined && isTeaser && (isMarked || withholds(notice, facts)))
    return `The text ends with ${quote(notice.text)}.`;
  return isMarked && proseChars <= MAX_UNSAID_CHARS
    ? "The page's data says that the article isn't free, and the page shows only its beginning."
    : null;
}

/**
 * Returns the notices that follow the text directly, or the text follows them. Below a complete article, an invitation
 * to subscribe follows comments and links.
 */
function findNotices({ content }: OutcomeFacts): TextLine[] {
  const { hint, promotion, question, withheld } = PHRASES.paywall;
  const isNotice = ({ text }: TextLine) =>
    text.length <= MAX_NOTICE_CHARS &&
    hint.test(text.toLowerCase()) &&
    ![promotion, question].some((pattern) => pattern.test(text)) &&
    says(text, withheld);
  const first = content.find(isText);
  let end = first === undefined ? -1 : first.index;
  return content.filter((line) => {
    if (line.index <= end + MAX_LINES_BETWEEN && line.index >= end - MAX_LINES_BETWEEN && isNotice(line)) return true;
    if (isText(line)) end = line.index;
    return false;
  });
}

/**
 * Returns true if the notice withholds this text. An offer of other texts below a complete text doesn't. Neither does
 * a notice below the references, the comments or the related articles.
 */
function withholds(notice: TextLine, { content }: OutcomeFacts): boolean {
  const at = content.indexOf(notice);
  const textAt = content.findLastIndex((line, index) => index < at && isText(line));
  const last = content[textAt];
  if (last !== undefined && (CUT_OFF.test(last.text) || !SENTENCE_END.test(last.text))) return true;
  const between = content.slice(textAt + 1, at + 1);
  if (between.some(({ text }) => PHRASES.paywall.afterText.test(text))) return false;
  const around = content.slice(Math.max(textAt + 1, at - LINES_BEFORE_NOTICE), at + 1);
  return around.some((line) => line.text.length <= MAX_NOTICE_CHARS && isAboutThisText(line.text));
}

function isAboutThisText(text: string): boolean {
  const { promotion, rest, offerOfOthers, readOn } = PHRASES.paywall;
  return !promotion.test(text) && says(text, [rest]) && (!says(text, [offerOfOthers]) || says(text, [readOn]));
}

/** Returns true if more text follows the notice than precedes it, as after an invitation inside of an article. */
function isInText(notice: TextLine, { content }: OutcomeFacts): boolean {
  const texts = content.filter((line) => isText(line) && line !== notice);
  const before = charsIn(texts.filter(({ index }) => index < notice.index));
  const after = charsIn(texts) - before;
  return before > 0 && after > Math.max(before, MIN_CONTINUED_CHARS);
}

/** Returns true if a label says that everyone can read the text. */
function isFree({ content }: OutcomeFacts): boolean {
  return content.some(({ text }) => text.length <= MAX_LABEL_CHARS && PHRASES.paywall.free.test(text));
}

/** Returns true for a line of the article. A teaser may be cut off in the middle of a sentence. */
function isText(line: TextLine): boolean {
  const minChars = IDEOGRAPHIC.test(line.text) ? MIN_IDEOGRAPHIC_TEXT_CHARS : MIN_TEXT_CHARS;
  return line.length >= minChars && !isLinkLine(line);
}

/** Returns true if the page's JSON-LD says that the article isn't free. */
function saysNotFree({ head }: OutcomeFacts): boolean {
  return head.nodes().some((node) => {
    const { isAccessibleForFree: value } = node;
    const isText = typesOf(node).some((type) => /Article$|Posting$|CreativeWork$|Report$/.test(type));
    return isText && (value === false || /^(?:.*\/)?false$/i.test(String(value)));
  });
}
