import { toIsoTime } from "../../../html/page/dates";
import { CURRENCY, NUMBER } from "../../../html/page/prices";
import type { DataNode, DataSource, DataValue } from "../../../html/page-data/data-node";
import { collapseAndTrim } from "../../../html/parse/white-space";
import { normalizeText, toNumbers } from "../normalize-text";
import type { Kind } from "./concepts";
import { toPhrase } from "./page-view";
import { type Shape, toKey, wordsOf } from "./shape";

/** A value that a node gives for a property. */
export interface Scalar {
  value: string | number | boolean;
  source: DataSource;
  quote: string;
  /** The name of the member or of the meta element. */
  name: string;
  /** Scalars with the same identity are the same value, for example in different notations. */
  identity: string;
}

/** The way in which the values of a property are read. */
export interface Reading {
  kind: Kind;
  shape: Shape;
  /** The key of the property's name. */
  key: string;
}

type Primitive = string | number | boolean;

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
  /^(?:Organization|Person|Thing|Place|Brand|Corporation|LocalBusiness|(?:Performing|Music)Group|Product)$/;
/** The scale that recipe plugins show after the yield, such as in “4 servings 1x”. */
const SCALE = /(?:(?<!\s)\s+)?\b1x$/;
const MAX_YIELD_CHARS = 120;

const NUMBERS = new RegExp(NUMBER, "g");
/** Matches a text that is only a number with a currency before or after it. */
const AMOUNT = new RegExp(
  `^(?:(?:${CURRENCY})\\s*){0,2}(${NUMBER})(?:[.,]?[-–])?\\s*(?:(?:${CURRENCY})\\s*){0,2}$`,
  "u",
);
const SPACED_THOUSANDS = /^\d{1,3}(?: \d{3})+(?:[.,]\d+)?$/;
const SPACES = /[ \u00a0\u202f]/g;

/** Matches an ISO 8601 duration. Some pages write the days after the T, such as in `PT0D1H30M`. */
const DURATION =
  /^P(?:(\d{1,4}(?:\.\d+)?)D)?(?:T(?:(\d{1,4})D)?(?:(\d{1,5}(?:\.\d+)?)H)?(?:(\d{1,6}(?:\.\d+)?)M)?(?:(\d{1,7}(?:\.\d+)?)S)?)?$/i;
const DURATION_UNITS: readonly (readonly [words: RegExp, seconds: number])[] = [
  [/^(?:second|sec|sekunden|seconde|segundo)s?$/, 1],
  [/^(?:minute|min|minuten|minuto|minuti)s?$/, 60],
  [/^(?:hour|hr|stunde|stunden|heure|hora)s?$/, 3_600],
  [/^(?:day|tage|jour|dia)s?$/, 86_400],
];
const ISO_DAY = /^(\d{4}-\d\d-\d\d)(?:$|[T ])/;
/** Matches a time that is valid in the format `date-time` of JSON Schema. */
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;

const VOCABULARY = /^(?:https?:\/\/(?:www\.)?schema\.org\/?|schema:)/i;
/** The words around the name of a state in schema.org, such as in `NewCondition` and `EventScheduled`. */
const STATE_WORDS = /^event(?=.)|condition$|eventattendancemode$|attendancemode$/g;
const IN_STOCK = ["instock", "available", "true", "yes"];
const OUT_OF_STOCK = ["outofstock", "soldout", "unavailable", "notavailable", "false", "no"];
const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ...["instock", "limitedavailability", "onlineonly", "instoreonly"].map((state) => [state, true] as const),
  ...["outofstock", "soldout", "discontinued"].map((state) => [state, false] as const),
]);
const MAX_STATE_WORDS = 4;

/** Returns the values that the nodes give for a property. Leaves out values that can't be converted to its type. */
export function toScalars(nodes: readonly DataNode[], reading: Reading): Scalar[] {
  return valuesIn(nodes, reading.kind).flatMap((node) => {
    const { options } = reading.shape;
    const value = options === null ? convert(node.value, reading) : toOption(node.value, reading, options);
    if (value === null || value === "") return [];
    const { source, quote, name } = node;
    return { value, source, quote, name, identity: identityOf(value, node.value, reading) };
  });
}

