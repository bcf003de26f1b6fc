import { isObject } from "../../json-schema/keywords";
import { toPointer } from "../../json-schema/pointer";
import type { Problem } from "../../json-schema/validate";

/** Only such texts can hold a number that is read as another one. */
const SUSPECT = /\d{16}|\d[eE]\+?\d\d/;

const MESSAGE =
  "This number can't be carried exactly as a JSON number: give it as a string with all of its digits where the schema allows one. Never round it.";

/**
 * The numbers of a JSON text that its reader doesn't get as they are written: beyond what a double holds (`1e400`), or
 * whole ones of more digits than it has. Decimals and exponents are approximate by nature, and rounded as usual.
 */
export function inexactNumbers(json: string): Problem[] {
  if (!SUSPECT.test(json)) return [];
  const found = new Map<unknown, Set<string>>();
  const value: unknown = JSON.parse(json, function (this: unknown, name: string, part: unknown, context?: Written) {
    if (typeof part === "number" && isInexact(part, context?.source)) {
      found.set(this, (found.get(this) ?? new Set()).add(name));
    }
    return part;
  });
  return [...pathsTo(found, value, [])].map((path) => ({ path: toPointer(path), message: MESSAGE }));
}

/** What newer runtimes tell a reviver besides: https://github.com/tc39/proposal-json-parse-with-source */
interface Written {
  source?: string;
}

function isInexact(value: number, source: string | undefined): boolean {
  if (!Number.isFinite(value)) return true;
  if (Number.isSafeInteger(value) || !Number.isInteger(value)) return false;
  return source === undefined || (/^-?\d+$/.test(source) && JSON.stringify(value) !== source);
}

function* pathsTo(
  found: ReadonlyMap<unknown, ReadonlySet<string>>,
  value: unknown,
  path: string[],
): Generator<string[]> {
  if (!isObject(value) && !Array.isArray(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    if (found.get(value)?.has(name)) yield [...path, name];
    yield* pathsTo(found, inner, [...path, name]);
  }
}
