import { type ChildNode, Element, Text } from "domhandler";
import type { Block, Inline, Table } from "../ast/blocks";
import { buildBlocks } from "../ast/build";
import { visiblePage } from "../main-content/main-content";
import { bodyOf } from "../parse/document";
import { isHeading, NEVER_TEXT } from "../parse/dom";
import { collapseAndTrim } from "../parse/white-space";
import { inlineText } from "../text/text";
import type { VisiblePage } from "../visible-page";
import type { DataNode } from "./data-node";
import type { DataWriter } from "./data-writer";
import type { PageParts } from "./page-parts";
import { isOtherHeading, wordsOf } from "./part-names";
import { readShownText } from "./shown-text";

/** The name of the value that is the text of the page's main part, without former prices. */
export const PAGE_TEXT = "#text";
/** The name of the value that is the text of all parts of the page, without former prices. */
export const WHOLE_TEXT = "#whole";
const MAX_LABEL_CHARS = 50;
const MAX_LABEL_WORDS = 6;
const MAX_VALUE_CHARS = 400;
/** A table cell can hold a longer text than the value after a label. */
const MAX_CELL_CHARS = 2_000;
/** Matches a label and its value in one line, such as "Prep time: 15 minutes". */
const LABELED = /^([^:：]{2,50}?)\s*[:：]\s*(\S.*)$/su;
const SCHEME = /^[a-z][a-z\d+.-]*$/i;

/**
 * Reads the data that the page shows with labels: tables, definition lists, and rows with a label and a value. Marks those
 * in parts about something else than the page's subject. Reads the headings of the first level and the text of the page,
 * too.
 */
export function readShownData(
  { document, hidden }: VisiblePage,
  { parts, baseUrl, writer }: { parts: PageParts; baseUrl: string; writer: DataWriter },
): DataNode[] {
  const { asides, repeated, site, formerPrices, sections, headline } = parts;
  const current = hidden.union(formerPrices);
  const aroundSubject = current.union(asides).union(repeated).union(site);
  const read = (mode: "main" | "facts", excluded: ReadonlySet<ChildNode>) => {
    const root = visiblePage(document, excluded);
    const reader = new ShownDataReader(writer, { headline, mode });
    reader.readBlocks(buildBlocks(root, { baseUrl }));
    reader.readRows(root);
    return reader.nodes;
  };
  const body = bodyOf(document);
  return [
    ...read("main", aroundSubject),
    // The same texts without the sections are those that describe the subject.
    ...read("facts", aroundSubject.union(sections)),
    toTextNode(PAGE_TEXT, readShownText(body, aroundSubject)),
    toTextNode(WHOLE_TEXT, readShownText(body, current)),
  ];
}

/** Returns a text of the page as one value, to which the declared values can be compared. */
function toTextNode(name: string, value: string): DataNode {
  return { kind: "value", name, source: "label", value, quote: "", position: "body" };
}

class ShownDataReader {
  readonly nodes: DataNode[] = [];
  readonly #writer: DataWriter;
  readonly #headline: string | null;
  readonly #headlineWords: ReadonlySet<string>;
  readonly #mode: "main" | "facts";
  #tables = 0;
  #definitionLists = 0;
  #labels = 0;
  /** The texts of the terms before a description. */
  #terms: string[] = [];
  /** True if the terms have a description. */
  #isDescribed = false;

  /** With `facts`, reads only labels, which describe the page's subject. */
  constructor(writer: DataWriter, { headline, mode }: { headline: string | null; mode: "main" | "facts" }) {
    this.#writer = writer;
    this.#headline = headline;
    this.#headlineWords = new Set(wordsOf(headline ?? ""));
    this.#mode = mode;
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
        if (block.depth === 1) this.#addHeading(textOf(block.content));
        break;
      case "paragraph":
        for (const line of textOf(block.content).split("\n")) this.#readLine(line);
        break;
      case "list":
        for (const { children } of block.items) this.#readItem(children);
        break;
      case "quote":
        this.readBlocks(block.children);
        break;
      case "term":
        if (this.#isDescribed) this.#terms = [];
        this.#isDescribed = false;
        this.#terms.push(textOf(block.content));
        break;
      case "description":
        this.#readDescription(block.children);
        break;
      case "table":
        this.#readTable(block);
    }
  }

