import type { Mark, MarkKind } from "../../html/ast/blocks";
import type { InlineBuilder } from "../../html/ast/inline-builder";
import type { Budget } from "../../lib/budget";
import { isLinkUrl } from "../package";
import { childAt, childrenOf, textOf, type XmlElement } from "../xml";
import { readValue } from "./styles";

/** The parts of a document that its paragraphs share. */
export interface ParagraphContext {
  chars: Budget;
  /** Returns the URL of a relationship, or null if it isn't an external link. */
  urlOf: (id: string) => string | null;
  labelOf: (kind: "footnote" | "endnote", id: string) => string;
  addLink: (url: string, text: string) => void;
}

/** Elements whose content isn't part of the text: deleted text, moved text, and the fallback of a drawing. */
const SKIPPED = new Set(["del", "moveFrom", "Fallback", "pPr", "rPr", "instrText", "delText", "object"]);

/** A field, such as a link. Its result is part of the text, and its instruction isn't. */
interface Field {
  instruction: string;
  /** The link that the field inserts. Undefined before its instruction is read, and null if it isn't a link. */
  link: Mark | null | undefined;
  /** The link of the fields around this one, or null. */
  outer: Mark | null;
}

/** Reads the text of one or several paragraphs into an inline builder. */
export class ParagraphReader {
  /** The text boxes of the paragraphs. Their paragraphs are separate blocks. */
  readonly textBoxes: XmlElement[] = [];
  readonly #context: ParagraphContext;
  readonly #inline: InlineBuilder;
  readonly #fields: Field[] = [];
  /** The marks by their kinds. Runs with the same formatting share a mark, so that they are joined. */
  readonly #marks = new Map<string, Mark>();
  #links = 0;

  constructor(context: ParagraphContext, inline: InlineBuilder) {
    this.#context = context;
    this.#inline = inline;
  }

  read(element: XmlElement, link: Mark | null = null): void {
    for (const child of childrenOf(element)) this.#readPart(child, link);
  }

  #readPart(element: XmlElement, link: Mark | null): void {
    const { name, attributes } = element;
    if (name === "r") this.#readRun(element, this.#fieldLink ?? link);
    else if (name === "hyperlink") {
      // A link can't contain another link.
      const url = link === null ? this.#context.urlOf(attributes.get("id") ?? "") : null;
      if (url !== null) this.#context.addLink(url, runText(element));
      this.read(element, url === null ? link : this.#newLink(url));
    } else if (name === "oMath") this.#text(textOf(element), link);
    else if (!SKIPPED.has(name)) this.read(element, link);
  }

  /** The link of the innermost field that is a link, or null. */
  get #fieldLink(): Mark | null {
    const field = this.#fields.at(-1);
    return field?.link ?? field?.outer ?? null;
  }

  #readRun(run: XmlElement, link: Mark | null): void {
    const properties = childAt(run, "rPr");
    if (isOn(childAt(properties, "vanish"))) return;
    const marks = this.#marksOf(properties, link);
    for (const child of childrenOf(run)) this.#readRunPart(child, marks);
  }

  #readRunPart(element: XmlElement, marks: Mark | null): void {
    const { name, attributes } = element;
    if (name === "t") this.#text(textOf(element), marks);
    else if (name === "tab") this.#text(" ", marks);
    else if (name === "noBreakHyphen") this.#text("-", marks);
    else if (name === "br" || name === "cr") this.#inline.break();
    else if (name === "fldChar") this.#changeField(attributes.get("fldCharType") ?? "");
    else if (name === "txbxContent") this.textBoxes.push(element);
    else if (name === "instrText") {
      const field = this.#fields.at(-1);
      if (field !== undefined) field.instruction += textOf(element);
    } else if (name === "footnoteReference" || name === "endnoteReference") {
      const kind = name === "footnoteReference" ? "footnote" : "endnote";
      const value = this.#context.labelOf(kind, attributes.get("id") ?? "");
      this.#inline.add({ type: "footnote", value, space: false, marks: null });
    } else if (!SKIPPED.has(name)) for (const child of childrenOf(element)) this.#readRunPart(child, marks);
  }

  #changeField(type: string): void {
    if (type === "begin") this.#fields.push({ instruction: "", link: undefined, outer: this.#fieldLink });
    else if (type === "end") this.#fields.pop();
    else {
      const field = this.#fields.at(-1);
      if (field === undefined || field.link !== undefined) return;
      const url = /^\s*HYPERLINK\s+"([^"]+)"/.exec(field.instruction)?.[1];
      field.link = url !== undefined && isLinkUrl(url) ? this.#newLink(url) : null;
      if (field.link !== null && url !== undefined) this.#context.addLink(url, "");
    }
  }

  #text(text: string, marks: Mark | null): void {
    if (this.#context.chars.spend(text.length)) this.#inline.text(text, marks);
  }

  #newLink(url: string): Mark {
    this.#links++;
    return { kind: "link", outer: null, url };
  }

  #marksOf(properties: XmlElement | undefined, link: Mark | null): Mark | null {
    const kinds: MarkKind[] = [];
    if (isOn(childAt(properties, "b"))) kinds.push("strong");
    if (isOn(childAt(properties, "i"))) kinds.push("emphasis");
    if (isOn(childAt(properties, "strike")) || isOn(childAt(properties, "dstrike"))) kinds.push("strike");
    const position = readValue(childAt(properties, "vertAlign"));
    if (position === "superscript" || position === "subscript") kinds.push(position);
    let outer = link;
    let key = link === null ? "" : `${this.#links}`;
    for (const kind of kinds) {
      key += ` ${kind}`;
      const mark: Mark = this.#marks.get(key) ?? { kind, outer };
      this.#marks.set(key, mark);
      outer = mark;
    }
    return outer;
  }
}

/** Returns true if a property is on. A property without a value is on. */
function isOn(element: XmlElement | undefined): boolean {
  return element !== undefined && !/^(0|false|off|none)$/.test(readValue(element));
}

/** Returns the text of the runs of an element. */
function runText(element: XmlElement): string {
  const parts = childrenOf(element).map((child) => {
    if (child.name === "t") return textOf(child);
    return SKIPPED.has(child.name) ? "" : runText(child);
  });
  return parts.join("").trim();
}
