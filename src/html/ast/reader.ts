import { type ChildNode, type Element, isText, type ParentNode } from "domhandler";
import { Budget } from "../../lib/budget";
import { isBlock, isElement, NEVER_TEXT } from "../parse/dom";
import type { Block, Inline, Item, Mark } from "./blocks";
import type { Footnotes } from "./footnotes";
import { type Breaks, Line } from "./line";

/** Real pages stay below 100; what is deeper is read as words only, without recursion. */
const MAX_DEPTH = 300;
/** Lists and quotes inside of each other: every level costs each of its lines an indentation. */
const MAX_NESTING = 20;
/** Of all addresses together: a long <base> is a part of each. */
const MAX_ADDRESS_CHARS = 4_000_000;
/** Of the cells that are written again because they span several places. */
const MAX_REPEATED_CHARS = 200_000;

/** Says to the reader what an element means. */
export type Visit = (reader: Reader, element: Element, marks: Mark | null) => void;

interface OpenList {
  items: Item[];
  ordered: boolean;
  number: number;
  step: number;
}

/** Where the reader stands in the page, and the blocks it has read so far. Which element means what is `visit`'s to know. */
export class Reader {
  readonly base: string;
  readonly footnotes: Footnotes;
  /** Where the words under a picture go. */
  readonly captions: "titles" | "paragraphs";
  readonly addresses = new Budget(MAX_ADDRESS_CHARS);
  readonly repeats = new Budget(MAX_REPEATED_CHARS);
  /** Whether words are code. */
  isCode = false;
  /** The words under a picture, until the picture comes. */
  caption: string | null = null;
  /** The block that takes the link which surrounds it and others. */
  linked: { target: Element; mark: Mark } | null = null;
  #visit: Visit;
  #line = new Line("paragraphs");
  #breaks: Breaks = "paragraphs";
  #blocks: Block[] = [];
  /** The list directly around, if any: what is put into it becomes an item. */
  #list: OpenList | null = null;
  #item: Item | null = null;
  #skipped: Element | null = null;
  #depth = 0;
  #nesting = 0;

  constructor({
    base,
    footnotes,
    captions,
    visit,
  }: Pick<Reader, "base" | "footnotes" | "captions"> & { visit: Visit }) {
    this.base = base;
    this.footnotes = footnotes;
    this.captions = captions;
    this.#visit = visit;
  }

  /** Whether blocks can stand here: not in headings and cells. */
  get holdsBlocks(): boolean {
    return this.#breaks === "paragraphs";
  }

  get breaks(): Breaks {
    return this.#breaks;
  }

  get isInList(): boolean {
    return this.#list !== null;
  }

  get isInItem(): boolean {
    return this.#item !== null;
  }

  /** Whether another list or quote would be one too many. */
  get isNestedDeep(): boolean {
    return this.#nesting >= MAX_NESTING;
  }

  /** The image that came last, when nothing came after it. */
  get lastImage(): Inline | null {
    const last = this.#line.last;
    return last?.type === "image" ? last : null;
  }

  readChildren(parent: ParentNode, marks: Mark | null): void {
    for (const child of parent.children) this.#read(child, marks);
  }

  text(text: string, marks: Mark | null): void {
    this.#line.text(text, marks, this.isCode ? "code" : "text");
  }

  add(inline: Omit<Inline, "space">): void {
    this.#line.add({ ...inline, space: false });
  }

  endCode(): void {
    this.#line.endCode();
  }

  break(): void {
    this.#line.break();
  }

  /** The edge of a block: the paragraph ends, or where there are none, the line. */
  boundary(): void {
    if (!this.holdsBlocks) this.#line.boundary();
    else for (const content of this.#line.take()) this.append({ type: "paragraph", content });
  }

  append(block: Block): void {
    if (!this.#list) this.#blocks.push(block);
    else if (block.type === "list" && this.#list.items.length > 0) this.#list.items.at(-1)?.children.push(block);
    else this.#list.items.push(this.#newItem([block]));
  }

  /** What is read meanwhile, without one element. */
  skip(element: Element, read: () => void): void {
    const outer = this.#skipped;
    this.#skipped = element;
    read();
    this.#skipped = outer;
  }

  /** The blocks that are read meanwhile, apart from those around. */
  collect(read: () => void): Block[] {
    const [blocks, list, item] = [this.#blocks, this.#list, this.#item];
    this.boundary();
    [this.#blocks, this.#list, this.#item] = [[], null, null];
    this.#nesting++;
    read();
    this.boundary();
    this.#nesting--;
    const collected = this.#blocks;
    [this.#blocks, this.#list, this.#item] = [blocks, list, item];
    return collected;
  }

  /** The inline content that is read meanwhile, on a line of its own. */
  collectLine(breaks: Breaks, read: () => void): Inline[] {
    const [line, outer] = [this.#line, this.#breaks];
    this.#line = new Line(breaks);
    this.#breaks = breaks;
    read();
    const [content = []] = this.#line.take();
    this.#line = line;
    this.#breaks = outer;
    return content;
  }

  /** The items that are read meanwhile, and what stands between them. */
  collectItems(options: { ordered: boolean; number: number; step: number }, read: () => void): Item[] {
    const list = this.#list;
    this.boundary();
    const open: OpenList = { ...options, items: [] };
    this.#list = open;
    read();
    this.boundary();
    this.#list = list;
    return open.items;
  }

  /** An item of the list directly around, or of one that only its items show. */
  item(value: number | null, read: () => void): void {
    this.boundary();
    const list = this.#list ?? this.#impliedList();
    if (value !== null) list.number = value;
    const item = this.#newItem([], list);
    item.children = this.collect(() => {
      this.#item = item;
      read();
    });
    if (item.children.length > 0) list.items.push(item);
    else list.number -= list.step;
  }

  /** A box at the beginning of an item makes it a task. */
  check(isChecked: boolean): void {
    if (this.#item && this.#line.isEmpty && this.#blocks.length === 0) this.#item.checked ??= isChecked;
  }

  #read(node: ChildNode, marks: Mark | null): void {
    if (isText(node)) this.text(node.data, marks);
    else if (!isElement(node) || node === this.#skipped) return;
    else if (this.#depth >= MAX_DEPTH) this.#readFlat(node, marks);
    else {
      this.#depth++;
      this.#visit(this, node, this.linked?.target === node ? this.linked.mark : marks);
      this.#depth--;
    }
  }

  #readFlat(root: Element, marks: Mark | null): void {
    const stack: (ChildNode | "boundary")[] = [root];
    for (let node = stack.pop(); node; node = stack.pop()) {
      if (node === "boundary") this.boundary();
      else if (isText(node)) this.text(node.data, marks);
      else if (isElement(node) && !NEVER_TEXT.has(node.name)) {
        if (isBlock(node)) {
          this.boundary();
          stack.push("boundary");
        }
        for (let at = node.children.length - 1; at >= 0; at--) stack.push(node.children[at] as ChildNode);
      }
    }
  }

  #newItem(children: Block[], list = this.#list): Item {
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
