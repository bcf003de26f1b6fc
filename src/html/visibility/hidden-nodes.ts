import { type ChildNode, Element, Text } from "domhandler";
import { bodyOf, type StyledPage } from "../parse/document";
import { hasMoreText } from "../parse/dom";
import { PageStyles } from "./page-styles";
import { inheritVisibility, isHidden, isVisible, VISIBLE, type Visibility } from "./style-visibility";

/** The maximum number of panels with the same id. Further elements with this id aren't treated as panels. */
const MAX_PANELS_PER_ID = 20;

/**
 * Finds the elements and text nodes of a page that a person can't see. They can be hidden by HTML attributes, style
 * attributes or the page's own style sheets. Only selectors with tags, ids, classes and attributes are supported.
 * External style sheets aren't loaded.
 *
 * Content that one click opens counts as visible if the element to click on is visible. Such content is in <details>,
 * in a tab panel, or in a section that a button expands. Menus and dialogs don't count as visible.
 *
 * Ignores the styles of <html> and <body>, because many pages hide themselves until a script has run.
 */
export function findHiddenNodes({ document, styles: sheets }: StyledPage): Set<ChildNode> {
  const styles = new PageStyles(sheets);
  const hidden = new Set<ChildNode>();
  /** The ids of panels that a click on a visible element opens. */
  const opened = new Set<string>();
  /** Maps an id to the hidden elements with this id. A button that is found later may open them. */
  const closed = new Map<string, { panel: Element; visibility: Visibility }[]>();
  /** The opened panels whose contents must still be visited. */
  const waiting: { panel: Element; visibility: Visibility }[] = [];

  function visit(parent: Element, visibility: Visibility): void {
    for (const child of parent.children) {
      if (child instanceof Text) {
        if (!isVisible(visibility)) hidden.add(child);
      } else if (child instanceof Element) visitElement(child, visibility);
    }
  }

  function visitElement(element: Element, outer: Visibility): void {
    const style = styles.of(element);
    const isAlwaysShown = isFormula(element);
    if (!isAlwaysShown && (isHiddenByMarkup(element) || isHidden(style))) {
      hide(element, outer);
      return;
    }
    const visibility = isAlwaysShown ? outer : inheritVisibility(outer, style);
    if (visibility.isHidden && element.name === "img") hidden.add(element);
    else {
      if (isVisible(visibility)) open(element);
      visit(element, visibility);
    }
  }

  function hide(element: Element, visibility: Visibility): void {
    hidden.add(element);
    const { id } = element.attribs;
    if (id === undefined || isSitePart(element)) return;
    if (opened.has(id)) waiting.push({ panel: element, visibility });
    else closed.set(id, [...(closed.get(id) ?? []).slice(0, MAX_PANELS_PER_ID - 1), { panel: element, visibility }]);
  }

  function open(element: Element): void {
    const id = panelOf(element);
    if (id === null || opened.has(id)) return;
    opened.add(id);
    waiting.push(...(closed.get(id) ?? []));
  }

  visit(bodyOf(document), VISIBLE);
  // A panel that was opened may contain a button that opens another panel.
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    hidden.delete(next.panel);
    visit(next.panel, next.visibility);
  }
  return hidden;
}

function isHiddenByMarkup({ name, attribs }: Element): boolean {
  if (attribs.hidden !== undefined || attribs.popover !== undefined) return true;
  if (name === "dialog") return attribs.open === undefined;
  return name === "template" && attribs.shadowrootmode === undefined;
}

/** Returns true for the MathML of a formula. MathJax, KaTeX and Wikipedia hide it and draw the formula next to it. */
function isFormula({ parent, children }: Element): boolean {
  const [math, ...more] = children;
  if (!(math instanceof Element) || math.name !== "math" || more.length > 0 || !(parent instanceof Element))
    return false;
  return parent.name === "mjx-container" || /katex|mwe-math-element/.test(parent.attribs.class ?? "");
}

/**
 * Returns the id of the panel that a click on the element opens. Returns null if the element names no panel or has no
 * text.
 */
function panelOf(element: Element): string | null {
  const { attribs } = element;
  const isTab = attribs.role?.toLowerCase() === "tab";
  if (
    !isTab &&
    (attribs["aria-expanded"] !== "false" || /^(?:true|menu|dialog)$/i.test(attribs["aria-haspopup"] ?? ""))
  )
    return null;
  const id = attribs["aria-controls"] ?? (isTab ? /^#(.+)/.exec(attribs.href ?? "")?.[1] : undefined);
  return id && hasMoreText(element, 0) ? id : null;
}

/**
 * Returns true for the site's menus, search boxes and dialogs. They don't count as visible, even if one click opens
 * them.
 */
function isSitePart({ name, attribs }: Element): boolean {
  return (
    /^(?:nav|dialog|template|header|footer)$/.test(name) ||
    /^(?:menu|menubar|navigation|search|listbox|dialog|alertdialog)$/i.test(attribs.role ?? "") ||
    attribs["aria-modal"] === "true"
  );
}
