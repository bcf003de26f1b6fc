import { type ChildNode, Element, Text } from "domhandler";
import { lazy } from "../../lib/lazy";
import { COMPUTED } from "../parse/computed-visibility";
import { bodyOf, type StyledPage } from "../parse/document";
import { elementsAround, elementsUnder, hasMoreText, isWithin, rawText } from "../parse/dom";
import { addressesAi } from "./ai-instructions";
import { PageStyles } from "./page-styles";
import { isInMenu, isOverlay, isRevealed, isSitePart, isVisibleControl, namesOfOpened, namesOfPanel } from "./panels";
import { hasMotion, INHERITED, inheritVisibility, isHidden, isTransparent } from "./style-visibility";

/** The maximum number of panels with the same id. Further elements with this id aren't treated as panels. */
const MAX_PANELS_PER_ID = 20;

/** The maximum number of elements around a panel that a control may name. */
const MAX_BOXES = 4;

/** A hidden element, and the bits of the element around it. */
interface Panel {
  element: Element;
  outer: number;
}

/** Returns the bits of `COMPUTED` for an element. `outer`: the inherited bits of the element around it. */
type Appearance = (element: Element, outer: number) => number;

/** The content has at least this many characters outside links. */
const MIN_CONTENT_CHARS = 500;
/** The content is at least this share of the page's text. */
const MIN_PAGE_SHARE = 0.7;

/** The names of the elements that may have a shadow root: those of custom elements, and some of HTML. */
const SHADOW_HOST = /-|^(?:article|aside|blockquote|body|div|footer|h[1-6]|header|main|nav|p|section|span)$/;
/** The attributes and class names with which libraries mark elements that appear when a reader scrolls to them. */
const ATTRIBUTE = /^data-(?:aos|sal|scroll|anim|reveal|sr|wow|w-id|framer|stagger|motion|in-?view|fade|entrance)/;
const CLASS =
  /(?:^|[\s_-])(?:wow|aos|reveal\w*|animat\w*|fade\w*|slide-?in\w*|in-?view\w*|appear\w*|elementor-invisible|motion|loading|loaded|preload\w*)(?:$|[\s_-])/i;
