import type { Element } from "domhandler";
import { Budget } from "../../lib/budget";
import { ClassSets } from "../css/class-sets";
import { type Declaration, parseDeclarations, type Style } from "../css/declarations";
import { type Look, matches, parseSelectors, type SimpleSelector } from "../css/selector";
import { parseSheets } from "../css/sheet";

interface Ranked {
  selector: SimpleSelector;
  declarations: Declaration[];
  order: number;
}

/**
 * Elements looked at, what is asked of them, and declarations read, over all selectors: about half a second. After that,
 * only style attributes count. Of 586 pages, one takes 3 million, the next 1.9.
 */
const MAX_STEPS = 4_000_000;
/** Of style attributes that are alike, one is read. */
const MAX_KNOWN_ATTRIBUTES = 5_000;
const MAX_SELECTORS = 50_000;
/** Ranks: no selector reaches the style attribute, and nothing but its like what is important. */
const [MOST_IN_RULES, IN_ATTRIBUTE, IMPORTANT] = [99_999_999, 1e8, 1e9];
const NOTHING: Style = new Map();

/** The page's own style sheets and style attributes, as far as they decide whether words can be seen. */
export class Styles {
  readonly #rules = new Map<string, Ranked[]>();
  readonly #look: Look = { budget: new Budget(MAX_STEPS), classes: new ClassSets() };
  readonly #attributes = new Map<string, Declaration[]>();

  constructor(sheets: readonly string[]) {
    let order = 0;
    for (const { selectors, declarations } of parseSheets(sheets)) {
      for (const selector of parseSelectors(selectors)) {
        if (++order > MAX_SELECTORS) return;
        const rule = { selector, declarations, order };
        for (const key of selector.keys) {
          const known = this.#rules.get(key);
          if (known) known.push(rule);
          else this.#rules.set(key, [rule]);
        }
      }
    }
  }

  of(element: Element): Style {
    const rules = this.#rules.size > 0 ? this.#rulesFor(element) : [];
    const { style } = element.attribs;
    if (rules.length === 0 && !style) return NOTHING;
    const ranks = new Map<string, number>();
    const values = new Map<string, string>();
    const declare = (declarations: Declaration[], base: number) => {
      for (const { name, value, isImportant } of declarations) {
        const rank = base + (isImportant ? IMPORTANT : 0);
        if (rank < (ranks.get(name) ?? 0)) continue;
        ranks.set(name, rank);
        values.set(name, value);
      }
    };
    for (const { declarations, selector } of rules)
      declare(declarations, Math.min(selector.specificity, MOST_IN_RULES));
    if (style) declare(this.#declarationsIn(style), IN_ATTRIBUTE);
    return values;
  }

  #declarationsIn(style: string): Declaration[] {
    const known = this.#attributes.get(style);
    if (known) return known;
    const declarations = parseDeclarations(style);
    if (this.#attributes.size < MAX_KNOWN_ATTRIBUTES) this.#attributes.set(style, declarations);
    return declarations;
  }

  /** In their order, which decides between equals. */
  #rulesFor(element: Element): Ranked[] {
    const found: Ranked[] = [];
    this.#addRules("*", element, found);
    this.#addRules(element.name, element, found);
    if (element.attribs.id) this.#addRules(`#${element.attribs.id}`, element, found);
    for (const name of this.#look.classes.of(element)) this.#addRules(`.${name}`, element, found);
    return found.sort((a, b) => a.order - b.order);
  }

  #addRules(key: string, element: Element, found: Ranked[]): void {
    const { budget } = this.#look;
    for (const rule of this.#rules.get(key) ?? []) {
      if (!budget.spend(1)) return;
      if (matches(rule.selector, element, this.#look) && budget.spend(rule.declarations.length)) found.push(rule);
    }
  }
}
