import { createChecker } from "./check";
import { isObject, type Schema, type SchemaObject } from "./keywords";
import { mapInner, type Path, toPointer } from "./places";

/**
 * The same schema with every reference as a plain pointer (`#/$defs/price`): no identifiers, no anchors. So it can be moved
 * into another one, and be read by who knows pointers alone. Null when a reference leads nowhere.
 */
export function toLocal(schema: SchemaObject): SchemaObject | null {
  const checker = createChecker(schema);
  if (checker === null || !isObject(checker.schema)) return null;
  const places = new Map<unknown, Path>();
  locate(checker.schema, [], places);
  let isWhole = true;

  const copy = (part: Schema): Schema => {
    if (!isObject(part)) return part;
    const { $id: _, $anchor: __, ...plain } = mapInner(part, copy);
    if (part.$ref === undefined) return plain;
    const { $ref: ___, ...rest } = plain;
    const target = checker.target(part);
    // A boolean stands in many places, and is as short as what leads to it.
    if (typeof target === "boolean") return target && !checker.refStandsAlone ? rest : target;
    const place = places.get(target);
    isWhole &&= place !== undefined;
    return { ...rest, $ref: `#${encodeURI(toPointer(place ?? []))}` };
  };

  const local = copy(checker.schema);
  return isWhole && isObject(local) ? local : null;
}

function locate(value: unknown, path: Path, places: Map<unknown, Path>): void {
  if (typeof value !== "object" || value === null) return;
  places.set(value, path);
  for (const [name, inner] of Object.entries(value)) locate(inner, [...path, name], places);
}
