import { findDate } from "../page/dates";
import { collapseAndTrim, tidyValue } from "../parse/white-space";
import wordsForBy from "./words-for-by.json";

const MAX_NAMES = 20;
const MAX_NAME_CHARS = 60;
const MAX_NAME_WORDS = 6;
const MIN_NAME_CHARS = 3;
/** The words before a name, if they are unlikely to mean something else at the beginning of a line. */
const LABEL =
  /^(?:(?:this (?:post|article|story|guide|page) was written by)|(?:(?:post|article|story|words|text|review|blog|guest post|originally|asked|started|created|submitted)?\s*(?:(?:written|posted|published|authored)\s*)?(?:and \w+ )?by)\b|(?:authors?|contributors?)\s*(?:[:–-]|$)|written by\b|(?:geschrieben|verfasst|veröffentlicht|erstellt) von\b|(?:écrit|publié|rédigé|posté) par\b|(?:escrito|publicado) por\b|(?:scritto|pubblicato) da\b|a cura di\b|(?:geschreven|geplaatst) door\b|(?:skriven|publicerad) av\b|(?:skrevet|publisert) av\b|(?:skrevet|udgivet) af\b|autor(?:a|en)?\s*:|auteurs?\s*:|autore\s*:|автор\s*:?|текст\s*:|yazar\s*:|yazan\s*:|penulis\s*:|tekst\s*:|kirjoittaja\s*:?|tác giả\s*:|作者\s*[:：]|文\s*[/／:：]|著者?\s*[:：]|執筆\s*[:：]|記者\s*[:：]|글\s*[:：]?|بقلم\s*:?|כתב\s*:|מאת\s*:?)\s*/iu;
/** A date before the author, such as "Updated on May 3, 2024 by Jane Doe". */
const DATED_BY = /^(.+)\s(?:by|von|par|por|di|door)\s+(.+)$/i;
const MAX_DATED_CHARS = 120;
/** The words for "by" that have other meanings in other languages. */
const LABELS_BY_LANGUAGE: ReadonlyMap<string, RegExp> = new Map(
  Object.entries(wordsForBy).map(([language, words]) => [language, new RegExp(`^${words}(?::\\s*|\\s+|$)`, "i")]),
);
/** A single word for the kind of text, such as "Interview:". */
const KIND = /^\p{L}{2,14}(?::\s+|：\s*)(?=\p{Lu}|\p{Lo})/u;
const LEADING_MARKS = /^[\s|·•●/,–—-]+/;
const EMAIL_OR_URL = /(?<!\S)[^\s@]+@\S+\.\S+|(?:https?:\/\/|www\.)\S+/gi;
/** The separators between the names and other facts, such as the date. */
const END_OF_NAMES =
  /(?:(?<!\s)\s+)?(?:[|•·●◦∙⋅‧/»«…→▪]|\s[–—-]+(?:\s|$)|\s@\s|\bon behalf of\b|\b(?:updated|published|posted|last|for|in|on|at|from|with|aktualisiert|mis à jour)\b(?=\s|:|$)|\bmin(?:ute)?s?\b|\b(?:illustrations?|photos?|fotos?|bilder)\s*(?:[:/]|by\b|von\b|par\b)|\([^()]*\)?$)/iu;
const BETWEEN_NAMES = /(?:(?<!\s)\s+)?(?:[,;、，]|\s&\s|\s\+\s|\s(?:and|und|et|y|e|en|och|og|i|ve|и|та|με|και)\s)\s*/iu;
/** Degrees and roles after a name. They aren't names themselves. */
const DEGREE =
  /^(?:(?:[A-Z]{1,3}\.?){1,3}[A-Za-z]{0,2}|[A-Z]{2,6}(?:[-/ ][A-Z0-9]{1,5})*\.?|Ph\.?D\.?|M\.D\.?|Jr\.?|Sr\.?|E-RYT.*|RDN?|Esq\.?)$/;
const ROLE =
  /\b(?:(?:editor|writer|reporter|correspondent|contributor|journalist|author|expert|specialist|director|manager|officer|founder|co-founder|analyst|consultant)s?|ceo|cto|cfo|coo|vp|president|head of|lead|analyst|engineer|developer|designer|consultant|strategist|professor|lecturer|attorney|lawyer|physician|dietitian|nutritionist|coach|photographer|producer|representative|assistant|associate|executive|chief|redakteur(?:in)?|journalist(?:in|e)?|rédact(?:eur|rice)|redactor(?:a)?|redattore)\b/i;
const PLACEHOLDER =
  /^(?:(?:staff|senior|content|guest|contributing)\s+(?:writer|editor|reporter|contributor|author)s?|(?:site|web|super|wordpress)?[ _-]?(?:admin(?:istrator)?|user|master)\d*|adm|root|editor|undefined|null|none|n\/a|unknown|anonymous|guest|test|default|wordpress|author|contributor|user\d+|by|staff|\d+|[^\p{L}\p{N}]*)$/iu;
