import { toRegExp } from "../../lib/to-reg-exp";
import { partsOfTitle } from "../page/headline";
import { normalize, QUOTED, sentencesOf } from "../text/sentences";
import table from "./notices.json";
import { demandsProof, mentionsRobots } from "./robots";

/** The kinds of pages that only say why the content isn't there: an error of the server, or a refusal. */
type NoticeKind = "error" | "refusal";

type ReadPage = ReturnType<typeof readPage>;

interface Fact {
  error: number;
  refusal: number;
  of: (page: ReadPage) => number | boolean;
}

/**
 * The facts that distinguish a notice from a page about errors, and their weights for both kinds of notices. The weights
 * are the result of a logistic regression on the labeled pages, rounded. Some were adjusted by hand for the tests. Their
 * sum is compared with the negative bias.
 */
const FACTS: Readonly<Record<string, Fact>> = {
  known: { error: 4.6, refusal: 3.6, of: ({ known }) => known !== undefined },
  // The title consists only of words of notices.
  namedTitle: { error: 1, refusal: -0.4, of: ({ titles }) => titles.some(isName) },
  hintInTitle: { error: 0.4, refusal: 2.2, of: ({ titles }) => titles.length > 0 },
  status: { error: 0.4, refusal: -0.8, of: ({ title, first }) => [title, ...first].some(hasStatus) },
  statements: { error: 0.8, refusal: 1.2, of: ({ statements }) => Math.min(2, statements.flat().length) },
  begins: { error: 1, refusal: 1.2, of: ({ statements }) => statements.slice(0, 3).flat().length > 0 },
  remedy: { error: 2.2, refusal: 1.8, of: ({ sentences }) => sentences.some(isHelpful) },
  reference: { error: 2.4, refusal: 2.4, of: ({ lines }) => lines.some((line) => REFERENCE.test(line)) },
  trace: { error: 1.6, refusal: -0.6, of: ({ lines }) => lines.some((line) => TRACE.test(line)) },
  // A statement contains "you" or "we".
  addressed: { error: 0.4, refusal: 0.4, of: ({ statements }) => statements.flat().some((text) => ADDRESS.test(text)) },
  demand: { error: 0, refusal: 1.8, of: ({ lines }) => demandsProof(lines.join("\n")) },
  // A statement is about the visitor's country.
  region: {
    error: 0,
    refusal: 1.6,
    of: ({ statements }) => statements.flat().some((text) => PLACE.test(text) && ADDRESS.test(text)),
  },
  // A statement names a cause, such as a session that is over or an order to block this site.
  cause: { error: 1.4, refusal: 1.8, of: ({ statements }) => statements.flat().some(hasCause) },
  now: { error: 0.8, refusal: -0.6, of: ({ text }) => NOW.test(text) },
  documentation: { error: -3.4, refusal: -3, of: ({ text }) => isDocumentation(text) },
  // The author of a post, a poem or an article says "I".
  personal: {
    error: -1.2,
    refusal: -0.8,
    of: ({ text }) => (mentionsRobots(text) ? 0 : Math.min(3, count(text, PERSONAL))),
  },
  // A list of errors.
  statuses: { error: -0.8, refusal: 0, of: ({ text }) => new Set(text.match(STATUSES)).size >= 3 },
  // Lines such as "word – translation".
  pairs: { error: -0.4, refusal: -0.2, of: ({ lines }) => Math.min(3, lines.filter((line) => PAIR.test(line)).length) },
  // Prices, times and other numbers that aren't a status, a duration or an identifier.
  numbers: { error: -0.2, refusal: -1.2, of: ({ lines }) => Math.min(4, sum(lines, countNumbers)) },
  // In units of 300 characters.
  size: { error: 0.6, refusal: -0.2, of: ({ lines }) => Math.min(4, sum(lines, sizeOf) / 300) },
  // In units of 60 characters.
  other: { error: -2, refusal: -1.4, of: ({ others }) => Math.min(6, sum(others, sizeOf) / 60) },
  pure: { error: 1, refusal: 0.2, of: isPure },
  // The page has only a name, such as "502 Bad Gateway", and the words of notices.
  bare: {
    error: 2.2,
    refusal: 0.4,
    of: (page) =>
      isPure(page) &&
      sum(page.others, sizeOf) <= MAX_BARE_OTHER_CHARS &&
      sum(page.lines, sizeOf) <= MAX_BARE_CHARS &&
      [...page.titles, ...page.headings].some(isName),
  },
};
const BIAS: Record<NoticeKind, number> = { error: -3.9, refusal: -3.5 };

