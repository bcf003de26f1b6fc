import { type ChildNode, type Element, isText, type ParentNode } from "domhandler";
import { Budget } from "../../lib/budget";
import { isBlock, isElement, NEVER_TEXT } from "../parse/dom";
import type { Block, Inline, ListItem, Mark } from "./blocks";
import type { Footnotes } from "./footnotes";
import { type Breaks, InlineBuilder } from "./inline-builder";

/** Real pages stay below 100. Deeper content is added as text only, without recursion. */
const MAX_DEPTH = 300;
/** The limit of lists and quotes inside of each other. Every level indents each of its lines. */
const MAX_NESTING = 20;
/** The limit of all addresses together. A long <base> is a part of each. */
const MAX_ADDRESS_CHARS = 4_000_000;
/** The limit of cells that are repeated because they span several places. */
const MAX_REPEATED_CHARS = 200_000;

/** Adds an element to the tree according to its meaning. */
export type ElementHandler = (builder: AstBuilder, element: Element, marks: Mark | null) => void;

interface OpenList {
  items: ListItem[];
  ordered: boolean;
  number: number;
  step: number;
}

/**
 * Builds blocks from the elements of a page. Knows the position in the page; `handle` knows the meaning of each
 * element.
 */
export class AstBuilder {
  readonly base: string;
  readonly footnotes: Footnotes;
  /** The place of captions: the title of their picture, or a paragraph after it. */
  readonly captions: "titles" | "paragraphs";
  readonly addresses = new Budget(MAX_ADDRESS_CHARS);
  readonly repeats = new Budget(MAX_REPEATED_CHARS);
  /** Text is code. */
  isCode = false;
  /** The caption of the current figure, until its picture is added. */
  caption: string | null = null;
  /** The element that gets the link which surrounds it and other blocks. */
  linked: { target: Element; mark: Mark } | null = null;
  #handle: ElementHandler;
  #inline = new InlineBuilder("paragraphs");
  #breaks: Breaks = "paragraphs";
  #blocks: Block[] = [];
  /** The innermost open list, or null. Blocks in it become items. */
  #list: OpenList | null = null;
  #item: ListItem | null = null;
  #skipped: Element | null = null;
  #depth = 0;
  #nesting = 0;

  constructor({
    base,
    footnotes,
    captions,
    handle,
  }: Pick<AstBuilder, "base" | "footnotes" | "captions"> & { handle: ElementHandler }) {
    this.base = base;
    this.footnotes = footnotes;
    this.captions = captions;
    this.#handle = handle;
  }

  /** True where blocks are allowed, false in headings and cells. */
  get holdsBlocks(): boolean {
    return this.#breaks === "paragraphs";
  }

  /** The effect of line breaks at the current position. */
  get breaks(): Breaks {
    return this.#breaks;
  }

  /** True directly inside of a list. */
  get isInList(): boolean {
    return this.#list !== null;
  }

  /** True inside of a list item. */
  get isInItem(): boolean {
    return this.#item !== null;
  }

  /** True where another list or quote would exceed the limit. */
  get isNestedDeep(): boolean {
    return this.#nesting >= MAX_NESTING;
  }

  /** The last image, if nothing was added after it. */
  get lastImage(): Inline | null {
    const last = this.#inline.last;
    return last?.type === "image" ? last : null;
  }

  /** Adds the contents of an element. */
  addChildren(parent: ParentNode, marks: Mark | null): void {
    for (const child of parent.children) this.#addNode(child, marks);
  }

  /** Adds text to the current line. */
  addText(text: string, marks: Mark | null): void {
    this.#inline.text(text, marks, this.isCode ? "code" : "text");
  }

  /** Adds a piece of inline content to the current line. */
  addInline(inline: Omit<Inline, "space">): void {
    this.#inline.add({ ...inline, space: false });
  }

  /** Ends a piece of inline code. The next one is separate. */
  endCode(): void {
    this.#inline.endCode();
  }

  /** Adds a line break. */
  addBreak(): void {
    this.#inline.break();
  }

