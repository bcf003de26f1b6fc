import { LARGE_CHARS, toFiller } from "../filler";
import { createChecker } from "./check";
import { isObject, type Schema, type SchemaObject } from "./keywords";

const MAX_TRIES = 30;
const LIMITS = { visits: 500_000, visitsACheck: 250_000 };

type Path = readonly string[];

/** The same value with over a megabyte in it, where the schema has room: in a text, an array or one more property. */
export function enlarge(value: SchemaObject, schema: Schema): SchemaObject {
  const checker = createChecker(schema, LIMITS);
  const filler = toFiller(LARGE_CHARS);
  const found = [...walk(value, [])];
  const texts = found.filter(({ inner }) => typeof inner === "string");
  const arrays = found.filter(({ inner }) => Array.isArray(inner) && inner.length > 0);
  for (const { path, inner } of [...texts.slice(0, MAX_TRIES), ...arrays.slice(0, MAX_TRIES)]) {
    const larger = replace(value, path, Array.isArray(inner) ? repeat(inner) : `${inner} ${filler}`);
    if (isObject(larger) && checker.check(schema, larger)) return larger;
  }
  const larger = { ...value, mock_text: filler };
  return checker.check(schema, larger) ? larger : value;
}

function* walk(value: unknown, path: Path): Generator<{ path: Path; inner: unknown }> {
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
