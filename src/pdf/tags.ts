import type { Box, PageContent, Tag, TextRun } from "./page-content";
import { arrangePage, type PageElement } from "./regions";
import { boxOf, type Chunk, type Row, toChunk, toRows } from "./rows";
import type { CellGrid } from "./tables";

/** A paragraph of a tagged page. */
export interface TaggedParagraph {
  kind: "paragraph";
  lines: TextRun[][];
  /** The depth of a heading. Null for other text. Undefined if the document tags no headings. */
  depth?: number | null;
  /** The number of lists around the item's list. */
  level?: number;
}

type Block = Pick<TaggedParagraph, "depth" | "level">;

/** Elements inside of a paragraph, and those whose content belongs to the element around them. */
const INLINE =
  /^(?:Root|Span|Link|Quote|Reference|BibEntry|Code|Em|Strong|Sub|Annot|Form|Formula|Ruby|R[BTP]|Warichu|W[TP]|NonStruct|Private|Lbl|LBody)$/;
const HEADING = /^(?:H[1-6]?|Title)$/;
const LIST = /^(?:L|TOC)$/;
const ITEM = /^(?:LI|TOCI)$/;
const ROW_GROUP = /^T(?:Head|Body|Foot)$/;
const NOTE = /^(?:Note|FENote)$/;
/** The maximum share of the characters of a tagged page that have no tag. */
const MAX_UNTAGGED = 0.1;
/** The rows with the most cells show where the columns of a table are. */
const MAX_COMPARED_ROWS = 100;
/** The cells of wider tables aren't compared with each other. */
const MAX_COLUMNS = 200;

/**
 * Reads the pages whose tags have most of their text. Their other text comes last. Returns no pages if the document tags
 * no headings, lists or tables, because tools that don't know the document tag everything as paragraphs. `rows` has the
 * text without running heads.
 */
export function readTaggedPages(
  pages: readonly PageContent[],
  rows: readonly (readonly Row[])[],
): Map<PageContent, (TaggedParagraph | PageElement)[]> {
  const tagged = new Map<PageContent, (TaggedParagraph | PageElement)[]>();
  const roles = new Set<string>();
  for (const [i, page] of pages.entries()) {
    if (!page.tags) continue;
    const runs = (rows[i] ?? []).flatMap(({ chunks }) => chunks.flatMap((chunk) => chunk.runs));
    const reader = new TagReader(page, new Set(runs));
    const all = charsIn(reader.rest());
    reader.read(page.tags, {}, false);
    const rest = reader.rest();
    if (charsIn(rest) > all * MAX_UNTAGGED || all === 0) continue;
    for (const role of reader.roles) roles.add(role);
    tagged.set(page, reader.elements);
    const others = { ...page, runs: rest, shapes: [] };
    reader.elements.push(...arrangePage(toRows(others), others));
  }
  const all = [...roles];
  if (all.some((role) => HEADING.test(role))) {
    for (const element of [...tagged.values()].flat()) if (element.kind === "paragraph") element.depth ??= null;
  } else if (!all.some((role) => LIST.test(role) || role === "Table")) tagged.clear();
  return tagged;
}

class TagReader {
  readonly elements: (TaggedParagraph | PageElement)[] = [];
  readonly roles = new Set<string>();
  /** The text by the id of its marked content. Reading removes it. */
  readonly #texts = new Map<string, TextRun[]>();
  #runs: TextRun[] = [];
  #notes: Tag[] = [];

  constructor({ runs }: PageContent, kept: ReadonlySet<TextRun>) {
    for (const run of runs) {
      const { mark = "" } = run;
      if (!kept.has(run) || mark === "Artifact") continue;
      const texts = this.#texts.get(mark) ?? [];
      texts.push(run);
      this.#texts.set(mark, texts);
    }
  }

