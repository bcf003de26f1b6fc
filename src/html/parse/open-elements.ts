import { Element } from "domhandler";
import {
  ENDS_DRAWING,
  ENDS_PARAGRAPH,
  FORMATTING,
  HEADINGS,
  HTML_IN_FORMULA,
  IN_TABLE,
  isCellName,
  isSectionName,
  SCOPE_ELEMENTS,
  SPECIAL,
  TABLE_CONTEXT,
  TABLE_PARTS,
} from "./element-categories";
import { append, detach, insertBefore } from "./tree";

/** The maximum depth of the tree, to which deeper elements are moved up. Real pages stay below 100. */
const MAX_DEPTH = 200;
/** The elements that limit the scope of a table. End tags of its parts can't close elements outside. */
const TABLE_SCOPE_ELEMENTS = new Set(["table", "template"]);
const IN_COLGROUP = new Set(["col", "template"]);
const RUBY = new Set(["rb", "rp", "rt", "rtc"]);
const ROWS = new Set(["tr", "td", "th"]);
const PASSED_BY_ITEMS = new Set(["address", "div", "p"]);

/** A condition for the name of an open element. */
type Test = (name: string) => boolean;

const isNamed =
  (name: string): Test =>
  (open) =>
    open === name;
const always: Test = () => true;
const never: Test = () => false;
const isHeading: Test = (open) => HEADINGS.has(open);
const isDefinition: Test = (open) => open === "dd" || open === "dt";
const isSpecial: Test = (open) => SPECIAL.has(open);
// The elements that limit the scopes of end tags, and of start tags that imply an end tag.
const limitsScope: Test = (open) => SCOPE_ELEMENTS.has(open);
const limitsTable: Test = (open) => TABLE_SCOPE_ELEMENTS.has(open);
const limitsParagraph: Test = (open) => SCOPE_ELEMENTS.has(open) || open === "button";
const limitsList: Test = (open) => SCOPE_ELEMENTS.has(open) || open === "ul" || open === "ol";
const limitsItem: Test = (open) => SPECIAL.has(open) && !PASSED_BY_ITEMS.has(open);

/**
 * The stack of open elements: https://html.spec.whatwg.org/#the-stack-of-open-elements. Decides where each element
 * ends.
 */
export class OpenElements {
  readonly #stack: Element[];
  /** The number of open elements beyond `MAX_DEPTH`, by name. */
  readonly #tooDeep = new Map<string, number>();
  readonly #counts = new Map<string, number>();

  constructor(body: Element) {
    this.#stack = [body];
  }

  /** The innermost open element. */
  get current(): Element {
    // The stack always contains at least the body.
    return this.#stack.at(-1) as Element;
  }

  /** Returns true if an element of this name is open. */
  has(name: string): boolean {
    return (this.#counts.get(name) ?? 0) > 0;
  }

  /** Returns true if the innermost open element belongs to a formula, and not to HTML inside the formula. */
  isInFormula(): boolean {
    if (!this.has("math")) return false;
    const at = this.#stack.findLastIndex(({ name }) => name === "math");
    return !this.#stack.slice(at, -1).some(({ name }) => HTML_IN_FORMULA.has(name));
  }

  innermost(name: string): Element | undefined {
    return this.#stack.findLast((element) => element.name === name);
  }

  /** Returns true if an element with this name must be moved in front of the open table. */
  isMisplaced(name: string): boolean {
    return TABLE_CONTEXT.has(this.current.name) && !TABLE_PARTS.has(name) && !IN_TABLE.has(name);
  }

  /** Adds an element to the stack. Beyond `MAX_DEPTH`, only counts the element. */
  push(element: Element): void {
    const counts = this.#stack.length < MAX_DEPTH ? this.#counts : this.#tooDeep;
    counts.set(element.name, (counts.get(element.name) ?? 0) + 1);
    if (counts === this.#counts) this.#stack.push(element);
  }

  /** Closes the elements that can't contain an element with this name. Must be called before the element is opened. */
  makeRoomFor(name: string): void {
    this.#leaveFormula(name);
    if (name === "li") this.#close(isNamed(name), limitsItem);
    else if (isDefinition(name)) this.#close(isDefinition, limitsItem);
    else if ((name === "a" || name === "nobr") && this.has(name)) this.#closeFormatting(name);
    else if (name === "button") this.#close(isNamed(name), limitsScope);
    else if (name === "option") this.#close(isNamed(name), always);
    else if (RUBY.has(name)) this.#closeRuby(name);
    else if (TABLE_PARTS.has(name)) this.#makeRoomInTable(name);
    else if (name === "table" && TABLE_CONTEXT.has(this.current.name)) this.#close(isNamed(name), limitsTable);
    if (!IN_COLGROUP.has(name)) this.leaveColgroup();
    if (this.has("p") && ENDS_PARAGRAPH.has(name)) this.#close(isNamed("p"), limitsParagraph);
    if (isHeading(name)) this.#close(isHeading, always);
  }

  /** Closes the formula if an HTML element with this name can't be a part of it. */
  #leaveFormula(name: string): void {
    if (!ENDS_DRAWING.has(name) || !this.isInFormula() || this.#holdsHtml(this.current)) return;
    const at = this.#stack.findLastIndex((open) => open.name === "math" || this.#holdsHtml(open));
    this.#truncate(this.#stack[at]?.name === "math" ? at : at + 1);
  }

  #holdsHtml({ name, attribs }: Element): boolean {
    return name === "annotation-xml" ? /html/i.test(attribs.encoding ?? "") : HTML_IN_FORMULA.has(name);
  }

  /** Closes an open <colgroup>, which can't contain content. */
  leaveColgroup(): void {
    if (this.current.name === "colgroup") this.#truncate(this.#stack.length - 1);
  }

  /** Returns the section, row or column group that must be opened before a part of a table, because its tag is optional. Or null. */
  impliedFor(name: string): string | null {
    if (!ROWS.has(name) && name !== "col") return null;
    const around = this.current.name;
    if (name === "col") return around === "table" ? "colgroup" : null;
    if (name !== "tr" && (around === "table" || isSectionName(around))) return "tr";
    return around === "table" ? "tbody" : null;
  }

  /** Closes the innermost element with this name. Returns false if there is none to close. */
  close(name: string): boolean {
    const tooDeep = this.#tooDeep.size > 0 ? (this.#tooDeep.get(name) ?? 0) : 0;
    if (tooDeep > 0) {
      this.#tooDeep.set(name, tooDeep - 1);
      return true;
    }
    if (name === this.current.name) return this.#close(always, always);
    if (isHeading(name)) return this.#close(isHeading, limitsScope);
    if (!this.has(name)) return false;
    return FORMATTING.has(name) ? this.#closeFormatting(name) : this.#close(isNamed(name), limitOf(name));
  }

  #closeRuby(name: string): void {
    const isAnnotation = name === "rt" || name === "rp";
    while (RUBY.has(this.current.name) && !(isAnnotation && this.current.name === "rtc"))
      this.#truncate(this.#stack.length - 1);
  }

