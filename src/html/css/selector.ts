import { AttributeAction, parse, type Selector, SelectorType } from "css-what";
import { type ChildNode, type Element, isTag, type ParentNode } from "domhandler";
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
  positions: Position[];
  /** The total specificity of the selectors in `not` and `any`. */
  specificity: number;
}

/** A condition on the place of an element among its siblings: `step * n + offset` for some n of at least 0. */
interface Position {
  step: number;
  offset: number;
  isFromEnd: boolean;
}

/** The relation of an element to the element that an outer compound selector matches. */
type Relation = SelectorType.Descendant | SelectorType.Child | SelectorType.Adjacent | SelectorType.Sibling;

/** Compound selectors joined by combinators. The last compound is the first. */
export interface SimpleSelector {
  /**
   * Rules with this selector are found by these keys: ids (`#id`), classes (`.class`) or tags. Every element that
   * matches has one of the keys. The key `*` stands for any element.
   */
  keys: string[];
  /** The CSS specificity as one number: 10,000 for each id, 100 for each class, 1 for each tag. */
  specificity: number;
  steps: { compound: Compound; relation: Relation }[];
}

const MAX_SELECTORS_CHARS = 20_000;
/** Each run of this many characters of an attribute value costs one step, because matching may read the whole value. */
const CHARS_PER_STEP = 16;
const [ID, CLASS, TAG, MOST] = [10_000, 100, 1, 99];

/**
 * Parses a selector list. Leaves out selectors with anything other than ids, classes, attributes, tags and places among
 * siblings, because such selectors can depend on more than the markup.
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
    if (isRelation(token.type)) {
      steps.unshift({ compound, relation: token.type });
      compound = emptyCompound();
    } else if (!addTo(compound, token)) return null;
  }
  steps.unshift({ compound, relation: SelectorType.Descendant });
  const ranks = steps.map((step) => specificityOf(step.compound));
  return { keys: keysOf(compound), specificity: ranks.reduce((sum, rank) => sum + rank, 0), steps };
}

/** The classes and the ids of a page's elements. */
export interface ElementNames {
  classes: ReadonlySet<string>;
  ids: ReadonlySet<string>;
}

/** Returns true if all classes and ids that a matching element must have, or have around it, are in `names`. */
export function hasOnlyNames({ steps }: SimpleSelector, names: ElementNames): boolean {
  return steps.every(
    ({ compound: { id, classes } }) =>
      (id === null || names.ids.has(id)) && classes.every((name) => names.classes.has(name)),
  );
}

function isRelation(type: SelectorType): type is Relation {
  return (
    type === SelectorType.Descendant ||
    type === SelectorType.Child ||
    type === SelectorType.Adjacent ||
    type === SelectorType.Sibling
  );
}

function emptyCompound(): Compound {
  return { tag: null, id: null, classes: [], attributes: [], not: [], any: [], positions: [], specificity: 0 };
}

/** Adds a condition to the compound selector. Returns false if this module doesn't support the token. */
function addTo(compound: Compound, token: Selector): boolean {
  if (token.type === SelectorType.Universal) return true;
  if (token.type === SelectorType.Tag) compound.tag = token.name.toLowerCase();
  else if (token.type === SelectorType.Attribute) return addAttribute(compound, token);
  else if (token.type === SelectorType.Pseudo && Array.isArray(token.data))
    return addPseudo(compound, token.name, token.data);
  else if (token.type === SelectorType.Pseudo) return addPosition(compound, token.name, token.data);
  else return false;
  return true;
}

function addPseudo(compound: Compound, name: string, alternatives: Selector[][]): boolean {
  const inner: Compound[] = [];
  for (const tokens of alternatives) {
    const one = emptyCompound();
    if (!tokens.every((part) => !("data" in part && Array.isArray(part.data)) && addTo(one, part))) return false;
    inner.push(one);
  }
  if (name === "not") compound.not.push(...inner);
  else if (name === "is" || name === "where" || name === "matches") compound.any.push(inner);
  else return false;
  if (name !== "where") compound.specificity += Math.max(0, ...inner.map(specificityOf));
  return true;
}

function addPosition(compound: Compound, name: string, data: unknown): boolean {
  if (name === "first-child") compound.positions.push({ step: 0, offset: 1, isFromEnd: false });
  else if (name === "last-child") compound.positions.push({ step: 0, offset: 1, isFromEnd: true });
  else if ((name === "nth-child" || name === "nth-last-child") && typeof data === "string") {
    const position = parsePosition(data);
    if (position === null) return false;
    compound.positions.push({ ...position, isFromEnd: name === "nth-last-child" });
  } else return false;
  return true;
}

