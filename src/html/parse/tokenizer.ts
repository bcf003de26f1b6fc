import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";

/** The fields of htmlparser2's tokenizer that `fastForwardTo` refers to. */
interface Position {
  /** The part of the page that is being read. It begins at `offset`. */
  readonly buffer: string;
  readonly offset: number;
  index: number;
}

/**
 * Moves to the next occurrence of a character, or to the last character if there is none. Returns true if it was found.
 * htmlparser2 12.0.0 compares one character after the other. `indexOf` makes parsing faster by a tenth.
 */
function fastForwardTo(this: Position, code: number): boolean {
  const at = this.buffer.indexOf(String.fromCharCode(code), this.index + 1 - this.offset);
  this.index = this.offset + (at === -1 ? this.buffer.length - 1 : at);
  return at !== -1;
}

/** Creates a tokenizer that doesn't decode character references, so that it can skip texts and attribute values. */
export function createTokenizer(callbacks: TokenizerCallbacks): Tokenizer {
  const tokenizer = new Tokenizer({ decodeEntities: false }, callbacks);
  Object.assign(tokenizer, { fastForwardTo });
  return tokenizer;
}