/** Returns the values in lists and objects that stand for the property. Leaves out quantities with a unit. */
function valuesIn(nodes: readonly DataNode[], kind: Kind): DataValue[] {
  const values: DataValue[] = [];
  const pending = nodes.toReversed();
  for (let node = pending.pop(); node !== undefined && values.length < MAX_SCALARS; node = pending.pop()) {
    if (node.kind === "value") values.push(node);
    else if (node.kind === "list") pending.push(...node.items.toReversed());
    else {
      const members = new Map(node.members.map((member) => [member.name, member]));
      const name = REPRESENTATIVES[kind]?.find((one) => members.has(one));
      const hasUnit = name === "value" && (members.has("unitText") || members.has("unitCode"));
      const member = name === undefined || hasUnit ? undefined : members.get(name);
      if (member !== undefined) pending.push(member);
    }
  }
  return values;
}

function convert(value: Primitive, reading: Reading): Primitive | null {
  const { types } = reading.shape;
  if (types.has("string")) return typeof value === "boolean" ? null : toText(collapseAndTrim(String(value)), reading);
  if (types.has("number") || types.has("integer")) return toNumber(value, reading);
  if (!types.has("boolean")) return null;
  if (typeof value === "boolean") return value;
  if (reading.kind === "state") return toStateFlag(value);
  const word = String(value).replace(VOCABULARY, "").toLowerCase();
  return word === "true" ? true : word === "false" ? false : null;
}

function toText(text: string, { kind, shape, key }: Reading): string | null {
  switch (kind) {
    case "url":
      return /^https?:\/\/\S+$/i.test(text) ? text : null;
    case "currency":
      return /^[a-z]{3}$/i.test(text) ? text.toUpperCase() : null;
    case "date":
      return toDate(text, shape.format, wordsOf(`${key} ${shape.description}`));
    case "duration":
      return toSeconds(text) === null ? null : text;
    case "amount":
      return toAmount(text) === 0 || toAmount(text) === null ? null : text;
    case "number":
      return toAmount(text) === null ? null : text;
    case "state": {
      const name = text.replace(VOCABULARY, "");
      return name.includes("/") || name.split(/\s+/).length > MAX_STATE_WORDS ? null : name;
    }
    case "name":
      return /^https?:/i.test(text) || TYPE_NAME.test(text) ? null : text;
    case "yield":
      return /\p{L}|\d/u.test(text) && text.length < MAX_YIELD_CHARS ? text.replace(SCALE, "") : null;
    default:
      return text;
  }
}

/**
 * Returns a declared date in the notation that a schema requires. Without a format, returns the date as the page declares
 * it. Returns null if the text isn't a date, or has no time although the schema requires one.
 */
function toDate(text: string, format: string, words: readonly string[]): string | null {
  const time = toIsoTime(text);
  if (time === null) return null;
  const [, declared] = ISO_DAY.exec(text) ?? [];
  // The day in the time zone of the page can differ from the day in UTC.
  const day = declared ?? (time.length === 10 ? time : null);
  if (format === "date" || words.includes("yyyy")) return day;
  if (format !== "date-time" || DATE_TIME.test(text)) return text;
  return DATE_TIME.test(time) ? time : null;
}

/** Returns the seconds of an ISO 8601 duration such as `PT1H30M`. Returns null for another text, and for no time at all. */
function toSeconds(text: string): number | null {
  const parts = DURATION.exec(text.trim())
    ?.slice(1)
    .map((part) => Number(part ?? 0));
  const [days = 0, moreDays = 0, hours = 0, minutes = 0, seconds = 0] = parts ?? [];
  return (days + moreDays) * 86_400 + hours * 3_600 + minutes * 60 + seconds || null;
}

function toNumber(value: Primitive, { kind, shape, key }: Reading): number | null {
  const number = typeof value === "boolean" ? null : numberIn(value, { kind, shape, key });
  if (number === null || !Number.isFinite(number)) return null;
  if (!shape.types.has("number") && !Number.isInteger(number)) return null;
  // Templates write 0 for a price, a rating or a duration that they don't have.
  const isPlaceholder = number === 0 && (kind === "amount" || isRating(key));
  return isPlaceholder ? null : number;
}

