import { AttributeAction, parse, type Selector, SelectorType } from "css-what";

/** The conditions of a compound selector on one element, such as `a.b#c[d="e"]:not(.f)`. */
export interface Compound {
  tag: string | null;
  id: string | null;
  classes: readonly string[];
  attributes: readonly { name: string; action: AttributeAction; value: string }[];
  not: readonly Compound[];
  /**
   * The alternatives of each `:is()` or `:where()`. The element must match at least one compound selector of each inner
   * array.
   */
  any: readonly (readonly Compound[])[];
  positions: readonly Position[];
  /** The total specificity of the selectors in `not` and `any`. */
  specificity: number;
}

/** A condition on the place of an element among its siblings: `step * n + offset` for some n of at least 0. */
export interface Position {
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

function isRelation(type: SelectorType): type is Relation {
  return (
    type === SelectorType.Descendant ||
    type === SelectorType.Child ||
    type === SelectorType.Adjacent ||
    type === SelectorType.Sibling
  );
}

const NONE: readonly never[] = [];

function emptyCompound(): Compound {
  return {
    tag: null,
    id: null,
    classes: NONE,
    attributes: NONE,
    not: NONE,
    any: NONE,
    positions: NONE,
    specificity: 0,
  };
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
  if (name === "not") compound.not = [...compound.not, ...inner];
  else if (name === "is" || name === "where" || name === "matches") compound.any = [...compound.any, inner];
  else return false;
  if (name !== "where") compound.specificity += Math.max(0, ...inner.map(specificityOf));
  return true;
}

function addPosition(compound: Compound, name: string, data: unknown): boolean {
  const position = toPosition(name, data);
  if (position === null) return false;
  compound.positions = [...compound.positions, position];
  return true;
}

function toPosition(name: string, data: unknown): Position | null {
  if (name === "first-child") return { step: 0, offset: 1, isFromEnd: false };
  if (name === "last-child") return { step: 0, offset: 1, isFromEnd: true };
  if ((name !== "nth-child" && name !== "nth-last-child") || typeof data !== "string") return null;
  const formula = parseFormula(data);
  return formula && { ...formula, isFromEnd: name === "nth-last-child" };
}

/** Parses `2n+1`, `odd`, `even` or a number. Returns null for anything else, such as `2n of .a`. */
function parseFormula(text: string): { step: number; offset: number } | null {
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
  if (name === "class" && action === AttributeAction.Element) compound.classes = [...compound.classes, value];
  else if (name === "id" && action === AttributeAction.Equals) compound.id = value;
  else if (ignoreCase === true || action === AttributeAction.Not) return false;
  else compound.attributes = [...compound.attributes, { name, action, value }];
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
