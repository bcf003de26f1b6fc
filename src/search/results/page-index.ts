import type { Element } from "domhandler";
import { lazy } from "../../lib/lazy";
import { hasClass, type Matcher } from "./matchers";

/** The elements of a page in document order, and by name and class. */
export class PageIndex {
  readonly elements: readonly Element[];
  readonly #names = lazy(() => Map.groupBy(this.elements, ({ name }) => name));
  readonly #classes = lazy(() => Map.groupBy(this.elements, ({ attribs }) => attribs.class ?? ""));

  constructor(elements: Iterable<Element>) {
    this.elements = [...elements];
  }

  named(name: string): readonly Element[] {
    return this.#names().get(name) ?? [];
  }

  /** Returns the elements with one of the classes. Tests each value of the class attribute once. */
  withClass(...names: string[]): Element[] {
    return [...this.#classes()].flatMap(([value, elements]) => (hasClass(value, names) ? elements : []));
  }

  has(matches: Matcher): boolean {
    return this.elements.some(matches);
  }
}
