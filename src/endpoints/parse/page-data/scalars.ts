import type { DataNode, DataSource, DataValue } from "../../../html/page-data/data-node";
import { collapseAndTrim } from "../../../html/parse/white-space";
import { normalizeText, toWords } from "../normalize-text";
import type { Kind } from "./concept";
import { currenciesOf } from "./currencies";
import { toDateValue } from "./date-values";
import { durationUnitIn, fromIsoDuration, fromShownDuration } from "./durations";
import { toKey, wordsOf } from "./keys";
import { toAmount, toFirstNumber, toMeasure, toOnlyNumber, toPlainNumber, toSingleNumber, unitOf } from "./numbers";
import type { Shape } from "./shape";
import { toStateFlag, toStateName, toStateOption } from "./states";

/** A value that a node gives for a property. */
export interface Scalar {
  value: string | number | boolean;
  source: DataSource;
  quote: string;
  position: string;
  /** Scalars with the same identity are the same value, for example in different notations. */
  identity: string;
}

/** The way in which the values of a property are read. */
export interface Reading {
  kind: Kind;
  shape: Shape;
  /** The words of the property's name and of its description. */
  words: readonly string[];
  /** The key of the property's name. */
  key: string;
}

/** The members of an object that stand for the object, by the kind of the property. */
const REPRESENTATIVES: { readonly [K in Kind]?: readonly string[] } = {
  url: ["url", "contentUrl", "@id"],
  amount: ["price", "value", "amount"],
  number: ["value", "ratingValue"],
  currency: ["currency", "priceCurrency"],
  text: ["name", "text", "value"],
  title: ["name", "headline"],
  name: ["name"],
  yield: ["value"],
  date: ["value"],
  duration: ["value"],
  state: ["name"],
};
const MAX_SCALARS = 2_000;
/** Templates write the type of an object where its name should be. */
const TYPE_NAME =
  /^(?:Organization|Person|Thing|Place|Brand|Corporation|LocalBusiness|PerformingGroup|MusicGroup|Product)$/;
const MAX_YIELD_CHARS = 120;
/** The scale that recipe plugins show after the yield, such as in “4 servings 1x”. */
const SCALE = /\s*\b1x$/;
/** Returns the values that the nodes give for a property. Leaves out values that can't be converted to its type. */
export function toScalars(nodes: readonly DataNode[], reading: Reading): Scalar[] {
  return valuesIn(nodes, reading.kind).flatMap((node) => toScalar(node, reading) ?? []);
}

/** Returns the values in lists and objects that stand for the property. */
function valuesIn(nodes: readonly DataNode[], kind: Kind): DataValue[] {
  const values: DataValue[] = [];
  const pending = nodes.toReversed();
  for (let node = pending.pop(); node !== undefined && values.length < MAX_SCALARS; node = pending.pop()) {
    if (node.kind === "value") values.push(node);
    else if (node.kind === "list") pending.push(...node.items.toReversed());
    else {
      const { members } = node;
      const names = REPRESENTATIVES[kind] ?? [];
      const member = names.map((name) => members.find((one) => one.name === name)).find((one) => one !== undefined);
      const measure = member?.name === "value" ? toMeasureNode(member, members) : (member ?? null);
      if (measure !== null) pending.push(measure);
    }
  }
  return values;
}

/** Returns the value of a quantity together with its unit. Returns null if the unit isn't known. */
function toMeasureNode(node: DataNode, members: readonly DataNode[]): DataNode | null {
  const unit = members.find(({ name }) => name === "unitText") ?? members.find(({ name }) => name === "unitCode");
  if (unit?.kind !== "value" || node.kind !== "value") return node;
  const word = unitOf(String(unit.value));
  if (word === null) return null;
  const text = `${node.value} ${word}`;
  return { ...node, value: text, quote: text };
}

function toScalar(node: DataValue, reading: Reading): Scalar | null {
  const { shape } = reading;
  const value = shape.options === null ? convert(node, reading) : toOption(node, reading, shape.options);
  if (value === null || value === "") return null;
  const { source, quote, position } = node;
  return { value, source, quote, position, identity: identityOf(value, node, reading) };
}

function convert(node: DataValue, reading: Reading): string | number | boolean | null {
  const { types } = reading.shape;
  if (types.has("string")) return toText(node.value, reading);
  if (types.has("number") || types.has("integer")) return toNumber(node.value, reading);
  return types.has("boolean") ? toBoolean(node.value, reading) : null;
}

