import { describe, expect, it } from "vitest";
import { CostLimitExceeded, ValidationBudget } from "../../src/json-schema/budget";
import { draftOf, toValidatorDialect } from "../../src/json-schema/dialect";
import {
  highest,
  isSchema,
  isSubschemaKeyword,
  lowest,
  mapSubschemas,
  memberOf,
  type SchemaObject,
  stringsOf,
  subschemas,
  toSchemaEntries,
  toSchemas,
} from "../../src/json-schema/keywords";
import { PatternCompiler } from "../../src/json-schema/patterns";
import { parsePointer, toPointer, valueAt } from "../../src/json-schema/pointer";
import { measureSize } from "../../src/json-schema/size";
import { createValidator, findProblems } from "../../src/json-schema/validate";
import { MAX_PROBLEM_CHARS, MAX_PROBLEMS } from "../../src/model/limits";

describe("a JSON Pointer", () => {
  it.each<[string, string[]]>([
    ["", []],
    ["/", [""]],
    ["/a/0", ["a", "0"]],
    ["/a~1b/m~0n", ["a/b", "m~n"]],
    ["/~01", ["~1"]],
    ["//a", ["", "a"]],
  ])("is written and parsed: '%s'", (pointer, path) => {
    expect(parsePointer(pointer)).toEqual(path);
    expect(toPointer(path)).toBe(pointer);
  });

  it.each(["a", "#/a", "/~", "/~2", "/a~"])("is invalid: '%s'", (pointer) => {
    expect(parsePointer(pointer)).toBeNull();
  });

  it.each<[string, unknown]>([
    ["", { a: [5, null], "": { b: 0 }, c: "text" }],
    ["/a/0", 5],
    ["/a/1", null],
    ["//b", 0],
    ["/a/2", undefined],
    ["/a/00", undefined],
    ["/a/length", undefined],
    ["/a/-1", undefined],
    ["/c/0", undefined],
    ["/toString", undefined],
    ["/none/a", undefined],
    ["/a/1/a", undefined],
  ])("leads to a value: '%s'", (pointer, expected) => {
    expect(valueAt({ a: [5, null], "": { b: 0 }, c: "text" }, parsePointer(pointer) ?? [])).toEqual(expected);
  });
});

describe("the size of a value", () => {
  const value = { ab: ["cd", 1, { e: null }], f: true };
  const size = { nodes: 7, chars: 6, depth: 3, pathChars: 3 + 5 + 5 + 5 + 7 + 2 };

  it("counts its values, characters and levels, and the lengths of its pointers", () => {
    expect(measureSize(value)).toEqual(size);
    expect(measureSize("text")).toEqual({ nodes: 1, chars: 4, depth: 0, pathChars: 0 });
  });

  it.each(["nodes", "chars", "depth", "pathChars"] as const)(
    "may be equal to the limit of %s, and not larger",
    (what) => {
      expect(measureSize(value, { [what]: size[what] })).toEqual(size);
      expect(measureSize(value, { [what]: size[what] - 1 })).toBeNull();
    },
  );
});

describe("the keywords of a schema", () => {
  const a = { type: "string" };
  const all: SchemaObject = {
    ...{ items: a, contains: true, additionalProperties: false, not: a, if: a, propertyNames: a },
    prefixItems: [a, 5, true],
    anyOf: [a],
    properties: { x: a, y: 5 },
    $defs: { z: a },
    dependencies: { p: a, q: ["r"] },
    enum: [a],
    default: a,
  };

  it("with subschemas are visited with their paths, and changed in a copy", () => {
    const paths = [...subschemas(all)].map(([path]) => path.join("/"));
    expect(paths).toEqual([
      ...["items", "contains", "additionalProperties", "not", "if", "propertyNames", "prefixItems/0", "prefixItems/2"],
      ...["anyOf/0", "properties/x", "$defs/z", "dependencies/p"],
    ]);
    const changed: string[] = [];
    const copy = mapSubschemas(all, (_, path) => {
      changed.push(path.join("/"));
      return false;
    });
    expect(changed).toEqual(paths);
    expect(copy).toEqual({
      ...{ items: false, contains: false, additionalProperties: false, not: false, if: false, propertyNames: false },
      prefixItems: [false, 5, false],
      anyOf: [false],
      properties: { x: false, y: 5 },
      $defs: { z: false },
      dependencies: { p: false, q: ["r"] },
      enum: [a],
      default: a,
    });
    expect(all.items).toBe(a);
  });

  it("can be lists up to draft 2019-09", () => {
    expect([...subschemas({ items: [a, a] })].map(([path]) => path.join("/"))).toEqual(["items/0", "items/1"]);
  });

  it("keep a property named __proto__", () => {
    const schema = JSON.parse('{"properties":{"__proto__":{"type":"string"}}}');
    expect(JSON.stringify(mapSubschemas(schema, (inner) => inner))).toBe(JSON.stringify(schema));
    expect([memberOf({}, "toString"), memberOf({ b: 1 }, "b"), memberOf([1], "0")]).toEqual([undefined, 1, undefined]);
  });

  it("are known by their names", () => {
    const names = ["items", "allOf", "dependentSchemas", "then", "enum", "const", "$ref", "unevaluatedItems"];
    expect(names.map(isSubschemaKeyword)).toEqual([true, true, true, true, false, false, false, true]);
  });

  it("have the highest and the lowest of their values", () => {
    const schemas = [{ minimum: 2 }, { minimum: 10 }, { minimum: "99" }, {}];
    expect([highest(schemas, "minimum"), lowest(schemas, "minimum"), lowest(schemas, "maximum")]).toEqual([
      10,
      2,
      undefined,
    ]);
    expect(stringsOf([{ format: "date" }, { format: 5 }], "format")).toEqual(["date"]);
  });

  it("ignore values that aren't schemas", () => {
    expect([true, {}, null, [], "a"].map(isSchema)).toEqual([true, true, false, false, false]);
    expect(toSchemas([a, null, true])).toEqual([a, true]);
    expect(toSchemas({ a })).toEqual([]);
    expect(toSchemaEntries({ x: a, y: null })).toEqual([["x", a]]);
  });
});