  /** Closes elements until the innermost open element can contain the new part of a table. */
  #makeRoomInTable(name: string): void {
    const holds = (open: string) =>
      open === "table" ||
      (open === "colgroup" && name === "col") ||
      (isSectionName(open) && ROWS.has(name)) ||
      (open === "tr" && isCellName(name));
    const at = this.#stack.findLastIndex((open) => holds(open.name) || TABLE_SCOPE_ELEMENTS.has(open.name));
    if (at > 0 && holds(this.#stack[at]?.name ?? "")) this.#truncate(at + 1);
  }

  /** Closes the innermost element for which `test` is true, and all elements inside it. Ends the search at `stops`. */
  #close(test: Test, stops: Test): boolean {
    for (let at = this.#stack.length - 1; at > 0; at--) {
      const name = this.#stack[at]?.name ?? "";
      if (test(name)) {
        this.#truncate(at);
        return true;
      }
      if (stops(name)) return false;
    }
    return false;
  }

  /** Runs one iteration of the adoption agency: `<a><div>x</a>y</div>` becomes `<a></a><div><a>x</a>y</div>`. */
  #closeFormatting(name: string): boolean {
    let block = 0;
    for (let at = this.#stack.length - 1; at > 0; at--) {
      const open = this.#stack[at]?.name ?? "";
      if (open === name) {
        if (block === 0) this.#truncate(at);
        else this.#adopt(at, block);
        return true;
      }
      if (SCOPE_ELEMENTS.has(open)) return false;
      if (SPECIAL.has(open)) block = at;
    }
    return false;
  }

  #adopt(formattingAt: number, blockAt: number): void {
    const [parent, formatting] = this.#stack.slice(formattingAt - 1);
    const block = this.#stack[blockAt];
    if (!parent || !formatting || !block) return;
    detach(block);
    const table = TABLE_CONTEXT.has(parent.name) ? this.innermost("table") : undefined;
    if (table?.parent) insertBefore(table, block);
    else append(parent, block);
    const copy = new Element(formatting.name, { ...formatting.attribs });
    const { children } = block;
    block.children = [];
    append(block, copy);
    for (const child of children) append(copy, child);
    for (const { name } of this.#stack.splice(formattingAt, blockAt - formattingAt)) this.#uncount(name);
  }

  #truncate(length: number): void {
    while (this.#stack.length > length) this.#uncount(this.#stack.pop()?.name ?? "");
  }

  #uncount(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) - 1);
  }
}

/** Returns the test for the elements that an end tag with this name can't close. */
function limitOf(name: string): Test {
  if (name === "p") return limitsParagraph;
  if (name === "template") return never;
  if (name === "li") return limitsList;
  if (name === "table" || TABLE_PARTS.has(name)) return limitsTable;
  return SPECIAL.has(name) ? limitsScope : isSpecial;
}
