/** Characters that may mean something inside of a line. */
const SPECIAL = /[\\`*_~[\]<&|]/;
const SIGNS = /\\+|`+|\*+|_+|~+|\[|\]|<|&|\|/g;
const SPACE = /^\s|^$/;
const WORD = /^[\p{L}\p{N}]/u;
const WORD_END = /[\p{L}\p{N}]$/u;
/** As long as the names of entities get, about. */
const MAX_ENTITY_CHARS = 40;
/** What would begin a block: headings, quotes, list items, fences, rules, underlines, tables, reference definitions. */
const LINE_START =
  /^(#{1,6}(?=\s|$)|>|[-+*](?=\s|$)|~~~|-+\s*$|={1,}\s*$|([-_*])(?:\s*\2){2,}\s*$|\|?\s*:?-+:?\s*(?:\||$)|\|\s*$|\[(?:[^\]]*\]:|[^\]]*$|[ xX]\](?=\s|$)))/;
const NUMBER_START = /^(\d{1,9})([.)])(?=\s|$)/;
/** Bare addresses become links as they stand: a backslash inside of one would be part of it. */
const ADDRESS_HEAD = /https?:(?=\/\/[a-z0-9-])|ftp:(?=\/\/[a-z0-9-])|www\.(?=[a-z0-9-])/gi;
const ADDRESS_REST = /^[^\s<]*/;
const MAX_ADDRESS_CHARS = 2_000;
/** What a bare address can't hold, or not before a sign. */
const NO_ADDRESS = /[\\`*|[\]]|&\w+;|[_~](?![\w/])|(?<!\/)~/;

/** What stands around a piece of text, and what it must not break. */
export interface Surroundings {
  /** The characters beside it: empty at the ends of a line. */
  before: string;
  after: string;
  inLink: boolean;
  /** Whether delimiters surround it. */
  inMark: boolean;
  inCell: boolean;
  /** Whether a struck passage is near, which any tilde could begin. */
  nearStrike: boolean;
}

/**
 * Escapes plain text for the middle of a line, and no more than needed: snake_case, "2 * 3" and "a < b" stay as they are.
 * Inside of a link's text or an image's, brackets are escaped too.
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

/** Whether renderers will end the address where it ends, and take its signs as they are. */
function isAddress(rest: string, after: string, { inMark }: Surroundings): boolean {
  return after !== "<" && after !== "*" && !(inMark && rest.includes("_")) && !NO_ADDRESS.test(rest);
}

/** Escapes what would begin a block, for text at the beginning of a line. */
export function escapeLineStart(markdown: string): string {
  return markdown.replace(LINE_START, "\\$1").replace(NUMBER_START, "$1\\$2");
}

export function escapePipes(text: string): string {
  return text.replace(/\|/g, "\\|");
}

/** An address between the parentheses of a link: balanced parentheses need no escape. */
export function linkDestination(url: string): string {
  const escaped = url.replace(/[\s<>|\\]/g, encodeURIComponent);
  return isBalanced(escaped) ? escaped : escaped.replace(/[()]/g, "\\$&");
}

export function linkTitle(title: string | undefined): string {
  return title ? ` "${title.replace(/["\\]|&(?=#?\w+;)/g, "\\$&")}"` : "";
}

function escapePart(text: string, around: Surroundings): string {
  return text.replace(SIGNS, (signs, at: number) => {
    const end = at + signs.length;
    const before = at > 0 ? text.charAt(at - 1) : around.before;
    const after = end < text.length ? text.slice(end, end + MAX_ENTITY_CHARS) : around.after;
    return isPlain(signs, before, after, around) ? signs : signs.replace(/./g, "\\$&");
  });
}

/** Whether a run of one sign means nothing between its neighbours. */
function isPlain(signs: string, before: string, after: string, around: Surroundings): boolean {
  // Between delimiters, renderers disagree about runs that stand apart.
  const isApart = SPACE.test(before) && SPACE.test(after) && !around.inMark;
  switch (signs[0]) {
    case "\\":
      return signs.length === 1 && /^[^!-/:-@[-`{-~]/.test(after);
    case "*":
      return isApart;
    case "_":
      return isApart || (WORD_END.test(before) && WORD.test(after));
    case "~":
      return SPACE.test(before) && signs.length < 3 && !around.nearStrike;
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
  for (const sign of text) {
    if (sign === "(") open++;
    if (sign === ")" && --open < 0) return false;
  }
  return open === 0;
}
