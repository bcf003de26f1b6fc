import { type ChildNode, type Document, Element } from "domhandler";
import { attribute, elementsUnder, findElement, hasAttribute, rawText, separatedText } from "../parse/dom";
import { spendSteps } from "../parse/original-tree";
import { tidyValue } from "../parse/white-space";
import addressAttributes from "./address-attributes.json";
import type { Description } from "./json-ld";

type ItemValue = string | Item;
/** An item. If a property has several values, they are in an array. `@type` is the last part of the type's URL. */
interface Item {
  [property: string]: ItemValue | ItemValue[];
}

/** The attributes with which a syntax marks items, their types and their properties. */
const SYNTAXES = {
  microdata: { item: "itemscope", type: "itemtype", property: "itemprop" },
  rdfa: { item: "typeof", type: "typeof", property: "property" },
} as const;
/** Properties of Open Graph, which pages also declare inside of items. */
const OPEN_GRAPH = /^(?:og|fb|article|product):/;

const MAX_PROPERTIES = 3_000;
const MAX_DEPTH = 20;
const ADDRESS_ATTRIBUTES: ReadonlyMap<string, string> = new Map(Object.entries(addressAttributes));

/** The maximum length of a text before its white space is collapsed. */
const MAX_TEXT_CHARS = 4_000;

/**
 * Reads the items of microdata (https://html.spec.whatwg.org/#microdata, without itemref) or RDFa Lite
 * (https://www.w3.org/TR/rdfa-lite/) as nested objects, in document order. Ignores `hidden` nodes.
 */
export function readItems(
  document: Document,
  options: {
    syntax: keyof typeof SYNTAXES;
    toUrl: (address: string) => string;
    hidden: ReadonlySet<ChildNode>;
    /** Gets the element of each item that isn't nested. */
    onItem?: (item: object, element: Element) => void;
  },
): Item[] {
  return new ItemReader(document, options).readAll();
}

class ItemReader {
  readonly #document: Document;
  readonly #names: (typeof SYNTAXES)[keyof typeof SYNTAXES];
  readonly #toUrl: (address: string) => string;
  readonly #hidden: ReadonlySet<ChildNode>;
  /** The items that are the value of another item's property. */
  readonly #nested = new Set<Element>();
  readonly #onItem: (item: object, element: Element) => void;
  #properties = 0;

  constructor(document: Document, { syntax, toUrl, hidden, onItem = () => {} }: Parameters<typeof readItems>[1]) {
    this.#document = document;
    this.#names = SYNTAXES[syntax];
    this.#toUrl = toUrl;
    this.#hidden = hidden;
    this.#onItem = onItem;
  }

  readAll(): Item[] {
    const items: Item[] = [];
    for (const element of elementsUnder(this.#document, (inner) => !this.#hidden.has(inner))) {
      if (!this.#isItem(element) || this.#hidden.has(element) || this.#nested.has(element)) continue;
      const item = this.#item(element, 0);
      if (!Object.keys(item).some((name) => name !== "@type")) continue;
      this.#onItem(item, element);
      items.push(item);
    }
    return items;
  }

  #isItem(element: Element): boolean {
    return element.attribs[this.#names.item] !== undefined;
  }

  #item(scope: Element, depth: number): Item {
    const item: Item = Object.create(null);
    const [type] = wordsOf(scope.attribs[this.#names.type]);
    if (type) item["@type"] = tidyValue(type.replace(/^.*[/#:]/, ""));
    const isEntered = (element: Element) => !this.#isItem(element) && !this.#hidden.has(element);
    for (const element of elementsUnder(scope, isEntered)) {
      if (this.#hidden.has(element)) continue;
      const names = wordsOf(element.attribs[this.#names.property]).filter((name) => !OPEN_GRAPH.test(name));
      if (names.length === 0) continue;
      this.#nested.add(element);
      if (depth >= MAX_DEPTH) continue;
      if (++this.#properties > MAX_PROPERTIES) break;
      const value = this.#isItem(element) ? this.#item(element, depth + 1) : this.#value(element);
      if (typeof value === "string" ? value === "" : Object.keys(value).length === 0) continue;
      for (const name of names) add(item, tidyValue(name), value);
    }
    return item;
  }

  #value(element: Element): string {
    const { name, attribs } = element;
    if (attribs.content !== undefined) return tidyValue(attribs.content);
    const addressed = ADDRESS_ATTRIBUTES.get(name);
    if (addressed !== undefined) return this.#toUrl(attribs[addressed] ?? "");
    if (name === "data" || name === "meter") return tidyValue(attribs.value ?? this.#textOf(element));
    return tidyValue(attribs.datetime ?? this.#textOf(element));
  }

  #textOf(element: Element): string {
    // Texts in nested elements are read several times.
    const isSkipped = (node: ChildNode) => {
      spendSteps(this.#document, 1);
      return this.#hidden.has(node);
    };
    return separatedText(element, { maxChars: MAX_TEXT_CHARS, isSkipped });
  }
}

/** Returns the first words of an attribute. */
function wordsOf(attribute = ""): string[] {
  return attribute.split(/\s+/).filter(Boolean).slice(0, MAX_DEPTH);
}

function add(item: Item, name: string, value: ItemValue): void {
  const known = item[name];
  if (known === undefined) item[name] = value;
  else if (Array.isArray(known)) known.push(value);
  else item[name] = [known, value];
}

type Field = Exclude<keyof Description, "isByOrganization">;

/** The types of reviews, comments and answers. Their authors and dates aren't the page's. */
export const CONTRIBUTION = /\b(?:UserReview|Review|UserComments|Comment|Answer)\b/;

const FIELDS = new Map<string, Field>([
  ["headline", "title"],
  ["description", "description"],
  ["inLanguage", "language"],
  ["author", "author"],
  ["datePublished", "published"],
  ["dateModified", "modified"],
  ["publisher", "site"],
]);

/**
 * Describes a page by the elements with microdata properties, in document order. Each field of the description has the
 * first value of the corresponding property.
 */
export function describeByMicrodata(properties: readonly Element[]): Description {
  const description: Description = {};
  for (const element of properties) {
    for (const name of attribute(element, "itemprop").split(/\s+/)) {
      const field = FIELDS.get(name);
      if (field && !description[field] && !isContribution(element)) description[field] = propertyValue(element);
    }
  }
  return description;
}

/** Returns true for a property of a review, a comment or an answer. */
function isContribution(element: Element): boolean {
  for (let node = element.parent; node instanceof Element; node = node.parent)
    if (CONTRIBUTION.test(node.attribs.itemtype ?? "")) return true;
  return false;
}

/** Returns the value of a property. For a nested item, such as a person, returns the item's name. */
function propertyValue(element: Element): string {
  if (!hasAttribute(element, "itemscope")) return plainValue(element);
  const name = findElement(element, ({ attribs }) => attribs.itemprop === "name");
  return name ? plainValue(name) : "";
}

function plainValue(element: Element): string {
  return tidyValue(attribute(element, "content") || attribute(element, "datetime") || rawText(element));
}
