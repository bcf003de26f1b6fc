/** A block of content, independent of the HTML that it came from. The markdown and text writers take blocks. */
export type Block =
  | { type: "heading"; depth: number; content: Inline[] }
  | { type: "paragraph"; content: Inline[] }
  | { type: "code"; language: string; value: string }
  | { type: "math"; value: string }
  | { type: "quote"; children: Block[] }
  | List
  | Table
  | { type: "term"; content: Inline[] }
  | { type: "description"; children: Block[] }
  | { type: "footnote"; label: string; children: Block[] }
  | { type: "rule" }
  /** The start of a page of a document. */
  | { type: "page"; number: number };

export interface List {
  type: "list";
  ordered: boolean;
  /** Set if the items have no list element around them on the page. */
  isImplied?: true;
  items: ListItem[];
}

export interface ListItem {
  /** The number in front of the item in an ordered list. */
  number: number;
  /** True for a checked task, false for an unchecked one; null if the item isn't a task. */
  checked: boolean | null;
  children: Block[];
}

export type Alignment = "left" | "right" | "center" | "";

/**
 * A table. The first row is the header; it's empty if the page's table has no header. Rows may be shorter than the
 * first one.
 */
export interface Table {
  type: "table";
  alignments: Alignment[];
  rows: Inline[][][];
}

/**
 * A piece of inline content. `value` never starts or ends with white space; `space` records the white space before it.
 */
export interface Inline {
  type: "text" | "code" | "math" | "image" | "break" | "footnote";
  /** The text, code or TeX formula, the alternative text of an image, or the label of a footnote. */
  value: string;
  /** True if there is white space before this piece. */
  space: boolean;
  marks: Mark | null;
  url?: string;
  title?: string;
}

/**
 * Formatting around inline content, such as emphasis or a link. Each HTML element has its own `Mark` object, so that
 * adjacent elements stay separate. If an element contains several paragraphs, the paragraphs share its `Mark`.
 */
export interface Mark {
  kind: MarkKind;
  outer: Mark | null;
  url?: string;
  title?: string;
}

export type MarkKind = "strong" | "emphasis" | "strike" | "link" | "superscript" | "subscript";

/** Returns true if `marks` or one of the marks around it is of this kind. */
export function hasMark(marks: Mark | null, kind: MarkKind): boolean {
  for (let mark = marks; mark; mark = mark.outer) if (mark.kind === kind) return true;
  return false;
}

/** Returns `marks` and the marks around it, the outermost first. */
export function pathOf(marks: Mark | null): Mark[] {
  const path: Mark[] = [];
  for (let mark = marks; mark; mark = mark.outer) path.push(mark);
  return path.reverse();
}
