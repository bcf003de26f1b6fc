import { type ChildNode, Element, Text } from "domhandler";
import type { StyledPage } from "../parse/document";
import { bodyOf } from "../parse/document";
import { hasMoreText } from "../parse/dom";
import { inherit, isSeen, isUnseen, PLAIN, type Sight } from "./sight";
import { Styles } from "./styles";

/** Elements and texts of the page. */
type Nodes = Set<ChildNode>;

/** More under one id are no panels. */
const MAX_SAME_ID = 20;

/**
 * What a person who looks at the page can't see: hidden by attributes, style attributes or the page's own style sheets, as
 * far as these ask for tags, ids, classes and attributes. Style sheets from elsewhere aren't known. What one click opens
 * counts as seen where the page says so itself, with something to click on that can be seen: <details>, panels of tabs, and
 * what a button says that it expands; but not its menus and dialogs.
 *
 * Styles of <html> and <body> are not asked: many pages hide themselves until a script has run.
 */
export function unseenNodes({ document, styles: sheets }: StyledPage): Nodes {
  const styles = new Styles(sheets);
  const unseen: Nodes = new Set();
  /** Ids of what can be opened, and what is hidden under an id so far. */
  const opened = new Set<string>();
  const closed = new Map<string, { panel: Element; sight: Sight }[]>();
  const waiting: { panel: Element; sight: Sight }[] = [];

  function visit(parent: Element, sight: Sight): void {
    for (const child of parent.children) {
      if (child instanceof Text) {
        if (!isSeen(sight)) unseen.add(child);
      } else if (child instanceof Element) visitElement(child, sight);
    }
  }

  function visitElement(element: Element, outer: Sight): void {
    const style = styles.of(element);
    const isShown = isFormula(element);
    if (!isShown && (isHiddenByMarkup(element) || isUnseen(style))) {
      hide(element, outer);
      return;
    }
    const sight = isShown ? outer : inherit(outer, style);
    if (sight.isHidden && element.name === "img") unseen.add(element);
    else {
      if (isSeen(sight)) open(element);
      visit(element, sight);
    }
  }

  function hide(element: Element, sight: Sight): void {
    unseen.add(element);
    const { id } = element.attribs;
    if (id === undefined || isApart(element)) return;
    if (opened.has(id)) waiting.push({ panel: element, sight });
    else closed.set(id, [...(closed.get(id) ?? []).slice(0, MAX_SAME_ID - 1), { panel: element, sight }]);
  }

  function open(element: Element): void {
    const id = panelOf(element);
    if (id === null || opened.has(id)) return;
    opened.add(id);
    waiting.push(...(closed.get(id) ?? []));
  }

  visit(bodyOf(document), PLAIN);
  // In one panel may stand what opens the next.
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    unseen.delete(next.panel);
    visit(next.panel, next.sight);
  }
  return unseen;
}

function isHiddenByMarkup({ name, attribs }: Element): boolean {
  if (attribs.hidden !== undefined || attribs.popover !== undefined) return true;
  if (name === "dialog") return attribs.open === undefined;
  return name === "template" && attribs.shadowrootmode === undefined;
}

/** The words of a formula that is drawn beside them: MathJax, KaTeX and Wikipedia hide them from the eye alone. */
function isFormula({ parent, children }: Element): boolean {
  const [math, ...more] = children;
  if (!(math instanceof Element) || math.name !== "math" || more.length > 0 || !(parent instanceof Element))
    return false;
  return parent.name === "mjx-container" || /katex|mwe-math-element/.test(parent.attribs.class ?? "");
}

/** The id of the panel that a click on this opens; null when it says of none, or has no words. */
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

/** The site's own: menus, searches, dialogs. */
function isApart({ name, attribs }: Element): boolean {
  return (
    /^(?:nav|dialog|template|header|footer)$/.test(name) ||
    /^(?:menu|menubar|navigation|search|listbox|dialog|alertdialog)$/i.test(attribs.role ?? "") ||
    attribs["aria-modal"] === "true"
  );
}
