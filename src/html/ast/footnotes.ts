import { type ChildNode, type Element, isText, type ParentNode } from "domhandler";
import { nextElementSibling } from "domutils";
import {
  attribute,
  classesOf,
  elementsAround,
  elementsUnder,
  hasAttribute,
  hasMoreText,
  isBlock,
  isElement,
  isHeading,
  isWithin,
  rawText,
} from "../parse/dom";
import { collapseAndTrim } from "../parse/white-space";
import type { Block } from "./blocks";

interface Footnote {
  label: string;
  /** The number or character that the page shows for the footnote. Empty if no link refers to it. */
  mark: string;
  content: Element;
}

/** The text of a link to a footnote: a number, a letter or a symbol, which may be in brackets. */
const MARK = /^[[(]?(?:note |fn ?|n )?(\d{1,4}|[a-z]{1,2}|[ivxl]{1,6}|[*†‡§¶‖#]{1,4})[\])]?$/i;
const REFERENCE_ROLE = /^(?:doc-noteref|noteref)$/;
const NOTE_ROLE = /^(?:doc-(?:foot|end)notes?|(?:foot|rear|end)notes?)$/;
const LIST_CLASS = /^(?:footnotes|footnote-list)$/;
/** The classes of notes that are in the line of text that they explain. */
const INLINE_CLASS = /^(?:ltx_role_footnote|sidenote|marginnote)$/;
const BACK_CLASS = /^(?:footnote-backref|footnote-back|data-footnote-backref|reversefootnote|easy-footnote-to-top)$/;
const ARROW = /^[↩↑⏎↵⤴^]\ufe0e?$/;
/** The text around links from a footnote back to the text, if it belongs to these links. */
const AROUND_BACK_LINKS = /^(?:[\s\p{P}\p{S}]|jump up(?: to)?)*$/iu;
/** A footnote has at most this much text and this many elements. A longer part of a page is a chapter. */
const MAX_NOTE_CHARS = 5_000;
const MAX_NOTE_ELEMENTS = 500;
const MAX_MARK_CHARS = 40;
const MAX_NODES_BEFORE_MARK = 100;

/**
 * Finds a page's footnotes. A footnote is a short block after the text that refers to it. The reference is a link whose
 * text is a number or a symbol, and the footnote links back to the paragraph with the reference. A role, or a class of
 * markdown converters, can replace the link back.
 */
export class Footnotes {
  readonly notes: Footnote[] = [];
  readonly #labels = new Set<string>();
  readonly #targets = new Map<string, Element>();
  /** The links in the blocks that can be footnotes, or null if the block can't be one. */
  readonly #links = new Map<Element, readonly Element[] | null>();
  /** The elements that contain only footnotes, marks or links back to the text. */
  readonly #skipped = new Set<Element>();
  /** The labels of the footnotes that links refer to, and of notes in a line. */
  readonly #references = new Map<Element, string>();

  /** `whole` returns the whole page. The content may lack the footnotes that it refers to. */
  constructor(root: ParentNode, whole: () => ParentNode = () => root) {
    const links: Element[] = [];
    const places = new Map<Element, number>();
    const references = new Map<Element, Element[]>();
    const lists = new Set<ParentNode | null>();
    for (const element of elementsUnder(root)) {
      this.#addTarget(element);
      places.set(element, places.size);
      if (isPlaceLink(element)) links.push(element);
      if (isNoteList(element) || lists.has(element.parent)) lists.add(element);
      const isItem = lists.has(element) && element.name === "li" && hasAttribute(element, "id");
      if (isItem || hasClass(element, INLINE_CLASS)) references.set(element, []);
    }
    if (links.some((link) => isReference(link) && !this.#targetOf(link)))
      for (const element of elementsUnder(whole())) this.#addTarget(element);
    const placeOf = (element: Element) => places.get(element) ?? places.size;
    for (const link of links) {
      const target = this.#targetOf(link);
      const note = target && noteOf(target);
      if (!note || isWithin(link, new Set([note]))) continue;
      const known = references.get(note);
      if (known) known.push(link);
      else if (placeOf(link) < placeOf(target) && this.#refersTo(link, note, target)) references.set(note, [link]);
    }
    for (const [note, its] of [...references].sort(([a], [b]) => placeOf(a) - placeOf(b))) this.#add(note, its);
    this.#skipContainers(root);
  }

  /**
   * Returns true for an element that contains only footnotes, or only the mark of a footnote or links back to the text.
   * The builder skips such elements and adds the footnotes at the end of the content.
   */
  isSkipped(element: Element): boolean {
    return this.#skipped.has(element);
  }

  /** Returns the label of the footnote that a link refers to, or of a note in the line. Null for other elements. */
  labelOf(element: Element): string | null {
    return this.#references.get(element) ?? null;
  }

  /** Returns true for a reference to a footnote that isn't on the page. */
  isDangling(link: Element): boolean {
    return attribute(link, "href").startsWith("#") && MARK.test(textOf(link)) && !this.#targetOf(link);
  }

  #addTarget(element: Element): void {
    const { id, name } = element.attribs;
    for (const key of [id, element.name === "a" ? name : ""])
      if (key && !this.#targets.has(key)) this.#targets.set(key, element);
  }

  #targetOf(link: Element): Element | undefined {
    const [, fragment = ""] = /#(.*)/s.exec(attribute(link, "href")) ?? [];
    return this.#targets.get(fragment) ?? this.#targets.get(fragment.replaceAll("%3A", ":"));
  }

  #refersTo(link: Element, note: Element, target: Element): boolean {
    const links = this.#linksIn(note);
    if (!links || !isReference(link)) return false;
    if ([link, target, note].some((one) => hasRole(one, REFERENCE_ROLE) || hasRole(one, NOTE_ROLE))) return true;
    return links.some((back) => {
      const place = this.#targetOf(back);
      return place && !isBlock(place) && paragraphOf(place) === paragraphOf(link);
    });
  }

  /** Returns the links in a note to places on the page. Returns null if the note is too long, or has a heading. */
  #linksIn(note: Element): readonly Element[] | null {
    const known = this.#links.get(note);
    if (known !== undefined) return known;
    const elements = elementsUnder(note).take(MAX_NOTE_ELEMENTS).toArray();
    const isShort = elements.length < MAX_NOTE_ELEMENTS && !hasMoreText(note, MAX_NOTE_CHARS);
    const links = isShort && !elements.some(isHeading) ? elements.filter(isPlaceLink) : null;
    this.#links.set(note, links);
    return links;
  }

  #add(note: Element, references: readonly Element[]): void {
    const isInline = !isBlock(note);
    const shown = isInline ? firstText(note) : references.map(textOf)[0];
    const [, mark = ""] = MARK.exec(shown ?? "") ?? [];
    let label = mark;
    for (let number = this.notes.length + 1; !/^\d+$/.test(label) || this.#labels.has(label); number++)
      label = String(number);
    this.#labels.add(label);
    for (const element of isInline ? [note] : references) this.#references.set(element, label);
    const content = (note.name === "dt" && nextElementSibling(note)) || note;
    if (!isInline) this.#skipped.add(note).add(content);
    this.notes.push({ label, mark, content });
    const paragraphs = new Set(references.map(paragraphOf));
    const back = (this.#linksIn(note) ?? []).filter((link) => {
      const place = this.#targetOf(link);
      return isBackLink(link) || (place && paragraphs.has(paragraphOf(place))) || isMarkOf(note, link);
    });
    for (const link of back) this.#skipped.add(link);
    for (const link of back) this.#skipped.add(aroundBackLinks(link, this.#skipped));
    for (const element of elementsUnder(note).take(MAX_NODES_BEFORE_MARK))
      if (mark !== "" && textOf(element) === mark && isMarkOf(note, element)) this.#skipped.add(element);
  }

  /** Skips the elements that contain nothing but skipped elements, rules and headings. */
  #skipContainers(root: ParentNode): void {
    const isEmptied = (node: ChildNode) =>
      isElement(node)
        ? this.#skipped.has(node) || node.name === "hr" || isHeading(node) || rawText(node).trim() === ""
        : !isText(node) || node.data.trim() === "";
    const parents = new Set(this.notes.map(({ content }) => content.parent).filter(isElement));
    for (const parent of parents) {
      if (parent === root || this.#skipped.has(parent) || !parent.children.every(isEmptied)) continue;
      this.#skipped.add(parent);
      if (isElement(parent.parent)) parents.add(parent.parent);
    }
  }
}

/**
 * Removes the mark of a footnote at the start of its text, because the label replaces it. Also removes punctuation that
 * was around a mark or a link back.
 */
export function removeMark([first]: readonly Block[], mark: string): void {
  if (first?.type !== "paragraph") return;
  const [start, end] = [first.content[0], first.content.at(-1)];
  const [word = ""] = start?.value.split(" ", 1) ?? [];
  const bare = word.replace(/[[\]().:^]/g, "");
  if (start?.type === "text" && word !== start.value && (bare === "" || bare === mark))
    start.value = start.value.slice(word.length + 1);
  if (end?.type === "text") end.value = end.value.replace(/\s?(?:\[\s?\]|\(\s?\))$/, "");
}

/** Returns the block with a footnote. A mark inside of a block must be at its start. */
function noteOf(target: Element): Element | null {
  const block = paragraphOf(target);
  if (!block || !isBlock(block) || (block !== target && !begins(block, target))) return null;
  return isElement(block.parent) && block.parent.name === "tr" ? block.parent : block;
}

/** Returns true for a mark at the start of a note. */
function isMarkOf(note: Element, element: Element): boolean {
  return MARK.test(textOf(element)) && begins(note, element);
}

/** Returns true if nothing but punctuation and marks precedes `target` in `block`. */
function begins(block: Element, target: Element): boolean {
  const stack: ChildNode[] = block.children.slice(0, MAX_NODES_BEFORE_MARK).reverse();
  for (let node = stack.pop(), count = 0; node && node !== target; node = stack.pop(), count++) {
    if (count > MAX_NODES_BEFORE_MARK) return false;
    if (isText(node) && node.data.trim().length > 2 && !AROUND_BACK_LINKS.test(node.data)) return false;
    if (isElement(node)) stack.push(...node.children.slice(0, MAX_NODES_BEFORE_MARK).reverse());
  }
  return true;
}

/** Returns the innermost block that contains an element, or the element itself if it's a block. */
function paragraphOf(element: Element): Element | null {
  return elementsAround(element).find(isBlock) ?? null;
}

/** Returns the outermost inline element around a link back that contains only such links and marks. */
function aroundBackLinks(link: Element, skipped: ReadonlySet<Element>): Element {
  const textOutside = (element: Element): string =>
    skipped.has(element)
      ? ""
      : element.children.map((node) => (isText(node) ? node.data : isElement(node) ? textOutside(node) : "")).join("");
  let around = link;
  for (let at = link.parent; isElement(at) && !isBlock(at); at = at.parent) {
    // Many links can be in the same element.
    if (at.children.length > MAX_NODES_BEFORE_MARK) break;
    if (elementsUnder(at).drop(MAX_NODES_BEFORE_MARK).next().done !== true || hasMoreText(at, 200)) break;
    if (!AROUND_BACK_LINKS.test(textOutside(at))) break;
    around = at;
  }
  return around;
}

function isReference(link: Element): boolean {
  return hasRole(link, REFERENCE_ROLE) || MARK.test(textOf(link));
}

function isBackLink(link: Element): boolean {
  if (hasRole(link, /^doc-backlink$/) || hasAttribute(link, "data-footnote-backref")) return true;
  return hasClass(link, BACK_CLASS) || ARROW.test(textOf(link));
}

function isPlaceLink(element: Element): boolean {
  return element.name === "a" && attribute(element, "href").includes("#");
}

function isNoteList(element: Element): boolean {
  if (!/^(?:section|div|ol|aside)$/.test(element.name)) return false;
  if (hasAttribute(element, "data-footnotes") || hasRole(element, /^(?:doc-endnotes|footnotes|endnotes|rearnotes)$/))
    return true;
  return hasClass(element, LIST_CLASS);
}

/** Returns true if the element's role, or its `epub:type`, matches. */
function hasRole({ attribs }: Element, role: RegExp): boolean {
  return role.test(attribs.role ?? "") || role.test(attribs["epub:type"] ?? "");
}

function hasClass(element: Element, pattern: RegExp): boolean {
  return classesOf(element).some((name) => pattern.test(name));
}

/** Returns the text of an element that is as short as a mark. Returns an empty string for longer text. */
function textOf(element: Element): string {
  return hasMoreText(element, MAX_MARK_CHARS) ? "" : collapseAndTrim(rawText(element));
}

function firstText(element: Element): string {
  for (const child of element.children) {
    const text = isText(child) ? child.data.trim() : isElement(child) ? firstText(child) : "";
    if (text !== "") return text;
  }
  return "";
}
