import { AttributeAction, parse, type Selector, SelectorType } from "css-what";
import { type Element, isTag } from "domhandler";
import type { Budget } from "../budget";
import type { ClassSets } from "./class-sets";

/** What one element must be: `a.b#c[d="e"]:not(.f)`. */
interface Compound {
  tag: string | null;
  id: string | null;
  classes: string[];
  attributes: { name: string; value: string | null }[];
  not: Compound[];
}

/** Compounds joined by white space or `>`, the innermost first. */
export interface SimpleSelector {
  /** Of the elements that it may match: `#id`, `.class`, a tag or `*`. */
  key: string;
  /** Ids count 10,000, classes 100, tags 1. */
  specificity: number;
  steps: { compound: Compound; isParent: boolean }[];
}

const MAX_SELECTORS_CHARS = 20_000;
/** Of an attribute's value: a match may read all of it. */
const CHARS_A_STEP = 16;
const [ID, CLASS, TAG, MOST] = [10_000, 100, 1, 99];

/** Those of the selectors that ask for ids, classes, attributes and tags alone: what else there is depends on more than the page. */
export function parseSelectors(selectors: string): SimpleSelector[] {
  if (selectors.length > MAX_SELECTORS_CHARS) return [];
  try {
    return parse(selectors)
      .map(toSimple)
      .filter((selector) => selector !== null);
  } catch {
    // A rule whose selectors aren't CSS counts for nothing, as in browsers.
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
  return { key: keyOf(compound), specificity: specificityOf(steps.map((step) => step.compound)), steps };
}

function emptyCompound(): Compound {
  return { tag: null, id: null, classes: [], attributes: [], not: [] };
}

/** False for what isn't simple. */
function addTo(compound: Compound, token: Selector): boolean {
  if (token.type === SelectorType.Universal) return true;
  if (token.type === SelectorType.Tag) compound.tag = token.name.toLowerCase();
  else if (token.type === SelectorType.Attribute) return addAttribute(compound, token);
  else if (token.type === SelectorType.Pseudo && token.name === "not" && Array.isArray(token.data)) {
    for (const tokens of token.data) {
      const inner = emptyCompound();
      if (!tokens.every((part) => part.type !== SelectorType.Pseudo && addTo(inner, part))) return false;
      compound.not.push(inner);
    }
  } else return false;
  return true;
}

function addAttribute(
  compound: Compound,
  { name, action, value }: Extract<Selector, { type: SelectorType.Attribute }>,
): boolean {
  if (name === "class" && action === AttributeAction.Element) compound.classes.push(value);
  else if (name === "id" && action === AttributeAction.Equals) compound.id = value;
  else if (action === AttributeAction.Exists) compound.attributes.push({ name, value: null });
  else if (action === AttributeAction.Equals) compound.attributes.push({ name, value });
  else return false;
  return true;
}

function keyOf({ id, classes: [first], tag }: Compound): string {
  if (id !== null) return `#${id}`;
  return first !== undefined ? `.${first}` : (tag ?? "*");
}

function specificityOf(compounds: Compound[]): number {
  const all = [...compounds, ...compounds.flatMap(({ not }) => not)];
  const ids = all.filter(({ id }) => id !== null).length;
  const classes = all.reduce((sum, { classes, attributes }) => sum + classes.length + attributes.length, 0);
  const tags = all.filter(({ tag }) => tag !== null).length;
  return Math.min(ids, MOST) * ID + Math.min(classes, MOST) * CLASS + Math.min(tags, MOST) * TAG;
}

/** What matching takes: steps that are left, and the classes of elements. */
export interface Look {
  budget: Budget;
  classes: ClassSets;
}

/** Whether the element matches; each element that is looked at counts as a step, and so does each part of what it must be. */
export function matches({ steps }: SimpleSelector, element: Element, look: Look): boolean {
  return matchesFrom(steps, 0, element, look);
}

function matchesFrom(steps: SimpleSelector["steps"], at: number, element: Element, look: Look): boolean {
  const step = steps[at];
  if (!step) return true;
  if (!fits(step.compound, element, look)) return false;
  const next = steps[at + 1];
  if (!next) return true;
  for (let parent = element.parent; parent && isTag(parent); parent = parent.parent) {
    if (matchesFrom(steps, at + 1, parent, look)) return true;
    if (next.isParent) return false;
  }
  return false;
}

/** False as well when no steps are left. */
function fits({ tag, id, classes, attributes, not }: Compound, element: Element, look: Look): boolean {
  if (!look.budget.spend(1)) return false;
  if (tag !== null && tag !== element.name) return false;
  if (id !== null && id !== element.attribs.id) return false;
  if (classes.length > 0) {
    const own = look.classes.of(element);
    if (!classes.every((name) => look.budget.spend(1) && own.has(name))) return false;
  }
  const hasAll = attributes.every(({ name, value }) => {
    const own = element.attribs[name];
    return (
      look.budget.spend(1 + (value?.length ?? 0) / CHARS_A_STEP) && (value === null ? own !== undefined : own === value)
    );
  });
  return hasAll && !not.some((inner) => fits(inner, element, look));
}
