import type { Block, Inline, Mark, Table } from "../html/ast/blocks";
import { InlineBuilder } from "../html/ast/inline-builder";
import type { PageLink } from "../html/links";
import { Budget } from "../lib/budget";
import { AppError } from "../model/errors";
import { appendItem } from "./list";
import { isLinkUrl, type LoadedDocument, OfficePackage } from "./package";
import { countLines, type Grid, toTable } from "./table";
import { childAt, childrenOf, textOf, type XmlElement } from "./xml";
import { ENCRYPTED_MESSAGE, type Zip } from "./zip";

/** The largest number of lines in the cells of all tables together. */
const MAX_CELLS = 100_000;
/** The maximum number of columns of a table in a text. */
const MAX_COLUMNS = 100;
/** The maximum number of columns of a sheet whose visibility is read. */
const MAX_SHEET_COLUMNS = 16_384;
const MAX_HEADING_DEPTH = 6;
const MAX_SPACES = 100;

/** Elements whose content isn't part of the text around them. Footnotes and text boxes have their own blocks. */
const SKIPPED = /^(?:annotation|annotation-end|note|ruby-text|tracked-changes|image|object|desc|title)$/;
const BOXES = /^(?:frame|text-box)$/;

/**
 * Reads a text document (ODT) or a spreadsheet (ODS) of OpenDocument 1.3. The cells of a spreadsheet contain their texts
 * as they are shown. Throws AppError.
 */
export async function readOdf(zip: Zip, signal: AbortSignal): Promise<LoadedDocument> {
  const file = new OfficePackage(zip, signal);
  for (const entry of await file.readAll("META-INF/manifest.xml", "manifest")) {
    if (childAt(entry, "encryption-data")) throw new AppError("unsupported_content", ENCRYPTED_MESSAGE);
  }
  const reader = new OdfReader(file);
  const metadata = await file.metadata("meta.xml", "meta");
  for (const part of ["styles.xml", "content.xml"]) {
    for await (const found of file.read(part, "styles", "automatic-styles", "text", "table")) {
      if (found.parent === "text") reader.readBlock(found.element, reader.blocks);
      else if (found.parent === "table") reader.readSheetPart(found.attributes, found.element);
      else reader.readStyle(found.element);
      if (reader.isFull) break;
    }
  }
  reader.endSheet();
  return {
    type: "OpenDocument file",
    blocks: [...reader.blocks, ...reader.notes],
    metadata,
    links: [...reader.links.values()],
    ...((file.isTruncated || reader.isFull) && { truncated: true }),
  };
}

/** The formatting of an automatic style. */
interface OdfStyle {
  kinds: ("strong" | "emphasis")[];
  isHidden: boolean;
}

interface Sheet {
  attributes: ReadonlyMap<string, string>;
  grid: Grid;
  rows: number;
  columns: number;
  hiddenColumns: Set<number>;
  isHidden: boolean;
}

class OdfReader {
  readonly blocks: Block[] = [];
  readonly notes: Block[] = [];
  readonly links = new Map<string, PageLink>();
  readonly #file: OfficePackage;
  readonly #cells = new Budget(MAX_CELLS);
  readonly #styles = new Map<string, OdfStyle>();
  readonly #orderedLists = new Set<string>();
  /** The sheet that is being read. `attributes` identifies it. */
  #sheet: Sheet | null = null;
  #isTableCut = false;

  constructor(file: OfficePackage) {
    this.#file = file;
  }

  get isFull(): boolean {
    return this.#file.isTruncated || this.#cells.isUsedUp || this.#isTableCut;
  }

  readStyle(element: XmlElement): void {
    const name = element.attributes.get("name") ?? "";
    if (element.name === "list-style") {
      if (childrenOf(element)[0]?.name === "list-level-style-number") this.#orderedLists.add(name);
    } else if (element.name === "style") {
      const text = childAt(element, "text-properties")?.attributes;
      const kinds: OdfStyle["kinds"] = [];
      if (/^(?:bold|[6-9]00)$/.test(text?.get("font-weight") ?? "")) kinds.push("strong");
      if (text?.get("font-style") === "italic") kinds.push("emphasis");
      const isHidden =
        childAt(element, "table-properties")?.attributes.get("display") === "false" || text?.get("display") === "none";
      this.#styles.set(name, { kinds, isHidden });
    }
  }

