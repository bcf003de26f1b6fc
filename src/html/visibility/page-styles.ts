import type { Element } from "domhandler";
import { type Declaration, parseDeclarations, type Style } from "../css/declarations";
import { boundedOptions, parseSelectors, placePseudos, type SimpleSelector, type Spend } from "../css/selector";
import { parseSheets, type Rule } from "../css/sheet";
import { isSameColor, parseBackground, parseColor } from "../css/values";
import type { StyledPage } from "../parse/document";
import { tokensIn } from "../parse/dom";
import { originalTree, spendSteps } from "../parse/original-tree";
import { mayHide } from "./style-visibility";

interface OrderedRule {
  selector: SimpleSelector;
  declarations: Declaration[];
  order: number;
}

/** The maximum number of cached style attributes. Attributes with the same text are parsed once. */
const MAX_CACHED_ATTRIBUTES = 5_000;
/** The ranks of declarations in the cascade: selectors, the style attribute, and `!important` above both. */
const [MAX_SELECTOR_RANK, ATTRIBUTE_RANK, IMPORTANT_RANK] = [99_999_999, 1e8, 1e9];
const NO_STYLE: Style = new Map();
const NO_DECLARATIONS: Declaration[] = [];

const SIZES =
  "overflow width height max-width max-height min-width min-height flex-grow padding-top padding-bottom".split(" ");
const OFFSETS = "position left top right bottom".split(" ");
const COLORS = ["color", "background-color", "background-clip", "text-shadow", "-webkit-text-stroke"];
/** Maps a property that can hide text to the properties that change its effect. */
const RELATED = new Map<string, readonly string[]>([
  ["opacity", ["opacity", "transform", "translate", "filter", "transition", "animation", "will-change"]],
  ["visibility", ["visibility", "transition", "animation"]],
  ["clip", ["clip", "position"]],
  ["color", COLORS],
  ...["width", "height", "max-width", "max-height"].map((name) => [name, SIZES] as const),
  ...["left", "top", "right", "bottom"].map((name) => [name, OFFSETS] as const),
]);

/** More different backgrounds than this aren't compared with each color. Every color may hide text then. */
const MAX_BACKGROUNDS = 200;

/**
 * The styles of a page from its own style sheets and style attributes. Only properties that can hide text are included.
 * A checked element, a checked condition or an applied declaration is a step of the page's budget.
 */
export class PageStyles {
  /** The rules that can hide an element. */
  readonly #hiding: RuleIndex;
  /** The hiding rules, and the rules that can change their effect. */
  readonly #rules: RuleIndex;
  readonly #attributes = new Map<string, Declaration[]>();

  constructor({ styles, document, names: { classes, ids } }: StyledPage) {
    const spend = (steps: number) => spendSteps(document, steps);
    this.#hiding = new RuleIndex(spend);
    this.#rules = new RuleIndex(spend);
    if (styles.length === 0) return;
    const names = { classes: new Set(tokensIn([...classes].join(" "))), ids };
    const tree = originalTree(document);
    const options = boundedOptions(tree, spend, placePseudos(tree, spend));
    const rules = parseSheets(styles, names, spend);
    const isHiding = toHidingTest(rules);
    const relevant = new Set<string>();
    for (const { declarations } of rules)
      for (const declaration of declarations)
        if (isHiding(declaration))
          for (const one of RELATED.get(declaration.name) ?? [declaration.name]) relevant.add(one);
    let order = 0;
    for (const { selectors, declarations } of rules) {
      const own = declarations.filter(({ name }) => relevant.has(name));
      if (own.length === 0) continue;
      const hides = own.some(isHiding);
      for (const selector of parseSelectors(selectors, { names, options, spend })) {
        const rule = { selector, declarations: own, order: order++ };
        this.#rules.add(rule);
        if (hides) this.#hiding.add(rule);
      }
    }
  }

