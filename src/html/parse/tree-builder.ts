import { type ChildNode, Document, Element, Text } from "domhandler";
import type { TokenizerCallbacks } from "htmlparser2";
import { isForScreen } from "../css/media";
import type { ComputedVisibility } from "./computed-visibility";
import {
  DROPPED,
  ENDS_DRAWING,
  ENDS_SELECT,
  FIELDS,
  isCellName,
  isSectionName,
  METADATA,
  TABLE_CONTEXT,
  TABLE_PARTS,
  VOID,
} from "./element-categories";

import { OpenElements } from "./open-elements";
import { append, insertBefore } from "./tree";

/** The types of scripts that contain metadata or formulas. */
const DATA_SCRIPT = /^\s*(?:application\/ld\+json|math\/)/i;
const FORMULA_SCRIPT = /^\s*math\//i;
type Attributes = Record<string, string>;
/**
 * The maximum number of elements and text nodes. Each takes about 500 bytes of memory if all formats are requested. The
 * page is cut off at the limit.
 */
const MAX_NODES = 150_000;
/** The maximum number of metadata elements: <title>, <meta>, <link>, <base> and JSON-LD scripts. */
const MAX_DESCRIBING = 5_000;
/** A value of `#dropping` that drops the remaining page. No end tag has this name, so the dropping never ends. */
const REST = "#rest";
/** About half of all elements have no attributes. They share this object to save memory. */
const NO_ATTRIBUTES: Attributes = Object.freeze({});
const BLANK = /^[\t\n\f\r ]*$/;

/**
 * Builds the tree from the tokens of htmlparser2. In htmlparser2's own tree, any end tag closes all elements inside the
 * element that it ends. One stray `</span>` could end the article.
 *
 * This class follows the HTML standard for the scopes of end tags, the implied ends of paragraphs, list items and table
 * cells, content between table rows, and links around blocks.
 */
export class TreeBuilder implements TokenizerCallbacks {
  readonly document: Document;
  /** The contents of the <style> elements that apply to screens. Leaves out those in <noscript> and <template>. */
  readonly styles: string[] = [];
  readonly #source: string;
  readonly #visibility: ComputedVisibility | null;
  /** The computed visibility of the element whose start tag is being read. Undefined if it isn't known. */
  #bits: number | undefined;
  /** True if the tree includes <select> and <textarea>. */
  readonly #hasFields: boolean;
  readonly #html = new Element("html", {});
  readonly #head = new Element("head", {});
  readonly #body = new Element("body", {});
  readonly #open = new OpenElements(this.#body);
  /** The open <title> or JSON-LD script, or null. These elements can't contain others. */
  #metadata: Element | null = null;
  #nodes = 0;
  #described = 0;
  #text = "";
  #name = "";
  #nameAt = 0;
  #attributes: Attributes = NO_ATTRIBUTES;
  #attributeName = "";
  #attributeValue = "";
  /** The name of the open element that is being left out, or `REST` to leave out the remaining page. */
  #dropping: string | null = null;
  /** True if the element that is being left out is a style sheet of the page. */
  #isStyle = false;
  /** The number of open <foreignObject> elements. HTML inside of them doesn't end the <svg>. */
  #foreignObjects = 0;
  /**
   * The position of the last `</foreignObject>`. A <foreignObject> after this position has no end tag. It is ignored,
   * because it would hide the remaining page.
   */
  readonly #lastForeignEnd: number;