  readBlock(element: XmlElement, blocks: Block[]): void {
    const { name, attributes } = element;
    if (name === "p" || name === "h") {
      const [content] = this.#readInline(element, name === "h" ? "none" : "single");
      if (content !== undefined && name === "h") {
        const depth = Math.min(Math.max(Number(attributes.get("outline-level")) || 1, 1), MAX_HEADING_DEPTH);
        blocks.push({ type: "heading", depth, content });
      } else if (content !== undefined) blocks.push({ type: "paragraph", content });
      for (const box of findAll(element, "text-box"))
        for (const child of childrenOf(box)) this.readBlock(child, blocks);
    } else if (name === "list") this.#readList(element, blocks, 0, false);
    else if (name === "table") this.#readTable(element, blocks);
    else if (!SKIPPED.test(name)) for (const child of childrenOf(element)) this.readBlock(child, blocks);
  }

  #readList(list: XmlElement, blocks: Block[], level: number, isOrdered: boolean): void {
    const style = list.attributes.get("style-name");
    const ordered = style === undefined ? isOrdered : this.#orderedLists.has(style);
    for (const item of childrenOf(list)) {
      for (const child of childrenOf(item)) {
        if (child.name === "list") this.#readList(child, blocks, level + 1, ordered);
        else if (child.name === "p") {
          const [content] = this.#readInline(child, "single");
          if (content !== undefined) appendItem(blocks, level, ordered, content);
        } else this.readBlock(child, blocks); // A heading with a number is a list of one heading.
      }
    }
  }

  #readTable(element: XmlElement, blocks: Block[]): void {
    const header = childAt(element, "table-header-rows");
    const rows = findAll(element, "table-row").map((row) => {
      const cells: Inline[][] = [];
      for (const cell of childrenOf(row)) {
        const content = cell.name === "table-cell" ? this.#readCell(cell) : [];
        const count = countOf(cell, "number-columns-repeated");
        for (let i = 0; i < count && cells.length < MAX_COLUMNS; i++) cells.push(i === 0 ? content : []);
      }
      return cells;
    });
    const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0);
    const alignments = Array.from({ length: width }, () => "" as const);
    const table: Table = { type: "table", alignments, rows: header ? rows : [[], ...rows] };
    if (rows.length > 0) blocks.push(table);
  }

  #readCell(cell: XmlElement): Inline[] {
    const inline = new InlineBuilder("single");
    for (const paragraph of findAll(cell, "p", "h")) {
      inline.endBlock();
      this.#addInline(paragraph, inline, null);
    }
    return this.#cells.spend(1) ? inline.take().flat() : [];
  }

  /** Reads a row, or a group of rows, of a sheet. `attributes` are those of the sheet. */
  readSheetPart(attributes: ReadonlyMap<string, string>, element: XmlElement): void {
    if (this.#sheet?.attributes !== attributes) {
      this.endSheet();
      const isHidden = this.#styles.get(attributes.get("style-name") ?? "")?.isHidden === true;
      this.#sheet = { attributes, grid: new Map(), rows: 0, columns: 0, hiddenColumns: new Set(), isHidden };
    }
    const sheet = this.#sheet;
    if (sheet === null || sheet.isHidden) return;
    for (const column of element.name === "table-column" ? [element] : findAll(element, "table-column")) {
      const end = sheet.columns + countOf(column, "number-columns-repeated");
      for (let i = sheet.columns; !isShown(column) && i < Math.min(end, MAX_SHEET_COLUMNS); i++)
        sheet.hiddenColumns.add(i);
      sheet.columns = end;
    }
    for (const row of element.name === "table-row" ? [element] : findAll(element, "table-row")) {
      const cells = new Map<number, string>();
      let column = 0;
      for (const cell of childrenOf(row)) {
        const text = findAll(cell, "p").map(textOfLine).join("\n").trim();
        const repeated = countOf(cell, "number-columns-repeated");
        for (let i = 0; text !== "" && i < repeated; i++) {
          if (sheet.hiddenColumns.has(column + i)) continue;
          if (!this.#cells.spend(countLines(text)) || !this.#file.chars.spend(text.length)) break;
          cells.set(column + i, text);
        }
        column += repeated;
      }
      const repeated = countOf(row, "number-rows-repeated");
      if (isShown(row) && cells.size > 0) {
        sheet.grid.set(sheet.rows, cells);
        const length = [...cells.values()].reduce((sum, text) => sum + text.length, 0);
        for (let i = 1; i < repeated && this.#cells.spend(cells.size) && this.#file.chars.spend(length); i++)
          sheet.grid.set(sheet.rows + i, cells);
      }
      sheet.rows += repeated;
      for (const link of findAll(row, "a")) this.#addLink(link.attributes.get("href") ?? "", textOf(link));
    }
  }

  endSheet(): void {
    const table = this.#sheet === null ? null : toTable(this.#sheet.grid);
    if (this.#sheet !== null && table !== null) {
      const value = (this.#sheet.attributes.get("name") ?? "").trim();
      const content: Inline[] = [{ type: "text", value, space: false, marks: null }];
      if (value !== "") this.blocks.push({ type: "heading", depth: 2, content });
      this.blocks.push(table.table);
      this.#isTableCut ||= table.truncated;
    }
    this.#sheet = null;
  }

  #readInline(element: XmlElement, breaks: "single" | "none"): Inline[][] {
    const inline = new InlineBuilder(breaks);
    this.#addInline(element, inline, null);
    return inline.take();
  }

  #addInline(element: XmlElement, inline: InlineBuilder, marks: Mark | null): void {
    for (const child of element.children) {
      if (typeof child === "string") {
        if (this.#file.chars.spend(child.length)) inline.text(child, marks);
        continue;
      }
      const { name, attributes } = child;
      if (name === "s") inline.text(" ".repeat(Math.min(Number(attributes.get("c")) || 1, MAX_SPACES)), marks);
      else if (name === "tab") inline.text(" ", marks);
      else if (name === "line-break") inline.break();
      else if (name === "note") this.#addNote(child, inline);
      else if (name === "a") {
        const url = attributes.get("href") ?? "";
        const isLink = isLinkUrl(url);
        if (isLink) this.#addLink(url, textOf(child));
        this.#addInline(child, inline, isLink ? { kind: "link", outer: marks, url } : marks);
      } else if (name === "span") {
        const style = this.#styles.get(attributes.get("style-name") ?? "");
        const inner = (style?.kinds ?? []).reduce<Mark | null>((outer, kind) => ({ kind, outer }), marks);
        if (style?.isHidden !== true) this.#addInline(child, inline, inner);
      } else if (!BOXES.test(name) && !SKIPPED.test(name)) this.#addInline(child, inline, marks);
    }
  }

  #addNote(note: XmlElement, inline: InlineBuilder): void {
    const label = String(this.notes.length + 1);
    const children: Block[] = [];
    // Reserves the label first, because a note can contain another one.
    this.notes.push({ type: "footnote", label, children });
    inline.add({ type: "footnote", value: label, space: false, marks: null });
    for (const block of childrenOf(childAt(note, "note-body"))) this.readBlock(block, children);
  }

  #addLink(url: string, text: string): void {
    if (!isLinkUrl(url) || this.links.has(url)) return;
    // Links can be nested, so that the same text is in each of them.
    if (this.#file.chars.spend(text.length)) this.links.set(url, { url, text: text.trim() });
  }
}

function countOf({ attributes }: XmlElement, name: string): number {
  return Math.max(Number(attributes.get(name)) || 1, 1);
}

function isShown({ attributes }: XmlElement): boolean {
  return (attributes.get("visibility") ?? "visible") === "visible";
}

/** Returns the text of a paragraph in a cell of a sheet. */
function textOfLine(paragraph: XmlElement): string {
  return paragraph.children
    .map((child) => {
      if (typeof child === "string") return child;
      if (child.name === "line-break") return "\n";
      return child.name === "s" ? " " : SKIPPED.test(child.name) ? "" : textOfLine(child);
    })
    .join("");
}

/** Returns the outermost elements with one of the names below `element`, without those in comments. */
function findAll(element: XmlElement, ...names: string[]): XmlElement[] {
  return childrenOf(element).flatMap((child) => {
    if (names.includes(child.name)) return [child];
    return SKIPPED.test(child.name) ? [] : findAll(child, ...names);
  });
}
