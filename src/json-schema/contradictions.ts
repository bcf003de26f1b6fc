import type { SchemaProblem } from "./keyword-rules";
import {
  highest,
  isObject,
  isSchema,
  lowest,
  memberOf,
  type Path,
  type Schema,
  type SchemaObject,
  toArray,
  toSchemas,
} from "./keywords";
import type { AnalysisBudget } from "./pattern-automaton";
import type { SchemaValidator } from "./validate";

/** The maximum number of steps for one schema. A schema whose check needs more is accepted. */
const MAX_STEPS = 100_000;
/** A value that is nested deeper than this is assumed to exist. */
const MAX_DEPTH = 100;
/** The keywords that limit a size, with the type whose values they concern. */
const SIZES = [
  ["string", "minLength", "maxLength"],
  ["array", "minItems", "maxItems"],
  ["object", "minProperties", "maxProperties"],
] as const;
const NO_VALUE = "because otherwise no value is valid";

/**
 * Returns the first contradiction because of which no value is valid against the schema, or null. Doesn't find every
 * contradiction: it reads no patterns and formats, and combines the options of `anyOf` and `oneOf` only with the keywords
 * next to them. `paths` has the path of each part of the schema.
 */
export function findContradiction(
  validator: SchemaValidator,
  paths: ReadonlyMap<SchemaObject, Path>,
  budget: AnalysisBudget,
): SchemaProblem | null {
  const finder = new ContradictionFinder(validator, paths, Math.min(budget.stepsLeft, MAX_STEPS));
  const problem = finder.find([validator.schema, { type: "object" }], []);
  budget.stepsLeft -= finder.steps;
  return problem;
}

class ContradictionFinder {
  steps = 0;
  readonly #validator: SchemaValidator;
  readonly #paths: ReadonlyMap<SchemaObject, Path>;
  readonly #maxSteps: number;
  readonly #ids = new Map<SchemaObject, number>();
  /** The combinations of schemas that describe the values around the current one. */
  readonly #open = new Set<string>();

  constructor(validator: SchemaValidator, paths: ReadonlyMap<SchemaObject, Path>, maxSteps: number) {
    this.#validator = validator;
    this.#paths = paths;
    this.#maxSteps = maxSteps;
  }

