import { type Element, isText, type ParentNode } from "domhandler";
import { attribute, elementsUnder } from "../../html/parse/dom";

/** The names of the elements that an index lists. */
type IndexedName = "a" | "h2" | "li" | "ol" | "strong";

/** Elements of a page by name, role, class and attribute, in document order. Collects them in one walk. */
export class PageIndex {
  readonly #names = new Map<string, Element[]>(["a", "h2", "li", "ol", "strong"].map((name) => [name, []]));
  readonly #roles = new Map<string, Element[]>();
  readonly #classes = new Map<string, Element[]>();
  readonly #attributes: Map<string, Element[]>;
  /** The elements that contain only text. */
  readonly leaves: Element[] = [];

  constructor(root: ParentNode, attributes: readonly string[] = []) {
    this.#attributes = new Map(attributes.map((name) => [name, []]));
    for (const element of elementsUnder(root)) {
      const { name, attribs, children } = element;
      this.#names.get(name)?.push(element);
      if (attribs.role) add(this.#roles, attribs.role, element);
      if (attribs.class) add(this.#classes, attribs.class, element);
      for (const [key, elements] of this.#attributes) if (attribs[key]) elements.push(element);
      if (children.length === 1 && children[0] && isText(children[0])) this.leaves.push(element);
    }
  }

  named(name: IndexedName): readonly Element[] {
    return this.#names.get(name) ?? [];
  }

  withRole(role: string): readonly Element[] {
    return this.#roles.get(role) ?? [];
  }

  /** Returns the elements with an attribute that the index was made for, and with one of the values. */
  withAttribute(name: string, values?: readonly string[]): readonly Element[] {
    const elements = this.#attributes.get(name) ?? [];
    return values ? elements.filter((element) => values.includes(attribute(element, name))) : elements;
  }

  /** Returns the elements with one of the classes. */
  withClass(...classes: string[]): readonly Element[] {
    const isWanted = (value: string) =>
      classes.some((name) => value.includes(name) && value.split(/\s/).includes(name));
    return [...this.#classes].filter(([value]) => isWanted(value)).flatMap(([, elements]) => elements);
  }
}

function add(map: Map<string, Element[]>, key: string, element: Element): void {
  const elements = map.get(key);
  if (elements) elements.push(element);
  else map.set(key, [element]);
}
