import { PARAGRAPH_END } from "./breaks";
import type { DomElement, DomNode } from "./dom";
import { childrenOf, isBlock, isElement, isText } from "./dom";
import { MARKER } from "./lists";

/** Readable text of a prepared tree: paragraphs apart, lists with dashes, table rows as lines with tabs, links as words. */
export function toText(root: DomElement): string {
  const writer = new TextWriter();
  visit(root, writer);
  return writer.toString();
}

type Write = (element: DomElement, writer: TextWriter) => void;

const WRITES = new Map<string, Write>([
  ["br", (element, writer) => writer.break(element.hasAttribute(PARAGRAPH_END) ? 2 : 1)],
  ["pre", (element, writer) => writer.block(2, () => writer.lines(element.textContent))],
  ["tr", (element, writer) => writer.block(1, () => writer.lines(rowOf(element)))],
  ["dt", (element, writer) => writer.block(1, () => visitChildren(element, writer))],
  ["dd", (element, writer) => writer.block(1, () => visitChildren(element, writer))],
  ["li", (element, writer) => writer.item(dashOf(element), () => visitChildren(element, writer))],
  ["ul", visitList],
  ["ol", visitList],
  ["img", (image, writer) => writer.write(isAmongWords(image) ? (image.getAttribute("alt") ?? "") : "")],
]);

function visit(node: DomNode, writer: TextWriter): void {
  if (isText(node)) writer.write(node.data);
  if (isElement(node)) (WRITES.get(node.localName) ?? (isBlock(node) ? visitBlock : visitChildren))(node, writer);
}

function visitChildren(element: DomElement, writer: TextWriter): void {
  for (let child = element.firstChild; child; child = child.nextSibling) visit(child, writer);
}

function visitBlock(element: DomElement, writer: TextWriter): void {
  writer.block(2, () => visitChildren(element, writer));
}

function visitList(list: DomElement, writer: TextWriter): void {
  writer.block(list.parentNode?.localName === "li" ? 1 : 2, () => visitChildren(list, writer));
}

function dashOf(item: DomElement): string {
  return (item.getAttribute(MARKER) ?? "-").replace("*", "-");
}

/** "See the archive and .": an image within a sentence stands for its words. */
function isAmongWords(image: DomElement): boolean {
  return [image.previousSibling, image.nextSibling].some((node) => node && isText(node) && node.data.trim() !== "");
}

/** An empty row, as the header that a table hasn't got, is no line. */
function rowOf(row: DomElement): string {
  return childrenOf(row).filter(isElement).map(cellText).join("\t").trimEnd();
}

function cellText(cell: DomElement): string {
  const writer = new TextWriter();
  for (const child of childrenOf(cell)) visit(child, writer);
  return writer.toString().replace(/\s+/g, " ");
}

/** Collects words and breaks: white space in runs is one space, and of several breaks the widest counts. */
class TextWriter {
  #parts: string[] = [];
  #breaks = 0;
  #isSpacePending = false;
  /** Whether nothing stands on the line yet but an item's marker. */
  #isLineEmpty = true;
  #indent = "";

  write(text: string): void {
    const words = text.replace(/\s+/g, " ");
    const trimmed = words.trim();
    if (trimmed === "") {
      this.#isSpacePending ||= words !== "";
      return;
    }
    if (words.startsWith(" ")) this.#isSpacePending = true;
    this.#startLine();
    if (this.#isSpacePending && !this.#isLineEmpty) this.#parts.push(" ");
    this.#parts.push(trimmed);
    this.#isLineEmpty = false;
    this.#isSpacePending = words.endsWith(" ");
  }

  break(lines: number): void {
    if (!this.#isLineEmpty) this.#breaks = Math.max(this.#breaks, lines);
    this.#isSpacePending = false;
  }

  block(margin: number, content: () => void): void {
    this.break(margin);
    content();
    this.break(margin);
  }

  /** Lines that stay as they are. */
  lines(text: string): void {
    if (text === "") return;
    this.#startLine();
    this.#parts.push(text.replace(/\n(?=[^\n])/g, `\n${this.#indent}`));
    this.#isLineEmpty = false;
  }

  item(marker: string, content: () => void): void {
    this.break(1);
    this.#startLine();
    this.#parts.push(`${marker} `);
    const outer = this.#indent;
    this.#indent += " ".repeat(marker.length + 1);
    this.#isLineEmpty = true;
    content();
    this.#indent = outer;
    this.#isLineEmpty = false;
    this.#breaks = 1;
    this.#isSpacePending = false;
  }

  toString(): string {
    return this.#parts.join("").trim();
  }

  #startLine(): void {
    if (this.#breaks > 0) {
      this.#parts.push("\n".repeat(this.#breaks), this.#indent);
      this.#isLineEmpty = true;
    }
    this.#breaks = 0;
  }
}
