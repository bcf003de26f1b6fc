/** What would begin a block: headings, quotes, list items, fences, rules and underlines, reference definitions. */
const LINE_START = /^(#{1,6}(?=\s|$)|>|[-+](?=\s)|~~~|-{3,}\s*$|={2,}\s*$|\[[^\]]*\]:)/;
const NUMBER_START = /^(\d{1,9})([.)])(?=\s|$)/;

/**
 * Escapes plain text for markdown, and no more than needed: snake_case, "2 * 3" and "a < b" stay as they are. Works on a
 * piece of text that may stand at the beginning of a line and may be followed by anything.
 */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/\\(?=[!-/:-@[-`{-~]|$)/g, "\\\\")
    .replace(/`/g, "\\`")
    .replace(/\*/g, (star, at: number) => (isApart(text, at) ? star : "\\*"))
    .replace(/_/g, (line, at: number, whole: string) => (isInWord(whole, at) || isApart(whole, at) ? line : "\\_"))
    .replace(/(?<=\S)~/g, "\\~")
    .replace(/\](?=\()/g, "\\]")
    .replace(/<(?=[a-z/!?])/gi, "\\<")
    .replace(/&(?=#?\w+;)/g, "\\&")
    .replace(LINE_START, "\\$1")
    .replace(NUMBER_START, "$1\\$2");
}

/** Takes back the escapes of a line's beginning, for text that doesn't stand there. */
export function unescapeStart(markdown: string): string {
  return markdown.replace(/^\\([-+>#=~])/, "$1").replace(/^(\d{1,9})\\([.)])/, "$1$2");
}

/** Escapes the brackets that would end a link's text or an image's alternative text too early. */
export function escapeBrackets(text: string): string {
  return text.replace(/(?<!\\)[[\]]/g, "\\$&");
}

/** An address between the parentheses of a link: balanced parentheses need no escape. */
export function linkDestination(url: string): string {
  const escaped = url
    .replace(/\s/g, (space) => encodeURIComponent(space))
    .replace(/[<>]/g, (sign) => encodeURIComponent(sign));
  return isBalanced(escaped) ? escaped : escaped.replace(/[()]/g, "\\$&");
}

function isBalanced(text: string): boolean {
  let open = 0;
  for (const sign of text) {
    if (sign === "(") open++;
    if (sign === ")" && --open < 0) return false;
  }
  return open === 0;
}

function isApart(text: string, at: number): boolean {
  return /\s/.test(text[at - 1] ?? "x") && /\s/.test(text[at + 1] ?? "x");
}

function isInWord(text: string, at: number): boolean {
  return /[\p{L}\p{N}]/u.test(text[at - 1] ?? "") && /[\p{L}\p{N}]/u.test(text[at + 1] ?? "");
}
