import { toGetter } from "./natives";

/** Maps properties to the beginnings of their declarations, as browsers write them. Other properties count as used. */
const DECLARATIONS: Record<string, readonly string[]> = {
  visibility: [" visibility:"],
  "font-size": [" font-size:", " font:"],
  "text-indent": [" text-indent:"],
  opacity: [" opacity:"],
  filter: [" filter:"],
  "content-visibility": [" content-visibility:"],
  overflow: [" overflow"],
  position: [" position:"],
  clip: [" clip:"],
  "clip-path": [" clip-path:"],
  translate: [" translate:"],
  scale: [" scale:"],
  zoom: [" zoom:"],
  transform: [" transform:"],
  "z-index": [" z-index:"],
  color: [" color:", " background", " color-scheme:", " -webkit-text-fill-color:"],
  "background-clip": [" background", " -webkit-background-clip:"],
  "background-image": [" background:", " background-image:"],
};
/** Matches a margin that can be negative. */
const NEGATIVE_MARGIN = / margin[\w-]*: (?:(?! margin[\w-]*: )[^;}])*(?:[-(]| margin[\w-]*-[\w-]*: )/;
/** The declarations that have the same effect as attributes. */
const ATTRIBUTES: readonly (readonly [selector: string, declarations: string])[] = [
  ["[bgcolor],[background],[color],[text],[link],meta[name=color-scheme i]", " color: red; background: url();"],
  ["[hidden=until-found i]", " content-visibility: hidden;"],
  ["[popover]", " position: fixed; overflow: auto;"],
];
/** If a page has more rules per element than this, reading the elements' properties is faster than reading the rules. */
const MAX_RULES_PER_ELEMENT = 2;

/**
 * Returns the properties of `DECLARATIONS` and `margin` that no style sheet, style attribute or other attribute of the
 * page sets. Reading them from each element isn't necessary. Returns an empty set if the page has styles that can't be
 * read.
 */
export function findUnusedProperties(elements: ArrayLike<Element>): ReadonlySet<string> {
  const text = readDeclarations(elements);
  if (text === null) return new Set();
  const unused = new Set<string>();
  for (const name in DECLARATIONS) if (!DECLARATIONS[name]?.some((start) => text.includes(start))) unused.add(name);
  if (!NEGATIVE_MARGIN.test(text)) unused.add("margin");
  return unused;
}

/**
 * Returns the text of all style declarations of the page. Returns null if they don't tell which properties the elements
 * have: if there is an animation, a shadow tree, a style sheet of another site, or if there are very many rules.
 */
function readDeclarations(elements: ArrayLike<Element>): string | null {
  const { querySelector, querySelectorAll } = Document.prototype;
  const toShadow = toGetter<ShadowRoot | null>(Element.prototype, "shadowRoot");
  const toName = toGetter<string>(Element.prototype, "localName");
  const toSheets = toGetter<StyleSheetList>(Document.prototype, "styleSheets");
  const toAdopted = toGetter<CSSStyleSheet[]>(Document.prototype, "adoptedStyleSheets");
  const toStyle = toGetter<CSSStyleDeclaration>(HTMLElement.prototype, "style");
  if (Document.prototype.getAnimations.call(document).length > 0) return null;
  for (let i = 0; i < elements.length; i++) {
    const element = elements[i] as Element;
    // A custom element may have a closed shadow tree.
    if (toName.call(element).includes("-") || toShadow.call(element)) return null;
  }
  let rulesLeft = elements.length * MAX_RULES_PER_ELEMENT;
  let text = "";

  const readSheet = (sheet: CSSStyleSheet): void => {
    // Throws for a style sheet of another site.
    const { cssRules } = sheet;
    rulesLeft -= cssRules.length;
    if (rulesLeft < 0) throw new RangeError("The page has too many style rules.");
    for (const rule of cssRules) {
      if (!(rule instanceof CSSImportRule)) text += rule.cssText;
      else if (rule.styleSheet) readSheet(rule.styleSheet);
    }
  };

  try {
    for (const sheet of toSheets.call(document)) readSheet(sheet);
    for (const sheet of toAdopted.call(document)) readSheet(sheet);
  } catch {
    return null;
  }
  for (const element of querySelectorAll.call(document, "[style]"))
    if (element instanceof HTMLElement) text += ` ${toStyle.call(element).cssText}`;
  for (const [selector, declarations] of ATTRIBUTES) if (querySelector.call(document, selector)) text += declarations;
  return text;
}
