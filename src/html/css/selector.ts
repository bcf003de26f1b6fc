import { AttributeAction, parse, type Selector, SelectorType } from "css-what";
import { type Element, isTag } from "domhandler";
import type { Budget } from "../../lib/budget";

/** The conditions of a compound selector on one element, such as `a.b#c[d="e"]:not(.f)`. */
interface Compound {
  tag: string | null;
  id: string | null;
  classes: string[];
  attributes: { name: string; action: AttributeAction; value: string }[];
  not: Compound[];
  /**
   * The alternatives of each `:is()` or `:where()`. The element must match at least one compound selector of each inner
   * array.
   */
  any: Compound[][];
  /** The total specificity of the selectors in `not` and `any`. */
  specificity: number;
}

/** Compound selectors joined by white space or `>`. The innermost compound is the first. */
export interface SimpleSelector {
  /**
   * Rules with this selector are found by these keys: ids (`#id`), classes (`.class`) or tags. Every element that
   * matches has one of the keys. The key `*` stands for any element.
   */
  keys: string[];
  /** The CSS specificity as one number: 10,000 for each id, 100 for each class, 1 for each tag. */
  specificity: number;
  steps: { compound: Compound; isParent: boolean }[];
}

const MAX_SELECTORS_CHARS = 20_000;
/** Each run of this many characters of an attribute value costs one step, because matching may read the whole value. */
const CHARS_PER_STEP = 16;
const [ID, CLASS, TAG, MOST] = [10_000, 100, 1, 99];

/**
 * Parses a selector list. Leaves out selectors with anything other than ids, classes, attributes and tags, because such
 * selectors can depend on more than the markup.
 */
export function parseSelectors(selectors: string): SimpleSelector[] {
  if (selectors.length > MAX_SELECTORS_CHARS) return [];
  try {
    return parse(selectors)
      .map(toSimple)
      .filter((selector) => selector !== null);
  } catch {
    // Browsers ignore a rule if they can't parse its selectors.
    return [];
  }
}

function toSimple(tokens: Selector[]): SimpleSelector | null {
  const steps: SimpleSelector["steps"] = [];
  let compound = emptyCompound();
  for (const token of tokens) {
    if (token.type === SelectorType.Descendant || token.type === SelectorType.Child) {
      steps.unshift({ compound, isParent: token.type === SelectorType.Child });
      compound = emptyCompound();
    } else if (!addTo(compound, token)) return null;
  }
  steps.unshift({ compound, isParent: false });
  const ranks = steps.map((step) => specificityOf(step.compound));
  return { keys: keysOf(compound), specificity: ranks.reduce((sum, rank) => sum + rank, 0), steps };
}

/** Returns the classes (`.class`) and ids (`#id`) that every element matching the selector has, or has around it. */
export function namesIn({ steps }: SimpleSelector): string[] {
  return steps.flatMap(({ compound: { id, classes } }) => [
    ...(id === null ? [] : [`#${id}`]),
    ...classes.map((name) => `.${name}`),
  ]);
}

function emptyCompound(): Compound {
  return { tag: null, id: null, classes: [], attributes: [], not: [], any: [], specificity: 0 };
}

/** Adds a condition to the compound selector. Returns false if this module doesn't support the token. */
function addTo(compound: Compound, token: Selector): boolean {
  if (token.type === SelectorType.Universal) return true;
  if (token.type === SelectorType.Tag) compound.tag = token.name.toLowerCase();
  else if (token.type === SelectorType.Attribute) return addAttribute(compound, token);
  else if (token.type === SelectorType.Pseudo && Array.isArray(token.data))
    return addPseudo(compound, token.name, token.data);
  else return false;
  return true;
}

function addPseudo(compound: Compound, name: string, alternatives: Selector[][]): boolean {
  const inner: Compound[] = [];
  for (const tokens of alternatives) {
    const one = emptyCompound();
    if (!tokens.every((part) => part.type !== SelectorType.Pseudo && addTo(one, part))) return false;
    inner.push(one);
  }
  if (name === "not") compound.not.push(...inner);
  else if (name === "is" || name === "where" || name === "matches") compound.any.push(inner);
  else return false;
  if (name !== "where") compound.specificity += Math.max(0, ...inner.map(specificityOf));
  return true;
}

