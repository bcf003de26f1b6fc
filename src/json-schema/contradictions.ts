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
  TYPES,
  toArray,
  toSchemas,
  toTuple,
} from "./keywords";
import type { SchemaValidator } from "./validate";

const NO_VALUE = "because otherwise no value is valid";
/** Pairs of keywords that limit a size or a number, with the type whose values they concern. */
const BOUNDS = [
  ["string", "minLength", "maxLength"],
  ["array", "minItems", "maxItems"],
  ["object", "minProperties", "maxProperties"],
  ["number", "minimum", "maximum"],
  ["number", "minimum", "exclusiveMaximum"],
  ["number", "exclusiveMinimum", "maximum"],
  ["number", "exclusiveMinimum", "exclusiveMaximum"],
] as const;

/**
 * Finds contradictions because of which no value is valid against a schema. Doesn't find every contradiction. For example,
 * it combines the options of `anyOf` and `oneOf` only with the keywords next to them.
 */
export class ContradictionFinder {
  readonly #validator: SchemaValidator;
  readonly #paths: ReadonlyMap<SchemaObject, Path>;
  /** The combinations of schemas that describe the values around the current one. */
  readonly #open: (readonly SchemaObject[])[] = [];

  /** `paths` has the path of each part of the schema. */
  constructor(validator: SchemaValidator, paths: ReadonlyMap<SchemaObject, Path>) {
    this.#validator = validator;
    this.#paths = paths;
  }

