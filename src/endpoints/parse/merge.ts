import { isObject, lowest, type Path, type SchemaObject } from "../../json-schema/keywords";
import { toPointer } from "../../json-schema/pointer";
import { createValidator, type SchemaValidator } from "../../json-schema/validate";
import { toCanonicalJson } from "../../lib/json";
import { admitsNull, expandSchemas, toLeafPath, toMemberSchemas } from "./member-schemas";

/** A passage of the page that shows a value. `pointer` is a JSON Pointer (RFC 6901) from the root of the data. */
export interface Quote {
  pointer: string;
  quote: string;
}

export interface PartAnswer {
  data: SchemaObject;
  quotes: readonly Quote[];
}

/** Placeholders that models and pages write for a missing value. */
const MISSING_VALUE =
  /^\s*(?:(?:[-‐-―−.…?]+|n\s?\/\s?a|n\.\s?a\.?|null|none|undefined|unknown|not (?:available|specified|stated|mentioned|provided|given|found))\s*)?$/i;

/** A value, and its path in the answer for a part. */
interface Piece {
  value: unknown;
  part: number;
  path: Path;
}

interface Move {
  part: number;
  from: Path;
  to: Path;
}

interface Merging {
  validator: SchemaValidator | null;
  moves: Move[];
}

/**
 * Merges the answers for the parts of a page in their order.
 * - Lists are concatenated up to `maxItems`. Items that an earlier part already has are skipped. A tuple
 * (`prefixItems`) is merged like a single value.
 * - Objects are merged property by property.
 * - For other values, the first one that isn't empty is used. `"N/A"` is empty; `false` and 0 aren't.
 * - Properties that are `null` in all parts are omitted, unless the schema allows `null`.
 *
 * Quotes are moved with their values. A single answer is returned unchanged.
 */
export function mergeAnswers(answers: readonly PartAnswer[], schema: SchemaObject | null): PartAnswer {
  const [only, ...others] = answers;
  if (only !== undefined && others.length === 0) return only;
  const merging: Merging = { validator: schema === null ? null : createValidator(schema), moves: [] };
  const pieces = answers.map(({ data }, part) => ({ value: data, part, path: [] }));
  const schemas = merging.validator === null ? [] : expandSchemas([merging.validator.schema], merging.validator);
  const data = mergeObjects(pieces, schemas, [], merging);
  return { data, quotes: moveQuotes(answers, merging.moves) };
}

function mergePieces(pieces: readonly Piece[], schemas: readonly SchemaObject[], to: Path, merging: Merging): unknown {
  const filled = pieces.filter(({ value }) => !isEmpty(value));
  const first = filled[0] ?? pieces.find(({ value }) => value !== null) ?? pieces[0];
  if (first === undefined) return null;
  if (isObject(first.value)) return mergeObjects(filled, schemas, to, merging);
  if (Array.isArray(first.value) && !isTuple(schemas)) return mergeLists(filled, schemas, to, merging);
  merging.moves.push({ part: first.part, from: first.path, to });
  return first.value;
}

function mergeObjects(
  pieces: readonly Piece[],
  schemas: readonly SchemaObject[],
  to: Path,
  merging: Merging,
): SchemaObject {
  const members = new Map<string, Piece[]>();
  for (const { value, part, path } of pieces) {
    if (!isObject(value)) continue;
    for (const [name, member] of Object.entries(value)) {
      const known = members.get(name) ?? [];
      members.set(name, known);
      known.push({ value: member, part, path: [...path, name] });
    }
  }
  const entries: (readonly [string, unknown])[] = [];
  for (const [name, of] of members) {
    const direct = toMemberSchemas(schemas, name);
    const value = mergePieces(of, expandSchemas(direct, merging.validator), [...to, name], merging);
    if (value !== null || admitsNull(direct, merging.validator)) entries.push([name, value]);
  }
  return Object.fromEntries(entries);
}

function mergeLists(
  pieces: readonly Piece[],
  schemas: readonly SchemaObject[],
  to: Path,
  merging: Merging,
): readonly unknown[] {
  const max = lowest(schemas, "maxItems") ?? Infinity;
  const merged: unknown[] = [];
  const earlier = new Set<string>();
  for (const { value, part, path } of pieces) {
    if (!Array.isArray(value)) continue;
    const keys = value.map(toKey);
    for (const [index, item] of value.entries()) {
      // One part can have equal items on purpose. Only items of earlier parts count as duplicates.
      if (earlier.has(keys[index] ?? "") || merged.length >= max) continue;
      merging.moves.push({ part, from: [...path, String(index)], to: [...to, String(merged.length)] });
      merged.push(item);
    }
    for (const key of keys) earlier.add(key);
  }
  return merged;
}

/** Returns a key for finding duplicates. It ignores white space. A missing property counts as `null`. */
function toKey(value: unknown): string {
  return toCanonicalJson(normalize(value));
}

function normalize(value: unknown): unknown {
  if (typeof value === "string") return value.replace(/\s+/g, " ").trim();
  if (Array.isArray(value)) return value.map(normalize);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(entries.map(([name, member]) => [name, normalize(member)]));
}

function isEmpty(value: unknown): boolean {
  if (typeof value === "string") return MISSING_VALUE.test(value);
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === null || value === undefined;
}

function isTuple(schemas: readonly SchemaObject[]): boolean {
  return schemas.some(({ prefixItems, items }) => Array.isArray(prefixItems) || Array.isArray(items));
}

function moveQuotes(answers: readonly PartAnswer[], moves: readonly Move[]): Quote[] {
  const targets = new Map(moves.map(({ part, from, to }) => [`${part}${toPointer(from)}`, to]));
  return answers.flatMap(({ data, quotes }, part) =>
    quotes.flatMap(({ pointer, quote }) => {
      const path = toLeafPath(data, pointer);
      // The moved value can be the quoted value itself or the list item that contains it. The loop therefore also tries
      // the paths above the value.
      for (let length = path?.length ?? 0; path !== null && length > 0; length--) {
        const to = targets.get(`${part}${toPointer(path.slice(0, length))}`);
        if (to !== undefined) return [{ pointer: toPointer([...to, ...path.slice(length)]), quote }];
      }
      return [];
    }),
  );
}
