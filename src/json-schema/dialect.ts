import { isObject, isSubschemaKeyword, mapSubschemas, type Schema, type SchemaObject } from "./keywords";
import { toUnicodePattern } from "./patterns";

/** The supported drafts, by the URI that `$schema` has for them. */
export const DRAFTS = {
  "https://json-schema.org/draft/2020-12/schema": "2020-12",
  "https://json-schema.org/draft/2019-09/schema": "2019-09",
  "http://json-schema.org/draft-07/schema": "7",
} as const satisfies Record<string, "2020-12" | "2019-09" | "7">;
export type Draft = (typeof DRAFTS)[keyof typeof DRAFTS];

/**
 * Returns the draft that a schema is written in: the newest one if it has no `$schema`, and null if it names an
 * unsupported one. `http`, `https` and an empty fragment make no difference.
 */
export function draftOf(schema: Schema): Draft | null {
  const named = isObject(schema) ? schema.$schema : undefined;
  if (named === undefined) return "2020-12";
  const plain = String(named)
    .replace(/^https?:/, "")
    .replace(/#$/, "");
  for (const [uri, draft] of Object.entries(DRAFTS)) if (plain === uri.replace(/^https?:/, "")) return draft;
  return null;
}

/** Keywords whose values are data. The validator resolves no reference into them. */
const DATA_KEYWORDS: ReadonlySet<string> = new Set(["const", "enum", "default", "dependentRequired", "$vocabulary"]);

/**
 * Returns a copy in keywords that the validator supports.
 * - The validator has no dynamic references. Within one document, where each anchor is unique, they are ordinary ones.
 * - The validator's expression for `url`, a format of no draft, takes exponential time for long host names, so `uri`
 *   replaces it.
 * - The validator compiles patterns with the flag `u`.
 */
export function toValidatorDialect(schema: Schema): Schema {
  if (!isObject(schema)) return schema;
  const mapped = Object.entries(mapSubschemas(schema, toValidatorDialect)).map(([keyword, value]) => {
    // A reference may lead into an object under any other name, such as `components`: the validator reads it as a schema.
    const isContainer = isObject(value) && !isSubschemaKeyword(keyword) && !DATA_KEYWORDS.has(keyword);
    return [keyword, isContainer ? toValidatorDialect(value) : value];
  });
  return translateKeywords(Object.fromEntries(mapped));
}

function translateKeywords(schema: SchemaObject): SchemaObject {
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