  /**
   * Returns the first reason why no value is valid against all schemas, or null. `at` is the path of the value's schema.
   * Also returns null if the validator's budget is used up. `checked` are the lists of options that are already combined.
   */
  find(schemas: readonly Schema[], at: Path, checked: ReadonlySet<unknown> = new Set()): SchemaProblem | null {
    const parts = this.#take(0) ? this.#collectParts(schemas) : [];
    if (parts === null) return { path: at, message: `must not be false, ${NO_VALUE}` };
    if (!this.#take(parts.length + this.#open.length)) return null;
    // A value that must contain a value of the same kind would be infinite.
    if (this.#open.some((open) => open.length === parts.length && open.every((part, i) => part === parts[i])))
      return { path: at, message: `must not require itself, ${NO_VALUE}` };
    this.#open.push(parts);
    const problem = this.#findOwn(parts, at) ?? this.#findInOptions(parts, at, checked);
    this.#open.pop();
    return problem;
  }

  /** Returns false if the budget is used up. */
  #take(visits: number): boolean {
    this.#validator.budget.visitsLeft -= visits;
    return this.#validator.budget.visitsLeft > 0;
  }

  /** Returns the schemas and all schemas that they include with `$ref` and `allOf`. Returns null if one is `false`. */
  #collectParts(schemas: readonly Schema[]): SchemaObject[] | null {
    const parts = new Set(schemas);
    // The loop also visits the schemas that it appends.
    for (const part of parts) {
      if (typeof part === "boolean" || !this.#take(1)) continue;
      for (const added of toSchemas([this.#validator.target(part), ...toArray(part.allOf)])) parts.add(added);
      if (part.$ref !== undefined && this.#validator.ignoresRefSiblings) parts.delete(part);
    }
    return parts.has(false) ? null : [...parts].filter(isObject);
  }

  #problemIn(part: SchemaObject | undefined, keyword: string, rule: string): SchemaProblem {
    return { path: [...((part && this.#paths.get(part)) ?? []), keyword], message: `must ${rule}` };
  }

  #findOwn(parts: readonly SchemaObject[], at: Path): SchemaProblem | null {
    const never = parts.find(({ not }) => not === true || (isObject(not) && Object.keys(not).length === 0));
    if (never !== undefined) return this.#problemIn(never, "not", `not allow every value, ${NO_VALUE}`);
    for (const part of parts) {
      const keyword = "const" in part ? "const" : "enum";
      const values = "const" in part ? [part.const] : part.enum;
      const isAllowed = (value: unknown) =>
        parts.every((each) => !this.#take(1) || this.#validator.isValid(each, value) !== false);
      if (Array.isArray(values) && !values.some(isAllowed))
        return this.#problemIn(part, keyword, `have a value that the other keywords allow, ${NO_VALUE}`);
    }
    let types: readonly string[] = TYPES;
    for (const part of parts) {
      types = types.filter((type) => allowsType(part, type));
      if (types.length === 0)
        return this.#problemIn(part, "type", `have a type that the other keywords allow, ${NO_VALUE}`);
    }
    const problems = types.map((type) => this.#findInBounds(parts, type) ?? this.#findInChildren(parts, type, at));
    return problems.every((problem) => problem !== null) ? (problems[0] ?? null) : null;
  }

  #findInBounds(parts: readonly SchemaObject[], type: string): SchemaProblem | null {
    for (const [of, min, max] of BOUNDS) {
      if (of !== type && !(of === "number" && type === "integer")) continue;
      const [low, high] = [highest(parts, min) ?? -Infinity, lowest(parts, max) ?? Infinity];
      const [isAbove, isBelow] = [min === "exclusiveMinimum", max === "exclusiveMaximum"];
      const isEmpty =
        type === "number"
          ? low > high || (low === high && (isAbove || isBelow))
          : (isAbove ? Math.floor(low) + 1 : Math.ceil(low)) > (isBelow ? Math.ceil(high) - 1 : Math.floor(high));
      const part = parts.find((each) => each[min] === low);
      if (isEmpty) return this.#problemIn(part, min, `be lower; with ${max} ${high}, no value is valid`);
    }
    return null;
  }

  /** Returns the problem of an item that each array must have, or of a member that each object must have. */
  #findInChildren(parts: readonly SchemaObject[], type: string, at: Path): SchemaProblem | null {
    const required = new Set(
      parts.flatMap((part) => toArray(part.required).filter((name) => typeof name === "string")),
    );
    const most = lowest(parts, "maxProperties") ?? Infinity;
    if (type === "object" && required.size > most) {
      const rule = `be at least ${required.size}, the number of required properties`;
      return this.#problemIn(
        parts.find((part) => part.maxProperties === most),
        "maxProperties",
        rule,
      );
    }
    // The items after the tuples have the same schemas.
    const listed = Math.max(0, ...parts.map((part) => toTuple(part).length));
    const items = Array.from({ length: Math.min(highest(parts, "minItems") ?? 0, listed + 1) }, (_, index) => index);
    for (const child of type === "object" ? required : type === "array" ? items : []) {
      if (!this.#take(parts.length)) return null;
      const schemas = parts.map((part) => toChildSchema(part, child)).filter(isSchema);
      const [first] = schemas.filter(isObject);
      const keyword = type === "object" ? "required" : "minItems";
      const problem = this.find(schemas, (first && this.#paths.get(first)) ?? [...at, keyword]);
      if (problem !== null) return problem;
    }
    return null;
  }

  /** Returns the problem of the first option if no option of an `anyOf` or `oneOf` allows a value. */
  #findInOptions(parts: readonly SchemaObject[], at: Path, checked: ReadonlySet<unknown>): SchemaProblem | null {
    const lists = parts.flatMap(({ anyOf, oneOf }) => [anyOf, oneOf]).filter((list) => !checked.has(list));
    const done = new Set([...checked, ...lists]);
    for (const list of lists) {
      let first: SchemaProblem | null = null;
      for (const option of toSchemas(list)) {
        const path = (isObject(option) && this.#paths.get(option)) || at;
        const problem = this.find([...parts, option], path, done);
        first = problem === null ? null : (first ?? problem);
        if (problem === null) break;
      }
      if (first !== null) return first;
    }
    return null;
  }
}

/** Returns the schema of an item or a member. Returns undefined if none applies, or if a pattern of its name may apply. */
function toChildSchema(part: SchemaObject, child: string | number): unknown {
  if (typeof child === "number")
    return toTuple(part)[child] ?? (Array.isArray(part.items) ? part.additionalItems : part.items);
  const rest = part.patternProperties === undefined ? part.additionalProperties : undefined;
  return memberOf(part.properties, child) ?? rest;
}

function allowsType({ type }: SchemaObject, name: string): boolean {
  const types = [type].flat();
  return type === undefined || types.includes(name) || (name === "integer" && types.includes("number"));
}
