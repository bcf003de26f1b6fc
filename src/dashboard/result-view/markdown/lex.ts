import type { Token } from "marked";
import { boundedTokenizer } from "./bounded-tokenizer";

/** So much of a text is rendered: a long article. */
const MAX_CHARS = 60_000;
/** What all that stands inside of lines may take, as characters times signs: half a second at the worst. */
const MAX_WORK = 6_000_000;
/** What emphasis, links, code and the like are made with. */
const SIGNS = /[[\]*_`~<!()\\&:@]/g;

export interface Lexed {
  tokens: Token[];
  /** The text goes on after what was read. */
  isCut: boolean;
}

/**
 * Markdown as tokens, whatever it is made of. The time that marked takes grows with the square of some texts (`*_a*_a…`) and
 * its stack with their nesting; what would take too long stays as it is written.
 */
export async function lexMarkdown(markdown: string): Promise<Lexed> {
  const { Lexer, Tokenizer } = await import("marked");
  const source = markdown.slice(0, MAX_CHARS).replace(/\r\n?/g, "\n");
  const lexer = new Lexer({ gfm: true, tokenizer: boundedTokenizer(Tokenizer) });
  lexer.blockTokens(source, lexer.tokens);
  let work = 0;
  for (const { src, tokens } of lexer.inlineQueue) {
    work += src.length * ((src.match(SIGNS)?.length ?? 0) + 1);
    if (work <= MAX_WORK) lexer.inlineTokens(src, tokens);
    else tokens.push({ type: "text", raw: src, text: src });
  }
  return { tokens: lexer.tokens, isCut: markdown.length > MAX_CHARS };
}