  /**
   * Returns the values that apply to an element. For each property, the declaration with the highest rank counts. If the
   * text around the element is visible, the result is empty for an element that no declaration can hide. Most elements
   * are of this kind, so that most rules are never matched.
   */
  of(element: Element, { isOuterVisible }: { isOuterVisible: boolean }): Style {
    const { style } = element.attribs;
    const own = style ? this.#declarationsIn(style) : NO_DECLARATIONS;
    if (isOuterVisible && own.length === 0 && this.#hiding.matching(element).length === 0) return NO_STYLE;
    // Of declarations with one rank, the last one in the style sheets applies.
    const rules = this.#rules.matching(element).sort((a, b) => a.order - b.order);
    return rules.length === 0 && own.length === 0 ? NO_STYLE : this.#cascade(rules, own);
  }

  #cascade(rules: readonly OrderedRule[], own: readonly Declaration[]): Style {
    const ranks = new Map<string, number>();
    const values = new Map<string, string>();
    const declare = (declarations: readonly Declaration[], base: number) => {
      for (const { name, value, isImportant } of declarations) {
        const rank = base + (isImportant ? IMPORTANT_RANK : 0);
        if (rank < (ranks.get(name) ?? 0)) continue;
        ranks.set(name, rank);
        values.set(name, value);
      }
    };
    for (const { declarations, selector } of rules)
      declare(declarations, Math.min(selector.specificity, MAX_SELECTOR_RANK));
    declare(own, ATTRIBUTE_RANK);
    return values;
  }

  #declarationsIn(style: string): Declaration[] {
    const known = this.#attributes.get(style);
    if (known) return known;
    const declarations = parseDeclarations(style);
    if (this.#attributes.size < MAX_CACHED_ATTRIBUTES) this.#attributes.set(style, declarations);
    return declarations;
  }
}

const NO_RULES: readonly OrderedRule[] = [];
/** The maximum number of class attributes whose rules are cached. */
const MAX_CACHED_CLASSES = 5_000;

/** Finds the rules that match an element. Only those with a key that the element has are checked. See `SimpleSelector`. */
class RuleIndex {
  readonly #rules = new Map<string, OrderedRule[]>();
  /** Maps a class attribute to the rules with one of its classes as the key. */
  readonly #byClass = new Map<string, readonly OrderedRule[]>();
  readonly #spend: Spend;

  constructor(spend: Spend) {
    this.#spend = spend;
  }

  add(rule: OrderedRule): void {
    for (const key of rule.selector.keys) {
      const known = this.#rules.get(key);
      if (known) known.push(rule);
      else this.#rules.set(key, [rule]);
    }
  }

  matching(element: Element): OrderedRule[] {
    const found: OrderedRule[] = [];
    if (this.#rules.size === 0) return found;
    const { id, class: names } = element.attribs;
    this.#addMatching(found, element, this.#rules.get("*"));
    this.#addMatching(found, element, this.#rules.get(element.name));
    if (id) this.#addMatching(found, element, this.#rules.get(`#${id}`));
    if (names) this.#addMatching(found, element, this.#rulesForClasses(names));
    return found;
  }

  #addMatching(found: OrderedRule[], element: Element, rules: readonly OrderedRule[] = NO_RULES): void {
    for (const rule of rules) {
      this.#spend(1 + rule.declarations.length);
      if (rule.selector.matches(element)) found.push(rule);
    }
  }

  #rulesForClasses(names: string): readonly OrderedRule[] {
    const known = this.#byClass.get(names);
    if (known) return known;
    const found: OrderedRule[] = [];
    for (const name of new Set(tokensIn(names))) found.push(...(this.#rules.get(`.${name}`) ?? NO_RULES));
    if (this.#byClass.size >= MAX_CACHED_CLASSES) this.#byClass.clear();
    this.#byClass.set(names, found);
    return found;
  }
}

/**
 * Returns a test for the declarations that can hide an element. A color hides text if it's similar to a background in
 * `rules`, which are the rules of the page's style sheets whose selectors can match.
 */
function toHidingTest(rules: readonly Rule[]): (declaration: Declaration) => boolean {
  const values = new Set<string>();
  for (const { declarations } of rules)
    for (const { name, value } of declarations) if (name === "background-color") values.add(value);
  const backgrounds = [...values].map(parseBackground).filter((one) => one !== null);
  const isOnBackground = (value: string): boolean => {
    if (backgrounds.length > MAX_BACKGROUNDS) return true;
    const color = parseColor(value);
    return color !== null && color !== "none" && backgrounds.some((background) => isSameColor(color, background));
  };
  const known = new Map<string, boolean>();
  return ({ name, value }) => {
    const key = `${name}:${value}`;
    const may = known.get(key) ?? (mayHide(name, value) || (name === "color" && isOnBackground(value)));
    known.set(key, may);
    return may;
  };
}