describe("the draft of a schema", () => {
  it.each([
    [undefined, "2020-12"],
    ["https://json-schema.org/draft/2020-12/schema", "2020-12"],
    ["http://json-schema.org/draft/2019-09/schema#", "2019-09"],
    ["http://json-schema.org/draft-07/schema#", "7"],
    ["https://json-schema.org/draft-07/schema", "7"],
    ["http://json-schema.org/draft-04/schema#", null],
    ["json-schema.org/draft-07/schema", null],
    [5, null],
  ])("is the one of $schema %s: %s", (uri, draft) => {
    expect(draftOf(uri === undefined ? {} : { $schema: uri })).toBe(draft);
  });

  it("has ordinary references, the format uri, and patterns for the flag u", () => {
    const schema = {
      properties: { a: { $dynamicRef: "#n" }, b: { $recursiveRef: "#" }, c: { format: "url", pattern: "\\-" } },
      $defs: { n: { $dynamicAnchor: "n", patternProperties: { "\\-": { format: "url" } } } },
      components: { d: { format: "url" } },
      default: { format: "url" },
    };
    expect(toValidatorDialect(schema)).toEqual({
      properties: { a: { $ref: "#n" }, b: { $ref: "#" }, c: { format: "uri", pattern: "-" } },
      $defs: { n: { $anchor: "n", patternProperties: { "-": { format: "uri" } } } },
      components: { d: { format: "uri" } },
      default: { format: "url" },
    });
    expect(toValidatorDialect({ $ref: "#a", $dynamicRef: "#b" })).toEqual({ $ref: "#a" });
    expect(toValidatorDialect(true)).toBe(true);
  });
});

describe("the cost of a validation", () => {
  const references = { target: () => undefined, ignoresRefSiblings: false };
  const costOf = (schema: SchemaObject, value: unknown, visits = 1_000_000) =>
    new ValidationBudget(references, new PatternCompiler(), visits).spend(schema, value);

  it.each<[string, SchemaObject, unknown, SchemaObject, unknown]>([
    ["more items", { items: { type: "string" } }, ["a"], { items: { type: "string" } }, ["a", "b"]],
    ["more properties", { additionalProperties: {} }, { a: 1 }, { additionalProperties: {} }, { a: 1, b: 2 }],
    ["names that are checked", {}, { a: 1 }, { propertyNames: {} }, { a: 1 }],
    ["more subschemas", { anyOf: [{}] }, 1, { anyOf: [{}, {}] }, 1],
    ["a condition", {}, 1, { if: {}, else: {} }, 1],
    ["dependent schemas", {}, 1, { dependentSchemas: { a: {} } }, 1],
    ["listed items", {}, [1], { prefixItems: [{}] }, [1]],
    ["items that contain a value", {}, [1], { contains: {} }, [1]],
    ["a longer enum", { enum: [1] }, 1, { enum: [1, 2, 3, 4] }, 1],
    ["a constant", {}, 1, { const: "x".repeat(9_000) }, 1],
    ["a longer text", {}, "a", {}, "a".repeat(9_000)],
    ["a pattern", {}, "a", { pattern: "a" }, "a"],
    ["patterns of names", {}, { a: 1 }, { patternProperties: { a: {} } }, { a: 1 }],
    ["unique items", {}, [1, 2, 3], { uniqueItems: true }, [1, 2, 3]],
  ])("is higher for %s", (_, schema, value, more, moreValue) => {
    expect(costOf(more, moreValue)).toBeGreaterThan(costOf(schema, value));
  });

  it.each<[string, (part: SchemaObject) => SchemaObject]>([
    ...["not", "if", "then", "else"].map((keyword): [string, (part: SchemaObject) => SchemaObject] => [
      keyword,
      (part) => ({ [keyword]: part }),
    ]),
    ...["allOf", "anyOf", "oneOf"].map((keyword): [string, (part: SchemaObject) => SchemaObject] => [
      keyword,
      (part) => ({ [keyword]: [part] }),
    ]),
    ["dependentSchemas", (part) => ({ dependentSchemas: { a: part } })],
    ["dependencies", (part) => ({ dependencies: { a: part } })],
  ])("includes the subschema under %s, for the same value", (_, around) => {
    const part = { additionalProperties: {} };
    const value = { a: 1, b: 2, c: 3 };
    const more = costOf(around(part), value) - costOf(around({}), value);
    expect(Math.round(more)).toBe(Math.round(costOf(part, value) - costOf({}, value)));
  });

  it("doesn't include definitions that the schema doesn't refer to", () => {
    expect(costOf({ $defs: { a: {}, b: {} }, definitions: { c: {} } }, 1)).toBe(costOf({}, 1));
  });

  it("is limited for all validations with one budget together", () => {
    const budget = new ValidationBudget(references, new PatternCompiler(), 10);
    const items = { items: {} };
    expect(budget.spend(items, [1])).toBeGreaterThan(1);
    expect(() => Array.from({ length: 10 }, () => budget.spend(items, [1]))).toThrow(CostLimitExceeded);
  });

  it("has the path of the value that exceeds a limit", () => {
    const long = { properties: { a: { items: { format: "date" } } } };
    expect(costOf(long, { a: ["x".repeat(1_000)] })).toBeGreaterThan(0);
    expect(() => costOf(long, { a: ["", "x".repeat(1_001)] })).toThrow(
      expect.objectContaining({ path: ["a", "1"], message: expect.stringContaining("the limit is 1000 characters") }),
    );
    expect(() => costOf({ $ref: "#/none" }, {})).toThrow("under a reference without a target");
  });
});

