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
  {
    syntax,
    toUrl,
    hidden,
    page = false,
    onItem,
  }: {
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
  const names = SYNTAXES[syntax];
  /** The items that are the value of another item's property. */
  const nested = new Set<Element>();
  let properties = 0;
  const isItem = ({ attribs }: Element) => attribs[names.item] !== undefined;

  function readItem(scope: Element | Document, depth: number): Item {
    const item: Item = Object.create(null);
    const [type] = scope instanceof Element ? wordsOf(scope.attribs[names.type]) : [];
    if (type) item["@type"] = tidyValue(type.replace(/^.*[/#:]/, ""));
    for (const element of elementsUnder(scope, (inner) => !isItem(inner) && !hidden.has(inner))) {
      const own = wordsOf(element.attribs[names.property]).filter((name) => !OPEN_GRAPH.test(name));
      if (own.length === 0 || hidden.has(element)) continue;
      nested.add(element);
      if (depth >= MAX_DEPTH) continue;
      if (++properties > MAX_PROPERTIES) break;
      const value = isItem(element) ? readItem(element, depth + 1) : readValue(element);
      if (typeof value === "string" ? value === "" : Object.keys(value).length === 0) continue;
      for (const name of own) add(item, tidyValue(name), value);
    }
    return item;
  }

  function readValue(element: Element): string {
    const { name, attribs } = element;
    if (attribs.content !== undefined) return tidyValue(attribs.content);
    const addressed = ADDRESS_ATTRIBUTES.get(name);
    if (addressed !== undefined && toUrl) return toUrl(attribs[addressed] ?? "");
    const value = name === "data" || name === "meter" ? attribs.value : attribs.datetime;
    return tidyValue(value ?? separatedText(element, { maxChars: MAX_TEXT_CHARS, isSkipped }));
  }

  function isSkipped(node: ChildNode): boolean {
    // Texts in nested elements are read several times.
    spendSteps(document, 1);
    return hidden.has(node);
  }

  const items = page ? [readItem(document, 0)] : [];
  for (const element of elementsUnder(document, (inner) => !hidden.has(inner))) {
    if (!isItem(element) || hidden.has(element) || nested.has(element)) continue;
    const item = readItem(element, 0);
    if (!Object.keys(item).some((name) => name !== "@type")) continue;
    onItem?.(item, element);
    items.push(item);
  }
  return items;
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