function numberIn(value: string | number, { kind, shape, key }: Reading): number | null {
  const text = String(value);
  switch (kind) {
    case "duration": {
      // A number without a unit can be minutes or seconds.
      const seconds = toSeconds(text);
      const unit = durationUnitIn(wordsOf(key)) ?? durationUnitIn(wordsOf(shape.description));
      if (seconds === null || unit === null) return null;
      return Number.isInteger((seconds / unit) * 4) ? seconds / unit : null;
    }
    case "yield":
      return toOnlyNumber(text);
    case "date":
      return key.includes("year") ? Number(/^(\d{4})(?:$|-)/.exec(text)?.[1] ?? Number.NaN) : null;
    case "amount":
      // Templates also write the German price 1.234 € as the number 1.234.
      return toAmount(text);
    default:
      return typeof value === "number" ? value : /^\d[\d.,'’ \u00a0\u202f]*$/.test(text.trim()) ? toAmount(text) : null;
  }
}

/** Returns the unit of a number that stands for a duration, in seconds. Returns null if the words name none or several. */
function durationUnitIn(words: readonly string[]): number | null {
  const units = DURATION_UNITS.filter(([pattern]) => words.some((word) => pattern.test(word)));
  return units.length === 1 ? (units[0]?.[1] ?? null) : null;
}

/** Returns true for the key of a rating. Returns false for the key of a number of ratings. */
export function isRating(key: string): boolean {
  return /\b(?:rating|star|score|bewertung)\b/.test(key) && !/\b(?:count|number|num|total|vote|anzahl)\b/.test(key);
}

/** Returns the number that the text has, next to a currency. Null for other contents or several numbers. */
export function toAmount(text: string): number | null {
  const [, digits] = AMOUNT.exec(text.trim()) ?? [];
  return digits === undefined ? null : toSingleNumber(digits);
}

/** Returns the only number of a text, such as 4 for “Serves 4”. Returns null if it has none, or several different ones. */
export function toOnlyNumber(text: string): number | null {
  const [only, ...others] = new Set((normalizeText(text).match(NUMBERS) ?? []).map(toSingleNumber));
  return only === undefined || others.length > 0 || /[/⁄½¼¾]/.test(text) ? null : only;
}

/** Returns the number that the digits mean. Returns null if they can mean several numbers, such as `1,234`. */
function toSingleNumber(digits: string): number | null {
  const spaced = digits.replace(SPACES, " ");
  if (spaced.includes(" ") && !SPACED_THOUSANDS.test(spaced)) return null;
  const [only, ...others] = new Set(toNumbers(spaced.replaceAll(" ", "")));
  return only === undefined || others.length > 0 ? null : only;
}

/** Returns the option of an enumeration that the value names. Returns null if no option or several options match. */
function toOption(value: Primitive, { kind, shape }: Reading, options: readonly unknown[]): Primitive | null {
  if (options.includes(value)) return value;
  const name = toState(String(value));
  const same = kind === "state" ? ([IN_STOCK, OUT_OF_STOCK].find((words) => words.includes(name)) ?? []) : [];
  for (const names of [[name], same]) {
    const [only, ...others] = options.filter((one) => typeof one === "string" && names.includes(toState(one)));
    if (only !== undefined) return others.length === 0 && shape.types.has("string") ? String(only) : null;
  }
  return null;
}

/** Returns true if the product is in stock, and false if it isn't. Returns null for another state, such as a preorder. */
export function toStateFlag(value: Primitive): boolean | null {
  return FLAGS.get(toState(String(value))) ?? null;
}

function toState(text: string): string {
  return toKey(text.replace(VOCABULARY, "")).replaceAll(" ", "").replace(STATE_WORDS, "");
}

function identityOf(value: Primitive, declared: Primitive, { kind }: Reading): string {
  const text = String(value);
  switch (kind) {
    case "amount":
    case "number":
      return String(typeof value === "number" ? value : (toAmount(text) ?? text));
    case "date":
      return ISO_DAY.exec(String(declared))?.[1] ?? String(declared);
    case "duration":
      return String(toSeconds(String(declared)) ?? text);
    case "yield":
      return String(toOnlyNumber(text) ?? text.toLowerCase());
    case "url":
      return text
        .replace(/#.*$/s, "")
        .replace(/\/$/, "")
        .replace(/^http:/, "https:");
    default:
      return toPhrase(text) || text;
  }
}