  /** Marks the edge of a block: ends the paragraph, or the line where there are no blocks. */
  endBlock(): void {
    if (!this.holdsBlocks) this.#inline.endBlock();
    else for (const content of this.#inline.take()) this.addBlock({ type: "paragraph", content });
  }

  /** Adds a block, or an item with the block inside of a list. */
  addBlock(block: Block): void {
    if (!this.#list) this.#blocks.push(block);
    else if (block.type === "list" && this.#list.items.length > 0) this.#list.items.at(-1)?.children.push(block);
    else this.#list.items.push(this.#newItem([block]));
  }

  /** Runs `build` without one element. */
  skip(element: Element, build: () => void): void {
    const outer = this.#skipped;
    this.#skipped = element;
    build();
    this.#skipped = outer;
  }

  /** Returns the blocks that `build` adds. */
  collectBlocks(build: () => void): Block[] {
    const [blocks, list, item] = [this.#blocks, this.#list, this.#item];
    this.endBlock();
    [this.#blocks, this.#list, this.#item] = [[], null, null];
    this.#nesting++;
    build();
    this.endBlock();
    this.#nesting--;
    const collected = this.#blocks;
    [this.#blocks, this.#list, this.#item] = [blocks, list, item];
    return collected;
  }

  /** Returns the inline content that `build` adds, on a line of its own. */
  collectInline(breaks: Breaks, build: () => void): Inline[] {
    const [inline, outer] = [this.#inline, this.#breaks];
    this.#inline = new InlineBuilder(breaks);
    this.#breaks = breaks;
    build();
    const [content = []] = this.#inline.take();
    this.#inline = inline;
    this.#breaks = outer;
    return content;
  }

  /** Returns the items that `build` adds, and the content between them. */
  collectItems(options: { ordered: boolean; number: number; step: number }, build: () => void): ListItem[] {
    const list = this.#list;
    this.endBlock();
    const open: OpenList = { ...options, items: [] };
    this.#list = open;
    build();
    this.endBlock();
    this.#list = list;
    return open.items;
  }

  /** Adds an item to the innermost list, or to an implied list if the item has none. */
  addItem(value: number | null, build: () => void): void {
    this.endBlock();
    const list = this.#list ?? this.#impliedList();
    if (value !== null) list.number = value;
    const item = this.#newItem([], list);
    item.children = this.collectBlocks(() => {
      this.#item = item;
      build();
    });
    if (item.children.length > 0) list.items.push(item);
    else list.number -= list.step;
  }

  /** Makes the item a task, for a checkbox at its beginning. */
  markTask(isChecked: boolean): void {
    if (this.#item && this.#inline.isEmpty && this.#blocks.length === 0) this.#item.checked ??= isChecked;
  }

  #addNode(node: ChildNode, marks: Mark | null): void {
    if (isText(node)) this.addText(node.data, marks);
    else if (!isElement(node) || node === this.#skipped) return;
    else if (this.#depth >= MAX_DEPTH) this.#addFlat(node, marks);
    else {
      this.#depth++;
      this.#handle(this, node, this.linked?.target === node ? this.linked.mark : marks);
      this.#depth--;
    }
  }

  #addFlat(root: Element, marks: Mark | null): void {
    const stack: (ChildNode | "end of block")[] = [root];
    for (let node = stack.pop(); node; node = stack.pop()) {
      if (node === "end of block") this.endBlock();
      else if (isText(node)) this.addText(node.data, marks);
      else if (isElement(node) && !NEVER_TEXT.has(node.name)) {
        if (isBlock(node)) {
          this.endBlock();
          stack.push("end of block");
        }
        for (let at = node.children.length - 1; at >= 0; at--) stack.push(node.children[at] as ChildNode);
      }
    }
  }

  #newItem(children: Block[], list = this.#list): ListItem {
    const number = list?.number ?? 1;
    if (list) list.number += list.step;
    return { number, checked: null, children };
  }

  #impliedList(): OpenList {
    const last = this.#blocks.at(-1);
    const items = last?.type === "list" && last.isImplied ? last.items : [];
    if (items.length === 0) this.#blocks.push({ type: "list", ordered: false, isImplied: true, items });
    return { items, ordered: false, number: 1, step: 1 };
  }
}
