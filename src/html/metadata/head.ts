import { type Document, type Element, isText } from "domhandler";
import { attribute, elementsUnder } from "../parse/dom";
import { tidyValue } from "../parse/white-space";

/**
 * The contents of <title>, <meta>, <link> and JSON-LD scripts. Strings are empty if the page doesn't have the element.
 */
export interface HeadElements {
  title: string;
  language: string;
  /** The URL as the page wrote it. It can be relative. */
  canonical: string;
  icon: string;
  /** The text of each JSON-LD script. */
  jsonLd: string[];
  /**
   * Maps the name or property of each <meta> element to its content. If a name occurs several times, the first one
   * counts. The keys are in lower case.
   */
  meta: Map<string, string>;
  openGraph: Record<string, string> | undefined;
}

const MAX_PROPERTIES = 500;

/**
 * Reads the elements that describe a page. Searches the whole document, because many pages have some of them in the
 * body.
 */
export function readHeadElements(document: Document): HeadElements {
  const reader = new HeadReader();
  for (const element of elementsUnder(document, ({ name }) => name !== "svg")) reader.add(element);
  return reader.finish();
}

/** Collects the elements that describe a page. */
export class HeadReader {
  readonly #head: HeadElements = {
    title: "",
    language: "",
    canonical: "",
    icon: "",
    jsonLd: [],
    meta: new Map(),
    openGraph: undefined,
  };
  #touchIcon = "";

  /** Adds an element if it describes the page. Call it for all elements in document order. */
  add(element: Element): void {
    const head = this.#head;
    switch (element.name) {
      case "html":
        head.language ||= attribute(element, "lang") || attribute(element, "xml:lang");
        break;
      case "title":
        head.title ||= textOf(element);
        break;
      case "meta":
        addMeta(head.meta, element);
        break;
      case "link":
        this.#addLink(element);
        break;
      case "script":
        if (/^\s*application\/ld\+json/i.test(attribute(element, "type"))) head.jsonLd.push(textOf(element));
    }
  }

  finish(): HeadElements {
    this.#head.icon ||= this.#touchIcon;
    this.#head.openGraph = openGraphOf(this.#head.meta);
    return this.#head;
  }

  #addLink(element: Element): void {
    const relations = attribute(element, "rel").toLowerCase().split(/\s+/);
    const href = attribute(element, "href").trim();
    if (relations.includes("canonical")) this.#head.canonical ||= href;
    if (/^data:/i.test(href)) return;
    if (relations.includes("icon")) this.#head.icon ||= href;
    if (relations.includes("apple-touch-icon")) this.#touchIcon ||= href;
  }
}

function addMeta(meta: Map<string, string>, element: Element): void {
  const content = attribute(element, "content");
  if (content.trim() === "" || meta.size >= MAX_PROPERTIES) return;
  for (const key of ["property", "name", "http-equiv"]) {
    const name = attribute(element, key).trim().toLowerCase();
    if (name && !meta.has(name)) meta.set(name, content);
  }
}

function openGraphOf(meta: Map<string, string>): Record<string, string> | undefined {
  const properties = [...meta].filter(([name]) => name.startsWith("og:"));
  if (properties.length === 0) return undefined;
  return Object.fromEntries(properties.map(([name, content]) => [name.slice("og:".length), tidyValue(content)]));
}

function textOf(element: Element): string {
  return element.children
    .filter(isText)
    .map(({ data }) => data)
    .join("");
}
