import type { Element, ParentNode } from "domhandler";
import { attribute, classesOf, elementsUnder, hasAttribute, rawText } from "../parse/dom";
import { collapseAndTrim } from "../parse/white-space";

interface Footnote {
  label: string;
  content: Element;
}

const NOTE_LIST_CLASSES = new Set(["footnotes", "footnote-list"]);
const BACK_LINK_CLASSES = new Set(["footnote-backref", "footnote-back", "data-footnote-backref", "reversefootnote"]);

/** Finds a page's footnotes. Recognizes the markup of markdown converters and word processors. */
export class Footnotes {
  readonly notes: Footnote[] = [];
  #labels = new Map<string, string>();
  #lists = new Set<Element>();

  constructor(root: ParentNode) {
    const targets = new Map<string, Element>();
    for (const element of elementsUnder(root, (inner) => !isNoteList(inner))) {
      if (!isNoteList(element)) continue;
      this.#lists.add(element);
      for (const note of elementsUnder(element))
        if (note.name === "li" && note.attribs.id) targets.set(note.attribs.id, note);
    }
    for (const [id, content] of targets) {
      const label = String(this.notes.length + 1);
      this.#labels.set(id, label);
      this.notes.push({ label, content });
    }
  }

  /**
   * Returns true for an element that contains only footnotes. The builder skips such elements and adds the footnotes at
   * the end of the content.
   */
  isList(element: Element): boolean {
    return this.#lists.has(element);
  }

  /** Returns the label of the footnote that a link refers to, or null if it doesn't refer to one. */
  labelOf(link: Element): string | null {
    if (this.notes.length === 0) return null;
    return this.#labels.get(attribute(link, "href").replace(/^[^#]*#/, "")) ?? null;
  }

  /** Returns true for a link from a footnote back to its place in the text. */
  isBackLink(link: Element): boolean {
    if (this.notes.length === 0) return false;
    if (attribute(link, "role") === "doc-backlink" || hasAttribute(link, "data-footnote-backref")) return true;
    return (
      classesOf(link).some((name) => BACK_LINK_CLASSES.has(name)) ||
      /^[↩↑^]\ufe0e?$/.test(collapseAndTrim(rawText(link)))
    );
  }
}

function isNoteList(element: Element): boolean {
  if (!/^(?:section|div|ol|aside)$/.test(element.name)) return false;
  if (hasAttribute(element, "data-footnotes") || attribute(element, "role") === "doc-endnotes") return true;
  return classesOf(element).some((name) => NOTE_LIST_CLASSES.has(name));
}