  /** Returns the text that wasn't read. */
  rest(): TextRun[] {
    return [...this.#texts.values()].flat();
  }

  /**
   * Reads an element. Chromium has the same type for boxes and for parts of lines. Inside of a paragraph and next to text,
   * such an element is a part of a line. Otherwise, it begins a paragraph if it begins a line.
   */
  read(tag: Tag, block: Block, isInParagraph: boolean): void {
    const { role = "", alt = "" } = tag;
    this.roles.add(role);
    if (NOTE.test(role) && isInParagraph) {
      this.#notes.push({ ...tag, role: "P" });
      return;
    }
    const isInline = INLINE.test(role) || (block.level !== undefined && role === "P");
    if (!isInline) {
      this.#flush(block);
      if (role === "Table" && this.#readTable(tag)) return;
    } else if (!isInParagraph) {
      const [last, first] = [this.#runs.at(-1), this.#runsOf(tag)[0]];
      if (last && first && !isSameLine(last, first)) this.#flush(block);
    }
    const inner = isInline ? block : toBlock(role, block);
    if (role === "Figure" && alt !== "") this.#runs.push({ text: alt, x: 0, y: 0, width: 0, size: 0 });
    if (role === "Figure") this.#flush(block);
    const children = tag.children ?? [];
    const isText = isInParagraph || role === "P" || ITEM.test(role) || children.some((child) => this.#isText(child));
    for (const child of children) {
      if (child.children) this.read(child, inner, isText);
      else for (const run of this.#take(child)) this.#runs.push(run);
    }
    if (!isInline) this.#flush(inner);
  }

  #take({ id = "" }: Tag): TextRun[] {
    const runs = this.#texts.get(id) ?? [];
    this.#texts.delete(id);
    return runs;
  }

  #flush(block: Block): void {
    if (this.#runs.length > 0) this.elements.push({ kind: "paragraph", lines: toLines(this.#runs), ...block });
    this.#runs = [];
    for (const note of this.#notes.splice(0)) this.read(note, {}, true);
  }

  #runsOf({ id = "", children = [] }: Tag): TextRun[] {
    return this.#texts.get(id) ?? children.flatMap((child) => this.#runsOf(child));
  }

  /** Returns true for text, and for an element that contains only text. */
  #isText({ id, role = "", children }: Tag): boolean {
    if (children === undefined) return this.#texts.has(id ?? "");
    return (
      INLINE.test(role) && children.length > 0 && children.every((child) => this.#isText(child) && !child.children)
    );
  }

  /** Adds a table. Returns false for one that only places its content, as it has one column or row or contains another. */
  #readTable(table: Tag): boolean {
    const [rows, others]: [Tag[], Tag[]] = [[], []];
    const visit = (child: Tag) => {
      if (child.role === "TR") rows.push(child);
      else if (ROW_GROUP.test(child.role ?? "")) child.children?.forEach(visit);
      else others.push(child);
    };
    table.children?.forEach(visit);
    const isLayout = rows.length < 2 || rows.every(({ children = [] }) => children.length < 2) || hasTable(table);
    if (isLayout) return false;
    for (const other of others) this.read({ role: "P", children: [other] }, {}, true);
    const cells = rows.map(({ children = [] }) =>
      children.map((cell) => toLines(this.#runsOf(cell)).map((line) => toChunk(line, 0))),
    );
    for (const { children = [] } of rows) this.#removeTexts(children);
    const filled = cells.map((row) => row.filter((cell) => cell.length > 0)).filter((row) => row.length > 0);
    if (filled.length > 0)
      this.elements.push({ kind: "table", table: { ...boxOf(filled.flat(2)), cells: toGrid(filled) } });
    return true;
  }

  #removeTexts(tags: readonly Tag[]): void {
    for (const tag of tags) {
      this.#take(tag);
      this.#removeTexts(tag.children ?? []);
    }
  }
}

/** Puts the cells of rows into columns by their positions. The tags have no spans, and Chromium leaves out empty cells. */
function toGrid(rows: Chunk[][][]): CellGrid {
  if (rows.some((row) => row.length > MAX_COLUMNS)) return rows;
  const columns: Box[] = [];
  /** Returns the column of each cell, or -1 for a cell outside all columns. */
  const place = (cells: readonly Box[]): number[] => {
    const isInPlace = ({ left, right }: Box, at: number) =>
      columns.every((column, i) => i === at || column.left >= right || column.right <= left);
    if (cells.length === columns.length && cells.every(isInPlace)) return cells.map((_, i) => i);
    return cells.map(({ left, right }) => columns.findIndex((column) => column.left < right && column.right > left));
  };
  const boxes = rows.map((row) => row.map((cell) => boxOf(cell)));
  for (const row of [...boxes].sort((a, b) => b.length - a.length).slice(0, MAX_COMPARED_ROWS)) {
    const places = place(row);
    for (const [i, box] of row.entries()) {
      const column = columns[places[i] ?? -1];
      const isShared = columns.filter(({ left, right }) => left < box.right && right > box.left).length > 1;
      if (!column) columns.push({ ...box });
      else if (!isShared) Object.assign(column, boxOf([column, box]));
    }
    columns.sort((a, b) => a.left - b.left);
  }
  return rows.map((row, i) => {
    const grid: Chunk[][] = columns.map(() => []);
    for (const [at, column] of place(boxes[i] ?? []).entries()) grid[Math.max(column, 0)]?.push(...(row[at] ?? []));
    return grid;
  });
}

function charsIn(runs: readonly TextRun[]): number {
  return runs.reduce((sum, { text }) => sum + text.length, 0);
}

function toBlock(role: string, { level = -1 }: Block): Block {
  if (HEADING.test(role)) return { depth: Number(role.slice(1)) || 1 };
  return LIST.test(role) ? { level: level + 1 } : ITEM.test(role) ? { level } : {};
}

function hasTable({ children = [] }: Tag): boolean {
  return children.some((child) => child.role === "Table" || hasTable(child));
}

function isSameLine(a: TextRun, b: TextRun): boolean {
  return Math.abs(a.y - b.y) < Math.max(a.size, b.size) / 2;
}

/** Groups the runs of an element into lines. They are in the order of the content. */
function toLines(runs: readonly TextRun[]): TextRun[][] {
  const lines: TextRun[][] = [];
  let last: TextRun | undefined;
  for (const run of runs) {
    if (last && isSameLine(last, run)) lines.at(-1)?.push(run);
    else lines.push([run]);
    last = run;
  }
  return lines.map((line) => line.sort((a, b) => a.x - b.x));
}
