import type { Path, SchemaObject } from "../../../json-schema/keywords";
import { toPointer, valueAt } from "../../../json-schema/pointer";
import type { SchemaValidator } from "../../../json-schema/validate";
import { verifyEvidence } from "../evidence";
import type { AnswerSource, FilledObject, Mark } from "./filled";
import type { PageView } from "./page-view";
import type { Shape } from "./shape";

/** The sources whose values are proved by the declaration itself. The other values must occur in the text of the page. */
const DECLARED = new Set<AnswerSource>(["json_ld", "microdata", "rdfa", "open_graph", "meta"]);

/** Removes the values that neither the page nor their declaration shows. A list is removed as a whole. */
export function withoutUnproved(
  { data, marks }: FilledObject,
  {
    shape,
    validator,
    page,
    input,
  }: { shape: Shape; validator: SchemaValidator; page: PageView; input: { readonly pageText: string } },
): FilledObject {
  const doubtful = marks.filter((mark) => !isProvedByDeclaration(data, mark) && !isHeading(data, mark, page));
  if (doubtful.length === 0) return { data, marks };
  const unverified = new Set(verifyEvidence({ data, quotes: [], pageText: input.pageText }).unverified);
  const unproved = doubtful.filter(({ path }) => unverified.has(toPointer(path)));
  if (unproved.length === 0) return { data, marks };
  const removed = new Set(unproved.map(({ path }) => toPointer(removablePath(data, path))));
  const kept = without(data, [], removed);
  const valid = Object.entries(kept).filter(([name, value]) => {
    const schema = shape.properties.get(name);
    return schema !== undefined && validator.isValid(schema, value) === true;
  });
  const result = Object.fromEntries(valid);
  return { data: result, marks: marks.filter(({ path }) => valueAt(result, path) !== undefined) };
}

/** Returns true if the value is a heading of the page. */
function isHeading(data: SchemaObject, { path }: Mark, { titles }: PageView): boolean {
  const value = valueAt(data, path);
  return typeof value === "string" && titles.headings.some((heading) => heading.value === value);
}

function isProvedByDeclaration(data: SchemaObject, { path, source, quote }: Mark): boolean {
  if (!DECLARED.has(source)) return false;
  const value = valueAt(data, path);
  if (String(value) === quote) return true;
  return verifyEvidence({ data: { value }, quotes: [], pageText: quote }).unverified.length === 0;
}

/** Returns the path to the outermost list around a value, or the path to the value itself. */
function removablePath(data: SchemaObject, path: Path): Path {
  const at = path.findIndex((_, index) => Array.isArray(valueAt(data, path.slice(0, index))));
  return at === -1 ? path : path.slice(0, at);
}

function without(value: SchemaObject, path: Path, removed: ReadonlySet<string>): SchemaObject {
  const entries = Object.entries(value).flatMap(([name, member]) => {
    const own = [...path, name];
    if (removed.has(toPointer(own))) return [];
    const isPlain = typeof member === "object" && member !== null && !Array.isArray(member);
    return [[name, isPlain ? without(member as SchemaObject, own, removed) : member]];
  });
  return Object.fromEntries(entries);
}
