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
const MAX_FIRST_LINES = 6;
/** A shorter line without the end of a sentence is a label, such as the name of a server. */
const MIN_PROSE_CHARS = 30;
/** The most text about other things than the error, by the evidence for the notice. */
const MAX_OTHER_CHARS = { known: 250, sentenceAndName: 120, names: 40, weak: 25 };

const STATUS = /(?<!\d)[45]\d\d(?!\d)/;
const NUMBERS = /(?<![\p{L}\p{N}])(?:\d{3,4}|https?|status|code)(?![\p{L}\p{N}])/gu;
/** A passage in quotation marks. An article quotes an error. */
const QUOTED = /[“„«「『"][^“”„"«»「」『』]{1,200}[”“"»」』]/g;
const DEFINITION = /^(?:an? |the )?.{3,60} (?:is|are) (?:an?|the|one) /;
/** A host, an address, a time or an identifier. */
const IDENTIFIER = /^(?:[a-z ]{0,20}: ?)?(?:https?:\S+|(?:[\p{L}\d-]+\.)+[\p{L}\d-]+\S*|\P{L}*|\S*\d\S*)\P{L}*$/iu;

const ABOUT = toRegExp(table.about.pattern);

const KINDS = Object.fromEntries(
  Object.entries(table.kinds).map(([kind, phrases]) => [
    kind,
    {
      names: new RegExp(`^(?:${phrases.names.join("|")})$`, "u"),
      sentences: new RegExp(phrases.sentences.join("|"), "u"),
      known: new RegExp(phrases.known.join("|"), "u"),
    },
  ]),
) as Record<NoticeKind, Record<"names" | "sentences" | "known", RegExp>>;
const FILLERS = new RegExp(table.kinds.error.fillers, "gu");
/** Ways out of an error, and its details. */
const HELP = new RegExp([...table.kinds.error.help, ...table.kinds.refusal.help].join("|"), "u");

/**
 * Returns the sentence or name of the error if a page only says that its server failed or refused the request. Returns
 * null for a page with other text, such as an article about an error. `lines` are the lines outside of the site's
 * boilerplate.
 */
export function findNotice(kind: NoticeKind, { title, lines }: { title: string; lines: readonly string[] }) {
  if (lines.length > MAX_LINES || lines.reduce((sum, line) => sum + line.length, 0) > MAX_CHARS) return null;
  const phrases = KINDS[kind];
  const isName = (text: string) => text.length <= MAX_NAME_CHARS && isNameOf(kind, text);
  const isSentence = (text: string) =>
    isName(text) || (!/[?？]$/.test(text) && !DEFINITION.test(text) && phrases.sentences.test(text));
  const sentences = lines.map((line) =>
    line.length <= MAX_SENTENCE_CHARS ? sentencesOf(line.replace(QUOTED, " ")).map(normalize) : [line],
  );
  const other = (minChars: number) =>
    sentences
      .flat()
      .filter((text) => !isSentence(text) && !phrases.known.test(text) && !IDENTIFIER.test(text) && !HELP.test(text))
      .reduce((sum, { length }) => sum + (length >= minChars ? length : 0), 0);
  const known = sentences.flat().find((text) => phrases.known.test(text));
  if (known !== undefined && other(MIN_PROSE_CHARS) <= MAX_OTHER_CHARS.known) return known;
  if (ABOUT.test(normalize([title, ...lines].join("\n")))) return null;
  const titles = [title, ...partsOfTitle(title).map(({ text }) => text)];
  const first = lines.slice(0, MAX_FIRST_LINES);
  const [named, heading] = [titles.find(isName), first.find(isName)];
  const sentence = sentences
    .slice(0, MAX_FIRST_LINES)
    .flat()
    .find((text) => isSentence(text) && wordsOnly(text) !== wordsOnly(heading ?? ""));
  const notice = sentence ?? heading ?? named;
  if (notice === undefined) return null;
  // A refusal can have the name of an error, such as "403 Forbidden".
  const isError = (text: string) => text.length <= MAX_NAME_CHARS && isNameOf("error", text);
  const [hasTitle, hasHeading] = [named ?? titles.find(isError), heading ?? first.find(isError)];
  if (sentence !== undefined && (hasTitle ?? hasHeading) !== undefined)
    return other(MIN_PROSE_CHARS) <= MAX_OTHER_CHARS.sentenceAndName ? notice : null;
  if (hasTitle !== undefined && hasHeading !== undefined) return other(0) <= MAX_OTHER_CHARS.names ? notice : null;
  const isFirst = (lines.length <= 1 && named !== undefined) || sentences[0]?.[0] === notice || heading === lines[0];
  return isFirst && other(0) <= MAX_OTHER_CHARS.weak ? notice : null;
}

/** Returns true for the whole text of a title or heading such as "Error 500" or "503 Service Unavailable". */
function isNameOf(kind: NoticeKind, text: string): boolean {
  const { names } = KINDS[kind];
  const words = wordsOnly(text);
  const unnumbered = words.replace(NUMBERS, " ").replace(/\s+/g, " ").trim();
  const rest = unnumbered.replace(FILLERS, " ").replace(/\s+/g, " ").trim();
  if (rest === "") return kind === "error" && unnumbered !== "" && STATUS.test(words);
  return [words, unnumbered, rest].some((name) => names.test(name));
}