describe("a validator", () => {
  it("tells if a value is valid against the schema or a part of it", () => {
    const validator = createValidator({ properties: { a: { $ref: "#/$defs/s" } }, $defs: { s: { type: "string" } } });
    const schema = validator?.schema as { properties: { a: SchemaObject }; $defs: { s: SchemaObject } };
    expect([validator?.isValid(schema, { a: "x" }), validator?.isValid(schema, { a: 1 })]).toEqual([true, false]);
    expect([validator?.isValid(schema.$defs.s, "x"), validator?.isValid(schema.$defs.s, 1)]).toEqual([true, false]);
    expect(validator?.target(schema.properties.a)).toEqual(expect.objectContaining({ type: "string" }));
    expect(validator?.isValid({ pattern: "^(a+)+$" }, "a")).toBeNull();
  });

  it("ignores keywords next to $ref only in draft 7", () => {
    const schema = {
      properties: { a: { $ref: "#/definitions/s", maxLength: 1 } },
      definitions: { s: { type: "string" } },
    };
    expect(findProblems(schema, { a: "long" })).toHaveLength(1);
    expect(findProblems({ $schema: "http://json-schema.org/draft-07/schema#", ...schema }, { a: "long" })).toEqual([]);
    expect(createValidator(schema)?.ignoresRefSiblings).toBe(false);
  });

  it("refuses a schema that is too large, or whose ids aren't unique", () => {
    const enums = (count: number) => ({ enum: Array.from({ length: count }, (_, at) => at) });
    expect(createValidator(enums(19_000))).not.toBeNull();
    expect(createValidator(enums(20_001))).toBeNull();
    expect(
      createValidator({ $defs: { a: { $id: "https://a.example/" }, b: { $id: "https://a.example/" } } }),
    ).toBeNull();
    expect(findProblems(enums(20_001), 1)).toEqual([
      { path: "", message: "The schema is too large to validate against." },
    ]);
  });

  it("returns a limited number of problems, each once and with a limited length", () => {
    const value = Object.fromEntries(Array.from({ length: MAX_PROBLEMS + 5 }, (_, at) => [`p${at}`, at]));
    const found = findProblems({ additionalProperties: { type: "string" } }, value);
    expect(found).toHaveLength(MAX_PROBLEMS);
    expect(new Set(found.map(({ path }) => path)).size).toBe(MAX_PROBLEMS);
    expect(findProblems({ allOf: [{ type: "string" }, { type: "string" }] }, 5)).toHaveLength(1);
    const [long] = findProblems({ enum: ["x".repeat(2 * MAX_PROBLEM_CHARS)] }, 5);
    expect(long?.message).toHaveLength(MAX_PROBLEM_CHARS + 1);
    expect(long?.message.endsWith("…")).toBe(true);
  });

  it("describes the value in plain words", () => {
    expect(findProblems({ properties: { a: false } }, { a: 1 })).toEqual([
      { path: "/a", message: "This is not allowed here. Omit it." },
    ]);
    expect(findProblems({ type: "string" }, 5)[0]?.message).toMatch(/^The type "number" is invalid/);
    expect(findProblems({ required: ["a"] }, {})[0]?.message).toMatch(/^The value does not have required property/);
  });
});