function toText(value: DataValue["value"], { kind, shape, words }: Reading): string | null {
  if (typeof value === "boolean") return null;
  const text = collapseAndTrim(String(value));
  switch (kind) {
    case "url":
      return /^https?:\/\/\S+$/i.test(text) ? text : null;
    case "currency":
      return toCurrencyCode(text);
    case "date":
      return toDateValue(text, { format: shape.format, words });
    case "duration":
      if (shape.format === "duration") return fromIsoDuration(text) === null ? null : text;
      return fromIsoDuration(text) === null && fromShownDuration(text) === null ? null : text;
    case "amount":
      return toAmount(text) === null || toAmount(text) === 0 ? null : text;
    case "number":
      return toAmount(text) === null ? null : text;
    case "state":
      return toStateName(text);
    case "name":
      return /^https?:/i.test(text) || TYPE_NAME.test(text) ? null : text;
    case "yield":
      return /\p{L}|\d/u.test(text) && text.length < MAX_YIELD_CHARS ? text.replace(SCALE, "") : null;
    default:
      return text;
  }
}

/** Returns the code of a currency. Returns null for a symbol that several currencies share. */
function toCurrencyCode(text: string): string | null {
  if (/^[a-z]{3}$/i.test(text)) return text.toUpperCase();
  const [code, ...others] = currenciesOf(text) ?? [];
  return code !== undefined && (others.length === 0 || text === "£") ? code : null;
}

function toNumber(value: DataValue["value"], { kind, shape, words, key }: Reading): number | null {
  const number =
    typeof value === "number" ? value : typeof value === "string" ? numberIn(value, { kind, words, key }) : null;
  if (number === null || !Number.isFinite(number)) return null;
  // A number without a unit can be minutes or seconds.
  if (typeof value === "number" && kind === "duration") return null;
  // Templates also write the German price 1.234 € as the number 1.234.
  if (typeof value === "number" && kind === "amount" && toSingleNumber(String(value)) === null) return null;
  if (!shape.types.has("number") && !Number.isInteger(number)) return null;
  // Templates write 0 for a price, a rating or a duration that they don't have.
  const isPlaceholder =
    number === 0 && (kind === "amount" || kind === "duration" || /\b(?:rating|star|score)\b/.test(key));
  return isPlaceholder && !/\b(?:count|number|num)\b/.test(key) ? null : number;
}

function numberIn(
  text: string,
  { kind, words, key }: { kind: Kind; words: readonly string[]; key: string },
): number | null {
  switch (kind) {
    case "duration": {
      const seconds = fromIsoDuration(text) ?? fromShownDuration(text);
      const unit = durationUnitIn(wordsOf(key)) ?? durationUnitIn(words);
      if (seconds === null || unit === null) return null;
      return Number.isInteger((seconds / unit) * 4) ? seconds / unit : null;
    }
    case "yield":
      return toOnlyNumber(text);
    case "date":
      return key.includes("year") ? Number(/^(\d{4})(?:$|-)/.exec(text)?.[1] ?? Number.NaN) : null;
    case "amount":
      return toAmount(text);
    case "number":
      return toPlainNumber(text);
    default:
      return toPlainNumber(text) ?? toMeasure(text, words);
  }
}

function toBoolean(value: DataValue["value"], { kind }: Reading): boolean | null {
  if (typeof value === "boolean") return value;
  const text = String(value);
  if (kind === "state") return toStateFlag(text);
  if (/^(?:https?:\/\/schema\.org\/)?true$/i.test(text)) return true;
  return /^(?:https?:\/\/schema\.org\/)?false$/i.test(text) ? false : null;
}

/** Returns the option of an enumeration that the value names. Returns null if no option or several options match. */
function toOption(
  node: DataValue,
  { kind, shape }: Reading,
  options: readonly unknown[],
): string | number | boolean | null {
  const exact = options.find((option) => option === node.value);
  if (exact !== undefined) return node.value;
  const texts = options.filter((option) => typeof option === "string");
  if (kind === "state") return toStateOption(String(node.value), texts);
  const key = toKey(String(node.value).replace(/^https?:\/\/schema\.org\//, ""));
  const [only, ...others] = texts.filter((option) => toKey(option) === key);
  return only !== undefined && others.length === 0 && shape.types.has("string") ? only : null;
}

function identityOf(value: string | number | boolean, node: DataValue, { kind }: Reading): string {
  const text = String(value);
  switch (kind) {
    case "amount":
    case "number":
      return String(typeof value === "number" ? value : (toAmount(text) ?? text));
    case "date":
      return String(node.value).slice(0, /^\d{4}-\d\d-\d\d/.test(String(node.value)) ? 10 : undefined);
    case "duration":
      return String(fromIsoDuration(String(node.value)) ?? fromShownDuration(String(node.value)) ?? text);
    case "yield":
      return toFirstNumber(text) ?? text.toLowerCase();
    case "url":
      return text
        .replace(/#.*$/, "")
        .replace(/\/$/, "")
        .replace(/^http:/, "https:");
    default:
      return toWords(normalizeText(text)).join(" ") || text;
  }
}
