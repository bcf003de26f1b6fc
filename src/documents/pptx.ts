import type { Block, Inline, Mark } from "../html/ast/blocks";
import { InlineBuilder } from "../html/ast/inline-builder";
import type { PageLink } from "../html/links";
import { MAX_PDF_PAGES } from "../model/page-limits";
import { choosePages, type PageSelection } from "../model/page-ranges";
import { appendItem } from "./list";
import { isLinkUrl, type LoadedDocument, OfficePackage } from "./package";
import { childAt, childrenOf, textOf, type XmlElement } from "./xml";
import type { Zip } from "./zip";

const MAX_COLUMNS = 100;
/** The shapes of a diagram, which PowerPoint stores besides its data. */
const SMART_ART = /^ppt\/diagrams\/drawing\d*\.xml$/;
/** The kinds of placeholders for the date, the number and the footer of a slide. */
const FURNITURE = /^(?:dt|sldNum|ftr|hdr|sldImg)$/;
/** The kinds of placeholders whose paragraphs have bullets by default. Undefined: the content of a slide. */
const BULLETED = new Set<string | undefined>([undefined, "body", "obj"]);

/**
 * Reads a presentation (ECMA-376, part 1, section 19). Each visible slide starts with its title, as a heading. Leaves
 * out the notes of the speaker. `main` is the name of the main part. Throws AppError.
 */
export async function readPptx(
  zip: Zip,
  main: string,
  { signal, ...selection }: PageSelection & { signal: AbortSignal },
): Promise<LoadedDocument> {
  const file = new OfficePackage(zip, signal);
  const metadata = await file.metadata();
  const targets = await file.relationships(main);
  const slides = (await file.readAll(main, "sldIdLst")).flatMap(({ attributes }) => {
    const target = targets.get(attributes.get("r:id") ?? attributes.get("id") ?? "");
    return target === undefined ? [] : [target.target];
  });
  const { pages, isCut } = choosePages(selection, { total: slides.length, max: MAX_PDF_PAGES, kind: "slides" });
  const blocks: Block[] = [];
  const links = new Map<string, PageLink>();
  const read: number[] = [];
  for (const page of pages) {
    const part = slides[page - 1] ?? "";
    const relationships = await file.relationships(part);
    const urlOf = (id: string) => {
      const { target = "", isExternal = false } = relationships.get(id) ?? {};
      return isExternal && isLinkUrl(target) ? target : null;
    };
    const slide: Block[] = selection.pageMarkers === true ? [{ type: "page", number: page }] : [];
    for await (const { element, attributes } of file.read(part, "sld")) {
      const isHidden = /^(?:0|false)$/.test(attributes.get("show") ?? "");
      const tree = childAt(element, "spTree");
      if (isHidden || !tree) continue;
      new SlideReader(file, { links, urlOf, blocks: slide }).readShapes(tree);
      for (const { target } of relationships.values())
        for (const shapes of SMART_ART.test(target) ? await file.readAll(target, "drawing") : [])
          new SlideReader(file, { links, urlOf: () => null, blocks: slide }).readShapes(shapes);
    }
    blocks.push(...slide);
    if (file.isTruncated) break;
    read.push(page);
  }
  return {
    type: "presentation",
    blocks: blocks.some(({ type }) => type !== "page") ? blocks : [],
    metadata,
    links: [...links.values()],
    pages: { total: slides.length, read },
    ...((file.isTruncated || isCut) && { truncated: true }),
  };
}

interface Slide {
  blocks: Block[];
  links: Map<string, PageLink>;
  /** Returns the URL of a relationship, or null if it isn't an external link. */
  urlOf: (id: string) => string | null;
}

class SlideReader {
  readonly #file: OfficePackage;
  readonly #slide: Slide;

  constructor(file: OfficePackage, slide: Slide) {
    this.#file = file;
    this.#slide = slide;
  }

  /** Reads the shapes of a slide or group, the titles first. */
  readShapes(tree: XmlElement): void {
    const shapes = childrenOf(tree);
    const isTitle = (shape: XmlElement) => /title/i.test(placeholderOf(shape)?.attributes.get("type") ?? "");
    for (const shape of [...shapes.filter(isTitle), ...shapes.filter((shape) => !isTitle(shape))]) {
      // The first element of a shape, a table or a group has its properties.
      const isHidden = childAt(childrenOf(shape)[0], "cNvPr")?.attributes.get("hidden");
      if (isHidden === "1" || isHidden === "true") continue;
      if (shape.name === "sp") this.#readShape(shape);
      else if (shape.name === "graphicFrame") this.#readTable(shape);
      else if (shape.name === "grpSp") this.readShapes(shape);
      else if (shape.name === "AlternateContent") this.readShapes(childAt(shape, "Choice") ?? shape);
    }
  }