function addAttribute(
  compound: Compound,
  { name, action, value, ignoreCase }: Extract<Selector, { type: SelectorType.Attribute }>,
): boolean {
  if (name === "class" && action === AttributeAction.Element) compound.classes.push(value);
  else if (name === "id" && action === AttributeAction.Equals) compound.id = value;
  else if (ignoreCase === true || action === AttributeAction.Not) return false;
  else compound.attributes.push({ name, action, value });
  return true;
}

function keysOf({ id, classes: [first], tag, any: [alternatives] }: Compound): string[] {
  if (id !== null) return [`#${id}`];
  if (first !== undefined) return [`.${first}`];
  if (tag !== null || !alternatives) return [tag ?? "*"];
  return [...new Set(alternatives.flatMap(keysOf))];
}

/**
 * Returns the specificity of a compound selector. Counts at most 99 classes and attributes, because 100 would equal an
 * id.
 */
function specificityOf({ id, classes, attributes, tag, specificity }: Compound): number {
  return (
    (id === null ? 0 : ID) +
    Math.min(classes.length + attributes.length, MOST) * CLASS +
    (tag === null ? 0 : TAG) +
    specificity
  );
}

/** The state that all matches on a page share: the remaining steps, and the parsed class attributes. */
export interface MatchContext {
  budget: Budget;
  classes: ClassSets;
}

/** Returns true if the element matches. Each element and each condition that is checked costs a step. */
export function matches({ steps }: SimpleSelector, element: Element, context: MatchContext): boolean {
  return matchesFrom(steps, 0, element, context);
}

function matchesFrom(steps: SimpleSelector["steps"], at: number, element: Element, context: MatchContext): boolean {
  const step = steps[at];
  if (!step) return true;
  if (!matchesCompound(step.compound, element, context)) return false;
  const next = steps[at + 1];
  if (!next) return true;
  for (let parent = element.parent; parent && isTag(parent); parent = parent.parent) {
    if (matchesFrom(steps, at + 1, parent, context)) return true;
    if (next.isParent) return false;
  }
  return false;
}

/**
 * Returns true if the element matches the compound selector. Returns false if it doesn't, or if the step budget is used
 * up.
 */
function matchesCompound(
  { tag, id, classes, attributes, not, any }: Compound,
  element: Element,
  context: MatchContext,
): boolean {
  if (!context.budget.spend(1)) return false;
  if (tag !== null && tag !== element.name) return false;
  if (id !== null && id !== element.attribs.id) return false;
  if (classes.length > 0) {
    const own = context.classes.of(element);
    if (!classes.every((name) => context.budget.spend(1) && own.has(name))) return false;
  }
  return (
    attributes.every((attribute) => matchesAttribute(attribute, element, context)) &&
    !not.some((inner) => matchesCompound(inner, element, context)) &&
    any.every((alternatives) => alternatives.some((inner) => matchesCompound(inner, element, context)))
  );
}

function matchesAttribute(
  { name, action, value }: Compound["attributes"][number],
  { attribs }: Element,
  context: MatchContext,
): boolean {
  const own = attribs[name];
  if (!context.budget.spend(1 + (own?.length ?? 0) / CHARS_PER_STEP) || own === undefined) return false;
  switch (action) {
    case AttributeAction.Exists:
      return true;
    case AttributeAction.Equals:
      return own === value;
    case AttributeAction.Element:
      return own.split(/\s+/).includes(value);
    case AttributeAction.Hyphen:
      return own === value || own.startsWith(`${value}-`);
    case AttributeAction.Start:
      return value !== "" && own.startsWith(value);
    case AttributeAction.End:
      return value !== "" && own.endsWith(value);
    case AttributeAction.Any:
      return value !== "" && own.includes(value);
    default:
      return false;
  }
}

const NO_CLASSES: ReadonlySet<string> = new Set();
/** The maximum number of cached class attributes. Pages have a few hundred different ones. */
const MAX_CACHED = 10_000;

/** Splits class attributes and caches the results, because a page may have thousands of rules for the same class. */
export class ClassSets {
  readonly #cache = new Map<string, ReadonlySet<string>>();

  of({ attribs }: Element): ReadonlySet<string> {
    const names = attribs.class;
    if (!names) return NO_CLASSES;
    const known = this.#cache.get(names);
    if (known) return known;
    if (this.#cache.size >= MAX_CACHED) this.#cache.clear();
    const classes: ReadonlySet<string> = new Set(names.split(/\s+/).filter(Boolean));
    this.#cache.set(names, classes);
    return classes;
  }
}
