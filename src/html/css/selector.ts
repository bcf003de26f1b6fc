import { compile, type Options } from "css-select";
import {
  AttributeAction,
  type AttributeSelector,
  isTraversal,
  parse,
  type Selector,
  SelectorType,
  type TagSelector,
} from "css-what";
import { type ChildNode, type Element, hasChildren, isTag, type ParentNode } from "domhandler";
import * as DomUtils from "domutils";
import { lazy } from "../../lib/lazy";

export interface ElementNames {
  classes: ReadonlySet<string>;
  ids: ReadonlySet<string>;
}

/** A selector without commas. */
export interface SimpleSelector {
  /**
   * Rules with this selector are found by these keys: ids (`#id`), classes (`.class`) or tags. Every element that
   * matches has one of the keys. The key `*` stands for any element.
   */
  keys: readonly string[];
  /** The CSS specificity as one number: 1,000,000 for each id, 1,000 for each class, 1 for each tag. */
  specificity: number;
  /** Returns true if an element with a key matches. Throws the error of `spend` when the steps are used up. */
  matches: (element: Element) => boolean;
}

/** Spends steps of the page's budget. Throws an error when they are used up. */
export type Spend = (steps: number) => void;

/** The tree that selectors match. It can contain more elements than the page's tree. */
interface SelectorTree {
  childrenOf(parent: ParentNode): readonly ChildNode[];
  /** Returns the elements with the parent of this node: their place from 0, and the element before each. */
  siblingsOf(node: ChildNode): ReadonlyMap<ChildNode, { index: number; before: Element | null }>;
}

/** The steps for compiling a short selector. Compiling takes up to the square of the tokens. */
const STEPS_PER_SELECTOR = 200;
/** The steps for comparing the place of an element with a formula, or for entering the selectors of a pseudo-class. */
const STEPS_PER_PSEUDO_CLASS = 4;
/** Each run of this many characters of an attribute value costs one step, because matching may read the whole value. */
const CHARS_PER_STEP = 16;
const [ID, CLASS, TAG] = [1_000_000, 1_000, 1];
const STEP = { type: SelectorType.Pseudo, name: "-step", data: null } as const;
/** Stands for the key of a selector. An element whose key was looked up needs no other check of it. */
const ANY = { type: SelectorType.Universal, namespace: null } as const;
const always = () => true;
const ALTERNATIVES = new Set(["is", "where", "matches"]);
const PLACES = new Set(["first-child", "last-child", "nth-child", "nth-last-child"]);

/**
 * Parses a selector list for elements with these names. Leaves out selectors with anything other than ids, classes,
 * attributes, tags and places among siblings, because such selectors can depend on more than the markup. Leaves out
 * selectors with classes or ids that no element has.
 */
export function parseSelectors(
  selectors: string,
  { names, options, spend }: { names: ElementNames; options: Options<ChildNode, Element>; spend: Spend },
): SimpleSelector[] {
  spend(selectors.length);
  let parsed: Selector[][];
  try {
    parsed = parse(selectors);
  } catch {
    // Browsers ignore a rule if they can't parse its selectors.
    return [];
  }
  return parsed
    .filter((tokens) => tokens.every((token) => isSupported(token) && mayOccur(token, names)))
    .map((tokens) => {
      spend(STEPS_PER_SELECTOR + (2 * sizeOf(tokens)) ** 2);
      const key = keyOf(tokens);
      const others = tokens.map((token) => (token === key ? ANY : token));
      const query = lazy(() => compileOnce(withSteps(others), options));
      const matches = others.every((token) => token === ANY) ? always : (element: Element) => query()(element);
      return { keys: keysOf(tokens), specificity: specificityOf(tokens), matches };
    });
}

/** Counts the tokens of a selector, with those in the arguments of pseudo-classes. */
function sizeOf(tokens: readonly Selector[]): number {
  return tokens.reduce((size, token) => {
    const inner = token.type === SelectorType.Pseudo && Array.isArray(token.data) ? token.data : [];
    return inner.reduce((sum, own) => sum + sizeOf(own), size + 1);
  }, 0);
}

/** Adds a pseudo-class that takes steps to each pseudo-class with selectors. Otherwise, nested selectors would be free. */
export function withSteps(tokens: readonly Selector[]): Selector[] {
  return tokens.flatMap((token) =>
    token.type === SelectorType.Pseudo && Array.isArray(token.data)
      ? [{ ...token, data: token.data.map(withSteps) }, STEP]
      : [token],
  );
}

/** Compiles a selector. A selector that css-select refuses matches no element, so that it's compiled only once. */
function compileOnce(tokens: Selector[], options: Options<ChildNode, Element>): (element: Element) => boolean {
  try {
    return compile<ChildNode, Element>([tokens], options);
  } catch {
    return () => false;
  }
}

function isSupported(token: Selector): boolean {
  if (token.type === SelectorType.Attribute) return token.ignoreCase !== true && token.action !== AttributeAction.Not;
  if (token.type !== SelectorType.Pseudo)
    return token.type !== SelectorType.PseudoElement && token.type !== SelectorType.ColumnCombinator;
  if (!Array.isArray(token.data)) return PLACES.has(token.name);
  return (token.name === "not" || ALTERNATIVES.has(token.name)) && token.data.flat().every(isSupported);
}

