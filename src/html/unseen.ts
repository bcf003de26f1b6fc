import { type ChildNode, type Document, Element, Text } from "domhandler";
import { elementsUnder, hasMoreText } from "./content/elements";
import type { StyledPage } from "./document";
import { bodyOf } from "./document";
import { inherit, isSeen, isUnseen, PLAIN, type Sight } from "./styles/sight";
import { Styles } from "./styles/styles";

/** Elements and texts of the page. */
type Nodes = Set<ChildNode>;

/**
 * What a person who looks at the page can't see: hidden by attributes, style attributes or the page's own style sheets, as
 * far as these ask for tags, ids, classes and attributes. Style sheets from elsewhere aren't known. What one click opens
 * counts as seen where the page says so itself: <details>, and panels of tabs.
 *
 * Styles of <html> and <body> are not asked: many pages hide themselves until a script has run.
 */
export function unseenNodes({ document, styles: sheets }: StyledPage): Nodes {
  const styles = new Styles(sheets);
  const panels = panelsOfTabs(document);
  const unseen: Nodes = new Set();

  function visit(parent: Element, sight: Sight): void {
    for (const child of parent.children) {
      if (child instanceof Text) {
        if (!isSeen(sight)) unseen.add(child);
      } else if (child instanceof Element) visitElement(child, sight);
    }
  }

  function visitElement(element: Element, outer: Sight): void {
    const style = styles.of(element);
    const isShown = panels.has(element.attribs.id ?? "") || isFormula(element);
    if (!isShown && (isHiddenByMarkup(element) || isUnseen(style))) {
      unseen.add(element);
      return;
    }
    const sight = isShown ? outer : inherit(outer, style);
    if (sight.isHidden && element.name === "img") unseen.add(element);
    else visit(element, sight);
  }

  visit(bodyOf(document), PLAIN);
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

/** The ids of what a tab with words on it opens. */
function panelsOfTabs(document: Document): ReadonlySet<string> {
  const panels = new Set<string>();
  for (const tab of elementsUnder(document)) {
    if (tab.attribs.role?.toLowerCase() !== "tab" || !hasMoreText(tab, 0)) continue;
    const id = tab.attribs["aria-controls"] ?? (/^#(.+)/.exec(tab.attribs.href ?? "")?.[1] || "");
    if (id !== "") panels.add(id);
  }
  return panels;
}
