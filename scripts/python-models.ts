// Writes the types of the Python package, clients/python, from the OpenAPI document in .cache/openapi.json, which
// `node scripts/openapi.ts` writes.
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseOptions } from "./options.ts";

const { values } = parseOptions(
  `node scripts/python-models.ts [options]

Writes the types of the Python package from .cache/openapi.json.

  --check  fails if the committed file isn't up to date, and writes nothing
  --help   prints this help`,
  { options: { check: { type: "boolean" } } },
);

interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: (string | number | boolean | null)[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}

const PROJECT = resolve(import.meta.dirname, "..");
const FILE = "clients/python/web_data_extraction/models.py";
const KEYWORDS = new Set([
  "from",
  "import",
  "in",
  "is",
  "class",
  "global",
  "async",
  "await",
  "None",
  "or",
  "and",
  "not",
]);
const TYPES: Record<string, string> = {
  ...{ string: "str", integer: "int", number: "float", boolean: "bool", null: "None", object: "dict[str, Any]" },
  array: "list[Any]",
};

const document = JSON.parse(readFileSync(join(PROJECT, ".cache/openapi.json"), "utf8"));
const components: Record<string, Schema> = document.components.schemas;
const written: string[] = [];

for (const [name, schema] of Object.entries(components)) {
  const merged = merge(schema);
  if (merged.properties !== undefined) writeClass(name, merged);
  else written.push(`${name}: TypeAlias = ${JSON.stringify(toType(schema, name))}\n${toDoc(schema, "")}`);
}

/** Combines the parts of `allOf`, because a TypedDict can't change the type of an inherited field. */
function merge(schema: Schema): Schema {
  const resolved = schema.$ref === undefined ? schema : (components[schema.$ref.replace(/.*\//, "")] ?? {});
  const { allOf = [], ...own } = resolved;
  const parts = [...allOf.map(merge), own];
  const fields = parts.flatMap(({ properties }) => Object.entries(properties ?? {}));
  const required = parts.flatMap((part) => part.required ?? []);
  const merged = Object.assign({}, ...parts, { required });
  return fields.length === 0 ? merged : { ...merged, properties: Object.fromEntries(fields) };
}

function writeClass(name: string, { description, properties = {}, required = [] }: Schema): void {
  const fields = Object.entries(properties).map(([field, schema]) => {
    const type = toType(schema, `${name}${field.replace(/(?:^|_|\W)+(\w)/g, (_, letter) => letter.toUpperCase())}`);
    return { field, schema, type: required.includes(field) ? type : `NotRequired[${type}]` };
  });
  // The class syntax doesn't allow keywords as names.
  const isName = (field: string) => /^\w+$/.test(field) && !KEYWORDS.has(field);
  const special = fields.filter(({ field }) => !isName(field));
  const base = special.length === 0 ? "TypedDict" : `_${name}`;
  const entries = special.map(({ field, type }) => `${JSON.stringify(field)}: ${JSON.stringify(type)}`);
  if (special.length > 0) written.push(`${base} = TypedDict(${JSON.stringify(base)}, {${entries.join(", ")}})\n`);
  const body = fields
    .filter(({ field }) => isName(field))
    .map(({ field, schema, type }) => `    ${field}: ${type}\n${toDoc(schema, "    ")}`);
  const content = [toDoc({ description: description ?? "" }, "    "), ...body].join("");
  written.push(`class ${name}(${base}):\n${content === "" ? "    pass\n" : content}`);
}

/** Returns the Python type of a schema. Writes a class named `name` if the schema is an object with properties. */
function toType(schema: Schema, name: string): string {
  if (schema.$ref !== undefined) return schema.$ref.replace(/.*\//, "");
  const [ref, ...others] =
    schema.allOf?.filter((part) => part.$ref !== undefined || part.properties !== undefined) ?? [];
  if (ref !== undefined && others.length === 0) return toType(ref, name);
  const choices = schema.anyOf ?? schema.oneOf;
  const merged = merge(schema);
  if (choices !== undefined && merged.properties === undefined) {
    return toUnion(choices.map((choice, i) => toType(choice, `${name}${i + 1}`)));
  }
  if (merged.enum !== undefined) return `Literal[${merged.enum.map(toLiteral).join(", ")}]`;
  const types = [merged.type ?? []].flat();
  if (types.length > 1) return toUnion(types.map((type) => toType({ ...merged, type }, name)));
  if (types[0] !== "null" && merged.properties !== undefined) {
    writeClass(name, merged);
    return name;
  }
  if (types[0] === "array" && merged.items !== undefined) return `list[${toType(merged.items, `${name}Item`)}]`;
  if (types[0] === "object" && typeof merged.additionalProperties === "object")
    return `dict[str, ${toType(merged.additionalProperties, `${name}Value`)}]`;
  return TYPES[types[0] ?? ""] ?? "Any";
}

function toUnion(types: string[]): string {
  const distinct = [...new Set(types)];
  return distinct.length === 1 ? (distinct[0] ?? "Any") : `Union[${distinct.join(", ")}]`;
}

function toLiteral(value: string | number | boolean | null): string {
  if (typeof value === "boolean") return value ? "True" : "False";
  return value === null ? "None" : JSON.stringify(value);
}

function toDoc({ description = "" }: Schema, indent: string): string {
  if (description === "") return "";
  const text = description.replaceAll("\\", "\\\\").replaceAll('"""', '\\"\\"\\"').replace(/"$/, '\\"');
  return `${indent}"""${text.replaceAll(/\n(?=.)/g, `\n${indent}`)}"""\n`;
}

/** The codes whose examples in the document say that the same request may succeed later. */
const retryable = new Set<string>();
JSON.stringify(document, (_, value) => {
  if (value?.retryable === true && typeof value.code === "string") retryable.add(value.code);
  return value;
});

const text = `# Generated by scripts/python-models.ts. Don't edit it.
"""The types of requests and responses. Their fields have the names of the API reference."""

from __future__ import annotations

from typing import Any, Literal, TypedDict, Union

from typing_extensions import NotRequired, TypeAlias

RETRYABLE = frozenset(${JSON.stringify([...retryable].sort())})
"""The codes after which a failed job may succeed if it is started again."""

${written.join("\n")}`;

const path = join(PROJECT, FILE);
if (!values.check) writeFileSync(path, text);
else if (readFileSync(path, "utf8") !== text) {
  console.error(`${FILE} isn't up to date. Run node scripts/openapi.ts && node scripts/python-models.ts.`);
  process.exitCode = 1;
}
