import { type ChildNode, Element, Text } from "domhandler";
import { bodyOf, type StyledPage } from "../parse/document";
import { rawText } from "../parse/dom";
import { addressesAi } from "./ai-instructions";
import { type Appearance, readComputed, readStyles } from "./appearance";
import { appearsLater } from "./appearing";
import { ConcealedContent } from "./concealed-content";
import {
  followsControl,
  hasVisibleText,
  isControl,
  isLabeled,
  isSitePart,
  isSlide,
  labelsOf,
  panelIdsOf,
} from "./panels";
import { isVisible, VISIBLE, type Visibility } from "./style-visibility";

/** The maximum number of panels with the same id. Further elements with this id aren't treated as panels. */
const MAX_PANELS_PER_ID = 20;

/** The maximum number of elements around a panel that a control may name. */
const MAX_BOXES = 4;

/** A hidden element, and the visibility of the text around it. */
interface Panel {
  element: Element;
  outer: Visibility;
}

/**
 * Finds the elements and text nodes of a page that a person can't see. For a rendered page, the browser's computed
 * styles count. For any other page, HTML attributes, style attributes and the page's own style sheets count. Only
 * selectors with tags, ids, classes and attributes are supported. External style sheets aren't loaded.
 *
 * Content that one click opens counts as visible if the control to click on is visible. Such content is in <details>,
 * in a tab panel, or in a section that a control expands. Menus and dialogs don't count as visible. Content that
 * appears when a reader scrolls to it counts as visible, too.
 *
 * Ignores the styles of <html> and <body>, because many pages hide themselves until a script has run.
 */
export function findHiddenNodes(page: StyledPage): Set<ChildNode> {
  return new HiddenNodes(page).find();
}

class HiddenNodes {
  readonly #body: Element;
  readonly #appearanceOf: (element: Element, outer: Visibility) => Appearance;
  /** Null for a rendered page, because its scripts have run. Created for the first hidden element. */
  #concealed: ConcealedContent | null = null;
  readonly #isRendered: boolean;
  readonly #hidden = new Set<ChildNode>();
  /** Maps an id to the hidden elements that a control with this id, or for this id, opens. */
  readonly #closed = new Map<string, Panel[]>();
  /** The elements whose text doesn't tell an AI what to do. */
  readonly #harmless = new Set<Element>();
  /** The opened panels whose contents must still be visited. */
  readonly #waiting: Panel[] = [];

  constructor(page: StyledPage) {
    this.#body = bodyOf(page.document);
    this.#isRendered = page.computed !== null;
    this.#appearanceOf = page.computed ? readComputed(page.computed) : readStyles(page);
  }

  find(): Set<ChildNode> {
    this.#visit(this.#body, VISIBLE);
    this.#openPanels(this.#body);
    // A panel that was opened may contain a control that opens another panel.
    for (let next = this.#waiting.pop(); next; next = this.#waiting.pop()) {
      const { element, outer } = next;
      if (!this.#hidden.delete(element)) continue;
      this.#visit(innerOf(element), outer);
      this.#openPanels(element);
    }
    return this.#hidden;
  }

  #visit(parent: Element, visibility: Visibility): void {
    for (const child of parent.children) {
      if (child instanceof Text) {
        if (!isVisible(visibility)) this.#hidden.add(child);
      } else if (child instanceof Element) this.#visitElement(child, visibility);
    }
  }

  #visitElement(element: Element, outer: Visibility): void {
    if (isFormula(element)) {
      this.#visit(element, outer);
      return;
    }
    const { isHidden, isTransparent, hasMotion, text } = this.#appearanceOf(element, outer);
    if (isHidden && this.#isConcealed(element)) {
      this.#visit(element, outer);
      return;
    }
    if (isHidden || (isTransparent && !this.#appears(element, hasMotion))) {
      this.#hide({ element, outer });
      return;
    }
    const visibility = text.isHidden && !outer.isHidden && this.#appears(element, false) ? outer : text;
    if (visibility.isHidden && element.name === "img") this.#hidden.add(element);
    else this.#visit(element, visibility);
  }

