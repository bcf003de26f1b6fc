import { createChecker } from "../../../json-schema/check";
import { isObject, type Schema, type SchemaObject } from "../../../json-schema/keywords";
import { LARGE_CHARS, toFiller } from "../../shared/filler";

const MAX_TRIES = 12;
const MAX_SEARCHED = 100;
const LIMITS = { visits: 200_000, visitsACheck: 100_000 };

type Path = readonly string[];

interface Found {
  path: Path;
  inner: unknown;
}

/** The same value with over a megabyte in it, where the schema has room: in a text, an array or one more property. */
export function enlarge(value: SchemaObject, schema: Schema): SchemaObject {
  const checker = createChecker(schema, LIMITS);
  if (checker === null) return value;
  const filler = toFiller(LARGE_CHARS);
  const found = [...walk(value, [])];
  for (const larger of candidates(value, found, filler)) {
    if (isObject(larger) && checker.check(checker.schema, larger)) return larger;
  }
  return value;
}

function* candidates(value: SchemaObject, found: readonly Found[], filler: string): Generator<unknown> {
  for (const { path, inner } of found.filter(({ inner }) => typeof inner === "string").slice(0, MAX_TRIES)) {
    yield replace(value, path, `${inner} ${filler}`);
  }
  yield { ...value, mock_text: filler };
  for (const { path, inner } of found.slice(0, MAX_SEARCHED)) {
    if (Array.isArray(inner) && inner.length > 0) yield replace(value, path, repeat(inner));
  }
}

function* walk(value: unknown, path: Path): Generator<Found> {
  yield { path, inner: value };
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) yield* walk(inner, [...path, name]);
}

function replace(value: unknown, [name, ...path]: Path, by: unknown): unknown {
  if (name === undefined) return by;
  if (Array.isArray(value)) return value.map((item, at) => (String(at) === name ? replace(item, path, by) : item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === name ? replace(inner, path, by) : inner]),
  );
}

function repeat(items: readonly unknown[]): readonly unknown[] {
  const times = Math.ceil(LARGE_CHARS / JSON.stringify(items).length) + 1;
  return Array.from({ length: times }, () => items).flat();
}
