/** What a page says, freed from how it was marked up: markdown and text are both written from this. */
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
  /** Only its items were there, without the list. */
  isImplied?: true;
  items: Item[];
}

export interface Item {
  /** What an ordered list shows before it. */
  number: number;
  /** Null when it isn't a task. */
  checked: boolean | null;
  children: Block[];
}

export type Alignment = "left" | "right" | "center" | "";

/** The first row is the header; its cells are empty when the page has none. Rows may be shorter than the first one. */
export interface Table {
  type: "table";
  alignments: Alignment[];
  rows: Inline[][][];
}

/** A piece of a line, in the marks that surround it. Never begins or ends with white space: `space` stands for it. */
export interface Inline {
  type: "text" | "code" | "math" | "image" | "break" | "footnote";
  /** The words, the code, the formula, the image's alternative text, the footnote's label. */
  value: string;
  /** Whether white space comes before it. */
  space: boolean;
  marks: Mark | null;
  url?: string;
  title?: string;
}

/**
 * Emphasis, a link and the like around inline content. It is an object of its own for every element, so that neighbours
 * stay apart, and goes on in the next paragraph when the element holds several.
 */
export interface Mark {
  kind: MarkKind;
  outer: Mark | null;
  url?: string;
  title?: string;
}

export type MarkKind = "strong" | "emphasis" | "strike" | "link" | "superscript" | "subscript";

export function hasMark(marks: Mark | null, kind: MarkKind): boolean {
  for (let mark = marks; mark; mark = mark.outer) if (mark.kind === kind) return true;
  return false;
}
