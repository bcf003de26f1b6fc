import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { importBundled } from "../bundle.ts";

/**
 * Descriptions from the contract for the members of the client's types, by type name and member path
 * (`metadata.title`).
 */
export type Notes = Map<string, Map<string, string>>;

interface Schema {
  $ref?: string;
  description?: string;
  default?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  allOf?: Schema[];
  anyOf?: Schema[];
}

/** Reads the descriptions from the OpenAPI schemas of the types. */
export async function readNotes(wire: string, work: string): Promise<Notes> {
  const types = [...wire.matchAll(/^export type (\w+) = (?:\w+<)?z\.\w+<typeof ([\w.]+)>(?:\["(\w+)"\])?>?;$/gm)];
  const imports = wire.match(/^import type \* as .*$/gm) ?? [];
  const source = `import { OpenAPIHono } from "@hono/zod-openapi";
${imports.join("\n").replaceAll("import type", "import").replaceAll('"../../../src/', '"../../src/')}
const app = new OpenAPIHono();
${types.map(([, name, schema]) => `app.openAPIRegistry.register("${name}", ${schema});`).join("\n")}
export const { schemas } = app.getOpenAPI31Document({ openapi: "3.1.0", info: { title: "", version: "" } }).components;`;
  writeFileSync(join(work, "schemas.ts"), source);
  const { schemas } = await importBundled<{ schemas: Record<string, Schema> }>(
    join(work, "schemas.ts"),
    join(work, "schemas.mjs"),
  );
  return new Map(
    types.map(([, name = "", , member]) => {
      const notes = new Map<string, string>();
      const whole = schemas[name] ?? {};
      collect(member === undefined ? whole : (whole.properties?.[member] ?? {}), "", schemas, notes);
      return [name, notes];
    }),
  );
}

/**
 * Collects the descriptions of a schema's members. Only object members add a segment to the path; array items, record
 * values and references don't.
 */
function collect(schema: Schema, path: string, schemas: Record<string, Schema>, notes: Map<string, string>): void {
  const { $ref, items, additionalProperties, allOf = [], anyOf = [], properties = {} } = schema;
  const within = [$ref === undefined ? undefined : schemas[$ref.replace("#/components/schemas/", "")], items, ...allOf];
  if (typeof additionalProperties === "object") within.push(additionalProperties);
  for (const inner of [...within, ...anyOf]) if (inner !== undefined) collect(inner, path, schemas, notes);
  for (const [name, member] of Object.entries(properties)) {
    const at = path === "" ? name : `${path}.${name}`;
    const note = [
      member.description,
      member.default === undefined ? "" : `Default: ${JSON.stringify(member.default)}.`,
    ];
    const text = note.filter(Boolean).join(" ").replaceAll("*/", "*\\/");
    if (text !== "") notes.set(at, text);
    collect(member, at, schemas, notes);
  }
}

/** Adds the descriptions as comments before the members of a type. The compiler indents each level by four spaces. */
export function annotate(type: string, notes: Map<string, string> | undefined): string {
  const path: string[] = [];
  const lines = type.split("\n").flatMap((line) => {
    const [, indent = "", name] = /^( +)(\w+)\??:/.exec(line) ?? [];
    if (name === undefined) return [line];
    path.splice(indent.length / 4 - 1, path.length, name);
    const note = notes?.get(path.join("."));
    return note === undefined ? [line] : [`${indent}/** ${note} */`, line];
  });
  return lines.join("\n");
}