  /** Returns the reason why no value is valid against all schemas, or null. `at` is the path of the value's schema. */
  find(schemas: readonly Schema[], at: Path, checked: ReadonlySet<unknown> = new Set()): SchemaProblem | null {
    const parts = this.#collectParts(schemas);
    if (parts === null) return { path: at, message: `must not be false, ${NO_VALUE}` };
    const key = parts.map((part) => this.#toId(part)).join();
    if (!this.#take(parts.length + key.length / 10) || this.#open.size > MAX_DEPTH) return null;
    // A value that must contain a value of the same kind would be infinite.
    if (this.#open.has(key)) return { path: at, message: `must not require itself, ${NO_VALUE}` };
    this.#open.add(key);
    const problem = this.#findOwn(parts) ?? this.#findInOptions(parts, at, checked);
    this.#open.delete(key);
    return problem;
  }

  /** Returns false if the steps are used up. */
  #take(steps: number): boolean {
    this.steps += steps;
    return this.steps < this.#maxSteps;
  }

  /** Returns the schemas and all schemas that they include with `$ref` and `allOf`. Returns null if one is `false`. */
  #collectParts(schemas: readonly Schema[]): SchemaObject[] | null {
    const parts = new Set(schemas);
    // The loop also visits the schemas that it appends.
    for (const part of parts) {
      if (typeof part === "boolean" || !this.#take(1)) continue;
      const target = this.#validator.target(part);
      if (target !== undefined) parts.add(target);
      if (!this.#isOnlyReference(part)) for (const added of toSchemas(part.allOf)) parts.add(added);
    }
    if (parts.has(false)) return null;
    return [...parts].filter(isObject).filter((part) => !this.#isOnlyReference(part));
  }

  #isOnlyReference(part: SchemaObject): boolean {
    return part.$ref !== undefined && this.#validator.ignoresRefSiblings;
  }

  #toId(part: SchemaObject): number {
    const id = this.#ids.get(part) ?? this.#ids.size;
    this.#ids.set(part, id);
    return id;
  }

  #pathTo(part: SchemaObject | undefined, ...names: string[]): Path {
    return [...((part && this.#paths.get(part)) ?? []), ...names];
  }

  #findOwn(parts: readonly SchemaObject[]): SchemaProblem | null {
    const never = parts.find(({ not }) => not === true || (isObject(not) && Object.keys(not).length === 0));
    if (never !== undefined)
      return { path: this.#pathTo(never, "not"), message: `must not allow every value, ${NO_VALUE}` };
    const types = new Set(["null", "boolean", "string", "integer", "number", "array", "object"]);
    for (const part of parts) {
      for (const type of types) if (!allowsType(part, type)) types.delete(type);
      if (types.size === 0)
        return {
          path: this.#pathTo(part, "type"),
          message: `must have a type that the other keywords allow, ${NO_VALUE}`,
        };
    }
    return this.#findInValues(parts, types) ?? this.#findInTypes(parts, types);
  }

  /** Returns a problem if `const` or `enum` has no value that all schemas allow. */
  #findInValues(parts: readonly SchemaObject[], types: ReadonlySet<string>): SchemaProblem | null {
    for (const part of parts) {
      const keyword = part.const !== undefined ? "const" : Array.isArray(part.enum) ? "enum" : null;
      if (keyword === null) continue;
      const values = keyword === "const" ? [part.const] : toArray(part.enum);
      const isAllowed = (value: unknown) =>
        types.has(typeOf(value)) &&
        parts.every((other) => !this.#take(toArray(other.enum).length) || allows(other, value));
      if (values.some(isAllowed)) continue;
      return {
        path: this.#pathTo(part, keyword),
        message: `must have a value that the other keywords allow, ${NO_VALUE}`,
      };
    }
    return null;
  }

  /** Returns the problem of the first type if each of the types has one. */
  #findInTypes(parts: readonly SchemaObject[], types: ReadonlySet<string>): SchemaProblem | null {
    let first: SchemaProblem | null = null;
    for (const type of types) {
      const problem = this.#findInType(parts, type);
      if (problem === null) return null;
      first ??= problem;
    }
    return first;
  }

  #findInType(parts: readonly SchemaObject[], type: string): SchemaProblem | null {
    if (type === "integer" || type === "number") return this.#findInRange(parts, type === "integer");
    const [, min, max] = SIZES.find(([of]) => of === type) ?? [];
    if (min === undefined) return null;
    const least = highest(parts, min) ?? 0;
    const most = lowest(parts, max) ?? Infinity;
    if (least > most) return this.#aboveMaximum(parts, { min, least }, { max, most });
    if (type === "array") return this.#findInItems(parts, least);
    return type === "object" ? this.#findInMembers(parts, most) : null;
  }

  #aboveMaximum(
    parts: readonly SchemaObject[],
    { min, least }: { min: string; least: number },
    { max, most }: { max: string; most: number },
  ): SchemaProblem {
    const part = parts.find((each) => each[min] === least);
    return { path: this.#pathTo(part, min), message: `must be lower; with ${max} ${most}, no value is valid` };
  }

  #findInRange(parts: readonly SchemaObject[], isInteger: boolean): SchemaProblem | null {
    const [least, above] = [highest(parts, "minimum") ?? -Infinity, highest(parts, "exclusiveMinimum") ?? -Infinity];
    const [most, below] = [lowest(parts, "maximum") ?? Infinity, lowest(parts, "exclusiveMaximum") ?? Infinity];
    const isEmpty = isInteger
      ? Math.max(Math.ceil(least), Math.floor(above) + 1) > Math.min(Math.floor(most), Math.ceil(below) - 1)
      : least > most || Math.max(least, above) >= below || above >= most;
    if (!isEmpty) return null;
    const lower = above >= least ? { min: "exclusiveMinimum", least: above } : { min: "minimum", least };
    const upper = below <= most ? { max: "exclusiveMaximum", most: below } : { max: "maximum", most };
    return this.#aboveMaximum(parts, lower, upper);
  }

  /** Returns the problem of an item that each array must have. */
  #findInItems(parts: readonly SchemaObject[], length: number): SchemaProblem | null {
    const tuples = parts.map((part) => toArray(Array.isArray(part.items) ? part.items : part.prefixItems));
    const minItems = this.#pathTo(
      parts.find((part) => part.minItems !== undefined),
      "minItems",
    );
    // The items after the tuples have the same schemas.
    const positions = Math.min(length, Math.max(0, ...tuples.map((tuple) => tuple.length)) + 1);
    for (let at = 0; at < positions; at++) {
      const rest = (part: SchemaObject) => (Array.isArray(part.items) ? part.additionalItems : part.items);
      const schemas = parts.map((part, i) => tuples[i]?.[at] ?? rest(part)).filter(isSchema);
      const problem = this.find(schemas, this.#pathOf(schemas) ?? minItems);
      if (problem !== null) return problem;
    }
    return null;
  }

