import type { Block, Inline, List, ListItem } from "../../html/ast/blocks";
import { InlineBuilder } from "../../html/ast/inline-builder";
import type { PageLink } from "../../html/links";
import { isLinkUrl, type LoadedDocument, OfficePackage } from "../package";
import { childAt, childrenOf, type XmlElement } from "../xml";
import type { Zip } from "../zip";
import { type ParagraphContext, ParagraphReader } from "./paragraph";
import {
  type ListLevel,
  type ListRef,
  readHeading,
  readList,
  readNumbering,
  readStyles,
  readValue,
  type Style,
} from "./styles";
import { readTable } from "./table";

const MAX_HEADING_DEPTH = 6;
/** Elements around blocks. Their contents are blocks. Deleted and moved blocks aren't listed. */
const WRAPPERS = new Set(["sdt", "sdtContent", "ins", "moveTo", "customXml", "smartTag", "AlternateContent", "Choice"]);

/** Reads a Word document (ECMA-376, part 1, section 17). `main` is the name of its main part. Throws AppError. */
export async function readDocx(zip: Zip, main: string, signal: AbortSignal): Promise<LoadedDocument> {
  const file = new OfficePackage(zip, signal);
  const metadata = await file.metadata();
  const relationships = await file.relationships(main);
  const notes = new Notes();
  const links = new Map<string, PageLink>();
  const context: ParagraphContext = {
    chars: file.chars,
    urlOf: (id) => {
      const { target = "", isExternal = false } = relationships.get(id) ?? {};
      return isExternal && isLinkUrl(target) ? target : null;
    },
    labelOf: (kind, id) => notes.labelOf(kind, id),
    addLink: (url, text) => {
      if (!links.has(url)) links.set(url, { url, text });
    },
  };
  const formats = { styles: await readStyles(file), levels: await readNumbering(file) };
  const reader = new BlockReader(context, formats);
  for await (const { element } of file.read(main, "body")) {
    reader.read(element);
    if (file.isTruncated) break;
  }
  for (const kind of ["footnote", "endnote"] as const) {
    for await (const { element } of file.read(`word/${kind}s.xml`, `${kind}s`)) {
      const label = notes.find(kind, element.attributes.get("id") ?? "");
      if (label === null) continue;
      const children = new BlockReader(context, formats).readAll(element);
      if (children.length > 0) reader.blocks.push({ type: "footnote", label, children });
    }
  }
  return {
    type: "Word document",
    blocks: reader.blocks,
    metadata,
    links: [...links.values()],
    ...(file.isTruncated && { truncated: true }),
  };
}

/** The notes to which the text refers, in the order of their first reference. */
class Notes {
  readonly #labels = new Map<string, string>();

  labelOf(kind: string, id: string): string {
    const key = `${kind} ${id}`;
    const label = this.#labels.get(key) ?? String(this.#labels.size + 1);
    this.#labels.set(key, label);
    return label;
  }

  /** Returns the label of a note, or null if the text doesn't refer to it. */
  find(kind: string, id: string): string | null {
    return this.#labels.get(`${kind} ${id}`) ?? null;
  }
}

interface Formats {
  styles: ReadonlyMap<string, Style>;
  levels: ReadonlyMap<string, ListLevel>;
}

class BlockReader {
  readonly blocks: Block[] = [];
  readonly #context: ParagraphContext;
  readonly #formats: Formats;
  /** The open lists, from the outermost to the innermost. The list is empty if the last block isn't a list. */
  #lists: List[] = [];
  /** The number of items so far in each level of each list. */
  readonly #counts = new Map<string, number>();

  constructor(context: ParagraphContext, formats: Formats) {
    this.#context = context;
    this.#formats = formats;
  }

  readAll(element: XmlElement): Block[] {
    for (const child of childrenOf(element)) this.read(child);
    return this.blocks;
  }

  read(element: XmlElement): void {
    if (element.name === "p") this.#readParagraph(element);
    else if (element.name === "tbl") this.#readTable(element);
    else if (WRAPPERS.has(element.name)) for (const child of childrenOf(element)) this.read(child);
  }

  #readParagraph(element: XmlElement): void {
    const properties = childAt(element, "pPr");
    const style = this.#formats.styles.get(readValue(childAt(properties, "pStyle")));
    const depth = readHeading(properties) ?? style?.heading ?? null;
    const own = readList(properties);
    const list = own ?? style?.list ?? null;
    const inline = new InlineBuilder(depth === null ? "single" : "none");
    const reader = new ParagraphReader(this.#context, inline);
    reader.read(element);
    const content = inline.take()[0];
    if (content !== undefined) {
      if (depth !== null) this.#push({ type: "heading", depth: Math.min(depth, MAX_HEADING_DEPTH), content });
      else if (list !== null && list.id !== "0") this.#pushItem(list, content);
      else if (style?.isQuote === true) this.#push({ type: "quote", children: [{ type: "paragraph", content }] });
      else this.#push({ type: "paragraph", content });
    }
    for (const box of reader.textBoxes) for (const child of childrenOf(box)) this.read(child);
  }

  #readTable(element: XmlElement): void {
    const table = readTable(element, this.#context);
    if (table.kind === "table") this.#push(table.table);
    else for (const cell of table.cells) for (const child of childrenOf(cell)) this.read(child);
  }

  #push(block: Block): void {
    this.#lists = [];
    this.blocks.push(block);
  }

  #pushItem({ id, level }: ListRef, content: Inline[]): void {
    const { ordered = false, start = 1 } = this.#formats.levels.get(`${id}.${level}`) ?? {};
    const count = (this.#counts.get(`${id}.${level}`) ?? 0) + 1;
    this.#counts.set(`${id}.${level}`, count);
    // The numbering of deeper levels starts again.
    for (let deeper = level + 1; deeper <= 8; deeper++) this.#counts.delete(`${id}.${deeper}`);
    const item: ListItem = {
      number: Math.max(0, start + count - 1) || 1,
      checked: null,
      children: [{ type: "paragraph", content }],
    };
    this.#lists = this.#lists.slice(0, level + 1);
    let list = this.#lists[level];
    if (list === undefined || list.ordered !== ordered) {
      list = { type: "list", ordered, items: [] };
      this.#lists = this.#lists.slice(0, level);
      const siblings = this.#lists.at(-1)?.items.at(-1)?.children ?? this.blocks;
      siblings.push(list);
      // If a document skips a level, the list also represents the skipped levels.
      while (this.#lists.length <= level) this.#lists.push(list);
    }
    list.items.push(item);
  }
}
