/** Characters that can have a meaning in a line of markdown. */
const SPECIAL = /[\\`*_~[\]<&|]/;
const SPECIAL_RUNS = /\\+|`+|\*+|_+|~+|\[|\]|<|&|\|/g;
const SPACE = /^\s|^$/;
const WORD = /^[\p{L}\p{N}]/u;
const WORD_END = /[\p{L}\p{N}]$/u;
/**
 * The end of an HTML entity is searched for within this many characters. The longest entity names have about this
 * length.
 */
const MAX_ENTITY_CHARS = 40;
/**
 * The beginnings of markdown blocks: headings, quotes, list items, fences, rules, underlines, tables, link definitions.
 */
const LINE_START =
  /^(#{1,6}(?=\s|$)|>|[-+*](?=\s|$)|~~~|-+\s*$|={1,}\s*$|([-_*])(?:\s*\2){2,}\s*$|\|?\s*:?-+:?\s*(?:\||$)|\|\s*$|\[(?:[^\]]*\]:|[^\]]*$|[ xX]\](?=\s|$)))/;
const NUMBER_START = /^(\d{1,9})([.)])(?=\s|$)/;
/** The beginnings of bare URLs. Renderers turn bare URLs into links, and a backslash would become part of the URL. */
const ADDRESS_HEAD = /https?:(?=\/\/[a-z0-9-])|ftp:(?=\/\/[a-z0-9-])|www\.(?=[a-z0-9-])/gi;
const ADDRESS_REST = /^[^\s<]*/;
const MAX_ADDRESS_CHARS = 2_000;
/** Text that doesn't work in a bare URL: some renderers end the URL before it or change its meaning. */
const NO_ADDRESS = /[\\`*|[\]]|&\w+;|[_~](?![\w/])|(?<!\/)~/;

/**
 * TeX in the text of a page, which a script displays. A single dollar sign needs a formula right after it, and no digit
 * after the closing one, so that prices aren't TeX.
 */
const TEX =
  /\$\$(?:[^$\\]|\\.)+\$\$|\\\((?:(?!\\[()]).)+\\\)|\\\[(?:(?!\\[[\]]).)+\\\]|(?<![\w$\\])\$(?![\s$])(?:[^$\\]|\\.)+(?<!\s)\$(?![\w$])/gs;
/** A command, an operator or a single letter. "\( and \)" isn't TeX. */
const FORMULA = /\\\p{L}|[\^_{}=+]|^\s*\p{L}(?!\p{L})/u;

/** The context of the text that is escaped. */
interface Surroundings {
  /** The character before the text. Empty at the start of a line. */
  before: string;
  after: string;
  inLink: boolean;
  /** True if the text is inside a mark, such as emphasis. */
  inMark: boolean;
  inCell: boolean;
  /** True if the line has a strikethrough. Any tilde could open or close it. */
  nearStrike: boolean;
}

/**
 * Escapes text within a line. Escapes only what's necessary: snake_case, "2 * 3" and "a < b" stay unchanged. In the
 * text of links and images, brackets are escaped, too.
 */
export function escapeInline(text: string, around: Surroundings): string {
  if (!SPECIAL.test(text) && around.after === "") return text;
  if (around.inLink || !/[\\$]/.test(text)) return escapeWords(text, around);
  let escaped = "";
  let from = 0;
  const escapeTo = (end: number, after: string) =>
    escapeWords(text.slice(from, end), { ...around, before: text.charAt(from - 1) || around.before, after });
  for (const { 0: tex, index } of text.matchAll(TEX)) {
    if (!FORMULA.test(tex.replace(/^\$+|^\\.|(?<!\$)\$+$|\\.$/g, ""))) continue;
    escaped += escapeTo(index, tex.charAt(0)) + (around.inCell ? escapePipes(tex) : tex);
    from = index + tex.length;
  }
  return escaped + escapeTo(text.length, around.after);
}

/** Escapes text without TeX. */
function escapeWords(text: string, around: Surroundings): string {
  if (around.inLink) return escapePart(text, around).replaceAll("\\](", "\\]\\(");
  let escaped = "";
  let from = 0;
  const escapeTo = (end: number, after: string) =>
    escapePart(text.slice(from, end), { ...around, before: text.charAt(from - 1) || around.before, after });
  for (const { 0: head, index } of text.matchAll(ADDRESS_HEAD)) {
    if (index < from) continue;
    escaped += escapeTo(index, "h");
    from = index + head.length;
    const [rest = ""] = ADDRESS_REST.exec(text.slice(from, from + MAX_ADDRESS_CHARS)) ?? [];
    if (isAddress(rest, text.charAt(from + rest.length) || around.after, around)) {
      escaped += head + rest;
      from += rest.length;
    } else escaped += `${head.slice(0, -1)}\\${head.slice(-1)}`;
  }
  return escaped + escapeTo(text.length, around.after);
}

/**
 * Returns true if renderers recognize exactly the bare URL: they end it where the page does, and keep its punctuation.
 */
function isAddress(rest: string, after: string, { inMark }: Surroundings): boolean {
  return after !== "<" && after !== "*" && !(inMark && rest.includes("_")) && !NO_ADDRESS.test(rest);
}

/** Escapes the beginning of a line if it would start a markdown block. */
export function escapeLineStart(markdown: string): string {
  return markdown.replace(LINE_START, "\\$1").replace(NUMBER_START, "$1\\$2");
}

/** Escapes pipes, which would end a table cell. */
export function escapePipes(text: string): string {
  return text.replace(/\|/g, "\\|");
}

/** Escapes the URL of a link. Balanced parentheses don't need an escape. */
export function linkDestination(url: string): string {
  const escaped = url.replace(/[\s<>|\\]/g, encodeURIComponent);
  return isBalanced(escaped) ? escaped : escaped.replace(/[()]/g, "\\$&");
}

/** Returns the title of a link in quotes, after a space. Returns an empty string if there is no title. */
export function linkTitle(title: string | undefined): string {
  return title ? ` "${title.replace(/["\\]|&(?=#?\w+;)/g, "\\$&")}"` : "";
}

function escapePart(text: string, around: Surroundings): string {
  return text.replace(SPECIAL_RUNS, (run, at: number) => {
    const end = at + run.length;
    const before = at > 0 ? text.charAt(at - 1) : around.before;
    const after = end < text.length ? text.slice(end, end + MAX_ENTITY_CHARS) : around.after;
    return isPlain(run, before, after, around) ? run : run.replace(/./g, "\\$&");
  });
}

/**
 * Returns true if a run of one special character has no meaning in markdown. `before` and `after` are its neighbors.
 */
function isPlain(run: string, before: string, after: string, around: Surroundings): boolean {
  // Inside a mark, renderers disagree about special characters between spaces.
  const isApart = SPACE.test(before) && SPACE.test(after) && !around.inMark;
  switch (run[0]) {
    case "\\":
      return run.length === 1 && /^[^!-/:-@[-`{-~]/.test(after);
    case "*":
      return isApart;
    case "_":
      return isApart || (WORD_END.test(before) && WORD.test(after));
    case "~":
      return SPACE.test(before) && run.length < 3 && !around.nearStrike;
    case "[":
      return !around.inLink;
    case "]":
      return !around.inLink && !after.startsWith("(");
    case "<":
      return !/^(?:[a-z/!?]|[^\s<>]+@)/i.test(after);
    case "&":
      return !/^#?\w+;/.test(after);
    case "|":
      return !around.inCell;
    default:
      return false;
  }
}

function isBalanced(text: string): boolean {
  let open = 0;
  for (const char of text) {
    if (char === "(") open++;
    if (char === ")" && --open < 0) return false;
  }
  return open === 0;
}
