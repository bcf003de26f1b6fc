import { type Document, type Element, isText } from "domhandler";
import { lazy } from "../../lib/lazy";
import { attribute, isElement, NEVER_TEXT, ownText, separatedText } from "../parse/dom";
import { tidyValue } from "../parse/white-space";
import type { Heading } from "./headline";
import { allTypesIn, type JsonLdNode, objectsIn, parseJsonLd, typesOf, withMainEntities } from "./json-ld";

const MAX_PROPERTIES = 500;
const MAX_HEADINGS = 200;
const MAX_HEADING_CHARS = 1_000;

/** The model of each document. Several parts of a conversion need it, and reading it walks through the whole page. */
const MODELS = new WeakMap<Document, PageModel>();

/**
 * Returns what the elements of a page declare about it. Searches the whole document, because many pages have <meta>
 * elements and JSON-LD in the body.
 */
export function readPageModel(document: Document): PageModel {
  const known = MODELS.get(document);
  if (known) return known;
  const model = new PageModel(document);
  MODELS.set(document, model);
  return model;
}

/** The declarations of a page about itself. Strings are empty if the page doesn't have the element. */
export class PageModel {
  title = "";
  language = "";
  /** The URL as the page wrote it. It can be relative. */
  canonical = "";
  /**
   * Maps the name or property of each <meta> element to its content. If a name occurs several times, the first one
   * counts. The keys are in lower case.
   */
  readonly meta = new Map<string, string>();
  /** The elements of `meta` that aren't in <head>, by name. A script may have appended them with another article. */
  readonly bodyMeta = new Map<string, Element>();
  /** All values of `og:type`. Some pages have two, and the second one is more precise. */
  readonly openGraphTypes: string[] = [];
  hasMicrodata = false;
  /** The <noscript> elements. They aren't nested. */
  readonly noscripts: Element[] = [];
  /** The elements <h1> to <h3>, with the length of the text before each of them. */
  readonly #headings: { element: Element; at: number }[] = [];
  #chars = 0;
  #icon = "";
  #touchIcon = "";
  /** The text of each JSON-LD script. */
  readonly #scripts: string[] = [];
  /** The JSON of each JSON-LD script. It is null if it can't be repaired. */
  readonly jsonLd = lazy<readonly unknown[]>(() => this.#scripts.map(parseJsonLd));
  /** The objects of each JSON-LD script. */
  readonly objects = lazy<readonly (readonly JsonLdNode[])[]>(() => this.jsonLd().map(objectsIn));
  /** The objects of all JSON-LD scripts and their main entities. */
  readonly nodes = lazy<readonly JsonLdNode[]>(() => withMainEntities(this.objects().flat()));
  /** The types of all objects in JSON-LD, including those of their values. */
  readonly types = lazy<ReadonlySet<string>>(() => new Set(allTypesIn(this.jsonLd())));
  /** The headings <h1> to <h3> that have a text. */
  readonly headings = lazy<readonly Heading[]>(() => this.#readHeadings());

  constructor(document: Document) {
    for (const child of document.children) if (isElement(child)) this.#add(child);
  }

  /** The titles that the page declares, without duplicates. */
  get titles(): readonly string[] {
    const titles = [this.title, this.meta.get("og:title"), this.meta.get("twitter:title")].map(tidyValue);
    return [...new Set(titles)].filter((title) => title !== "");
  }

  get icon(): string {
    return this.#icon || this.#touchIcon;
  }

  /** The properties of Open Graph. The keys lack the prefix `og:`. */
  get openGraph(): Record<string, string> | undefined {
    const properties = [...this.meta].filter(([name]) => name.startsWith("og:"));
    if (properties.length === 0) return undefined;
    return Object.fromEntries(properties.map(([name, content]) => [name.slice("og:".length), tidyValue(content)]));
  }

  /** True if the page declares that it is an article or a post. */
  get isArticle(): boolean {
    return (
      this.meta.has("article:published_time") ||
      this.openGraphTypes.some((type) => /article/i.test(type)) ||
      this.nodes().some((node) => typesOf(node).some((type) => /Article$|Posting$/.test(type)))
    );
  }

  #readHeadings(): Heading[] {
    const headings = this.#headings.map(({ element, at }) => ({
      element,
      text: tidyValue(separatedText(element, { maxChars: MAX_HEADING_CHARS })),
      isLate: at > this.#chars / 2,
    }));
    return headings.filter(({ text }) => text !== "");
  }

  #add(element: Element): void {
    if (element.attribs.itemprop !== undefined) this.hasMicrodata = true;
    switch (element.name) {
      case "html":
        this.language ||= attribute(element, "lang") || attribute(element, "xml:lang");
        break;
      case "title":
        this.title ||= ownText(element);
        break;
      case "meta":
        this.#addMeta(element);
        break;
      case "link":
        this.#addLink(element);
        break;
      case "script":
        if (/^\s*application\/ld\+json/i.test(attribute(element, "type"))) this.#scripts.push(ownText(element));
        break;
      case "noscript":
        this.noscripts.push(element);
        break;
      case "h1":
      case "h2":
      case "h3":
        if (this.#headings.length < MAX_HEADINGS) this.#headings.push({ element, at: this.#chars });
    }
    if (!NEVER_TEXT.has(element.name))
      for (const child of element.children) if (isText(child)) this.#chars += child.data.length;
    if (element.name === "svg" || element.name === "template") return;
    for (const child of element.children) if (isElement(child)) this.#add(child);
  }

  #addMeta(element: Element): void {
    const content = attribute(element, "content");
    if (content.trim() === "" || this.meta.size >= MAX_PROPERTIES) return;
    for (const key of ["property", "name", "http-equiv"]) {
      const name = attribute(element, key).trim().toLowerCase();
      if (name === "og:type") this.openGraphTypes.push(content);
      if (!name || this.meta.has(name)) continue;
      this.meta.set(name, content);
      if (!isElement(element.parent) || element.parent.name !== "head") this.bodyMeta.set(name, element);
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
