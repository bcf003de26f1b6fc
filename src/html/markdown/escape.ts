/** Characters that may have a meaning in a line. */
const SPECIAL = /[\\`*_~[\]<&|]/;
const SPECIAL_RUNS = /\\+|`+|\*+|_+|~+|\[|\]|<|&|\|/g;
const SPACE = /^\s|^$/;
const WORD = /^[\p{L}\p{N}]/u;
const WORD_END = /[\p{L}\p{N}]$/u;
/** About the length of the longest names of entities. */
const MAX_ENTITY_CHARS = 40;
/** Beginnings of blocks: headings, quotes, list items, fences, rules, underlines, tables, reference definitions. */
const LINE_START =
  /^(#{1,6}(?=\s|$)|>|[-+*](?=\s|$)|~~~|-+\s*$|={1,}\s*$|([-_*])(?:\s*\2){2,}\s*$|\|?\s*:?-+:?\s*(?:\||$)|\|\s*$|\[(?:[^\]]*\]:|[^\]]*$|[ xX]\](?=\s|$)))/;
const NUMBER_START = /^(\d{1,9})([.)])(?=\s|$)/;
/** Beginnings of bare addresses. They become links, and a backslash inside would be part of the address. */
const ADDRESS_HEAD = /https?:(?=\/\/[a-z0-9-])|ftp:(?=\/\/[a-z0-9-])|www\.(?=[a-z0-9-])/gi;
const ADDRESS_REST = /^[^\s<]*/;
const MAX_ADDRESS_CHARS = 2_000;
/** Text that a bare address can't contain, or not before punctuation. */
const NO_ADDRESS = /[\\`*|[\]]|&\w+;|[_~](?![\w/])|(?<!\/)~/;

/** The surroundings of a piece of text. */
interface Surroundings {
  /** The neighboring characters. Empty at the ends of a line. */
  before: string;
  after: string;
  inLink: boolean;
  /** The text is inside of delimiters. */
  inMark: boolean;
  inCell: boolean;
  /** The line has a strikethrough, which any tilde could begin. */
  nearStrike: boolean;
}

/**
 * Escapes plain text for the middle of a line, and no more than needed: snake_case, "2 * 3" and "a < b" stay as they
 * are. Inside of a link's text or an image's, brackets are escaped too.
 */
export function escapeInline(text: string, around: Surroundings): string {
  if (!SPECIAL.test(text) && around.after === "") return text;
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

/** Returns true if renderers end the address at its end and keep its punctuation. */
function isAddress(rest: string, after: string, { inMark }: Surroundings): boolean {
  return after !== "<" && after !== "*" && !(inMark && rest.includes("_")) && !NO_ADDRESS.test(rest);
}

/** Escapes the beginning of a line that would begin a block. */
export function escapeLineStart(markdown: string): string {
  return markdown.replace(LINE_START, "\\$1").replace(NUMBER_START, "$1\\$2");
}

/** Escapes pipes, for the cell of a table. */
export function escapePipes(text: string): string {
  return text.replace(/\|/g, "\\|");
}

/** Escapes the address of a link. Balanced parentheses need no escape. */
export function linkDestination(url: string): string {
  const escaped = url.replace(/[\s<>|\\]/g, encodeURIComponent);
  return isBalanced(escaped) ? escaped : escaped.replace(/[()]/g, "\\$&");
}

/** Returns the title of a link with its quotes and a leading space, or an empty string. */
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

/** Returns true if a run of one character has no meaning between its neighbors. */
function isPlain(run: string, before: string, after: string, around: Surroundings): boolean {
  // Inside of delimiters, renderers disagree about runs between spaces.
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
