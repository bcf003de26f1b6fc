import { type ChildNode, type Element, isText, type ParentNode } from "domhandler";
import { Budget } from "../../lib/budget";
import { isElement } from "../parse/dom";
import type { Block, Inline, ListItem, Mark } from "./blocks";
import type { Footnotes } from "./footnotes";
import { type Breaks, InlineBuilder } from "./inline-builder";

/** The maximum depth of nested lists and quotes. Each level indents all its lines, which enlarges the output. */
const MAX_NESTING = 20;
/** The maximum total length of a page's URLs. A long <base> makes every relative URL on the page long. */
const MAX_ADDRESS_CHARS = 4_000_000;
/** The maximum total length of table cells that are repeated because they span several columns or rows. */
const MAX_REPEATED_CHARS = 200_000;

/** Adds the blocks and inline content of one element to the builder. */
export type ElementHandler = (builder: AstBuilder, element: Element, marks: Mark | null) => void;

interface OpenList {
  items: ListItem[];
  ordered: boolean;
  number: number;
  step: number;
}

/** Builds blocks from the elements of a page. `handle` decides what each element at the current position becomes. */
export class AstBuilder {
  readonly base: string;
  readonly footnotes: Footnotes;
  /** "titles": a caption becomes its image's title. "paragraphs": it becomes a paragraph after the image. */
  readonly captions: "titles" | "paragraphs";
  readonly addresses = new Budget(MAX_ADDRESS_CHARS);
  readonly repeats = new Budget(MAX_REPEATED_CHARS);
  /** True while text is added as code. */
  isCode = false;
  /** The caption of the current figure, until its image is added; otherwise null. */
  caption: string | null = null;
  /** The converted link with several blocks, or null. Only the block `target` becomes the link's text. */
  linked: { target: Element; mark: Mark } | null = null;
  #handle: ElementHandler;
  #inline = new InlineBuilder("paragraphs");
  #breaks: Breaks = "paragraphs";
  #blocks: Block[] = [];
  /** The innermost open list, or null. Each block that is added to it becomes an item. */
  #list: OpenList | null = null;
  #item: ListItem | null = null;
  #skipped: Element | null = null;
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

  /** True if blocks are allowed at the current position. False inside headings and table cells. */
  get holdsBlocks(): boolean {
    return this.#breaks === "paragraphs";
  }

  /** The effect of line breaks at the current position. */
  get breaks(): Breaks {
    return this.#breaks;
  }

  /** True if the current parent is a list, not one of its items. */
  get isInList(): boolean {
    return this.#list !== null;
  }

  /** True inside a list item. */
  get isInItem(): boolean {
    return this.#item !== null;
  }

  /** True if the limit for nested lists and quotes is reached. */
  get isNestedDeep(): boolean {
    return this.#nesting >= MAX_NESTING;
  }

  /** The last piece of inline content if it's an image; otherwise null. */
  get lastImage(): Inline | null {
    const last = this.#inline.last;
    return last?.type === "image" ? last : null;
  }

  /** Adds the child nodes of an element. */
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

  /** Ends a piece of inline code, so that the next one stays separate from it. */
  endCode(): void {
    this.#inline.endCode();
  }

  /** Adds a line break. */
  addBreak(): void {
    this.#inline.break();
  }

  /** Starts or ends a block. Ends the current paragraph, or only the line if blocks aren't allowed here. */
  endBlock(): void {
    if (!this.holdsBlocks) this.#inline.endBlock();
    else for (const content of this.#inline.take()) this.addBlock({ type: "paragraph", content });
  }

  /** Adds a block. If the current parent is a list, the block becomes an item. Doesn't add a second rule in a row. */
  addBlock(block: Block): void {
    if (block.type === "rule" && this.#blocks.at(-1)?.type === "rule") return;
    if (!this.#list) this.#blocks.push(block);
    else if (block.type === "list" && this.#list.items.length > 0) this.#list.items.at(-1)?.children.push(block);
    else this.#list.items.push(this.#newItem([block]));
  }

  /** Runs `build`. Meanwhile, the builder ignores `element` and its contents. */
  skip(element: Element, build: () => void): void {
    const outer = this.#skipped;
    this.#skipped = element;
    build();
    this.#skipped = outer;
  }

  /** Runs `build` and returns the blocks that it adds. */
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

  /** Runs `build` and returns the inline content that it adds. Doesn't add this content to the current line. */
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

  /** Runs `build` in a new list and returns the items that it adds. Content between the items becomes items, too. */
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

  /** Adds an item to the innermost or an implied list. `value` is its number; null continues the numbering. */
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

  /** Makes the current item a task. Does nothing if the checkbox isn't at the start of the item. */
  markTask(isChecked: boolean): void {
    if (this.#item && this.#inline.isEmpty && this.#blocks.length === 0) this.#item.checked ??= isChecked;
  }

  #addNode(node: ChildNode, marks: Mark | null): void {
    if (isText(node)) this.addText(node.data, marks);
    else if (isElement(node) && node !== this.#skipped)
      this.#handle(this, node, this.linked?.target === node ? this.linked.mark : marks);
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