  constructor(source: string, { fields, visibility }: { fields: boolean; visibility: ComputedVisibility | null }) {
    this.#source = source;
    this.#visibility = visibility;
    this.#hasFields = fields;
    this.#lastForeignEnd = Math.max(source.lastIndexOf("</foreignObject"), source.lastIndexOf("</foreignobject"));
    this.document = new Document([]);
    append(this.document, this.#html);
    append(this.#html, this.#head);
    append(this.#html, this.#body);
  }

  ontext(start: number, end: number): void {
    if (this.#isStyle) this.styles.push(this.#source.slice(start, end));
    else if (!this.#dropping) this.#text += this.#source.slice(start, end);
  }

  ontextentity(codePoint: number): void {
    if (!this.#dropping) this.#text += String.fromCodePoint(codePoint);
  }

  oncdata(start: number, end: number, endOffset: number): void {
    if (this.#open.has("math")) this.ontext(start, end - endOffset);
  }

  onopentagname(start: number, end: number): void {
    this.#nameAt = start;
    this.#name = this.#source.slice(start, end).toLowerCase();
    this.#bits = this.#visibility?.open(this.#name);
    this.#attributes = NO_ATTRIBUTES;
  }

  onattribname(start: number, end: number): void {
    this.#attributeName = this.#source.slice(start, end).toLowerCase();
  }

  onattribdata(start: number, end: number): void {
    this.#attributeValue += this.#source.slice(start, end);
  }

  onattribentity(codePoint: number): void {
    this.#attributeValue += String.fromCodePoint(codePoint);
  }

  onattribend(): void {
    const name = this.#attributeName;
    if (this.#attributes === NO_ATTRIBUTES) this.#attributes = {};
    if (!Object.hasOwn(this.#attributes, name)) this.#attributes[name] = this.#attributeValue;
    this.#attributeValue = "";
  }

  onopentagend(): void {
    this.#openTag(this.#name === "image" ? "img" : this.#name, false);
  }

  onselfclosingtag(): void {
    this.#openTag(this.#name, this.isInForeignContext() || this.#name === "svg");
  }

  onclosetag(start: number, end: number): void {
    const name = this.#source.slice(start, end).toLowerCase();
    this.#visibility?.close(name);
    if (this.#dropping) {
      if (name === "foreignobject") this.#foreignObjects--;
      if (name === this.#dropping) this.#dropping = null;
      this.#isStyle = false;
      return;
    }
    this.#flushText();
    if (this.#metadata?.name === name) this.#metadata = null;
    else if (!this.#open.close(name) && (name === "p" || name === "br")) this.#insertElement(name, NO_ATTRIBUTES, true);
  }

  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}

  onend(): void {
    this.#flushText();
  }

  isInForeignContext(): boolean {
    return this.#dropping === "svg" || this.#open.has("math");
  }

  #openTag(name: string, isSelfClosing: boolean): void {
    if (this.#isLeftOut(name, isSelfClosing)) return;
    this.#flushText();
    if (name === "html" || name === "body" || name === "head") this.#adoptAttributes(name);
    else if (METADATA.has(name) && this.#isOfThePage(name)) this.#insertMetadata(name);
    else this.#insertElement(name, this.#attributes, isSelfClosing);
  }

  #isLeftOut(name: string, isSelfClosing: boolean): boolean {
    if (this.#dropping === "svg") {
      if (name === "foreignobject" && !isSelfClosing && this.#nameAt < this.#lastForeignEnd) this.#foreignObjects++;
      if (this.#foreignObjects > 0 || !ENDS_DRAWING.has(name)) return true;
    } else if (this.#dropping === "select") {
      if (!ENDS_SELECT.has(name)) return true;
    } else if (this.#dropping) return true;
    const isNested = this.#dropping === "select" && name === "select";
    this.#dropping = null;
    if (isNested || !DROPPED.has(name) || (this.#hasFields && FIELDS.has(name))) return isNested;
    if (name === "script" && DATA_SCRIPT.test(this.#attributes.type ?? "")) return false;
    if (!isSelfClosing) this.#dropping = name;
    this.#isStyle = name === "style" && !isSelfClosing && this.#isStyleOfThePage();
    this.#foreignObjects = 0;
    return true;
  }

  #isStyleOfThePage(): boolean {
    const { media = "", type = "" } = this.#attributes;
    if (this.#open.has("noscript") || this.#open.has("template")) return false;
    return isForScreen(media) && /^\s*(?:text\/css)?\s*$/i.test(type);
  }

  #adoptAttributes(name: string): void {
    const element = name === "html" ? this.#html : name === "body" ? this.#body : this.#head;
    for (const [key, value] of Object.entries(this.#attributes)) element.attribs[key] ??= value;
  }

  /**
   * Returns true for metadata of the whole page. Returns false for microdata, formulas, and the contents of <noscript>
   * and <template>.
   */
  #isOfThePage(name: string): boolean {
    if (name === "script") return !FORMULA_SCRIPT.test(this.#attributes.type ?? "");
    return this.#attributes.itemprop === undefined && !this.#open.has("noscript") && !this.#open.has("template");
  }

  #insertMetadata(name: string): void {
    // Metadata has a separate limit, so that it doesn't use up the limit for content.
    if (++this.#described > MAX_DESCRIBING) {
      if (!VOID.has(name)) this.#dropping = name;
      return;
    }
    const element = new Element(name, this.#attributes);
    append(this.#head, element);
    if (!VOID.has(name)) this.#metadata = element;
  }

  #insertElement(name: string, attributes: Attributes, isSelfClosing: boolean): void {
    this.#open.makeRoomFor(name);
    this.#openImplied(name);
    const isMisplaced = !TABLE_PARTS.has(name) && TABLE_CONTEXT.has(this.#open.current.name);
    // The HTML standard closes a form between table rows immediately, so the form would be empty.
    if (isMisplaced && name === "form") return;
    const element = new Element(name, attributes);
    if (this.#bits !== undefined && name === this.#name) this.#visibility?.elements.set(element, this.#bits);
    this.#insert(element, isMisplaced && name !== "input");
    if (!VOID.has(name) && !isSelfClosing) this.#open.push(element);
  }

  /** Opens the section and the row that a row or cell needs, because their tags are optional. */
  #openImplied(name: string): void {
    const isCell = isCellName(name);
    if ((isCell || name === "tr") && this.#open.current.name === "table")
      this.#insertElement("tbody", NO_ATTRIBUTES, false);
    if (isCell && isSectionName(this.#open.current.name)) this.#insertElement("tr", NO_ATTRIBUTES, false);
  }

  #flushText(): void {
    if (this.#text === "") return;
    const data = this.#text;
    this.#text = "";
    const parent = this.#metadata ?? this.#open.current;
    const isInTable = TABLE_CONTEXT.has(parent.name);
    // White space isn't content if it's between table rows or before all other content.
    const isOutside = isInTable || (parent === this.#body && parent.children.length === 0);
    if (isOutside && BLANK.test(data)) return;
    if (!isInTable && parent.lastChild instanceof Text) parent.lastChild.data += data;
    else this.#insert(new Text(data), isInTable);
  }

  /** Inserts a node. Moves a misplaced node in front of the table. */
  #insert(node: ChildNode, isMisplaced: boolean): void {
    this.#count();
    const table = isMisplaced ? this.#open.innermost("table") : undefined;
    if (table?.parent) insertBefore(table, node);
    else append(this.#metadata ?? this.#open.current, node);
  }

  #count(): void {
    if (++this.#nodes >= MAX_NODES) this.#dropping = REST;
  }
}
