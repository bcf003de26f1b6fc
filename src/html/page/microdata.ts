import { type ChildNode, type Document, Element } from "domhandler";
import { elementsUnder, separatedText } from "../parse/dom";
import { spendSteps } from "../parse/original-tree";
import { tidyValue } from "../parse/white-space";
import addressAttributes from "./address-attributes.json";

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
    /** Without it, the value of a link is its text. */
    toUrl?: (address: string) => string;
    hidden: ReadonlySet<ChildNode>;
    /** If true, the first item has the properties that belong to no item. */
    page?: boolean;
    /** Gets the element of each item that isn't nested. */
    onItem?: (item: object, element: Element) => void;
  },
): Item[] {
  return new ItemReader(document, options).readAll();
}

class ItemReader {
  readonly #document: Document;
  readonly #names: (typeof SYNTAXES)[keyof typeof SYNTAXES];
  readonly #toUrl: ((address: string) => string) | undefined;
  readonly #hidden: ReadonlySet<ChildNode>;
  /** The items that are the value of another item's property. */
  readonly #nested = new Set<Element>();
  readonly #onItem: (item: object, element: Element) => void;
  readonly #hasPage: boolean;
  #properties = 0;

  constructor(
    document: Document,
    { syntax, toUrl, hidden, page = false, onItem = () => {} }: Parameters<typeof readItems>[1],
  ) {
    this.#document = document;
    this.#names = SYNTAXES[syntax];
    this.#toUrl = toUrl;
    this.#hidden = hidden;
    this.#onItem = onItem;
    this.#hasPage = page;
  }

  readAll(): Item[] {
    const items = this.#hasPage ? [this.#item(this.#document, 0)] : [];
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

  #item(scope: Element | Document, depth: number): Item {
    const item: Item = Object.create(null);
    const [type] = scope instanceof Element ? wordsOf(scope.attribs[this.#names.type]) : [];
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
    if (addressed !== undefined && this.#toUrl) return this.#toUrl(attribs[addressed] ?? "");
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

/** The types of reviews, comments and answers. Their authors and dates aren't the page's. */
export const CONTRIBUTION = /\b(?:UserReview|Review|UserComments|Comment|Answer)\b/;