  /** Returns true for the page's main content, if the page hides it until a script has run. */
  #isConcealed(element: Element): boolean {
    if (this.#isRendered) return false;
    this.#concealed ??= new ConcealedContent(this.#body);
    return this.#concealed.has(element) && !this.#instructs(element);
  }

  #appears(element: Element, hasMotion: boolean): boolean {
    return appearsLater(element, { hasMotion }) && !this.#instructs(element);
  }

  /** Returns true if the element's text tells an AI what to do. Checks each text once. */
  #instructs(element: Element): boolean {
    for (let at: Element | null = element; at; at = at.parent instanceof Element ? at.parent : null)
      if (this.#harmless.has(at)) return false;
    if (addressesAi(rawText(element))) return true;
    this.#harmless.add(element);
    return false;
  }

  #hide(panel: Panel): void {
    const { element } = panel;
    this.#hidden.add(element);
    if (isSitePart(element)) return;
    const boxes = boxesOf(element);
    if (
      isSlide(element, this.#hidden)
        ? !this.#instructs(element)
        : boxes.some((box) => followsControl(box, this.#hidden))
    ) {
      this.#waiting.push(panel);
      return;
    }
    const ids = boxes.flatMap(({ attribs: { id } }) => (id ? [`panel ${id}`] : []));
    for (const name of [...ids, ...boxes.flatMap(labelsOf).map((label) => `label ${label}`)]) {
      const known = this.#closed.get(name);
      if (known === undefined) this.#closed.set(name, [panel]);
      else if (known.length < MAX_PANELS_PER_ID) known.push(panel);
    }
  }

  /** Finds the visible controls below `root`, and adds their panels to `#waiting`. */
  #openPanels(root: Element): void {
    if (this.#closed.size === 0) return;
    for (const child of root.children) {
      if (!(child instanceof Element) || this.#hidden.has(child)) continue;
      this.#open(child);
      this.#openPanels(child);
    }
  }

  #open(element: Element): void {
    const names = panelIdsOf(element).map((id) => `panel ${id}`);
    const { id } = element.attribs;
    if (id && this.#closed.has(`label ${id}`) && isControl(element)) names.push(`label ${id}`);
    for (const name of names) {
      const panels = this.#closed.get(name);
      if (panels === undefined || !(hasVisibleText(element, this.#hidden) || isLabeled(element))) continue;
      this.#closed.delete(name);
      this.#waiting.push(...panels);
    }
  }
}

/**
 * Returns a hidden element and the elements around it that contain nothing else. A control may name one of those: some
 * sections are closed by a grid row without height around the hidden element.
 */
function boxesOf(element: Element): Element[] {
  const boxes = [element];
  for (let at = element; boxes.length < MAX_BOXES; boxes.push(at)) {
    const { parent } = at;
    if (!(parent instanceof Element) || parent.name === "body" || isSitePart(parent) || onlyChildOf(parent) !== at)
      break;
    at = parent;
  }
  return boxes;
}

/** Returns the element that is the only content of another one, or null. */
function onlyChildOf(element: Element): Element | null {
  const children = element.children.filter((child) => !(child instanceof Text) || child.data.trim() !== "");
  const [only] = children;
  return children.length === 1 && only instanceof Element ? only : null;
}

/**
 * Returns the innermost element that contains the whole panel. The control shows the elements around it together with
 * the panel.
 */
function innerOf(panel: Element): Element {
  let inner = panel;
  for (let only = onlyChildOf(inner); only; only = onlyChildOf(inner)) inner = only;
  return inner;
}

/** Returns true for the MathML of a formula. MathJax, KaTeX and Wikipedia hide it and draw the formula next to it. */
function isFormula({ parent, children }: Element): boolean {
  const [math] = children;
  if (children.length !== 1 || !(math instanceof Element) || math.name !== "math" || !(parent instanceof Element))
    return false;
  return parent.name === "mjx-container" || /katex|mwe-math-element/.test(parent.attribs.class ?? "");
}