  /** Returns the problem of a member that each object must have. */
  #findInMembers(parts: readonly SchemaObject[], most: number): SchemaProblem | null {
    const required = new Set(
      parts.flatMap((part) => toArray(part.required).filter((name) => typeof name === "string")),
    );
    if (required.size > most) {
      const part = parts.find(({ maxProperties }) => maxProperties === most);
      const message = `must be at least ${required.size}, the number of required properties`;
      return { path: this.#pathTo(part, "maxProperties"), message };
    }
    const listed = this.#pathTo(
      parts.find((part) => toArray(part.required).length > 0),
      "required",
    );
    for (const name of required) {
      const schemas = parts.map((part) => toMemberSchema(part, name)).filter(isSchema);
      const problem = this.find(schemas, this.#pathOf(schemas) ?? listed);
      if (problem !== null) return problem;
    }
    return null;
  }

  /** Returns the path of the first schema that isn't a boolean. */
  #pathOf(schemas: readonly Schema[]): Path | undefined {
    const first = schemas.find(isObject);
    return first && this.#paths.get(first);
  }

  /** Returns the problem of the first option if no option of an `anyOf` or `oneOf` allows a value. */
  #findInOptions(parts: readonly SchemaObject[], at: Path, checked: ReadonlySet<unknown>): SchemaProblem | null {
    const lists = parts
      .flatMap(({ anyOf, oneOf }) => [anyOf, oneOf])
      .filter((list) => Array.isArray(list) && !checked.has(list));
    const done = new Set([...checked, ...lists]);
    for (const list of lists) {
      let first: SchemaProblem | null = null;
      for (const option of toSchemas(list)) {
        const problem = this.find([...parts, option], this.#pathOf([option]) ?? at, done);
        first = problem === null ? null : (first ?? problem);
        if (problem === null) break;
      }
      if (first !== null) return first;
    }
    return null;
  }
}

/** Returns the schema of a member. Returns undefined if none applies, or if a pattern of its name may apply. */
function toMemberSchema(part: SchemaObject, name: string): unknown {
  const own = memberOf(part.properties, name);
  if (own !== undefined) return own;
  return part.patternProperties === undefined ? part.additionalProperties : undefined;
}

function allowsType({ type }: SchemaObject, name: string): boolean {
  const types = [type].flat();
  return type === undefined || types.includes(name) || (name === "integer" && types.includes("number"));
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return Array.isArray(value) ? "array" : typeof value;
}

/** Returns true if the schema's own keywords allow the value. Assumes that it allows the members and items of the value. */
function allows(part: SchemaObject, value: unknown): boolean {
  // Two objects can be equal although they have different members in JSON.
  const isSame = (other: unknown) => other === value || (typeof other === "object" && typeof value === "object");
  if (part.const !== undefined && !isSame(part.const)) return false;
  if (Array.isArray(part.enum) && !part.enum.some(isSame)) return false;
  const within = (size: number, min: string, max: string) =>
    size >= (highest([part], min) ?? -Infinity) && size <= (lowest([part], max) ?? Infinity);
  if (typeof value === "string") return within([...value].length, "minLength", "maxLength");
  if (typeof value !== "number") return true;
  const { exclusiveMinimum: above = -Infinity, exclusiveMaximum: below = Infinity } = part;
  return within(value, "minimum", "maximum") && value > Number(above) && value < Number(below);
}