  #readShape(shape: XmlElement): void {
    const placeholder = placeholderOf(shape);
    const kind = placeholder?.attributes.get("type");
    if (FURNITURE.test(kind ?? "")) return;
    const paragraphs = childrenOf(childAt(shape, "txBody"), "p");
    const { blocks } = this.#slide;
    if (kind === "title" || kind === "ctrTitle") {
      const content = this.#readLines(paragraphs, "none");
      if (content.length > 0) blocks.push({ type: "heading", depth: 2, content });
      return;
    }
    const isBulleted = placeholder !== undefined && BULLETED.has(kind) && paragraphs.length > 1;
    for (const paragraph of paragraphs) {
      const content = this.#readLines([paragraph], "single");
      if (content.length === 0) continue;
      const properties = childAt(paragraph, "pPr");
      const has = (name: string) => childAt(properties, name) !== undefined;
      const level = Math.min(Number(properties?.attributes.get("lvl")) || 0, 8);
      if (has("buAutoNum")) appendItem(blocks, level, true, content);
      else if (has("buChar") || has("buBlip") || (isBulleted && !has("buNone")))
        appendItem(blocks, level, false, content);
      else blocks.push({ type: "paragraph", content });
    }
  }

  /** Reads the table of a graphic frame. Other frames, such as charts, have no text on the slide. */
  #readTable(frame: XmlElement): void {
    const table = childAt(frame, "graphic", "graphicData", "tbl");
    const rows: Inline[][][] = [];
    for (const row of childrenOf(table, "tr")) {
      const cells: Inline[][] = [];
      for (const [column, cell] of childrenOf(row, "tc").slice(0, MAX_COLUMNS).entries()) {
        // A merged cell repeats the value of the cell that it belongs to.
        const isMerged = (name: string) => /^(?:1|true)$/.test(cell.attributes.get(name) ?? "");
        if (isMerged("vMerge")) cells.push(this.#repeat(rows.at(-1)?.[column]));
        else if (isMerged("hMerge")) cells.push(this.#repeat(cells.at(-1)));
        else cells.push(this.#readLines(childrenOf(childAt(cell, "txBody"), "p"), "single"));
      }
      rows.push(cells);
    }
    const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0);
    if (width === 0) return;
    const hasHeader = /^(?:1|true)$/.test(childAt(table, "tblPr")?.attributes.get("firstRow") ?? "");
    const alignments = Array.from({ length: width }, () => "" as const);
    this.#slide.blocks.push({ type: "table", alignments, rows: hasHeader ? rows : [[], ...rows] });
  }

  #repeat(content: Inline[] = []): Inline[] {
    return content.every(({ value }) => this.#file.chars.spend(value.length)) ? content : [];
  }

  #readLines(paragraphs: readonly XmlElement[], breaks: "single" | "none"): Inline[] {
    const inline = new InlineBuilder(breaks);
    for (const paragraph of paragraphs) {
      inline.endBlock();
      const marks = new Map<string, Mark>();
      for (const run of childrenOf(paragraph)) {
        if (run.name === "br") inline.break();
        const text = textOf(childAt(run, "t"));
        if (text !== "" && this.#file.chars.spend(text.length)) inline.text(text, this.#markOf(run, text, marks));
      }
    }
    return inline.take().flat();
  }

  /** Returns the formatting of a run. Runs of a paragraph with the same formatting share it, so that they are joined. */
  #markOf(run: XmlElement, text: string, marks: Map<string, Mark>): Mark | null {
    const properties = childAt(run, "rPr");
    const link = childAt(properties, "hlinkClick")?.attributes.get("id");
    const url = link === undefined ? null : this.#slide.urlOf(link);
    const { links } = this.#slide;
    if (url !== null && !links.has(url)) links.set(url, { url, text: text.trim() });
    const isOn = (name: string) => /^(?:1|true)$/.test(properties?.attributes.get(name) ?? "");
    let outer: Mark | null = null;
    let key = "";
    const add = (mark: Omit<Mark, "outer">) => {
      key += `${mark.kind} ${mark.url ?? ""},`;
      const known = marks.get(key) ?? { ...mark, outer };
      marks.set(key, known);
      outer = known;
    };
    if (url !== null) add({ kind: "link", url });
    if (isOn("b")) add({ kind: "strong" });
    if (isOn("i")) add({ kind: "emphasis" });
    return outer;
  }
}

function placeholderOf(shape: XmlElement): XmlElement | undefined {
  return childAt(shape, "nvSpPr", "nvPr", "ph");
}