const STRUCTURE = /^(?:h[1-6]|a|img|table|ul|ol|button)$/;
/** A transparent element with this much content is a part of the page's layout. A script shows it. */
const MIN_LAYOUT_CHARS = 150;
const MIN_LAYOUT_ELEMENTS = 5;
/** The number of elements that are searched for a heading, a link, an image, a table or a list. */
const MAX_LAYOUT_ELEMENTS = 500;

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
  readonly #appearanceOf: Appearance;
  /** The number of characters outside of links. */
  readonly #chars = lazy(() => unlinkedChars(this.#body));
  readonly #headlines = lazy(() => [...elementsUnder(this.#body).filter(({ name }) => name === "h1")]);
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
    this.#visit(this.#body, 0);
    this.#openPanels(this.#body);
    // A panel that was opened may contain a control that opens another panel.
    for (let next = this.#waiting.pop(); next; next = this.#waiting.pop()) {
      const { element, outer } = next;
      if (this.#instructs(element) || !this.#hidden.delete(element)) continue;
      this.#visit(element, outer);
      this.#openPanels(element);
    }
    return this.#hidden;
  }

  #visit(parent: Element, visibility: number): void {
    let root: Element | null = null;
    for (const child of parent.children) {
      if (child instanceof Text) {
        if (visibility !== 0) this.#hidden.add(child);
      } else if (child instanceof Element) {
        this.#visitElement(child, visibility);
        if (isShadowRoot(child)) root ??= child;
      }
    }
    if (root) this.#hideUnassigned(parent, root);
  }

  #visitElement(element: Element, outer: number): void {
    const bits = this.#appearanceOf(element, outer);
    let visibility = outer;
    if (bits !== outer && !isFormula(element)) {
      const has = (bit: number) => (bits & bit) !== 0;
      const isShown = has(COMPUTED.gone)
        ? this.#isConcealed(element)
        : !has(COMPUTED.transparent) || this.#appears(element, has(COMPUTED.motion));
      if (!isShown) {
        this.#hide({ element, outer });
        return;
      }
      const isLater = has(COMPUTED.hidden & ~outer) && this.#appears(element, false);
      if (!has(COMPUTED.gone) && !isLater) visibility = bits & INHERITED;
    }
    if ((visibility & COMPUTED.hidden) !== 0 && element.name === "img") this.#hidden.add(element);
    else this.#visit(element, visibility);
  }

  /**
   * Hides the children of an element that no slot of its shadow root shows. Hides only those that tell an AI what to do
   * if the page isn't rendered, or if one click opens the part of the root with their slot. If the root shows
   * nothing, its component isn't ready, so its children stay.
   */
  #hideUnassigned(host: Element, root: Element): void {
    const slots = elementsUnder(root, (element) => !isShadowRoot(element)).filter(({ name }) => name === "slot");
    const slotsByName = Map.groupBy(slots, (slot) => slot.attribs.name ?? "");
    if (slotsByName.size === 0 && !hasMoreText(root, 0)) return;
    const visible = elementsUnder(root, (element) => !isShadowRoot(element) && !this.#hidden.has(element));
    const shown = new Set(visible.filter((element) => element.name === "slot" && !this.#hidden.has(element)));
    for (const child of host.children) {
      if (child === root) continue;
      const assigned = slotsByName.get((child instanceof Element && child.attribs.slot) || "") ?? [];
      if (assigned.some((slot) => shown.has(slot))) continue;
      const isGone = this.#isRendered && assigned.length === 0;
      if (
        isGone ||
        (child instanceof Element ? this.#instructs(child) : child instanceof Text && addressesAi(child.data))
      )
        this.#hidden.add(child);
    }
  }

  /**
   * Returns true for the main content of a page that hides it until a script has run. Some shops use `display: none`
   * until the script has checked the reader's country or age. The element contains all headlines of the page, or it is
   * in <main> and contains most of the page's text. The scripts of a rendered page have run.
   */
  #isConcealed(element: Element): boolean {
    const { name, attribs } = element;
    if (this.#isRendered || attribs.popover !== undefined || name === "noscript") return false;
    if (isSitePart(element) || isOverlay(element)) return false;
    const chars = unlinkedChars(element);
    if (chars < MIN_CONTENT_CHARS) return false;
    const headlines = this.#headlines();
    const hasHeadlines = headlines.length > 0 && headlines.every((headline) => isWithin(headline, new Set([element])));
    const isContent = hasHeadlines || (isInMain(element) && chars >= MIN_PAGE_SHARE * this.#chars());
    return isContent && !this.#instructs(element);
  }

  #appears(element: Element, hasMotion: boolean): boolean {
    return appearsLater(element, { hasMotion }) && !this.#instructs(element);
  }

  /** Returns true if the element's text tells an AI what to do. Checks each text once. */
  #instructs(element: Element): boolean {
    if (isWithin(element, this.#harmless)) return false;
    if (addressesAi(rawText(element))) return true;
    this.#harmless.add(element);
    return false;
  }

  #hide(panel: Panel): void {
    const { element } = panel;
    this.#hidden.add(element);
    if (isInMenu(element)) return;
    if (isRevealed(element, this.#hidden)) {
      this.#waiting.push(panel);
      return;
    }
    for (const name of boxesOf(element).flatMap(namesOfPanel)) {
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
    for (const name of namesOfOpened(element)) {
      const panels = this.#closed.get(name);
      if (panels === undefined || !isVisibleControl(element, this.#hidden)) continue;
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
  let only: Element | null = null;
  for (const child of element.children) {
    if (child instanceof Text && child.data.trim() === "") continue;
    if (only !== null || !(child instanceof Element)) return null;
    only = child;
  }
  return only;
}

/** Returns true for the MathML of a formula. MathJax, KaTeX and Wikipedia hide it and draw the formula next to it. */
function isFormula({ parent, children }: Element): boolean {
  const [math] = children;
  if (children.length !== 1 || !(math instanceof Element) || math.name !== "math" || !(parent instanceof Element))
    return false;
  return parent.name === "mjx-container" || /katex|mwe-math-element/.test(parent.attribs.class ?? "");
}

function isInMain(element: Element): boolean {
  return elementsAround(element).some(({ name, attribs }) => name === "main" || attribs.role === "main");
}

function unlinkedChars({ children }: Element): number {
  return children.reduce((sum: number, child: ChildNode) => {
    if (child instanceof Text) return sum + child.data.trim().length;
    return child instanceof Element && child.name !== "a" ? sum + unlinkedChars(child) : sum;
  }, 0);
}

/** Returns a function that reads the appearance of an element from attributes and the page's own style sheets. */
function readStyles(page: StyledPage): Appearance {
  const styles = new PageStyles(page);
  return (element, outer) => {
    const style = styles.of(element, { isOuterVisible: outer === 0 });
    if (style.size === 0) return isHiddenByMarkup(element) ? outer | COMPUTED.gone : outer;
    let bits = inheritVisibility(outer, style);
    if (isHiddenByMarkup(element) || isHidden(style)) bits |= COMPUTED.gone;
    if (isTransparent(style)) bits |= COMPUTED.transparent | (hasMotion(style) ? COMPUTED.motion : 0);
    return bits;
  };
}

/** Returns a function that reads the appearance of an element from the styles that the browser computed. */
function readComputed(computed: ReadonlyMap<Element, number>): Appearance {
  return (element, outer) => (computed.get(element) ?? outer) | (isTemplate(element) ? COMPUTED.gone : 0);
}

function isHiddenByMarkup(element: Element): boolean {
  const { name, attribs } = element;
  if (attribs.hidden !== undefined || attribs.popover !== undefined) return true;
  return name === "dialog" ? attribs.open === undefined : isTemplate(element);
}

function isTemplate(element: Element): boolean {
  return element.name === "template" && !isShadowRoot(element);
}

/** Returns true for a declarative shadow root: https://dom.spec.whatwg.org/#dom-element-attachshadow lists its hosts. */
function isShadowRoot({ name, attribs, parent }: Element): boolean {
  if (name !== "template" || !/^(?:open|closed)$/i.test(attribs.shadowrootmode ?? "")) return false;
  return parent instanceof Element && SHADOW_HOST.test(parent.name);
}

/**
 * Returns true if a transparent or invisible element appears later: when a script has run, or when a reader scrolls to
 * it. `hasMotion`: the element's style moves or animates it.
 */
function appearsLater(element: Element, { hasMotion }: { hasMotion: boolean }): boolean {
  const { attribs } = element;
  if (isOverlay(element)) return false;
  if (hasMotion || CLASS.test(attribs.class ?? "")) return true;
  return Object.keys(attribs).some((name) => ATTRIBUTE.test(name)) || isLayout(element);
}

function isLayout(element: Element): boolean {
  if (!hasMoreText(element, MIN_LAYOUT_CHARS)) return false;
  let elements = 0;
  let isStructured = false;
  for (const { name } of elementsUnder(element)) {
    if (++elements > MAX_LAYOUT_ELEMENTS) return false;
    isStructured ||= STRUCTURE.test(name);
    if (isStructured && elements >= MIN_LAYOUT_ELEMENTS) return true;
  }
  return false;
}
