import { type ChildNode, Comment, Element, Text } from "domhandler";
import { decodeHTML, decodeHTMLAttribute } from "entities/decode";
import type { TokenizerCallbacks } from "htmlparser2";
import { COMPUTED, type ComputedVisibility } from "./computed-visibility";
import { DroppedElement } from "./dropped-element";
import {
  type Attributes,
  DROPPED,
  FIELDS,
  HTML_IN_FORMULA,
  IN_HEAD,
  isDataScript,
  isFormulaScript,
  isScreenStyle,
  LITERAL,
  METADATA,
  RAW,
  TABLE_CONTEXT,
  VOID,
} from "./element-categories";
import { OpenElements } from "./open-elements";
import { HelperNodes, OmittedElement, PageDocument } from "./original-tree";
import { isBoundary, isPending, MAX_BOUNDARY_CHARS, placeParts } from "./streamed-parts";
import { append, insertBefore } from "./tree";

/** The steps for converting an element or a text node to all formats. 160,000 nodes take all steps, and about 80 MB. */
const STEPS_PER_NODE = 250;
const MAX_METADATA = 5_000;
const MAX_PROLOG_CHARS = 3_000;
const XHTML = /<html\b[^<>]*\sxmlns\s*=\s*["']http:\/\/www\.w3\.org\/1999\/xhtml["']/i;
/** The elements that hide all text up to their end tag. */
const EMPTIED = new Set(["script", "style", "title", "iframe", "textarea", "select", "noscript"]);
const BLANK = /^[\t\n\f\r ]*$/;

interface BuilderOptions {
  /** True to include <select> and <textarea>. */
  fields: boolean;
  visibility: ComputedVisibility | null;
}

/** Half of all elements have no attributes. They share this object to save memory. */
const NO_ATTRIBUTES: Attributes = Object.freeze({});

/**
 * Builds the tree from the tokens of htmlparser2. In htmlparser2's own tree, any end tag closes all elements inside the
 * element that it ends. One stray `</span>` could end the article.
 *
 * This class follows the HTML standard for the scopes of end tags, the implied ends of paragraphs, list items and table
 * cells, content between table rows, and links around blocks.
 */
export class TreeBuilder implements TokenizerCallbacks {
  readonly document = new PageDocument([]);
  /** The contents of the <style> elements that apply to screens. Leaves out those in <noscript> and <template>. */
  readonly styles: string[] = [];
  /** The <iframe> elements whose documents are attributes of the page. */
  readonly frames: Element[] = [];
  /** The values of all `class` and `id` attributes. */
  readonly names = { classes: new Set<string>(), ids: new Set<string>() };
  /** The tokenizer's option to accept `/>` as the end of an element. It reads the option after each start tag. */
  tokenizer = { recognizeSelfClosing: false };
  /** True if the page declares that it is XML. Browsers show an error if such a page isn't well-formed. */
  readonly #isXml: boolean;
  /** True if the page has the syntax of XML, but browsers may parse it as HTML. */
  readonly #isXhtml: boolean;
  readonly #source: string;
  readonly #options: BuilderOptions;
  /** The computed visibility of the element whose start tag is being read, if known. */
  #bits: number | undefined;
  /** The texts of the scripts after the first place of a part that is streamed later. Null if there is no such place. */
  #scripts: string[] | null = null;
  /** True if the page contains NUL characters. Browsers replace or remove them. */
  readonly #hasNul: boolean;
  readonly #helpers = new HelperNodes();
  /** True until the page's <body> begins. */
  #isInHead = true;
  #isBodyEmpty = true;
  readonly #html = new Element("html", {});
  readonly #head = new Element("head", {});
  readonly #body = new Element("body", {});
  readonly #open = new OpenElements(this.#body);
  /** The open <title> or JSON-LD script. These elements can't contain others. */
  #metadata: Element | null = null;
  #described = 0;
  #text = "";
  /** The name, the place and the attributes of the last start tag. */
  #name = "";
  #nameAt = 0;
  #attributes: Attributes = NO_ATTRIBUTES;
  /** The name and the value of the attribute that is being read. */
  #key = "";
  #value = "";
  readonly #dropped: DroppedElement;
  /** True if the dropped element is a style sheet of the page. */
  #isStyle = false;
  /** The dropped drawing, until its name is known. */
  #drawing: OmittedElement | null = null;
  /** True in an element whose text has no character references. */
  #isRaw = false;

  constructor(source: string, options: BuilderOptions) {
    const start = source.slice(0, MAX_PROLOG_CHARS);
    this.#isXhtml = XHTML.test(start);
    this.#isXml = this.#isXhtml && /^\s*<\?xml\s/.test(start);
    this.#source = source;
    this.#hasNul = source.includes("\0");
    this.#options = options;
    this.#dropped = new DroppedElement(source);
    append(this.document, this.#html);
    append(this.#html, this.#head);
    append(this.#html, this.#body);
  }

  ontext(start: number, end: number): void {
    if (start < 0) return; // An end tag that the end of the page cuts off.
    if (this.#isStyle) this.styles.push(`${this.styles.pop()}${this.#source.slice(start, end)}`);
    else if (this.#drawing && this.#dropped.name === "svg" && this.#name === "title") {
      this.#drawing.attribs = { title: decodeHTML(this.#source.slice(start, end)), ...this.#drawing.attribs };
      this.#drawing = null;
    } else if (this.#isRaw || this.#dropped.name) this.#addRaw(start, end);
    else this.#text += decodeHTML(this.#source.slice(start, end));
  }

  oncdata(start: number, end: number, endOffset: number): void {
    this.#addRaw(start, end - endOffset);
  }

  onopentagname(start: number, end: number): void {
    this.#nameAt = start;
    this.#name = this.#slice(start, end).toLowerCase();
    if (this.#name === "symbol" || this.#name === "defs") this.#drawing = null;
    this.#isRaw = RAW.has(this.#name) && !this.isInForeignContext();
    this.#bits = this.#options.visibility?.open(this.#name);
    this.#attributes = NO_ATTRIBUTES;
  }

  onattribname(start: number, end: number): void {
    this.#key = this.#slice(start, end).toLowerCase();
  }

  onattribdata(start: number, end: number): void {
    this.#value += decodeHTMLAttribute(this.#slice(start, end));
  }

  /** Adds the attribute, unless the start tag already has one of this name. */
  onattribend(): void {
    const [key, value] = [this.#key, this.#value];
    this.#value = "";
    if (this.#attributes === NO_ATTRIBUTES) this.#attributes = {};
    else if (this.#attributes[key] !== undefined && Object.hasOwn(this.#attributes, key)) return;
    this.#attributes[key] = value;
    if (key === "class") this.names.classes.add(value);
    else if (key === "id") this.names.ids.add(value);
  }

  onopentagend(): void {
    this.tokenizer.recognizeSelfClosing = false;
    this.#openTag(this.#name, false);
  }

  onselfclosingtag(): void {
    this.tokenizer.recognizeSelfClosing =
      this.#isXml || (this.#isXhtml && EMPTIED.has(this.#name) && !this.#hasEndTag());
    const isDrawn = this.#name === "svg" || this.#name === "math" || this.isInForeignContext();
    this.#openTag(this.#name, isDrawn || this.tokenizer.recognizeSelfClosing);
  }

  /** Returns true if the next tag with the name of the start tag is an end tag. */
  #hasEndTag(): boolean {
    const next = new RegExp(`<(/?)${this.#name}[\\s/>]`, "gi");
    next.lastIndex = this.#nameAt;
    return next.exec(this.#source)?.[1] === "/";
  }

  onclosetag(start: number, end: number): void {
    const name = this.#slice(start, end).toLowerCase();
    this.#options.visibility?.close(name);
    this.#isRaw = false;
    if (this.#dropped.name) {
      this.#isStyle = false;
      if (this.#dropped.close(name, start, this.#open.has(name))) return;
    }
    this.#flushText();
    if (this.#metadata?.name === name) this.#metadata = null;
    else if (!this.#open.close(name) && (name === "p" || name === "br")) this.#insertElement(name, NO_ATTRIBUTES, true);
  }

  oncomment(start: number, end: number, endOffset: number): void {
    if (end - endOffset - start > MAX_BOUNDARY_CHARS || this.#dropped.name) return;
    const data = this.#source.slice(start, end - endOffset);
    if (!isBoundary(data)) return;
    if (isPending(data)) this.#scripts ??= [];
    this.#flushText();
    const comment = new Comment(data);
    this.#addHelper(comment);
    append(this.#open.current, comment);
  }
  ondeclaration(): void {}
  ontextentity(): void {}
  onattribentity(): void {}
  onprocessinginstruction(): void {}

  onend(): void {
    this.#flushText();
    if (this.#scripts) placeParts(this.document, this.#scripts);
    this.document.original = this.#helpers.removeFrom(this.#body);
  }

  /** Returns true in a drawing, a formula or an XML page, where `<![CDATA[` begins text, and `/>` ends an element. */
  isInForeignContext(): boolean {
    return this.#isXml || this.#dropped.isDrawing() || this.#open.isInFormula();
  }

  /** Adds text that has no character references. */
  #addRaw(start: number, end: number): void {
    if (!this.#dropped.name) this.#text += this.#source.slice(start, end);
    else if (this.#dropped.name === "script") this.#scripts?.push(this.#source.slice(start, end));
  }

  /** Returns a name or a part of an attribute's value. */
  #slice(start: number, end: number): string {
    const text = this.#source.slice(start, end);
    return this.#hasNul ? text.replaceAll("\0", "\ufffd") : text;
  }

  #openTag(name: string, isSelfClosing: boolean): void {
    if (this.#options.visibility) this.#readVisibility(name, this.#options.visibility);
    if (this.#isLeftOut(name, isSelfClosing)) return;
    this.#flushText();
    if (name === "body") this.#isInHead = false;
    if (name === "html" || name === "body" || name === "head") this.#adoptAttributes(name);
    else if (METADATA.has(name) && this.#isOfThePage(name)) this.#insertMetadata(name);
    else this.#insertElement(name === "image" ? "img" : name, this.#attributes, isSelfClosing);
  }

  #readVisibility(name: string, visibility: ComputedVisibility): void {
    const { shadowrootmode: shadow, "data-frame-src": frame, "data-form-value": value, hidden } = this.#attributes;
    if (hidden !== undefined && visibility.isInAdded) this.#bits = COMPUTED.gone;
    if ((name === "template" && shadow !== undefined) || (name === "div" && frame !== undefined)) {
      visibility.skipAdded(name);
      this.#bits = undefined;
    }
    // The value that a rendered page has set in a field. Other pages can't have this attribute in a visible field.
    if (value && !this.#options.fields && !this.#bits) this.#text += ` ${value} `;
  }

  #isLeftOut(name: string, isSelfClosing: boolean): boolean {
    if (this.#dropped.name !== null) {
      const tag = { name, at: this.#nameAt, isSelfClosing, isInTable: this.#open.has("table") };
      if (this.#dropped.includes(tag)) return true;
    }
    if (!DROPPED.has(name) || (this.#options.fields && FIELDS.has(name))) return false;
    if (name === "script" && isDataScript(this.#attributes)) return false;
    this.#omit(name);
    if (!isSelfClosing) this.#dropped.open(name, this.#nameAt);
    this.#isStyle = name === "style" && !isSelfClosing && !this.#isInert() && isScreenStyle(this.#attributes);
    if (this.#isStyle) this.styles.push("");
    return true;
  }

  /** Marks the place of an element that the tree leaves out, or that it moves to <head>. */
  #omit(name: string): void {
    this.#flushText();
    if (this.#isInHead && !IN_HEAD.has(name)) this.#isInHead = false;
    const element = new OmittedElement(name, this.#attributes);
    if (this.#bits !== undefined) this.#options.visibility?.elements.set(element, this.#bits);
    this.#drawing = name === "svg" ? element : null;
    if (name === "iframe" && this.#attributes.srcdoc) this.frames.push(element);
    this.#addHelper(element);
    if (this.#isInHead && this.#open.current === this.#body) append(this.#head, element);
    else this.#place(element, this.#open.isMisplaced(name));
  }

  #addHelper(node: OmittedElement | Comment): void {
    this.document.budget.spend(STEPS_PER_NODE);
    this.#helpers.add(node);
  }

  #adoptAttributes(name: string): void {
    const element = name === "html" ? this.#html : name === "body" ? this.#body : this.#head;
    for (const [key, value] of Object.entries(this.#attributes)) element.attribs[key] ??= value;
  }

  /**
   * Returns true for metadata of the whole page. Returns false for microdata, formulas, inert contents, and <meta> in an
   * article, which a script may have appended below the page's own.
   */
  #isOfThePage(name: string): boolean {
    if (name === "script") return !isFormulaScript(this.#attributes);
    if (name === "meta" && this.#open.has("article")) return false;
    return this.#attributes.itemprop === undefined && !this.#isInert();
  }

  /** Returns true inside a <noscript>, a <template> or a formula. */
  #isInert(): boolean {
    return this.#open.has("noscript") || this.#open.has("template") || this.#open.isInFormula();
  }

  #insertMetadata(name: string): void {
    // Metadata has a separate limit, so that it doesn't use up the limit for content.
    if (++this.#described > MAX_METADATA) {
      if (!VOID.has(name) && !this.tokenizer.recognizeSelfClosing) this.#dropped.open(name, this.#nameAt);
      return;
    }
    if (!this.#isInHead) this.#omit(name);
    const element = new Element(name, this.#attributes);
    append(this.#head, element);
    if (!VOID.has(name) && !this.tokenizer.recognizeSelfClosing) this.#metadata = element;
  }

  #insertElement(name: string, attributes: Attributes, isSelfClosing: boolean): void {
    this.#open.makeRoomFor(name);
    const implied = this.#open.impliedFor(name);
    if (implied) this.#insertElement(implied, NO_ATTRIBUTES, false);
    const isMisplaced = this.#open.isMisplaced(name);
    // The HTML standard closes a form between table rows immediately, so the form would be empty.
    if (isMisplaced && name === "form") return;
    const element = new Element(name, attributes);
    if (this.#isInHead && IN_HEAD.has(name)) this.#helpers.addStray(element);
    else this.#beginBody();
    if (this.#bits !== undefined && name === this.#name) this.#options.visibility?.elements.set(element, this.#bits);
    this.#insert(element, isMisplaced && attributes.type?.toLowerCase() !== "hidden");
    if (!VOID.has(name) && !isSelfClosing) this.#open.push(element);
  }

  /** Called before content: it ends the <head>, unless it is in a <noscript> or <template> there. */
  #beginBody(): void {
    if (this.#isInHead && this.#open.current === this.#body) this.#isInHead = false;
  }

  #flushText(): void {
    if (this.#text === "") return;
    if (this.#open.current.name === "colgroup" && !BLANK.test(this.#text)) this.#open.leaveColgroup();
    const parent = this.#metadata ?? this.#open.current;
    const data = this.#hasNul ? this.#withoutNul(this.#text, parent) : this.#text;
    this.#text = "";
    const isInTable = TABLE_CONTEXT.has(parent.name);
    // White space isn't content if it's between table rows or before all other content.
    const isOutside = isInTable || (parent === this.#body && this.#isBodyEmpty);
    if (data === "" || (isOutside && BLANK.test(data))) return;
    if (this.#isInHead && this.#metadata === null && !BLANK.test(data)) this.#beginBody();
    if (!isInTable && parent.lastChild instanceof Text) parent.lastChild.data += data;
    else this.#insert(new Text(data), isInTable);
  }

  /** Removes the NUL characters from the text of an element, or replaces them if the text isn't HTML. */
  #withoutNul(text: string, { name }: Element): string {
    const isLiteral =
      this.#metadata !== null || LITERAL.has(name) || (this.isInForeignContext() && !HTML_IN_FORMULA.has(name));
    return text.replaceAll("\0", isLiteral ? "\ufffd" : "");
  }

  /** Inserts a node. Moves a misplaced node in front of the table. */
  #insert(node: ChildNode, isMisplaced: boolean): void {
    this.document.budget.spend(STEPS_PER_NODE);
    this.#isBodyEmpty &&= this.#metadata !== null;
    if (this.#metadata) append(this.#metadata, node);
    else this.#place(node, isMisplaced);
  }

  #place(node: ChildNode, isMisplaced: boolean): void {
    const table = isMisplaced ? this.#open.innermost("table") : undefined;
    if (table?.parent) insertBefore(table, node);
    else append(this.#open.current, node);
  }
}
