import type { Element } from "domhandler";
import { Budget } from "../budget";
import { classesOf } from "../content/elements";
import { type Declaration, parseDeclarations } from "./declarations";
import { matches, parseSelectors, type SimpleSelector } from "./selector";
import { parseSheets } from "./sheet";

/** What holds for an element, by the names of declarations.ts. */
export type Style = ReadonlyMap<string, string>;

interface Ranked {
  selector: SimpleSelector;
  declarations: Declaration[];
  order: number;
}

/** Elements looked at and declarations read, over all selectors: after that, only style attributes count. */
const MAX_STEPS = 5_000_000;
const MAX_SELECTORS = 50_000;
/** Ranks: no selector reaches the style attribute, and nothing but its like what is important. */
const [IN_ATTRIBUTE, IMPORTANT] = [1e8, 1e9];
const NOTHING: Style = new Map();

/** The page's own style sheets and style attributes, as far as they decide whether words can be seen. */
export class Styles {
  readonly #rules = new Map<string, Ranked[]>();
  readonly #budget = new Budget(MAX_STEPS);

  constructor(sheets: readonly string[]) {
    let order = 0;
    for (const { selectors, declarations } of parseSheets(sheets)) {
      for (const selector of parseSelectors(selectors)) {
        if (++order > MAX_SELECTORS) return;
        const known = this.#rules.get(selector.key);
        const rule = { selector, declarations, order };
        if (known) known.push(rule);
        else this.#rules.set(selector.key, [rule]);
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
    for (const { declarations, selector } of rules) declare(declarations, selector.specificity);
    if (style) declare(parseDeclarations(style), IN_ATTRIBUTE);
    return values;
  }

  /** In their order, which decides between equals. */
  #rulesFor(element: Element): Ranked[] {
    const keys = new Set(["*", element.name, ...classesOf(element).map((name) => `.${name}`)]);
    if (element.attribs.id) keys.add(`#${element.attribs.id}`);
    const found: Ranked[] = [];
    for (const key of keys) {
      for (const rule of this.#rules.get(key) ?? []) {
        if (!this.#budget.spend(1)) return [];
        if (matches(rule.selector, element, this.#budget) && this.#budget.spend(rule.declarations.length))
          found.push(rule);
      }
    }
    return found.sort((a, b) => a.order - b.order);
  }
}
