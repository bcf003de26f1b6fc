import type { Element, ParentNode } from "domhandler";
import { elementsUnder } from "../../html/parse/dom";
import { hasClass } from "./dom";

/** The elements of a page in document order, and by name and class. */
export class PageIndex {
  readonly elements: readonly Element[];
  readonly #names: ReadonlyMap<string, Element[]>;
  readonly #classes: ReadonlyMap<string, Element[]>;

  constructor(root: ParentNode) {
    this.elements = [...elementsUnder(root)];
    this.#names = Map.groupBy(this.elements, ({ name }) => name);
    this.#classes = Map.groupBy(this.elements, ({ attribs }) => attribs.class ?? "");
  }

  named(name: string): readonly Element[] {
    return this.#names.get(name) ?? [];
  }

  /** Returns the elements with one of the classes. Tests each value of the class attribute once. */
  withClass(...names: string[]): Element[] {
    return [...this.#classes].flatMap(([value, elements]) => (hasClass(value, names) ? elements : []));
  }
}
