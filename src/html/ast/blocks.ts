/** A block of content, independent of its HTML. Markdown and text are written from blocks. */
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
  | { type: "rule" };

export interface List {
  type: "list";
  ordered: boolean;
  /** The page has only the items, without a list element. */
  isImplied?: true;
  items: ListItem[];
}

export interface ListItem {
  /** The number that an ordered list shows. */
  number: number;
  /** Null if it isn't a task. */
  checked: boolean | null;
  children: Block[];
}

export type Alignment = "left" | "right" | "center" | "";

/**
 * A table. The first row is the header, which is empty if the page has none. Rows may be shorter than the first one.
 */
export interface Table {
  type: "table";
  alignments: Alignment[];
  rows: Inline[][][];
}

/** A piece of a line with its marks. It never begins or ends with white space; `space` records it. */
export interface Inline {
  type: "text" | "code" | "math" | "image" | "break" | "footnote";
  /** The text, the code, the formula, the alternative text of an image, or the label of a footnote. */
  value: string;
  /** White space comes before it. */
  space: boolean;
  marks: Mark | null;
  url?: string;
  title?: string;
}

/**
 * Emphasis, a link and the like around inline content. Every element has its own object, so that neighbors stay
 * separate. An element with several paragraphs has the same object in all of them.
 */
export interface Mark {
  kind: MarkKind;
  outer: Mark | null;
  url?: string;
  title?: string;
}

export type MarkKind = "strong" | "emphasis" | "strike" | "link" | "superscript" | "subscript";

/** Returns true if one of the marks is of this kind. */
export function hasMark(marks: Mark | null, kind: MarkKind): boolean {
  for (let mark = marks; mark; mark = mark.outer) if (mark.kind === kind) return true;
  return false;
}
