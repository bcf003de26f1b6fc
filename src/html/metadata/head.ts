import { type Document, type Element, isText } from "domhandler";
import { lazy } from "../../lib/lazy";
import { attribute, elementsUnder } from "../parse/dom";
import { tidyValue } from "../parse/white-space";
import { type JsonLdNode, nodesOf, parseJsonLd } from "./json-ld";

const MAX_PROPERTIES = 500;

/** The head of each document. Several parts of a conversion need it, and reading it walks through the whole page. */
const HEADS = new WeakMap<Document, PageHead>();

/**
 * Returns what <title>, <meta>, <link> and JSON-LD scripts declare. Searches the whole document, because many pages have
 * some of them in the body.
 */
export function readHead(document: Document): PageHead {
  const known = HEADS.get(document);
  if (known) return known;
  const head = new PageHead();
  for (const element of elementsUnder(document, ({ name }) => name !== "svg" && name !== "template")) head.add(element);
  HEADS.set(document, head);
  return head;
}

/** The declarations of a page about itself. Strings are empty if the page doesn't have the element. */
export class PageHead {
  title = "";
  language = "";
  /** The URL as the page wrote it. It can be relative. */
  canonical = "";
  /** The text of each JSON-LD script. */
  readonly jsonLd: string[] = [];
  /**
   * Maps the name or property of each <meta> element to its content. If a name occurs several times, the first one
   * counts. The keys are in lower case.
   */
  readonly meta = new Map<string, string>();
  /** All values of `og:type`. Some pages have two, and the second one is more precise. */
  readonly openGraphTypes: string[] = [];
  #icon = "";
  #touchIcon = "";
  readonly #documents = lazy(() => this.jsonLd.map(parseJsonLd));
  readonly #nodes = lazy(() => nodesOf(this.documents));

  get icon(): string {
    return this.#icon || this.#touchIcon;
  }

  /** The properties of Open Graph. The keys lack the prefix `og:`. */
  get openGraph(): Record<string, string> | undefined {
    const properties = [...this.meta].filter(([name]) => name.startsWith("og:"));
    if (properties.length === 0) return undefined;
    return Object.fromEntries(properties.map(([name, content]) => [name.slice("og:".length), tidyValue(content)]));
  }

  /** The parsed JSON-LD scripts. A script that can't be repaired is null. */
  get documents(): readonly unknown[] {
    return this.#documents();
  }

  /** The nodes of all JSON-LD scripts. */
  get nodes(): readonly JsonLdNode[] {
    return this.#nodes();
  }

  /** Adds an element if it describes the page. Call it for all elements in document order. */
  add(element: Element): void {
    switch (element.name) {
      case "html":
        this.language ||= attribute(element, "lang") || attribute(element, "xml:lang");
        break;
      case "title":
        this.title ||= textOf(element);
        break;
      case "meta":
        this.#addMeta(element);
        break;
      case "link":
        this.#addLink(element);
        break;
      case "script":
        if (/^\s*application\/ld\+json/i.test(attribute(element, "type"))) this.jsonLd.push(textOf(element));
    }
  }

  #addMeta(element: Element): void {
    const content = attribute(element, "content");
    if (content.trim() === "" || this.meta.size >= MAX_PROPERTIES) return;
    for (const key of ["property", "name", "http-equiv"]) {
      const name = attribute(element, key).trim().toLowerCase();
      if (name === "og:type") this.openGraphTypes.push(content);
      if (name && !this.meta.has(name)) this.meta.set(name, content);
    }
  }

  #addLink(element: Element): void {
    const relations = attribute(element, "rel").toLowerCase().split(/\s+/);
    const href = attribute(element, "href").trim();
    if (relations.includes("canonical")) this.canonical ||= href;
    if (/^data:/i.test(href)) return;
    if (relations.includes("icon")) this.#icon ||= href;
    if (relations.includes("apple-touch-icon")) this.#touchIcon ||= href;
  }
}

function textOf(element: Element): string {
  return element.children
    .filter(isText)
    .map(({ data }) => data)
    .join("");
}
