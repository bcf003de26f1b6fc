import { isObject, type Schema, type SchemaObject } from "./keywords";
import { mapInner } from "./places";
import { toUnicodePattern } from "./regex/unicode";

/** The drafts by the names that `$schema` gives them. */
export const DRAFTS = {
  "https://json-schema.org/draft/2020-12/schema": "2020-12",
  "https://json-schema.org/draft/2019-09/schema": "2019-09",
  "http://json-schema.org/draft-07/schema": "7",
} as const satisfies Record<string, "2020-12" | "2019-09" | "7">;
export type Draft = (typeof DRAFTS)[keyof typeof DRAFTS];

/** Without a `$schema` the newest; null when it names another. `http`, `https` and an empty fragment make no difference. */
export function draftOf(schema: Schema): Draft | null {
  const named = isObject(schema) ? schema.$schema : undefined;
  if (named === undefined) return "2020-12";
  const plain = String(named)
    .replace(/^https?:/, "")
    .replace(/#$/, "");
  for (const [uri, draft] of Object.entries(DRAFTS)) if (plain === uri.replace(/^https?:/, "")) return draft;
  return null;
}

/**
 * A copy in words that the validator understands. It has no dynamic references: within one document, where an anchor has
 * its name to itself, they are ordinary ones. Its expression for `url`, which isn't a format of any draft, goes back and
 * forth without end over long names: `uri` takes its place. A pattern is written for the flag `u`.
 */
export function toValidatorWords(schema: Schema): Schema {
  return isObject(schema) ? toWords(mapInner(schema, toValidatorWords)) : schema;
}

function toWords(schema: SchemaObject): SchemaObject {
  const { $recursiveRef, $dynamicRef, $dynamicAnchor, ...rest } = schema;
  const reference = schema.$ref ?? $dynamicRef ?? $recursiveRef;
  const anchor = schema.$anchor ?? $dynamicAnchor;
  return {
    ...rest,
    ...(reference === undefined ? {} : { $ref: reference }),
    ...(anchor === undefined ? {} : { $anchor: anchor }),
    ...(schema.format === "url" ? { format: "uri" } : {}),
    ...(typeof schema.pattern === "string" ? { pattern: toUnicodePattern(schema.pattern) ?? schema.pattern } : {}),
    ...(isObject(schema.patternProperties) ? { patternProperties: toUnicodeNames(schema.patternProperties) } : {}),
  };
}

function toUnicodeNames(map: SchemaObject): SchemaObject {
  return Object.fromEntries(Object.entries(map).map(([name, inner]) => [toUnicodePattern(name) ?? name, inner]));
}
