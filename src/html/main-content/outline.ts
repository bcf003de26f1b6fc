import { type ChildNode, Element, Text } from "domhandler";
import { nameWords } from "./names";

const BLOCKS = new Set(
  (
    "address article aside blockquote body button caption center dd details dialog dir div dl dt fieldset figcaption figure " +
    "footer form h1 h2 h3 h4 h5 h6 header hgroup legend li main menu nav ol p pre search section summary table " +
    "tbody td tfoot th thead tr ul"
  ).split(" "),
);
const SPACES = /[\s\u200b\ufeff]+/g;
const COMMA = /[,\u060c\ufe50\ufe10\ufe11\u2e41\u2e34\u2e32\uff0c\u3001\u104a]/g;
const WORD = /[\p{L}\p{N}]+/gu;
/** Scripts that write a word in one or two characters, without spaces. */
const DENSE = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g;
const DENSE_CHARS = 3;
const SENTENCE = /[.!?…:;,।。！？、][\s"'”’»)\]]|[.!?…।。！？]["'”’»)\]]*$/;
const MIN_PROSE_CHARS = 80;
/** More of a line's text than this in links makes it a line of links, or no prose. */
const LINKED_SHARE = 0.75;
const MAX_PROSE_LINKED_SHARE = 0.3;

/** A run of inline content in a block: what a reader takes for a paragraph. */
export interface Unit {
  readonly index: number;
  readonly block: Block;
  readonly nodes: ChildNode[];
  /** White space in runs is one space, none at the ends. */
  readonly text: string;
  /** In characters of an alphabet. */
  readonly length: number;
  /** How much of the length stands in links. */
  readonly linkLength: number;
  readonly commas: number;
  readonly words: number;
  /** Reads like sentences, not like a label, a link or a list of names. */
  readonly isProse: boolean;
  /** 1 to 6 in headings, else 0. */
  readonly headingLevel: number;
}

/** An element that starts a new line, with the units inside of it: those from `start` to before `end`. */
export class Block {
  readonly element: Element;
  readonly parent: Block | null;
  readonly depth: number;
  readonly children: Block[] = [];
  readonly start: number;
  end: number;
  /** Nothing but links. */
  isLinked = false;
  #names: readonly string[] | null = null;

  constructor(element: Element, parent: Block | null, start: number) {
    this.element = element;
    this.parent = parent;
    this.depth = parent ? parent.depth + 1 : 0;
    this.start = start;
    this.end = start;
  }

  /** The words in its id, classes and custom name. */
  get names(): readonly string[] {
    this.#names ??= nameWords(this.element);
    return this.#names;
  }

  get isEmpty(): boolean {
    return this.end === this.start;
  }

  holds(other: Block): boolean {
    return this.start <= other.start && other.end <= this.end && !other.isEmpty;
  }
}

export interface Outline {
  readonly root: Block;
  readonly units: Unit[];
  /** In document order. */
  readonly blocks: Block[];
}

/** The page as lines of text in nested blocks: flat enough that each question about a block is a sum over a range. */
export function outline(root: Element, excluded: ReadonlySet<ChildNode>): Outline {
  const wrappers = inlineWrappers(root);
  const blocks: Block[] = [];
  const units: Unit[] = [];
  let nodes: ChildNode[] = [];
  let breaks = 0;

  function endUnit(block: Block, isLinked: boolean): void {
    const unit = nodes.length > 0 ? toUnit(nodes, block, { index: units.length, isLinked, excluded }) : null;
    if (unit) units.push(unit);
    nodes = [];
    breaks = 0;
  }

  function visit(element: Element, parent: Block | null, isInLink: boolean): Block {
    const block = new Block(element, parent, units.length);
    const isLinked = isInLink || isLink(element);
    blocks.push(block);
    parent?.children.push(block);
    for (const child of element.children) {
      // The writers take no more than the picture from a <noscript>.
      if (excluded.has(child) || (child instanceof Element && child.name === "noscript")) continue;
      if (child instanceof Element && (BLOCKS.has(child.name) || wrappers.has(child))) {
        endUnit(block, isLinked);
        visit(child, block, isLinked);
        continue;
      }
      nodes.push(child);
      if (child instanceof Element && child.name === "br") breaks++;
      else if (!(child instanceof Text) || child.data.trim() !== "") breaks = 0;
      if (breaks === 2 || (child instanceof Element && child.name === "hr")) endUnit(block, isLinked);
    }
    endUnit(block, isLinked);
    block.end = units.length;
    block.isLinked = !block.isEmpty && areLinks(units, block.start);
    return block;
  }

  return { root: visit(root, null, false), units, blocks };
}

export function isLinkLine(unit: Unit): boolean {
  return unit.linkLength > LINKED_SHARE * unit.length;
}

export function collapse(text: string): string {
  return text.replace(SPACES, " ").trim();
}

function areLinks(units: readonly Unit[], start: number): boolean {
  for (let at = start; at < units.length; at++) {
    const unit = units[at];
    if (unit && !isLinkLine(unit)) return false;
  }
  return true;
}

function isLink({ name, attribs }: Element): boolean {
  return name === "a" && attribs.href !== undefined;
}

/** Inline elements that hold blocks, as a link around a card. */
function inlineWrappers(root: Element): Set<Element> {
  const wrappers = new Set<Element>();
  function visit(element: Element): void {
    for (const child of element.children) {
      if (!(child instanceof Element)) continue;
      if (BLOCKS.has(child.name)) {
        for (let at: Element | null = element; at && !BLOCKS.has(at.name) && !wrappers.has(at); ) {
          wrappers.add(at);
          at = at.parent instanceof Element ? at.parent : null;
        }
      }
      visit(child);
    }
  }
  visit(root);
  return wrappers;
}

function toUnit(
  nodes: ChildNode[],
  block: Block,
  { index, isLinked, excluded }: { index: number; isLinked: boolean; excluded: ReadonlySet<ChildNode> },
): Unit | null {
  let raw = "";
  let linked = "";
  function read(node: ChildNode, isInLink: boolean): void {
    if (excluded.has(node)) return;
    if (node instanceof Text) {
      raw += node.data;
      if (isInLink) linked += node.data;
    } else if (node instanceof Element) {
      if (node.name === "br") raw += " ";
      const links = isInLink || isLink(node);
      for (const child of node.children) read(child, links);
    }
  }
  for (const node of nodes) read(node, isLinked);
  const text = collapse(raw);
  if (text === "") return null;
  const { name } = block.element;
  const dense = text.match(DENSE)?.length ?? 0;
  const length = text.length + (DENSE_CHARS - 1) * dense;
  const linkLength = linked === "" ? 0 : (collapse(linked).length / text.length) * length;
  const isSentence = length >= MIN_PROSE_CHARS && SENTENCE.test(text);
  return {
    index,
    block,
    nodes,
    text,
    length,
    linkLength,
    commas: text.match(COMMA)?.length ?? 0,
    words: (text.match(WORD)?.length ?? 0) + Math.round(dense / 2),
    isProse: (isSentence || name === "pre") && linkLength < MAX_PROSE_LINKED_SHARE * length,
    headingLevel: /^h[1-6]$/.test(name) ? Number(name[1]) : 0,
  };
}
