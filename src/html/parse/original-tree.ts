import { type ChildNode, Comment, Document, Element, type ParentNode, Text } from "domhandler";
import { Budget } from "../../lib/budget";
import { AppError } from "../../model/errors";
import { setChildren } from "./tree";

/** An element of the page that the tree leaves out, such as <script>. It has attributes, and no contents. */
export class OmittedElement extends Element {
  /** True for a frame, and for a drawing with a name. The tree keeps them. */
  get hasValue(): boolean {
    const { title, "aria-label": label } = this.attribs;
    return this.name === "iframe" || (this.name === "svg" && (title ?? label) !== undefined);
  }
}

/** The place of an element among its siblings, from 0, and the element before it. */
type Place = { index: number; before: Element | null };

/**
 * The tree as browsers build it, for selectors such as `p:nth-child(2)` and `script + p`. It includes the elements that
 * the tree leaves out, without their contents.
 */
export class OriginalTree {
  /** The children of each node that has an omitted child. */
  readonly #children: ReadonlyMap<ParentNode, readonly ChildNode[]>;
  /** The results of `siblingsOf`. */
  readonly #places = new Map<ParentNode, ReadonlyMap<ChildNode, Place>>();

  constructor(children: ReadonlyMap<ParentNode, readonly ChildNode[]>) {
    this.#children = children;
  }

  /** Returns the places of the elements with the parent of this node. */
  siblingsOf(node: ChildNode): ReadonlyMap<ChildNode, Place> {
    const { parent } = node;
    if (parent === null) return new Map([[node, { index: 0, before: null }]]);
    const known = this.#places.get(parent);
    if (known) return known;
    const places = new Map<ChildNode, Place>();
    let before: Element | null = null;
    for (const child of this.childrenOf(parent)) {
      if (!(child instanceof Element)) continue;
      places.set(child, { index: places.size, before });
      before = child;
    }
    this.#places.set(parent, places);
    return places;
  }

  childrenOf(parent: ParentNode): readonly ChildNode[] {
    return this.#children.get(parent) ?? parent.children;
  }
}

/** The maximum number of steps for a page. A step takes about 50 ns, so that all steps take about two seconds. */
const MAX_STEPS = 40_000_000;

/** A document of `parseDocument`. The tree with the omitted elements is complete when the whole page has been read. */
export class PageDocument extends Document {
  original = new OriginalTree(new Map());
  /** The steps of all work on the page. */
  readonly budget = new Budget(
    MAX_STEPS,
    () =>
      new AppError(
        "target_too_large",
        `Processing the page takes more than ${MAX_STEPS / 1_000_000} million steps. Its elements, lines of text and style sheets take steps, and so do selectors that match it.`,
      ),
  );
}

/** Returns the tree of a document as browsers build it. */
export function originalTree(document: ParentNode): OriginalTree {
  return document instanceof PageDocument ? document.original : new OriginalTree(new Map());
}

/**
 * Spends steps of a document's budget. Throws AppError `target_too_large` when they are used up. Documents of other
 * parsers have no budget.
 */
export function spendSteps(document: ParentNode, steps: number): void {
  if (document instanceof PageDocument) document.budget.spend(steps);
}

/** Returns the steps that all work on the page has taken so far. */
export function stepsOf(document: ParentNode): number {
  return document instanceof PageDocument ? document.budget.spent : 0;
}

/** The nodes that a tree contains only while it is built: omitted elements, and the comments of boundaries. */
export class HelperNodes {
  readonly #nodes: (OmittedElement | Comment)[] = [];
  /** The elements in the tree's <body> that browsers put into <head>. */
  readonly #strays = new Set<ChildNode>();

  /** Adds an element that the tree leaves out, or a comment. */
  add(node: OmittedElement | Comment): void {
    this.#nodes.push(node);
  }

  addStray(element: Element): void {
    this.#strays.add(element);
  }

  /**
   * Removes the nodes from the tree, except elements with a value. Joins the texts around the nodes. Returns the tree
   * with the omitted elements.
   */
  removeFrom(body: Element): OriginalTree {
    const originals = new Map<ParentNode, readonly ChildNode[]>();
    for (const { parent } of this.#nodes) {
      if (parent === null || originals.has(parent)) continue;
      const original: ChildNode[] = [];
      const kept: ChildNode[] = [];
      for (const child of parent.children) {
        if (!(child instanceof Comment)) original.push(child);
        const isRemoved = child instanceof OmittedElement ? !child.hasValue : child instanceof Comment;
        if (!isRemoved) addJoined(kept, child);
      }
      originals.set(parent, original);
      setChildren(parent, kept);
    }
    if (this.#strays.size > 0) {
      const original = originals.get(body) ?? body.children;
      originals.set(
        body,
        original.filter((child) => !this.#strays.has(child)),
      );
    }
    return new OriginalTree(originals);
  }
}

/** Adds a node. Joins a text with the text before it. */
function addJoined(nodes: ChildNode[], node: ChildNode): void {
  const last = nodes.at(-1);
  if (node instanceof Text && last instanceof Text) nodes[nodes.length - 1] = new Text(last.data + node.data);
  else nodes.push(node);
}