  /** Reads an item of a list. Labels in a list below the item's text belong to this text. */
  #readItem(children: readonly Block[]): void {
    const hasText = children.some(({ type }) => type === "paragraph" || type === "heading");
    this.readBlocks(hasText ? children.filter(({ type }) => type !== "list") : children);
  }

  /** Adds a value for each term. A term with several descriptions has several values. */
  #readDescription(children: readonly Block[]): void {
    const terms = this.#terms;
    const text = children.map((child) => ("content" in child ? textOf(child.content) : "")).join("\n");
    for (const term of terms) this.#add(withoutColon(term), text, "definition_list", `dl[${this.#definitionLists++}]`);
    // Labels in a description belong to its term.
    if (terms.length === 0) this.readBlocks(children);
    this.#terms = terms;
    this.#isDescribed = true;
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
    const isList = names.length > 1 && names.filter((name) => name !== "").length > 1 && rows.length > 0;
    if (isList && this.#mode === "main") {
      const objects = rows.map((row, at) => this.#toRecord(names, row, `${position}/${at}`));
      const list = this.#writer.toList({ name: "", source: "table", position }, objects);
      if (list !== null) this.nodes.push(list);
    }
    // The second column can be another product, or the values per 100 g.
    const isOther = isOtherHeading(names[1] ?? "", this.#headlineWords);
    if (![header, ...rows].every((row) => row.length <= 2) || isOther) return;
    for (const [at, [label = [], value]] of rows.entries()) {
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
      // Rows in the value of a label belong to the label.
      if ((pair?.isLabelPlain && isOtherHeading(pair.label, this.#headlineWords)) || isLabeledRow(element)) continue;
      const children = element.children.filter(
        (child) => child instanceof Element && !(/^[ou]l$/.test(child.name) && hasOwnText(element)),
      ) as Element[];
      for (let at = children.length - 1; at >= 0; at--) {
        const child = children[at];
        if (child !== undefined) stack.push({ element: child, path: `${path}>${child.name}:nth-child(${at + 1})` });
      }
    }
  }

  #addHeading(text: string): void {
    if (this.#mode !== "main") return;
    const node = this.#writer.toValue({ name: "h1", source: "label", position: `h1[${this.#labels++}]` }, text);
    const isOther = this.#headline !== null && this.#headline !== text;
    if (node !== null) this.nodes.push(isOther ? { ...node, part: "section" } : node);
  }

  #add(label: string, text: string, source: "table" | "definition_list" | "label", position: string): void {
    const name = collapseAndTrim(label);
    if (name === "" || name.length > MAX_LABEL_CHARS * 2) return;
    const node = this.#writer.toValue({ name, source, position }, text);
    if (node !== null) this.nodes.push(this.#mode === "main" ? { ...node, part: "section" } : node);
  }
}

/** Returns true for a row of a table or a description whose other cells are the value of its label. */
function isLabeledRow(element: Element): boolean {
  if (element.name === "dd") return true;
  if (element.name !== "tr") return false;
  const [first, second] = element.children.filter((child) => child instanceof Element);
  return first !== undefined && second !== undefined && isLabel(withoutColon(shortText(first) ?? ""));
}

/** Returns true for an item of a list with a text besides the lists in it. */
function hasOwnText(element: Element): boolean {
  return (
    element.name === "li" &&
    element.children.some((child) =>
      child instanceof Text
        ? child.data.trim() !== ""
        : child instanceof Element && !/^[ou]l$/.test(child.name) && shortText(child) !== "",
    )
  );
}

/**
 * Returns the label and the value if the element has exactly two child elements with short texts. `isLabelPlain` is false
 * if the label has further elements, because these can be a label and its value.
 */
function pairIn(element: Element): { label: string; value: string; isLabelPlain: boolean } | null {
  if (element.name === "tr" || element.name === "dl" || element.children.length > 7) return null;
  const texts: string[] = [];
  let isLabelPlain = true;
  for (const child of element.children) {
    if (child instanceof Text) {
      const own = collapseAndTrim(child.data.slice(0, MAX_VALUE_CHARS));
      if (own !== "" && own !== ":") texts.push(own);
    } else if (child instanceof Element && !NEVER_TEXT.has(child.name) && child.name !== "br") {
      const text = shortText(child);
      if (text === null) return null;
      if (text !== "" && texts.length === 0)
        isLabelPlain = !isHeading(child) && !child.children.some((inner) => inner instanceof Element);
      if (text !== "") texts.push(text);
    }
    if (texts.length > 2) return null;
  }
  const [label = "", value = ""] = texts;
  const name = withoutColon(label);
  if (LABELED.test(label)) return null;
  // One of both must be an element. Otherwise, the text only has a break.
  if (texts.length !== 2 || !isLabel(name) || !element.children.some((child) => child instanceof Element)) return null;
  return { label: name, value: value.replace(/^[:：]\s*/, ""), isLabelPlain };
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