function mayOccur(token: Selector, { classes, ids }: ElementNames): boolean {
  if (isId(token)) return ids.has(token.value);
  return !isClass(token) || classes.has(token.value);
}

function isId(token: Selector): token is AttributeSelector & { name: "id" } {
  return token.type === SelectorType.Attribute && token.name === "id" && token.action === AttributeAction.Equals;
}

function isClass(token: Selector): token is AttributeSelector & { name: "class" } {
  return token.type === SelectorType.Attribute && token.name === "class" && token.action === AttributeAction.Element;
}

/** Returns true for a tag without a namespace. css-select refuses others. */
function isTagName(token: Selector): token is TagSelector {
  return token.type === SelectorType.Tag && token.namespace === null;
}

/** Returns the condition on the element itself that is the fastest to look up: an id, a class or a tag. */
function keyOf(tokens: readonly Selector[]): AttributeSelector | TagSelector | undefined {
  const own = ownConditions(tokens);
  return own.find(isId) ?? own.find(isClass) ?? own.find(isTagName);
}

function ownConditions(tokens: readonly Selector[]): readonly Selector[] {
  return tokens.slice(tokens.findLastIndex(isTraversal) + 1);
}

/** Returns the keys of a selector. See `SimpleSelector.keys`. */
function keysOf(tokens: readonly Selector[]): readonly string[] {
  const key = keyOf(tokens);
  if (key?.type === SelectorType.Tag) return [key.name.toLowerCase()];
  if (key) return [`${key.name === "id" ? "#" : "."}${key.value}`];
  for (const token of ownConditions(tokens))
    if (token.type === SelectorType.Pseudo && ALTERNATIVES.has(token.name) && Array.isArray(token.data))
      return [...new Set(token.data.flatMap(keysOf))];
  return ["*"];
}

function specificityOf(tokens: readonly Selector[]): number {
  return tokens.reduce((sum, token) => {
    if (token.type === SelectorType.Tag) return sum + TAG;
    if (token.type === SelectorType.Attribute) return sum + (isId(token) ? ID : CLASS);
    if (token.type !== SelectorType.Pseudo || token.name === "where") return sum;
    return sum + (Array.isArray(token.data) ? Math.max(0, ...token.data.map(specificityOf)) : CLASS);
  }, 0);
}

/**
 * Returns pseudo-classes for css-select that look up the place of an element. css-select itself counts the siblings of
 * each element, which takes too many steps in long lists.
 */
export function placePseudos(tree: SelectorTree, spend: Spend): NonNullable<Options<ChildNode, Element>["pseudos"]> {
  const formulas = new Map<string, ReturnType<typeof parseFormula>>();
  const isAt = (distance: number, text: string | null | undefined) => {
    spend(STEPS_PER_PSEUDO_CLASS);
    const formula = formulas.get(text ?? "") ?? parseFormula(text ?? "");
    formulas.set(text ?? "", formula);
    const rest = distance - formula.offset;
    return formula.step === 0 ? rest === 0 : rest % formula.step === 0 && rest / formula.step >= 0;
  };
  const placeOf = (element: Element) => tree.siblingsOf(element).get(element)?.index ?? 0;
  return {
    "nth-child": (element, formula) => isAt(placeOf(element) + 1, formula),
    "nth-last-child": (element, formula) => isAt(tree.siblingsOf(element).size - placeOf(element), formula),
  };
}

/** Parses `2n+1`, `odd`, `even` or a number. The place 0, which no element has, stands for anything else. */
function parseFormula(text: string): { step: number; offset: number } {
  const formula = text.toLowerCase().replace(/\s+/g, "").replace("odd", "2n+1").replace("even", "2n");
  const [, step, offset] = /^(?:([+-]?\d*)n)?([+-]?\d+)?$/.exec(formula) ?? [];
  return { step: step === undefined ? 0 : Number(/\d/.test(step) ? step : `${step}1`), offset: Number(offset ?? 0) };
}

/** Returns options for css-select that spend a step for each move through the tree. */
export function boundedOptions(tree: SelectorTree, spend: Spend, pseudos = {}): Options<ChildNode, Element> {
  const count = <T>(value: T, steps: number): T => {
    spend(steps);
    return value;
  };
  return {
    pseudos: { ...pseudos, [STEP.name]: () => count(true, STEPS_PER_PSEUDO_CLASS) },
    adapter: {
      isTag: (node): node is Element => count(isTag(node), 1),
      getName: (element) => element.name,
      getAttributeValue: (element, name) => {
        const value = element.attribs[name];
        return count(value, 1 + (value?.length ?? 0) / CHARS_PER_STEP);
      },
      hasAttrib: (element, name) => count(name in element.attribs, 1),
      // css-select calls `isTag` for each parent.
      getParent: (element) => element.parent as ChildNode | null,
      getChildren: (node) => count(hasChildren(node) ? tree.childrenOf(node) : [], 1) as ChildNode[],
      getSiblings: (node) => count(node.parent ? tree.childrenOf(node.parent) : [node], 1) as ChildNode[],
      prevElementSibling: (node) => count(tree.siblingsOf(node).get(node)?.before ?? null, 1),
      getText: (node) => {
        const text = DomUtils.getText(node);
        return count(text, 1 + text.length);
      },
      removeSubsets: DomUtils.removeSubsets,
    },
  };
}
