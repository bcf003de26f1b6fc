import type { Lexer, Token, Tokenizer as TokenizerClass, Tokens } from "marked";
import { lazyModule } from "../../lib/lazy";

/** Loads the parser of Markdown. It is loaded on demand, because most requests need only our own writer. */
export const loadMarked = lazyModule(() => import("marked"));

/** The maximum number of characters that are rendered. It is enough for a long article. */
const MAX_CHARS = 60_000;
/** The maximum sum of `characters × punctuation characters` of all pieces, for which marked needs half a second. */
const MAX_WORK = 6_000_000;
/** Characters that can begin emphasis, links, code and other inline syntax. */
const PUNCTUATION = /[[\]*_`~<!()\\&:@]/g;

/** The maximum nesting of quotes and lists. It is limited, because marked reads the content again at each level. */
const MAX_NESTING = 8;
/** The maximum number of passages that only look like a table. For each, marked reads all following text. */
const MAX_FALSE_TABLES = 50;
/** The maximum length of a paragraph. Longer paragraphs are split. */
const MAX_PARAGRAPH_CHARS = 4_000;
const TABLE_HEAD = /^[^\n]+\n(?=[^\n]*[:|])[ \t:|-]+(?:\n|$)/;

export interface LexedMarkdown {
  tokens: Token[];
  /** True if the text is longer than the limit. */
  isCut: boolean;
  /** True if some text became plain text, because reading its inline syntax takes too long. */
  isPlain: boolean;
}

/**
 * Splits Markdown into tokens in bounded time. Without limits, marked takes quadratic time for some input (`*_a*_a…`)
 * and needs a deep stack for nested blocks. Text beyond a limit becomes plain text.
 */
export async function lexMarkdown(markdown: string, maxChars = MAX_CHARS): Promise<LexedMarkdown> {
  const createLexer = await loadLexer();
  const lexer = createLexer();
  lexer.blockTokens(toUnixLines(markdown.slice(0, maxChars)), lexer.tokens);
  let work = 0;
  for (const { src, tokens } of lexer.inlineQueue) {
    work += toInlineWork(src);
    if (work <= MAX_WORK) lexer.inlineTokens(src, tokens);
    else tokens.push({ type: "text", raw: src, text: src });
  }
  return { tokens: lexer.tokens, isCut: markdown.length > maxChars, isPlain: work > MAX_WORK };
}

/** Returns a function that creates a lexer with the limits of this file. */
export async function loadLexer(): Promise<() => Lexer> {
  const { Lexer, Tokenizer } = await loadMarked();
  return () => new Lexer({ gfm: true, tokenizer: createBoundedTokenizer(Tokenizer) });
}

/** Returns the text with the line breaks that marked expects. */
export function toUnixLines(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}

/** Returns the amount of work for the inline content of this text: `characters × punctuation characters`. */
export function toInlineWork(text: string): number {
  return text.length * ((text.match(PUNCTUATION)?.length ?? 0) + 1);
}

/** Returns marked's tokenizer with the limits above. It doesn't parse footnotes as link references. */
function createBoundedTokenizer(Tokenizer: typeof TokenizerClass): TokenizerClass {
  let depth = 0;
  let falseTables = 0;
  const within = <T>(read: () => T): T | undefined => {
    if (depth >= MAX_NESTING) return undefined;
    depth++;
    try {
      return read();
    } finally {
      depth--;
    }
  };
  class Bounded extends Tokenizer {
    override blockquote(source: string): Tokens.Blockquote | undefined {
      return within(() => super.blockquote(source));
    }
    override list(source: string): Tokens.List | undefined {
      return within(() => super.list(source));
    }
    override table(source: string): Tokens.Table | undefined {
      if (falseTables >= MAX_FALSE_TABLES || !TABLE_HEAD.test(source)) return undefined;
      const table = super.table(source);
      if (table === undefined) falseTables++;
      return table;
    }
    override lheading(source: string): Tokens.Heading | undefined {
      return super.lheading(takeParagraphs(source));
    }
    override paragraph(source: string): Tokens.Paragraph | undefined {
      return super.paragraph(takeParagraphs(source));
    }
    override def(source: string): Tokens.Def | undefined {
      return /^ {0,3}\[\^/.test(source) ? undefined : super.def(source);
    }
  }
  return new Bounded();
}

/** Returns the source up to the first empty line, or up to MAX_PARAGRAPH_CHARS, in whole lines if possible. */
function takeParagraphs(source: string): string {
  const head = source.slice(0, MAX_PARAGRAPH_CHARS);
  const blank = /\n[ \t]*\n/.exec(head);
  if (blank !== null) return head.slice(0, blank.index + blank[0].length);
  if (head.length === source.length) return source;
  const end = head.lastIndexOf("\n");
  return end > 0 ? head.slice(0, end + 1) : head;
}