const MAX_LINES = 60;
const MAX_CHARS = 2_500;
const MAX_NAME_CHARS = 120;
const MAX_SENTENCE_CHARS = 400;
/** The notice is among the first lines. */
const MAX_FIRST_LINES = 8;
/** A text consists of the words of notices if its other words have at most this many letters. */
const MAX_PURE_LETTERS = 12;
/** A title or heading consists of the words of notices if its other words have at most this share of its letters. */
const MAX_FOREIGN_SHARE = 0.25;
const MAX_BARE_CHARS = 150;
const MAX_BARE_OTHER_CHARS = 15;
/** A shorter word is an article, a preposition or another word of any text. */
const MIN_WORD_CHARS = 4;

/** A status of an error. Leaves out missing pages, and the statuses that always mean a refusal. */
const STATUS = /(?<![\d.,:-])(?!404|410|429|451)[45]\d\d(?![\d.,:%-])/;
const STATUSES = /(?<![\d.,])[45]\d\d(?![\d.,%])/g;
/** A definition, a condition, or a sentence about pages or servers in general. A notice is about this page. */
const GENERAL =
  /^(?!.{0,60}\bthere (?:is|are) )(?:an? |the )?.{3,60} (?:is|are) (?:an?|the|one) |^(?:an?|eine?|une?|una?|uma?|een) (?:web ?)?(?:sites?|seite|server|page|sitio|página|sito|pagina|serveur|servidor|website)(?!\p{L})|^(?:if|when|whenever|wenn|falls|quand|lorsque|cuando|quando|als|wanneer|jeśli|jeżeli|если|когда|якщо|коли|eğer|om|när|hvis|når|jos|kun|pokud|když|ak|dacă|când|ako|αν|εάν|όταν|إذا|عندما|اگر|אם|כאשר|यदि|जब|jika|nếu|khi)[ ,]/u;
