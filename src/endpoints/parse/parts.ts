import type { Block } from "../../html/ast/blocks";
import { writeMarkdown } from "../../html/markdown/markdown";
import { inlineText, writeText } from "../../html/text/text";
import { PARSE_HEAD_SHARE } from "../../model/limits";
import { writePageFacts } from "./page-facts";
import type { PageContent } from "./read-page";
import { blockTokens, breakUp, splitBlock, splitText } from "./split-block";
import { tokensOf } from "./tokens";

export interface Parts {
  /** What the model reads, one after the other, each at most so many tokens by our estimate. */
  parts: string[];
  /** Whether the page went on after the last part. */
  isTruncated: boolean;
  /** All that the parts say: their words without any marks, and as the model saw them. What it quotes stands in here. */
  text: string;
}

export interface PartLimits {
  /** Of each part. */
  maxTokens: number;
  maxParts: number;
}

const TITLE = "What the page says about itself:";
const CONTENT = "The page:";
const CONTINUED = "The page, continued";
const MAX_PATH_SHARE = 0.1;
const MAX_HEADING_CHARS = 120;
/** Tokens: less than this holds no sentence. */
const MIN_ROOM = 50;
/** The labels between head and content, and their blank lines. */
const LABELS = tokensOf(`${TITLE}\n\n\n${CONTINUED} under “”:\n\n\n`) + 5;

/** Cuts what is to be read into parts at the borders of its blocks; each has the head, and the headings it stands under. */
export function toParts({ head, body }: PageContent, { maxTokens, maxParts }: PartLimits): Parts {
  const about = writePageFacts(head, PARSE_HEAD_SHARE * maxTokens);
  const room = Math.max(MIN_ROOM, maxTokens - tokensOf(about) - LABELS);
  const cut = "text" in body ? cutPlain(body.text, { room, maxParts }) : cutBlocks(body.blocks, { room, maxParts });
  const labelled = cut.contents.map(({ path, markdown }, at) => {
    const under = path === "" ? "" : ` under “${path}”`;
    const label = at === 0 ? CONTENT : `${CONTINUED}${under}:`;
    return [about && `${TITLE}\n${about}`, markdown && `${label}\n\n${markdown}`].filter(Boolean).join("\n\n");
  });
  const texts = cut.contents.flatMap(({ markdown, text }) => (text === markdown ? [text] : [text, markdown]));
  return { parts: labelled, isTruncated: cut.isTruncated, text: [about, unescaped(about), ...texts].join("\n\n") };
}

/** A quotation mark in the data is quoted by the model with or without its backslash. */
function unescaped(json: string): string {
  return json.includes("\\") ? json.replace(/\\(["\\])/g, "$1") : "";
}

interface Content {
  /** The headings that it stands under, outermost first. */
  path: string;
  markdown: string;
  /** The same without marks. */
  text: string;
}

interface Contents {
  contents: Content[];
  isTruncated: boolean;
}

function cutPlain(text: string, { room, maxParts }: { room: number; maxParts: number }): Contents {
  const contents: Content[] = [];
  let rest = text;
  do {
    const [first, next] = splitText(rest, room);
    contents.push({ path: "", markdown: first, text: first });
    rest = next;
  } while (rest !== "" && contents.length < maxParts);
  return { contents, isTruncated: rest !== "" };
}

function cutBlocks(blocks: readonly Block[], { room, maxParts }: { room: number; maxParts: number }): Contents {
  const writer = new PartWriter(room);
  /** What is still to be written, the next one last. */
  const pending = blocks.toReversed();
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
  readonly #room: number;
  readonly #headings = new HeadingPath();
  #path = "";
  #blocks: Block[] = [];
  #left: number;

  constructor(room: number) {
    this.#room = room;
    this.#left = room;
  }

  get isEmpty(): boolean {
    return this.#blocks.length === 0;
  }

  /** Takes the block, or ends the part; returns what is to be written next of it. */
  write(block: Block): Block[] {
    const cost = blockTokens(block);
    if (cost <= this.#left) {
      this.#add(block, cost);
      return [];
    }
    // What fits into a part of its own isn't cut.
    if (cost <= this.#whole && !this.isEmpty) return [...this.end(this.#trailingHeadings()), block];
    const { first, rest } = splitBlock(block, this.#left);
    if (first !== null) {
      this.#add(first, blockTokens(first));
      this.end([]);
      return rest;
    }
    if (!this.isEmpty) return [...this.end(this.#trailingHeadings()), block];
    return breakUp(block, this.#left);
  }

  /** Ends the part without its last blocks, which it returns; the first part is there even when nothing is in it. */
  end(without: Block[]): Block[] {
    const blocks = this.#blocks.slice(0, this.#blocks.length - without.length);
    if (blocks.length > 0 || this.parts.length === 0)
      this.parts.push({ path: this.#path, markdown: writeMarkdown(blocks), text: writeText(blocks) });
    for (const block of blocks) this.#headings.pass(block);
    this.#path = this.#headings.toString(MAX_PATH_SHARE * this.#room);
    this.#blocks = [];
    this.#left = this.#whole;
    return without;
  }

  /** The room of a part that begins here. */
  get #whole(): number {
    const path = this.isEmpty ? this.#path : this.#headings.with(this.#blocks).toString(MAX_PATH_SHARE * this.#room);
    return this.#room - tokensOf(path);
  }

  #add(block: Block, cost: number): void {
    this.#blocks.push(block);
    this.#left -= cost;
  }

  /** Headings at the end of the part, whose text comes in the next one. */
  #trailingHeadings(): Block[] {
    const last = this.#blocks.findLastIndex(({ type }) => type !== "heading");
    return last < 0 ? [] : this.#blocks.slice(last + 1);
  }
}

/** The headings that what comes next stands under. */
class HeadingPath {
  #open: { depth: number; words: string }[] = [];

  pass(block: Block): void {
    if (block.type !== "heading") return;
    const { depth, content } = block;
    this.#open = this.#open.filter((heading) => heading.depth < depth);
    this.#open.push({ depth, words: inlineText(content).slice(0, MAX_HEADING_CHARS) });
  }

  with(blocks: readonly Block[]): HeadingPath {
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
