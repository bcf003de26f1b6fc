import { Element, Text } from "domhandler";
import { type Block, hasMark, type Inline, type Table } from "../ast/blocks";
import { buildBlocks } from "../ast/build";
import { NEVER_TEXT } from "../parse/dom";
import { collapseAndTrim } from "../parse/white-space";
import { inlineText, writeText } from "../text/text";
import type { DataNode } from "./data-node";
import type { DataWriter } from "./data-writer";

/** The name of the value that is the text of the page. */
export const PAGE_TEXT = "#text";
/** Stands before each piece of text that is struck through. */
export const STRUCK = "~~";
const MAX_TEXT_CHARS = 1_000_000;
const MAX_LABEL_CHARS = 50;
const MAX_LABEL_WORDS = 6;
const MAX_VALUE_CHARS = 400;
/** A table cell can hold a longer text than the value after a label. */
const MAX_CELL_CHARS = 2_000;
/** Matches a label and its value in one line, such as "Prep time: 15 minutes". */
const LABELED = /^([^:：]{2,50}?)\s*[:：]\s*(\S.*)$/su;
const SCHEME = /^[a-z][a-z\d+.-]*$/i;

/**
 * Reads the data that the page shows with labels: tables, definition lists, and rows with a label and a value. Reads the
 * headings of the first level and the text of the page, too. `whole` is a copy of the page without its hidden parts.
 */
export function readShownData(
  whole: Element,
  { baseUrl, writer }: { baseUrl: string; writer: DataWriter },
): DataNode[] {
  const blocks = buildBlocks(whole, { baseUrl });
  const reader = new ShownDataReader(writer);
  reader.readBlocks(blocks);
  reader.readRows(whole);
  return [...reader.nodes, toTextNode(blocks)];
}

/** Returns the text of the page as one value, to which the declared values can be compared. */
function toTextNode(blocks: Block[]): DataNode {
  labelStruck(blocks);
  const text = writeText(blocks).slice(0, MAX_TEXT_CHARS);
  return { kind: "value", name: PAGE_TEXT, source: "label", value: text, quote: "", position: "body" };
}

/** Writes `STRUCK` before the texts that are struck through, such as former prices. */
function labelStruck(blocks: readonly Block[]): void {
  const pending: object[] = [...blocks];
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if (isInline(part)) {
      if (hasMark(part.marks, "strike")) part.value = `${STRUCK}${part.value}`;
    } else
      for (const inner of Object.values(part)) if (typeof inner === "object" && inner !== null) pending.push(inner);
  }
}

function isInline(part: object): part is Inline {
  return "marks" in part && "value" in part;
}

class ShownDataReader {
  readonly nodes: DataNode[] = [];
  readonly #writer: DataWriter;
  #tables = 0;
  #definitionLists = 0;
  #labels = 0;
  /** The texts of the terms before a description. */
  #terms: string[] = [];

  constructor(writer: DataWriter) {
    this.#writer = writer;
  }

  readBlocks(blocks: readonly Block[]): void {
    for (const block of blocks) {
      if (block.type !== "term" && block.type !== "description") this.#terms = [];
      if (this.#writer.isFull) return;
      this.#readBlock(block);
    }
  }

  #readBlock(block: Block): void {
    switch (block.type) {
      case "heading":
        if (block.depth === 1) this.#add("h1", textOf(block.content), "label", `h1[${this.#labels++}]`);
        break;
      case "paragraph":
        for (const line of textOf(block.content).split("\n")) this.#readLine(line);
        break;
      case "list":
        for (const { children } of block.items) this.readBlocks(children);
        break;
      case "quote":
        this.readBlocks(block.children);
        break;
      case "term":
        this.#terms.push(textOf(block.content));
        break;
      case "description":
        this.#readDescription(block.children);
        break;
      case "table":
        this.#readTable(block);
    }
  }