/** The name of a variable that a template didn't replace. */
const VARIABLE = /^[a-z]\w+(?:\.[a-z]\w+){2,}$/;
/** The words at the beginning of texts near the headline that aren't names, such as "Read more". */
const NOT_A_NAME_AT_START =
  /^(?:read|share|home|if|username|password|e-mail|blog|news|follow|views?|comments?|about|see|all|more|contact|last|updated?|published|posted|written|edited|reviewed|fact|table of|advertisement|loading|subscribe|sign|log|login|menu|search|copy|print|email|save|like|reply|quote|report|click|using|with|this|that|these|it|of|in|on|at|to|for|from|get|start|request|visit|my|your|our|you|learn|try|buy|shop|join|watch|download|create|meet|book|find|call|explore|discover|category|categories|topics?|tags?)\b/i;
const NOT_A_NAME =
  /^(?:[a-z]+ing\s.*|(?:\p{L}+ )?(?:by|vo[nm]|par|por|di|de|da|door|av|af|auto(?:re|r)(?:in)?|auteur|redakteur|quelle|text|fotos?)(?:\(\p{L}+\))?|.*\d[:.]\d\d.*|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d.*|.*\b(?:minutes?|mins?|ago|read|years?|days?|hours?|comments?|views?|reviewed by|edited by|foto von|photo by|am|uhr)\b.*)$/iu;

/**
 * Returns the names in a byline, or null if the text isn't a byline. The text begins with a label such as "By" unless
 * `hasLabel` says that the markup or the text before it identifies the author. The result is empty if there is only a
 * label.
 */
export function namesInByline(
  text: string,
  { language, hasLabel }: { language: string; hasLabel: boolean },
): string[] | null {
  const rest = withoutLabel(text, language);
  if (rest === null && !hasLabel) return null;
  const words = rest ?? text;
  if (words === "") return [];
  const names = toNames(words, language);
  // A sentence can begin with "By".
  if (names.length === 0 || (!hasLabel && !names.every(isCapitalized))) return null;
  return names;
}

/** Returns the text after a label such as "By", or null if the text doesn't begin with one. */
function withoutLabel(text: string, language: string): string | null {
  const by = text.length < MAX_DATED_CHARS && /\d{4}/.test(text) ? DATED_BY.exec(text) : null;
  if (by && findDate(by[1] ?? "", language)) return by[2] ?? "";
  const start = text.replace(LEADING_MARKS, "");
  for (const label of [LABEL, LABELS_BY_LANGUAGE.get(language.slice(0, 2).toLowerCase())]) {
    const found = label?.exec(start);
    if (found) return start.slice(found[0].length).replace(/^[:\s]+/, "");
  }
  return null;
}

/** Returns the names in a text without degrees, roles, dates and addresses. Returns an empty array if it isn't names. */
function toNames(text: string, language: string): string[] {
  const own = withoutDate(text, language);
  if (NOT_A_NAME_AT_START.test(own)) return [];
  const clean = own.replace(EMAIL_OR_URL, " ").trim().replace(KIND, "");
  const end = END_OF_NAMES.exec(clean);
  const parts = (end && end.index > 0 ? clean.slice(0, end.index) : clean).split(BETWEEN_NAMES);
  const names: string[] = [];
  for (const part of parts.slice(0, MAX_NAMES)) {
    const name = collapseAndTrim(part)
      .replace(/^(?:and|und|et|y|e|en|och|og)\s+/i, "")
      .replace(/^[\s,.:@'"“”*#–—-]+|(?<![\s,:'"“”*#–—-])[\s,:'"“”*#–—-]+$/g, "");
    if (name === "" || (names.length > 0 && (DEGREE.test(name) || ROLE.test(name)))) continue;
    if (!isName(name)) return names.length > 0 && part !== parts[0] ? names : [];
    names.push(name);
  }
  return names;
}

/** Returns the text before a date, or the text after a date at the beginning. */
function withoutDate(text: string, language: string): string {
  const date = findDate(text, language);
  if (!date) return text;
  if (date.start >= MIN_NAME_CHARS) return text.slice(0, date.start);
  return text.slice(date.end).replace(LEADING_MARKS, "");
}

/** Returns true if the text can be the name of a person, an account or an organization. */
function isName(text: string): boolean {
  return (
    text.length <= MAX_NAME_CHARS &&
    text.split(" ").length <= MAX_NAME_WORDS &&
    /\p{L}/u.test(text) &&
    !/[!?{}<>=;]|\s\d|\.\s+\p{Ll}|[.]{2}|\p{Ll}{3}\.$/u.test(text) &&
    !NOT_A_NAME_AT_START.test(text) &&
    !NOT_A_NAME.test(text) &&
    !isPlaceholder(text)
  );
}

function isCapitalized(name: string): boolean {
  return /^[^\p{L}]*(?:\p{Lu}|\p{Lo})/u.test(name) || /\s\p{Lu}/u.test(name);
}

/** Returns true if the text is a word that pages use where the author isn't known, such as "admin". */
function isPlaceholder(name: string): boolean {
  return PLACEHOLDER.test(name.trim()) || VARIABLE.test(name.trim());
}

/** Removes the label, addresses and placeholders from an author in the metadata. Can return an empty string. */
export function cleanAuthor(author: string | undefined): string {
  const value = tidyValue(author);
  const text = value.replace(EMAIL_OR_URL, (match) => (match.length === value.length ? "" : " "));
  const name = collapseAndTrim(text.replace(/^(?:by|written by|posted by)[:\s]+/i, "")).replace(
    /^[,;|\s]+|(?<![,;|\s])[,;|\s]+$/g,
    "",
  );
  return isPlaceholder(name) ? "" : name;
}
