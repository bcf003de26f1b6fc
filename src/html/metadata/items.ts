import { type ChildNode, type Document, Element, Text } from "domhandler";
import { elementsUnder, isBlock, NEVER_TEXT } from "../parse/dom";
import { tidyValue } from "./value";

export type ItemValue = string | Item;
/** Properties with several values have a list; `@type` is the last part of the type's address. */
export interface Item {
  [property: string]: ItemValue | ItemValue[];
}

const MAX_PROPERTIES = 3_000;
const MAX_DEPTH = 20;
/** Of one value; `tidyValue` cuts the rest. */
const MAX_TEXT_CHARS = 4_000;
/** Over all values: items inside of items read the same words again. */
const MAX_NODES = 500_000;
const ADDRESS_ATTRIBUTES = new Map([
  ["a", "href"],
  ["area", "href"],
  ["link", "href"],
  ["audio", "src"],
  ["embed", "src"],
  ["iframe", "src"],
  ["img", "src"],
  ["source", "src"],
  ["track", "src"],
  ["video", "src"],
  ["object", "data"],
]);

/**
 * The microdata of a page as nested objects, the outermost items first to last: https://html.spec.whatwg.org/#microdata, but
 * for itemref. Ignores `hidden` nodes, but not <meta> and <link>.
 */
export function readItems(
  document: Document,
  options: { toUrl: (address: string) => string; hidden: ReadonlySet<ChildNode> },
): Item[] {
  return new ItemReader(options).readAll(document);
}

class ItemReader {
  readonly #toUrl: (address: string) => string;
  readonly #hidden: ReadonlySet<ChildNode>;
  /** What is a property of another item. */
  readonly #nested = new Set<Element>();
  #properties = 0;
  #nodes = 0;

  constructor({ toUrl, hidden }: { toUrl: (address: string) => string; hidden: ReadonlySet<ChildNode> }) {
    this.#toUrl = toUrl;
    this.#hidden = hidden;
  }

  readAll(document: Document): Item[] {
    const items: Item[] = [];
    for (const element of elementsUnder(document, (inner) => !this.#hidden.has(inner))) {
      const isItem = element.attribs.itemscope !== undefined && !this.#hidden.has(element);
      if (!isItem || this.#nested.has(element)) continue;
      const item = this.#item(element, 0);
      if (Object.keys(item).some((name) => name !== "@type")) items.push(item);
    }
    return items;
  }

  #item(scope: Element, depth: number): Item {
    const type = (scope.attribs.itemtype ?? "")
      .trim()
      .split(/\s+/)[0]
      ?.replace(/^.*[/#:]/, "");
    const item: Item = Object.create(null);
    if (type) item["@type"] = tidyValue(type);
    const isEntered = (element: Element) => element.attribs.itemscope === undefined && !this.#hidden.has(element);
    for (const element of elementsUnder(scope, isEntered)) {
      if (this.#hidden.has(element)) continue;
      const names = (element.attribs.itemprop ?? "").split(/\s+/).filter(Boolean);
      if (names.length === 0) continue;
      this.#nested.add(element);
      if (depth >= MAX_DEPTH) continue;
      if (++this.#properties > MAX_PROPERTIES) break;
      const value = element.attribs.itemscope === undefined ? this.#value(element) : this.#item(element, depth + 1);
      if (typeof value === "string" ? value === "" : Object.keys(value).length === 0) continue;
      for (const name of names.slice(0, MAX_DEPTH)) add(item, tidyValue(name), value);
    }
    return item;
  }

  #value(element: Element): string {
    const { name, attribs } = element;
    if (attribs.content !== undefined) return tidyValue(attribs.content);
    const addressed = ADDRESS_ATTRIBUTES.get(name);
    if (addressed !== undefined) return this.#toUrl(attribs[addressed] ?? "");
    if (name === "data" || name === "meter") return tidyValue(attribs.value ?? this.#text(element));
    return tidyValue(attribs.datetime ?? this.#text(element));
  }

  #text(root: Element): string {
    let text = "";
    const stack: ChildNode[] = root.children.toReversed();
    for (let node = stack.pop(); node && text.length < MAX_TEXT_CHARS; node = stack.pop()) {
      if (this.#hidden.has(node) || ++this.#nodes > MAX_NODES) continue;
      if (node instanceof Text) text += node.data;
      else if (node instanceof Element && !NEVER_TEXT.has(node.name)) {
        if (node.name === "br" || isBlock(node)) text += " ";
        for (let at = node.children.length - 1; at >= 0; at--) stack.push(node.children[at] as ChildNode);
      }
    }
    return text;
  }
}

function add(item: Item, name: string, value: ItemValue): void {
  const known = item[name];
  if (known === undefined) item[name] = value;
  else if (Array.isArray(known)) known.push(value);
  else item[name] = [known, value];
}
