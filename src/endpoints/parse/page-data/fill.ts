import { isRelatedHeading } from "../../../html/page/parts";
import type { DataNode, DataObject, DataValue } from "../../../html/page-data/data-node";
import { collapseAndTrim } from "../../../html/parse/white-space";
import { isObject, type Path, type Schema, type SchemaObject } from "../../../json-schema/keywords";
import type { SchemaValidator } from "../../../json-schema/validate";
import { type Candidates, findCandidates, nodesAt, type Subject, toInnerSubject } from "./candidates";
import { chooseScalar, chooseScalars } from "./choose-scalar";
import { conceptsOf, familyOf, isSubjectKey } from "./concepts";
import { type AnswerSource, nameOf, objectsIn, type PageView, textsIn } from "./page-view";
import type { PromptScope } from "./prompt-scope";
import { isRating, type Scalar } from "./scalars";
import { type Shape, toKey, toShape } from "./shape";
import { isAboutThing } from "./subject";

/** The source of a value, and the words that show it. The path starts at the value that has the mark. */
export interface Mark {
  path: Path;
  source: AnswerSource;
  quote: string;
}

export interface Filled<Value = unknown> {
  value: Value;
  marks: readonly Mark[];
}

const MAX_DEPTH = 8;
const MAX_ITEMS = 500;
/** The number of groups around a property, such as in `{"product": {"details": {"price": …}}}`. */
const MAX_GROUPS = 2;
/** The number of properties that are filled for a page. Schemas that refer to themselves have endless properties. */
const MAX_PROPERTIES = 20_000;
const MIN_SHARE_WITH_AMOUNT = 0.3;
const DEFAULT_SCALE = 5;
/** The names of a page's main list. Other names, such as “related products”, mean a part of the page. */
const LIST_WORDS = new Set(
  "item product result article post story recipe event job posting listing entry offer list movie book course link".split(
    " ",
  ),
);
/** The keys of the property that has the text of a step. */
const STEP_TEXT_KEYS = new Set(["text", "instruction", "step", "description", "direction", "content", "detail"]);
const NUMBERING = /^(?:step\s*)?\d{1,2}\s*[.):]\s*(?=\D)/i;
/** Matches a text with several steps. */
const SEVERAL_STEPS = /[.!)]\s*\b2\s?[.)]/;
/** Steps that are shorter on average are only the titles of steps. */
const MIN_MEAN_STEP_CHARS = 35;
const MIN_TITLED_STEPS = 4;

export class Filler {
  readonly #validator: SchemaValidator;
  readonly #scope: PromptScope;
  #left = MAX_PROPERTIES;
  /** The lists that the page declares as its own. Null until a property needs them. */
  #lists: readonly DataObject[][] | null = null;

  constructor({ validator, scope }: { validator: SchemaValidator; scope: PromptScope }) {
    this.#validator = validator;
    this.#scope = scope;
  }

  /** True if the schema has too many properties. The data is then incomplete. */
  get isExhausted(): boolean {
    return this.#left <= 0;
  }

