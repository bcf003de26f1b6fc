import type { Element } from "domhandler";
import { Budget } from "../../lib/budget";
import { type Declaration, parseDeclarations, type Style } from "../css/declarations";
import { ClassSets, type MatchContext, matches, parseSelectors, type SimpleSelector } from "../css/selector";
import { parseSheets } from "../css/sheet";

interface OrderedRule {
  selector: SimpleSelector;
  declarations: Declaration[];
  order: number;
}

/**
 * The maximum number of steps for one page. A step is a checked element, a checked condition or an applied declaration.
 * So many steps take about half a second. When the limit is reached, only style attributes count. Of 586 test pages,
 * the most expensive one takes 3 million steps, and the next one 1.9 million.
 */
const MAX_STEPS = 4_000_000;
/** The maximum number of cached style attributes. Attributes with the same text are parsed once. */
const MAX_CACHED_ATTRIBUTES = 5_000;
const MAX_SELECTORS = 50_000;
/**
 * The ranks of declarations in the cascade. A style attribute outranks every selector, and `!important` outranks the
 * style attribute and the selectors.
 */
const [MAX_SELECTOR_RANK, ATTRIBUTE_RANK, IMPORTANT_RANK] = [99_999_999, 1e8, 1e9];
const NO_STYLE: Style = new Map();

/**
 * The styles of a page from its own style sheets and style attributes. Only properties that can hide text are included.
 */
export class PageStyles {
  readonly #rules = new Map<string, OrderedRule[]>();
  readonly #context: MatchContext = { budget: new Budget(MAX_STEPS), classes: new ClassSets() };
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

  /** Returns the values that apply to an element. For each property, the declaration with the highest rank counts. */
  of(element: Element): Style {
    const rules = this.#rules.size > 0 ? this.#rulesFor(element) : [];
    const { style } = element.attribs;
    if (rules.length === 0 && !style) return NO_STYLE;
    const ranks = new Map<string, number>();
    const values = new Map<string, string>();
    const declare = (declarations: Declaration[], base: number) => {
      for (const { name, value, isImportant } of declarations) {
        const rank = base + (isImportant ? IMPORTANT_RANK : 0);
        if (rank < (ranks.get(name) ?? 0)) continue;
        ranks.set(name, rank);
        values.set(name, value);
      }
    };
    for (const { declarations, selector } of rules)
      declare(declarations, Math.min(selector.specificity, MAX_SELECTOR_RANK));
    if (style) declare(this.#declarationsIn(style), ATTRIBUTE_RANK);
    return values;
  }

  #declarationsIn(style: string): Declaration[] {
    const known = this.#attributes.get(style);
    if (known) return known;
    const declarations = parseDeclarations(style);
    if (this.#attributes.size < MAX_CACHED_ATTRIBUTES) this.#attributes.set(style, declarations);
    return declarations;
  }

  /**
   * Returns the rules that match an element, in the order of the style sheets. Of declarations with the same rank, the
   * last one applies.
   */
  #rulesFor(element: Element): OrderedRule[] {
    const found: OrderedRule[] = [];
    this.#addRules("*", element, found);
    this.#addRules(element.name, element, found);
    if (element.attribs.id) this.#addRules(`#${element.attribs.id}`, element, found);
    for (const name of this.#context.classes.of(element)) this.#addRules(`.${name}`, element, found);
    return found.sort((a, b) => a.order - b.order);
  }

  #addRules(key: string, element: Element, found: OrderedRule[]): void {
    const { budget } = this.#context;
    for (const rule of this.#rules.get(key) ?? []) {
      if (!budget.spend(1)) return;
      if (matches(rule.selector, element, this.#context) && budget.spend(rule.declarations.length)) found.push(rule);
    }
  }
}