  #readDescription(children: readonly Block[]): void {
    const terms = this.#terms;
    const text = children.map((child) => ("content" in child ? textOf(child.content) : "")).join("\n");
    for (const term of terms) this.#add(withoutColon(term), text, "definition_list", `dl[${this.#definitionLists++}]`);
    this.readBlocks(children);
    this.#terms = terms.length > 0 && children.length > 0 ? [] : terms;
  }

  #readLine(line: string): void {
    const [, label = "", value = ""] =
      LABELED.exec(collapseAndTrim(line.slice(0, MAX_VALUE_CHARS + MAX_LABEL_CHARS))) ?? [];
    // The part of a URL or of a time before its colon isn't a label.
    if (value.startsWith("//") && SCHEME.test(label)) return;
    if (isLabel(label)) this.#add(label, value, "label", `label[${this.#labels++}]`);
  }

  /** Adds a value for each row of a table with two columns. Adds the rows of a table with a header as objects. */
  #readTable({ rows: [header = [], ...rows] }: Table): void {
    const position = `table[${this.#tables++}]`;
    const names = header.map((cell) => withoutColon(textOf(cell)));
    if (names.length > 1 && names.filter((name) => name !== "").length > 1 && rows.length > 0) {
      const objects = rows.map((row, at) => this.#toRecord(names, row, `${position}/${at}`));
      const list = this.#writer.toList({ name: "", source: "table", position }, objects);
      if (list !== null) this.nodes.push(list);
    }
    const pairs = header.length === 0 ? rows : [header, ...rows];
    if (!pairs.every((row) => row.length <= 2)) return;
    for (const [at, [label = [], value]] of pairs.entries()) {
      if (value === undefined) continue;
      const text = textOf(value);
      if (text.length <= MAX_CELL_CHARS) this.#add(withoutColon(textOf(label)), text, "table", `${position}/${at}`);
    }
  }

  #toRecord(names: readonly string[], row: readonly Inline[][], position: string): DataNode | null {
    const members = names.map((name, at) => {
      const text = textOf(row[at] ?? []);
      if (name === "" || text === "" || text.length > MAX_CELL_CHARS) return null;
      return this.#writer.toValue({ name, source: "table", position: `${position}/${name}` }, text);
    });
    return this.#writer.toObject({ name: "", source: "table", position }, [], members);
  }

  /** Adds elements that consist of two elements: a label and a value. */
  readRows(root: Element): void {
    const stack: { element: Element; path: string }[] = [{ element: root, path: "" }];
    for (let next = stack.pop(); next !== undefined && !this.#writer.isFull; next = stack.pop()) {
      const { element, path } = next;
      const pair = pairIn(element);
      if (pair !== null) this.#add(pair.label, pair.value, "label", path);
      const children = element.children.filter((child) => child instanceof Element);
      for (let at = children.length - 1; at >= 0; at--) {
        const child = children[at];
        if (child !== undefined) stack.push({ element: child, path: `${path}>${child.name}:nth-child(${at + 1})` });
      }
    }
  }

  #add(label: string, text: string, source: "table" | "definition_list" | "label", position: string): void {
    const name = collapseAndTrim(label);
    if (name === "" || name.length > (name === "h1" ? 2 : MAX_LABEL_CHARS * 2)) return;
    const node = this.#writer.toValue({ name, source, position }, text);
    if (node !== null) this.nodes.push(node);
  }
}

/** Returns the label and the value if the element has exactly two child elements with short texts. */
function pairIn(element: Element): { label: string; value: string } | null {
  if (element.name === "tr" || element.name === "dl" || element.children.length > 7) return null;
  const texts: string[] = [];
  for (const child of element.children) {
    if (child instanceof Text) {
      const own = collapseAndTrim(child.data.slice(0, MAX_VALUE_CHARS));
      if (own !== "" && own !== ":") texts.push(own);
    } else if (child instanceof Element && !NEVER_TEXT.has(child.name) && child.name !== "br") {
      const text = shortText(child);
      if (text === null) return null;
      if (text !== "") texts.push(text);
    }
    if (texts.length > 2) return null;
  }
  const [label = "", value = ""] = texts;
  const name = withoutColon(label);
  // One of both must be an element. Otherwise, the text only has a break.
  if (texts.length !== 2 || !isLabel(name) || !element.children.some((child) => child instanceof Element)) return null;
  return { label: name, value: value.replace(/^[:：]\s*/, "") };
}

/** Returns the text of an element, or null if it has more than `MAX_VALUE_CHARS` characters or too many nodes. */
function shortText(root: Element): string | null {
  let text = "";
  let nodes = 0;
  const stack = root.children.toReversed();
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (++nodes > 20 || text.length > MAX_VALUE_CHARS) return null;
    if (node instanceof Text) text += node.data;
    else if (node instanceof Element && !NEVER_TEXT.has(node.name)) {
      text += " ";
      if (node.children.length > 20) return null;
      for (let at = node.children.length - 1; at >= 0; at--) {
        const child = node.children[at];
        if (child !== undefined) stack.push(child);
      }
    }
  }
  return collapseAndTrim(text);
}

function isLabel(text: string): boolean {
  return (
    text.length > 1 &&
    text.length <= MAX_LABEL_CHARS &&
    text.split(" ").length <= MAX_LABEL_WORDS &&
    !/\d{3}|[.!?]$/.test(text)
  );
}

function withoutColon(label: string): string {
  return collapseAndTrim(label).replace(/\s*[:：]$/, "");
}

function textOf(content: readonly Inline[]): string {
  return inlineText([...content]);
}
