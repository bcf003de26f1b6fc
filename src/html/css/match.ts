import { AttributeAction, SelectorType } from "css-what";
import { type ChildNode, type Element, isTag, type ParentNode } from "domhandler";
import type { Budget } from "../../lib/budget";
import type { Compound, Position, SimpleSelector } from "./selector";

/** Each run of this many characters of an attribute value costs one step, because matching may read the whole value. */
const CHARS_PER_STEP = 16;

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

/** Returns the classes in a class attribute. */
export function splitClasses(names: string): string[] {
  return names.split(/\s+/).filter(Boolean);
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
    const classes: ReadonlySet<string> = new Set(splitClasses(names));
    this.#cache.set(names, classes);
    return classes;
  }
}
