import { isObject, isSubschemaKeyword, mapSubschemas, type Schema, type SchemaObject } from "./keywords";
import { toUnicodePattern } from "./patterns";

/** The supported drafts by their URIs in `$schema`. */
export const DRAFTS = {
  "https://json-schema.org/draft/2020-12/schema": "2020-12",
  "https://json-schema.org/draft/2019-09/schema": "2019-09",
  "http://json-schema.org/draft-07/schema": "7",
} as const satisfies Record<string, "2020-12" | "2019-09" | "7">;
type Draft = (typeof DRAFTS)[keyof typeof DRAFTS];

/**
 * Returns the draft of a schema. A schema without `$schema` has the newest draft. Returns null for an unsupported
 * draft. Ignores the difference between `http` and `https`, and an empty fragment.
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

/** Keywords with data instead of schemas as their values. The validator doesn't resolve references into them. */
const DATA_KEYWORDS: ReadonlySet<string> = new Set(["const", "enum", "default", "dependentRequired", "$vocabulary"]);

/**
 * Returns a copy that uses only keywords that the validator supports.
 * - Dynamic references become ordinary references. Both have the same meaning if each anchor in the document is unique.
 * - The format `url`, which no draft defines, becomes `uri`. The validator's regular expression for `url` takes
 *   exponential time for long host names.
 * - Patterns are changed so that they compile with the flag `u`, which the validator uses.
 */
export function toValidatorDialect(schema: Schema): Schema {
  if (!isObject(schema)) return schema;
  const mapped = Object.entries(mapSubschemas(schema, toValidatorDialect)).map(([keyword, value]) => {
    // A reference can point into an object under an unknown keyword, such as `components`. The validator then reads
    // that object as a schema, so the object is converted, too.
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