/** Parses `2n+1`, `odd`, `even` or a number. Returns null for anything else, such as `2n of .a`. */
function parsePosition(text: string): { step: number; offset: number } | null {
  const formula = text.trim().toLowerCase().replace(/\s+/g, "");
  if (formula === "odd") return { step: 2, offset: 1 };
  if (formula === "even") return { step: 2, offset: 0 };
  if (/^[+-]?\d+$/.test(formula)) return { step: 0, offset: Number(formula) };
  const [, step, offset = "0"] = /^([+-]?\d*)n([+-]\d+)?$/.exec(formula) ?? [];
  return step === undefined ? null : { step: Number(/\d/.test(step) ? step : `${step}1`), offset: Number(offset) };
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
function specificityOf({ id, classes, attributes, positions, tag, specificity }: Compound): number {
  return (
    (id === null ? 0 : ID) +
    Math.min(classes.length + attributes.length + positions.length, MOST) * CLASS +
    (tag === null ? 0 : TAG) +
    specificity
  );
}

/** The state that all matches on a page share: the remaining steps, and the parsed class attributes. */
export interface MatchContext {
  budget: Budget;
  classes: ClassSets;
  tree: SelectorTree;
}

/** The tree that selectors match. It can contain more elements than the page's tree. */
interface SelectorTree {
  /** Returns the elements with the parent of this element, by their place from 0. */
  siblingsOf(element: Element): ReadonlyMap<ChildNode, number>;
  elementBefore(node: Element): Element | null;
}

/** Returns true if the element matches. Each element and each condition that is checked costs a step. */
export function matches({ steps }: SimpleSelector, element: Element, context: MatchContext): boolean {
  return matchesFrom(steps, 0, element, context);
}

function matchesFrom(steps: SimpleSelector["steps"], at: number, element: Element, context: MatchContext): boolean {
  const step = steps[at];
  if (!step) return true;
  return (
    matchesCompound(step.compound, element, context) &&
    (at + 1 === steps.length || matchesAround(steps, at + 1, element, context))
  );
}

/** Returns true if an element before or around the given one matches the remaining steps. */
function matchesAround(steps: SimpleSelector["steps"], at: number, element: Element, context: MatchContext): boolean {
  const relation = steps[at]?.relation;
  const isBefore = relation === SelectorType.Adjacent || relation === SelectorType.Sibling;
  let other: ParentNode | null = element;
  while (true) {
    other = isBefore ? context.tree.elementBefore(other) : other.parent;
    if (!other || !isTag(other)) return false;
    if (matchesFrom(steps, at, other, context)) return true;
    if (relation === SelectorType.Child || relation === SelectorType.Adjacent) return false;
    if (isBefore && !context.budget.spend(1)) return false;
  }
}

/**
 * Returns true if the element matches the compound selector. Returns false if it doesn't, or if the step budget is used
 * up. Most calls end here, so the function creates no closures. They take memory even if they are never called.
 */
function matchesCompound(compound: Compound, element: Element, context: MatchContext): boolean {
  const { tag, id, classes } = compound;
  if (!context.budget.spend(1)) return false;
  if (tag !== null && tag !== element.name) return false;
  if (id !== null && id !== element.attribs.id) return false;
  if (classes.length > 0 && !matchesClasses(classes, element, context)) return false;
  return !hasConditions(compound) || matchesConditions(compound, element, context);
}

function hasConditions({ attributes, not, any, positions }: Compound): boolean {
  return attributes.length > 0 || not.length > 0 || any.length > 0 || positions.length > 0;
}

function matchesClasses(classes: readonly string[], element: Element, context: MatchContext): boolean {
  const own = context.classes.of(element);
  for (const name of classes) if (!context.budget.spend(1) || !own.has(name)) return false;
  return true;
}

function matchesConditions(
  { attributes, not, any, positions }: Compound,
  element: Element,
  context: MatchContext,
): boolean {
  return (
    attributes.every((attribute) => matchesAttribute(attribute, element, context)) &&
    !not.some((inner) => matchesCompound(inner, element, context)) &&
    any.every((alternatives) => alternatives.some((inner) => matchesCompound(inner, element, context))) &&
    (positions.length === 0 || matchesPositions(positions, element, context))
  );
}

function matchesPositions(positions: readonly Position[], element: Element, { budget, tree }: MatchContext): boolean {
  if (!budget.spend(1)) return false;
  const places = tree.siblingsOf(element);
  const before = places.get(element) ?? 0;
  return positions.every(({ step, offset, isFromEnd }) => {
    const distance = (isFromEnd ? places.size - before : before + 1) - offset;
    return step === 0 ? distance === 0 : distance % step === 0 && distance / step >= 0;
  });
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
