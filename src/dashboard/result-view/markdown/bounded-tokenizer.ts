import type { Tokenizer as TokenizerClass, Tokens } from "marked";

/** Quotes and lists inside of each other: each costs another look at all that is in it. */
const MAX_NESTING = 8;
/** What looks like a table and isn't one costs a look at all that follows. */
const MAX_FALSE_TABLES = 50;
/** A paragraph that is longer comes as several. */
const MAX_PARAGRAPH_CHARS = 4_000;
const TABLE_HEAD = /^[^\n]+\n[ \t]*(?=[^\n]*[:|])[ \t:|-]+(?:\n|$)/;

/** marked's tokenizer, kept from what takes it time without end, and from taking footnotes for references. */
export function boundedTokenizer(Tokenizer: typeof TokenizerClass): TokenizerClass {
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
      return super.lheading(toParagraphs(source));
    }
    override paragraph(source: string): Tokens.Paragraph | undefined {
      return super.paragraph(toParagraphs(source));
    }
    override def(source: string): Tokens.Def | undefined {
      return /^ {0,3}\[\^/.test(source) ? undefined : super.def(source);
    }
  }
  return new Bounded();
}

/** What may be the paragraph that the source begins with: up to an empty line, whole lines if they aren't too long. */
function toParagraphs(source: string): string {
  const head = source.slice(0, MAX_PARAGRAPH_CHARS);
  const blank = /\n[ \t]*\n/.exec(head);
  if (blank !== null) return head.slice(0, blank.index + blank[0].length);
  if (head.length === source.length) return source;
  const end = head.lastIndexOf("\n");
  return end > 0 ? head.slice(0, end + 1) : head;
}
