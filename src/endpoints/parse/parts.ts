import type { Block } from "../../html/ast/blocks";
import { writeMarkdown } from "../../html/markdown/markdown";
import { inlineText, writeText } from "../../html/text/text";
import { PARSE_HEAD_SHARE } from "../../model/limits";
import { tokensOf } from "../../text-view/tokens";
import { removeInvisible } from "./normalize-text";
import { writePageFacts } from "./page-facts";
import { NO_HOST, type PageContent } from "./read-page";
import { breakUp, type Piece, pieceTokens, splitBlock, splitText, writePieces } from "./split-block";

export interface Parts {
  /** The parts of the page, as text for the model. Each has at most `maxTokens` estimated tokens. */
  parts: string[];
  /** True if the page continues after the last part. */
  isTruncated: boolean;
  /** The text of all parts, as plain text and as the model sees it. Quotes are searched for in this text. */
  text: string;
}

interface PartLimits {
  /** The maximum number of estimated tokens of each part. */
  maxTokens: number;
  maxParts: number;
}

const TITLE = "What the page says about itself:";
const CONTENT = "The page:";
const CONTINUED = "The page, continued";
const MAX_PATH_SHARE = 0.1;
const MAX_HEADING_CHARS = 120;
const MIN_PART_TOKENS = 50;
/** The estimated number of tokens of the labels and blank lines between facts and content. */
const LABEL_TOKENS = tokensOf(`${TITLE}\n\n\n${CONTINUED} under “”:\n\n\n`) + 5;

/** Splits the content, if possible between blocks. Each part begins with the page's facts and its headings. */
export function toParts({ facts, body }: PageContent, { maxTokens, maxParts }: PartLimits): Parts {
  const about = writePageFacts(facts, PARSE_HEAD_SHARE * maxTokens);
  const room = Math.max(MIN_PART_TOKENS, maxTokens - tokensOf(about) - LABEL_TOKENS);
  const split =
    "text" in body ? splitPlain(body.text, { room, maxParts }) : splitBlocks(body.blocks, { room, maxParts });
  const labelled = split.contents.map(({ path, markdown }, at) => {
    const under = path === "" ? "" : ` under “${path}”`;
    const label = at === 0 ? CONTENT : `${CONTINUED}${under}:`;
    return [about && `${TITLE}\n${about}`, markdown && `${label}\n\n${markdown}`].filter(Boolean).join("\n\n");
  });
  const texts = split.contents.flatMap(({ markdown, text }) => (text === markdown ? [text] : [text, markdown]));
  return {
    parts: labelled,
    isTruncated: split.isTruncated,
    text: [about, removeEscapes(about), ...texts].join("\n\n"),
  };
}

/** Returns the text without backslashes before quotation marks, because models quote JSON with or without them. */
function removeEscapes(json: string): string {
  return json.includes("\\") ? json.replace(/\\(["\\])/g, "$1") : "";
}

interface Content {
  /** The headings above the content, the outermost first. */
  path: string;
  markdown: string;
  /** The same content as plain text. */
  text: string;
}

interface Contents {
  contents: Content[];
  isTruncated: boolean;
}

function splitPlain(text: string, { room, maxParts }: { room: number; maxParts: number }): Contents {
  const contents: Content[] = [];
  let rest = text;
  do {
    const [first, next] = splitText(rest, room);
    contents.push({ path: "", markdown: first, text: first });
    rest = next;
  } while (rest !== "" && contents.length < maxParts);
  return { contents, isTruncated: rest !== "" };
}

function splitBlocks(blocks: readonly Block[], { room, maxParts }: { room: number; maxParts: number }): Contents {
  const writer = new PartWriter(room);
  /** The blocks that haven't been written yet, in reverse order. */
  const pending: Piece[] = blocks.toReversed();
  for (let block = pending.pop(); block; block = pending.pop()) {
    if (writer.parts.length >= maxParts) return { contents: writer.parts, isTruncated: true };
    pending.push(...writer.write(block).toReversed());
  }
  const isFull = writer.parts.length >= maxParts && !writer.isEmpty;
  if (!isFull) writer.end([]);
  return { contents: writer.parts, isTruncated: isFull };
}

class PartWriter {
  readonly parts: Content[] = [];
  readonly #maxTokens: number;
  readonly #headings = new HeadingPath();
  #path = "";
  #blocks: Piece[] = [];
  #left: number;

  constructor(room: number) {
    this.#maxTokens = room;
    this.#left = room;
  }

  get isEmpty(): boolean {
    return this.#blocks.length === 0;
  }

  /** Writes the block or ends the part. Returns the blocks that must be written next. */
  write(block: Piece): Piece[] {
    const cost = pieceTokens(block);
    if (cost <= this.#left) {
      this.#add(block, cost);
      return [];
    }
    // A block that fits into the next part isn't split.
    if (cost <= this.#full && !this.isEmpty) return [...this.end(this.#trailingHeadings()), block];
    const { first, rest } = splitBlock(block, this.#left);
    if (first !== null) {
      this.#add(first, pieceTokens(first));
      this.end([]);
      return rest;
    }
    if (!this.isEmpty) return [...this.end(this.#trailingHeadings()), block];
    return breakUp(block, this.#left);
  }

  /** Ends the current part without its last blocks, `carriedOver`, which it returns. The first part may be empty. */
  end(carriedOver: Piece[]): Piece[] {
    const blocks = this.#blocks.slice(0, this.#blocks.length - carriedOver.length);
    if (blocks.length > 0 || this.parts.length === 0)
      this.parts.push({
        path: clean(this.#path),
        markdown: clean(writePieces(blocks, writeMarkdown)),
        text: clean(writePieces(blocks, writeText)),
      });
    for (const block of blocks) this.#headings.pass(block);
    this.#path = this.#headings.toString(MAX_PATH_SHARE * this.#maxTokens);
    this.#blocks = [];
    this.#left = this.#full;
    return carriedOver;
  }

  /** The maximum number of tokens of content in a new part that starts here. */
  get #full(): number {
    const path = this.isEmpty
      ? this.#path
      : this.#headings.with(this.#blocks).toString(MAX_PATH_SHARE * this.#maxTokens);
    return this.#maxTokens - tokensOf(path);
  }

  #add(block: Piece, cost: number): void {
    this.#blocks.push(block);
    this.#left -= cost;
  }

  /** Returns the headings at the end of the part. They move to the next part, which has the text below them. */
  #trailingHeadings(): Piece[] {
    const last = this.#blocks.findLastIndex(({ type }) => type !== "heading");
    return last < 0 ? [] : this.#blocks.slice(last + 1);
  }
}

/** Removes the placeholder for an unknown URL, so that links keep only their paths, and invisible characters. */
function clean(text: string): string {
  return removeInvisible(text.replaceAll(NO_HOST, ""));
}

/** The headings above the next block. */
class HeadingPath {
  #open: { depth: number; words: string }[] = [];

  pass(block: Piece): void {
    if (block.type !== "heading") return;
    const { depth, content } = block;
    this.#open = this.#open.filter((heading) => heading.depth < depth);
    this.#open.push({ depth, words: inlineText(content).slice(0, MAX_HEADING_CHARS) });
  }

  with(blocks: readonly Piece[]): HeadingPath {
    const path = new HeadingPath();
    path.#open = this.#open;
    for (const block of blocks) path.pass(block);
    return path;
  }

  toString(maxTokens: number): string {
    const [path] = splitText(this.#open.map(({ words }) => words).join(" › "), maxTokens);
    return path;
  }
}