/** A question, or an excerpt. */
const NO_STATEMENT = /[?？]$|^…|(?<!…)…$/;
const QUESTION = /[?？]/;
const PAIR = /^.{2,60} [–—=→] .{2,60}$/u;
const NUMBER = /(?<![\p{L}\d._:#/-])\d{1,3}(?:[.,:]\d{1,10})?(?![\d._:#/-]|\p{L})/gu;
/** A host, an address, a time or an identifier. */
const IDENTIFIER =
  /^(?:[\p{L}.() ]{0,30}[:：#] ?)?(?:https?:\S+|(?:[\p{L}\d-]+\.)+[\p{L}\d-]+\S*|\P{L}*|[!-~]*\d[!-~]*)\P{L}*$/iu;
/** An address, a telephone number or a note on the rights of the site. */
const DETAILS = /\S@[^\s@]{1,100}\.\S|(?:\d[ ()/.-]{0,2}){7}|www\.|https?:|^©|^copyright|^\(c\)/;
/** The identifier of a request or an incident, or the visitor's address. */
const REFERENCE =
  /(?<![^\s:#])(?=(?:[a-z_.:#-]{0,40}\d){3})(?=[\d_.:#-]{0,60}[a-z])[\w.:#-]{8,80}(?!\S)|(?<!\d)\d{1,3}(?:\.\d{1,3}){3}(?!\d)|(?<!\p{L})(?:ref\p{L}{0,12}|id|code)[^\p{L}\d]{1,3}[\w-]{0,60}\d/iu;
const STACK_FRAME = /(?<![\w.$<>])(?:at )?[\w.$<>]{1,200}\([\w.$-]{1,200}:\d+\)/g;
/** The name of an exception, a file or a function, or a line of code. */
const TRACE =
  /\b[a-z]\w{1,80}(?:exception|error)\b|\.(?:php|java|py|cfm|cgi|aspx?|rb|jsp)\b|\bline(?: number)?:? ?\d|\b0x[\da-f]{6}|\w\(\)|->|::|\\\w{1,80}\\|sqlstate/i;
const IDEOGRAPH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
const WORD = /[\p{L}\p{M}\p{N}']+/gu;
/** A duration. */
const DURATION =
  /(?<!\d)\d{1,4}[ -]?(?:s|min|sek|sec|seg|sekund|stund|tag|day|hour|heure|jour|hora|ora|día|dia|час|мин|сек|godz|dakika|saat|phút|menit|นาที|分|秒|小时|時間|분|초|시간|دقيقة)\p{L}*/giu;
/** A word of a script without spaces between words. */
const UNSPACED = /[\u0e00-\u0eff\u3000-\uffef]/;

const { words } = table;
const join = (patterns: readonly string[], flags = "u") => new RegExp(patterns.join("|"), flags);
const toPatterns = (names: readonly string[]) => names.map((name) => join(words[name as keyof typeof words]));

const FAILURE = join(words.failure);
const REFUSED = join(words.refused);
const VISITOR = join(words.visitor);
const PLACE = join(words.place);
const APOLOGY = join(words.apologies);
const PERSONAL = join(words.personal, "gu");
const ADDRESS = join(words.address);
/** Apologies, and requests to the visitor. */
const REMEDY = join(words.remedy);
/** Ways out of an error, and its details. */
const HELP = join([...words.remedy, ...words.help]);
/** The words of notices. */
const NOTICE_WORD = join(
  ["failure", "web", "session", "over", "refused", "visitor", "place", "remedy", "apologies", "fillers"].flatMap(
    (name) => words[name as keyof typeof words],
  ),
);
const NOW = join(words.now);
const ABOUT = toRegExp(table.about.pattern);
const KNOWN: Record<NoticeKind, RegExp> = { error: join(table.known.error), refusal: join(table.known.refusal) };

/**
 * The combinations of kinds of words in statements, which are sentences that say what failed or what was refused. A
 * statement has a word of each kind. Therefore "An error in the third edition" and "The server is in Oslo" aren't
 * statements.
 */
const STATEMENTS: Record<NoticeKind, readonly RegExp[][]> = {
  error: table.statements.error.map(toPatterns),
  refusal: table.statements.refusal.map(toPatterns),
};
const states = (kind: NoticeKind, text: string) =>
  STATEMENTS[kind].some((patterns) => patterns.every((pattern) => pattern.test(text)));
const CAUSES = table.statements.causes.map(toPatterns);
const hasCause = (text: string) => CAUSES.some((patterns) => patterns.every((pattern) => pattern.test(text)));
const HINTS: Record<NoticeKind, (text: string) => boolean> = {
  error: (text) => FAILURE.test(text) || APOLOGY.test(text) || (STATUS.test(text) && foreignLetters(text, 1) === 0),
  refusal: (text) => REFUSED.test(text) || mentionsRobots(text),
};

/** Returns true for a normalized text with words of articles and manuals about errors. */
export const isDocumentation = (text: string): boolean => ABOUT.test(text);

/** Returns true for a normalized sentence about pages or servers in general. A notice is about this page. */
export const isGeneral = (text: string): boolean => GENERAL.test(text);

/** Returns true if a normalized text says what the visitor can do, or apologizes. */
export const isHelpful = (text: string): boolean => REMEDY.test(text);

/**
 * Returns the sentence or name of the error if a page only says that its server failed or refused the request. Returns
 * null for a page with other text, such as an article about an error. `lines` are the lines outside of the site's
 * boilerplate. A higher `minScore` requires more evidence.
 */
export function findNotice(
  kind: NoticeKind,
  { title, lines }: { title: string; lines: readonly string[] },
  minScore: number,
): string | null {
  if (lines.length > MAX_LINES || sum(lines, ({ length }) => length) > MAX_CHARS) return null;
  const page = readPage(kind, title, lines);
  const [longest] = page.statements.flat().toSorted((a, b) => b.length - a.length);
  const notice = page.known ?? longest ?? page.headings[0] ?? page.titles[0];
  if (notice === undefined) return null;
  const score = BIAS[kind] + sum(Object.values(FACTS), (fact) => fact[kind] * Number(fact.of(page)));
  return score >= minScore ? notice : null;
}

/** Reads the text of a short page, with its sentences by their meaning. */
function readPage(kind: NoticeKind, title: string, lines: readonly string[]) {
  const byLine = lines.map((line) => {
    const text = line.replace(STACK_FRAME, " ").replace(QUOTED, " ");
    return text.length <= MAX_SENTENCE_CHARS ? sentencesOf(text).map(normalize) : [line];
  });
  const sentences = byLine.flat();
  const isOf = (one: NoticeKind) => (text: string) => isStatement(text) && states(one, text);
  const hints = (text: string) => isHint(kind, text);
  const isOther = (text: string) =>
    !isOf(kind)(text) &&
    !isOf("error")(text) &&
    !(kind === "refusal" && (VISITOR.test(text) || mentionsRobots(text))) &&
    !((hints(text) || isHint("error", text)) && isName(text)) &&
    ![KNOWN[kind], IDENTIFIER, DETAILS, TRACE, HELP, QUESTION].some((pattern) => pattern.test(text));
  const first = lines.slice(0, MAX_FIRST_LINES);
  return {
    title,
    lines,
    /** The first lines, which can be headings. */
    first,
    text: normalize([title, ...lines].join("\n")),
    sentences,
    /** The sentences about other things than the error. */
    others: sentences.filter(isOther),
    /** The sentences among the first lines that say what failed or was refused, by line. */
    statements: byLine.slice(0, MAX_FIRST_LINES).map((texts) => texts.filter(isOf(kind))),
    /** The title, and the first lines, if they contain the word for an error or a refusal. */
    titles: [title, ...partsOfTitle(title).map((part) => part.text)].filter(hints),
    headings: first.filter(hints),
    /** The sentence of a known product's notice. */
    known: sentences.find((text) => KNOWN[kind].test(text)),
  };
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

const sum = <Item>(items: readonly Item[], of: (item: Item) => number): number =>
  items.reduce((total, item) => total + of(item), 0);

const countNumbers = (line: string): number =>
  count(line.replace(DURATION, " ").replace(STATUS, " ").replace(REFERENCE, " "), NUMBER);

const hasStatus = (line: string): boolean => line.length <= MAX_NAME_CHARS && STATUS.test(line);

/** Returns true if the text has no words besides those of notices. */
function isPure({ sentences }: ReadPage): boolean {
  const text = sentences.filter((one) => !IDENTIFIER.test(one) && !DETAILS.test(one)).join(" ");
  return foreignLetters(text, MAX_PURE_LETTERS) <= MAX_PURE_LETTERS;
}

/** Returns the length of a text. An ideograph counts as two characters. */
const sizeOf = (text: string): number => text.length + count(text, IDEOGRAPH);

const isStatement = (text: string): boolean =>
  text.length <= MAX_SENTENCE_CHARS && !NO_STATEMENT.test(text) && !isGeneral(text);

/** Returns true for the text of a title or heading with a word for an error or a refusal. */
function isHint(kind: NoticeKind, line: string): boolean {
  if (line.length > MAX_NAME_CHARS) return false;
  const text = normalize(line);
  return (!NO_STATEMENT.test(text) || mentionsRobots(text)) && HINTS[kind](text);
}

/** Returns true for the text of a title or heading that consists of the words of notices. */
function isName(text: string): boolean {
  const max = MAX_FOREIGN_SHARE * count(text, /\p{L}/gu);
  return foreignLetters(normalize(text), max) <= max;
}

/** Counts the letters of a normalized text in words that aren't words of notices. Stops after more than `max`. */
function foreignLetters(text: string, max: number): number {
  let letters = 0;
  for (const [word] of text.matchAll(WORD)) {
    if ((word.length >= MIN_WORD_CHARS || UNSPACED.test(word)) && !/\d/.test(word) && !NOTICE_WORD.test(word))
      letters += sizeOf(word);
    if (letters > max) break;
  }
  return letters;
}