  /** Fills the properties that are found. The object can lack required properties. */
  fillObject(shape: Shape, subject: Subject, depth = 0): Filled<SchemaObject> {
    const entries: [string, unknown][] = [];
    const marks: Mark[] = [];
    for (const [name, schema] of shape.properties) {
      if (this.isExhausted) break;
      this.#left--;
      const filled = this.#fillProperty(name, schema, subject, depth);
      // The whole value must be valid, for example the number of a list's items.
      if (filled === null || this.#validator.isValid(schema, filled.value) !== true) continue;
      entries.push([name, filled.value]);
      marks.push(...within(name, filled.marks));
    }
    return { value: Object.fromEntries(entries), marks };
  }

  #fillProperty(name: string, schema: Schema, subject: Subject, depth: number): Filled | null {
    const shape = toShape(schema, this.#validator);
    const { types, description, options, items } = shape;
    const key = toKey(name);
    const candidates = findCandidates(key, subject);
    // A property such as `kind` with a single option gets this option, because pages don't show it. For a concept such
    // as the currency, the page must show the option.
    if (options?.length === 1 && options[0] !== null && candidates === null && conceptsOf(key).length === 0)
      return { value: options[0], marks: [] };
    const isText = types.has("string");
    if (key === "" || depth > MAX_DEPTH || this.#scope.isNarrowed(key, { description, isText })) return null;
    if (types.has("array")) return items === null ? null : this.#fillArray(key, shape, { candidates, subject, depth });
    if (types.has("object")) return this.#fillInner(key, shape, { candidates, subject, depth });
    if (types.size === 0 || candidates === null || hasOtherScale(key, shape, subject)) return null;
    const scalar = chooseScalar(candidates, { kind: candidates.kind, shape, key }, subject);
    return scalar && { value: scalar.value, marks: [toMark(scalar)] };
  }

  /** Fills an object: the one that the property names, or a group of properties of the subject itself. */
  #fillInner(
    key: string,
    shape: Shape,
    { candidates, subject, depth }: { candidates: Candidates | null; subject: Subject; depth: number },
  ): Filled | null {
    const objects = candidates?.declared.map(objectsIn) ?? [];
    const [first] = objects.flat();
    let owner: Subject | null = null;
    if (first !== undefined) {
      // Several objects of one source, such as two authors, are ambiguous.
      if (objects.some((list) => list.length > 1)) return null;
      owner = toInnerSubject(objects.flat(), familyOf(first.types), subject.page);
    } else if (depth < MAX_GROUPS && isSubjectKey(key, subject.family)) owner = subject;
    if (owner === null || shape.properties.size === 0) return null;
    const filled = this.fillObject(shape, owner, depth + 1);
    return Object.keys(filled.value).length === 0 ? null : filled;
  }

  #fillArray(
    key: string,
    shape: Shape,
    { candidates, subject, depth }: { candidates: Candidates | null; subject: Subject; depth: number },
  ): Filled | null {
    const items = toShape(shape.items ?? false, this.#validator);
    if (candidates?.kind === "steps") return fillSteps(candidates, items);
    if (items.types.has("object")) {
      const isMainList = subject.isOfPage && depth === 0 && key.split(" ").every((word) => LIST_WORDS.has(word));
      if (candidates === null && isMainList) this.#lists ??= listsOf(subject.page);
      const own = isMainList ? (this.#lists ?? []) : [];
      const [list = [], ...others] = candidates?.declared.map(objectsIn) ?? own;
      return others.length > 0 ? null : this.#fillItems(list, items, { subject, depth });
    }
    if (candidates === null) return null;
    const scalars = chooseScalars(candidates, { kind: candidates.kind, shape: items, key }, subject);
    if (scalars === null || (candidates.kind === "ingredients" && !haveAmounts(scalars))) return null;
    return toList(scalars.slice(0, shape.maxItems), ({ value }) => value);
  }

  /** Fills an item for each object. Returns null if one of them lacks a required property. */
  #fillItems(
    objects: readonly DataObject[],
    items: Shape,
    { subject: { page }, depth }: { subject: Subject; depth: number },
  ): Filled | null {
    if (objects.length === 0 || objects.length > MAX_ITEMS) return null;
    const value: SchemaObject[] = [];
    const marks: Mark[] = [];
    for (const object of objects) {
      const item = this.fillObject(items, toInnerSubject([object], familyOf(object.types), page), depth + 1);
      const names = Object.keys(item.value);
      if (names.length === 0 || [...items.required].some((name) => !names.includes(name))) return null;
      marks.push(...within(String(value.length), item.marks));
      value.push(item.value);
    }
    return { value, marks };
  }
}

function within(name: string, marks: readonly Mark[]): Mark[] {
  return marks.map((mark) => ({ ...mark, path: [name, ...mark.path] }));
}

function toMark({ source, quote }: Pick<Scalar, "source" | "quote">): Mark {
  return { path: [], source, quote };
}

function toList<Item extends Pick<Scalar, "source" | "quote">>(
  items: readonly Item[],
  toValue: (item: Item) => unknown,
): Filled<readonly unknown[]> {
  return { value: items.map(toValue), marks: items.flatMap((item, at) => within(String(at), [toMark(item)])) };
}

/** Returns the items of each list that the page declares as its own. */
function listsOf(page: PageView): DataObject[][] {
  if (isAboutThing(page)) return [];
  const lists = page.objects.filter((one) => one.types.includes("ItemList") && !isRelatedHeading(nameOf(one)));
  return lists.map((list) =>
    objectsIn(nodesAt(list, ["itemListElement"])).map((item) => objectsIn(nodesAt(item, ["item"]))[0] ?? item),
  );
}

/** Returns false if most ingredients lack their amounts. Such lists are incomplete, or are the names of parts. */
function haveAmounts(scalars: readonly Scalar[]): boolean {
  const amounts = scalars.filter(({ value }) => /\p{N}/u.test(String(value)));
  return amounts.length >= MIN_SHARE_WITH_AMOUNT * scalars.length;
}

/** Returns true if the schema requires another maximum for a rating than the page has. By default, the page has 5. */
function hasOtherScale(key: string, { schema }: Shape, subject: Subject): boolean {
  if (!isRating(key)) return false;
  const [scale = DEFAULT_SCALE] = textsIn(findCandidates("best rating", subject)?.declared.flat() ?? []).map(Number);
  const maximum = isObject(schema) && typeof schema.maximum === "number" ? schema.maximum : DEFAULT_SCALE;
  return maximum !== scale;
}

interface Step {
  text: string;
  source: DataValue["source"];
  quote: string;
}

/** Fills a list of steps. The steps of sections become one list. A text with several lines has a step in each line. */
function fillSteps({ declared }: Candidates, { types, properties, required }: Shape): Filled | null {
  const [steps, ...others] = declared.map(stepsIn).filter((found) => found.length > 0);
  if (steps === undefined || steps.length > MAX_ITEMS) return null;
  const text = textOf(steps);
  // The text has several steps that can't be separated reliably.
  if (steps.length === 1 && SEVERAL_STEPS.test(text)) return null;
  if (steps.length >= MIN_TITLED_STEPS && text.length < MIN_MEAN_STEP_CHARS * steps.length) return null;
  if (others.some((rival) => rival[0]?.source === steps[0]?.source && textOf(rival) !== text)) return null;
  if (!types.has("object")) return types.has("string") ? toList(steps, (step) => step.text) : null;
  const name = [...properties.keys()].find((one) => STEP_TEXT_KEYS.has(toKey(one)));
  if (name === undefined || [...required].some((one) => one !== name)) return null;
  const { value, marks } = toList(steps, (step) => ({ [name]: step.text }));
  return { value, marks: marks.map((mark) => ({ ...mark, path: [...mark.path, name] })) };
}

function textOf(steps: readonly Step[]): string {
  return steps.map(({ text }) => text).join("\n");
}

function stepsIn(nodes: readonly DataNode[]): Step[] {
  const values = stepValuesIn(nodes, 0);
  return values
    .flatMap(({ value, source }) => {
      const lines = values.length === 1 ? String(value).split("\n") : [String(value)];
      return lines.map((line) => ({ text: collapseAndTrim(line.replace(NUMBERING, "")), source }));
    })
    .filter(({ text }) => text !== "")
    .map((step) => ({ ...step, quote: step.text }));
}

function stepValuesIn(nodes: readonly DataNode[], depth: number): DataValue[] {
  if (depth > MAX_DEPTH) return [];
  return nodes.flatMap((node) => {
    if (node.kind === "value") return [node];
    if (node.kind === "list") return stepValuesIn(node.items, depth);
    const names = ["text", "description", "itemListElement", "steps", "step", "name"];
    const name = names.find((one) => node.members.some((member) => member.name === one));
    return stepValuesIn(node.members.filter((member) => member.name === name).slice(0, 1), depth + 1);
  });
}
