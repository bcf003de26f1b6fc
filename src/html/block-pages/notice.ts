import { toRegExp } from "../../lib/to-reg-exp";
import { partsOfTitle } from "../page/headline";
import { normalize, sentencesOf, wordsOnly } from "../text/sentences";
import table from "./notices.json";

/** The kinds of pages that only say why the content isn't there: an error of the server, or a refusal. */
type NoticeKind = keyof typeof table.kinds;

const MAX_LINES = 60;
const MAX_CHARS = 2_500;
const MAX_NAME_CHARS = 120;
const MAX_SENTENCE_CHARS = 400;
/** The notice is among the first lines. */
const MAX_FIRST_LINES = 8;
/** A shorter line without the end of a sentence is a label, such as the name of a server. */
const MIN_PROSE_CHARS = 30;
/** The most text about other things than the error, by the evidence for the notice. */
const MAX_OTHER_CHARS = { all: 250, known: 250, sentenceAndName: 120, sentence: 80, names: 40, weak: 25 };

/** A status other than those of missing pages. */
const STATUS = /(?<!\d)(?!404|410)[45]\d\d(?!\d)/;
const MISSING = /404|410/;
const NUMBERS = /(?<![\p{L}\p{N}])(?:\d{3,4}|https?|status|code)(?![\p{L}\p{N}])/gu;
/** A passage in quotation marks. An article quotes an error. */
const QUOTED = /[“„«「『"][^“”„"«»「」『』]{1,200}[”“"»」』]/g;
const DEFINITION = /^(?:an? |the )?.{3,60} (?:is|are) (?:an?|the|one) /;
/** A question, or an excerpt. */
const NO_STATEMENT = /[?？]$|^…|…$/;
/** A host, an address, a time or an identifier. */
const IDENTIFIER =
  /^(?:[a-z ]{0,20}: ?)?(?:https?:\S+|(?:[\p{L}\d-]+\.)+[\p{L}\d-]+\S*|\P{L}*|[!-~]*\d[!-~]*)\P{L}*$/iu;
/** An address, a telephone number or a note on the rights of the site. */
const DETAILS = /\S@[^\s@]{1,100}\.\S|(?:\d[ ()/.-]{0,2}){7}|www\.|https?:|^©|^copyright|^\(c\)/;
/** The identifier of a request or an incident, or the visitor's address. */
const REFERENCE =
  /(?<![^\s:#])(?=(?:[a-z_.:#-]{0,40}\d){3})(?=[\d_.:#-]{0,60}[a-z])[\w.:#-]{8,80}(?!\S)|(?<!\d)\d{1,3}(?:\.\d{1,3}){3}(?!\d)|(?<!\p{L})(?:ref\p{L}{0,12}|id|code)[^\p{L}\d]{1,3}[\w-]{0,60}\d/iu;
const STACK_FRAME = /(?<![\w.$<>])(?:at )?[\w.$<>]{1,200}\([\w.$-]{1,200}:\d+\)/g;
const IDEOGRAPH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

const ABOUT = toRegExp(table.about.pattern);

const KINDS = Object.fromEntries(
  Object.entries(table.kinds).map(([kind, phrases]) => [
    kind,
    {
      names: new RegExp(`^(?:${phrases.names.join("|")})$`, "u"),
      sentences: new RegExp(phrases.sentences.join("|"), "u"),
      known: new RegExp(phrases.known.join("|"), "u"),
      words: new RegExp(phrases.words.join("|"), "u"),
      subjects: new RegExp(phrases.subjects.join("|"), "u"),
    },
  ]),
) as Record<NoticeKind, Record<"names" | "sentences" | "known" | "words" | "subjects", RegExp>>;
const FILLERS = new RegExp(table.kinds.error.fillers, "gu");
const APOLOGIES = new RegExp(table.kinds.error.apologies, "gu");
/** Apologies, and requests to the visitor. */
const REMEDY = new RegExp(table.remedy.join("|"), "u");
/** Ways out of an error, and its details. */
const HELP = new RegExp([...table.kinds.error.help, ...table.kinds.refusal.help].join("|"), "u");

/**
 * Returns the sentence or name of the error if a page only says that its server failed or refused the request. Returns
 * null for a page with other text, such as an article about an error. `lines` are the lines outside of the site's
 * boilerplate. With `isLoose`, any short line about a failure is a heading, not only the known names.
 */
export function findNotice(
  kind: NoticeKind,
  { title, lines, isLoose }: { title: string; lines: readonly string[]; isLoose: boolean },
): string | null {
  if (lines.length > MAX_LINES || lines.reduce((sum, line) => sum + line.length, 0) > MAX_CHARS) return null;
  const phrases = KINDS[kind];
  const isName = (text: string) => text.length <= MAX_NAME_CHARS && isNameOf(kind, text);
  const isStatement = (text: string) => !NO_STATEMENT.test(text) && !DEFINITION.test(text);
  const isSentence = (text: string) => isName(text) || (isStatement(text) && phrases.sentences.test(text));
  const isAbout = (text: string) => isStatement(text) && phrases.words.test(text) && phrases.subjects.test(text);
  const sentences = lines.map((line) => {
    const text = line.replace(STACK_FRAME, " ").replace(QUOTED, " ");
    return text.length <= MAX_SENTENCE_CHARS ? sentencesOf(text).map(normalize) : [line];
  });
  const isOther = (text: string) =>
    !isSentence(text) &&
    !isAbout(text) &&
    !phrases.known.test(text) &&
    !IDENTIFIER.test(text) &&
    !DETAILS.test(text) &&
    !HELP.test(text) &&
    !(kind === "refusal" && phrases.subjects.test(text));
  const others = sentences.flat().filter(isOther).map(sizeOf);
  const other = (minChars: number) => others.reduce((sum, size) => sum + (size >= minChars ? size : 0), 0);
  const known = sentences.flat().find((text) => phrases.known.test(text));
  if (known !== undefined && other(MIN_PROSE_CHARS) <= MAX_OTHER_CHARS.known) return known;
  if (ABOUT.test(normalize([title, ...lines].join("\n")))) return null;
  const hasReference = lines.some((line) => REFERENCE.test(line));
  const isHelpful = hasReference || sentences.flat().some((text) => REMEDY.test(text));
  const titles = [title, ...partsOfTitle(title).map(({ text }) => text)];
  const first = lines.slice(0, MAX_FIRST_LINES);
  const [named, heading] = [titles.find(isName), first.find(isName)];
  // A refusal can have the name of an error, such as "403 Forbidden".
  const isError = (text: string) => text.length <= MAX_NAME_CHARS && (isNameOf("error", text) || isBare(text));
  const isHint = (text: string) =>
    text.length <= MAX_NAME_CHARS && [KINDS.error, phrases].some(({ words }) => words.test(normalize(text)));
  const hasTitle = named !== undefined || titles.some(isError);
  const hasHeading = heading !== undefined || first.some(isError);
  const isNotice = (text: string, line: number) =>
    isSentence(text) ||
    (isHelpful && isAbout(text) && (isLoose || hasTitle || first.some((one, at) => at !== line && isError(one))));
  const notices = sentences
    .slice(0, MAX_FIRST_LINES)
    .map((texts, at) => texts.find((text) => isNotice(text, at) && wordsOnly(text) !== wordsOnly(heading ?? "")));
  const noticeAt = notices.findIndex((text) => text !== undefined);
  const sentence = notices[noticeAt];
  const notice = sentence ?? heading ?? named;
  if (notice === undefined) return null;
  const isSecond = notices.findLastIndex((text) => text !== undefined) > noticeAt;
  const hasHint =
    isLoose && isHelpful && (hasReference || isSecond || titles.some(isHint) || first.slice(0, noticeAt).some(isHint));
  if (
    sentence !== undefined &&
    (hasTitle || first.some((one, at) => at !== noticeAt && isError(one)) || heading !== undefined || hasHint)
  ) {
    const max = hasReference ? MAX_OTHER_CHARS.known : MAX_OTHER_CHARS.sentenceAndName;
    return other(MIN_PROSE_CHARS) <= max && other(0) <= MAX_OTHER_CHARS.all ? notice : null;
  }
  if (hasTitle && hasHeading) {
    if (other(0) <= MAX_OTHER_CHARS.names) return notice;
    return kind === "error" && isLoose && isHelpful && other(MIN_PROSE_CHARS) <= MAX_OTHER_CHARS.sentenceAndName
      ? notice
      : null;
  }
  if (isLoose && isHelpful && (noticeAt === 0 || noticeAt === 1))
    return other(MIN_PROSE_CHARS) <= MAX_OTHER_CHARS.sentence ? notice : null;
  const isFirst = (lines.length <= 1 && named !== undefined) || sentences[0]?.[0] === notice || heading === lines[0];
  return isFirst && other(0) <= MAX_OTHER_CHARS.weak ? notice : null;
}

/** Returns true if a normalized text says what the visitor can do, or apologizes. */
export const isHelpful = (text: string): boolean => REMEDY.test(text);

/** Returns true for a text such as "HTTP 403" or "Oops". */
function isBare(text: string): boolean {
  const words = wordsOnly(text);
  return (
    words !== "" &&
    !MISSING.test(words) &&
    words.replace(NUMBERS, "").replace(APOLOGIES, "").replace(FILLERS, "").trim() === ""
  );
}

/** Returns the length of a text. An ideograph counts as two characters. */
const sizeOf = (text: string): number => text.length + (text.match(IDEOGRAPH)?.length ?? 0);

/** Returns true for the whole text of a title or heading such as "Error 500" or "503 Service Unavailable". */
function isNameOf(kind: NoticeKind, text: string): boolean {
  const { names } = KINDS[kind];
  const words = wordsOnly(text);
  const unnumbered = words.replace(NUMBERS, " ").replace(/\s+/g, " ").trim();
  const plain = unnumbered.replace(APOLOGIES, " ").replace(/\s+/g, " ").trim();
  const rest = plain.replace(FILLERS, " ").replace(/\s+/g, " ").trim();
  if (rest === "") return kind === "error" && unnumbered !== "" && STATUS.test(words);
  return [words, unnumbered, plain, rest].some((name) => names.test(name));
}
