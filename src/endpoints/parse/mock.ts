import type { ParseRequest } from "../../contract/parse";
import { isObject, type Path, type SchemaObject } from "../../json-schema/keywords";
import { toPointer } from "../../json-schema/pointer";
import { findProblems } from "../../json-schema/validate";
import { AppError } from "../../model/errors";
import { MAX_QUOTE_CHARS, MAX_QUOTES } from "../../model/limits";
import { LARGE_CHARS, toFiller } from "../shared/filler";
import type { Verification } from "./evidence";
import { leavesOf } from "./leaves";
import { sampleSchema } from "./mock-sample";

const MAX_ENLARGED = 20;

/**
 * Returns an object that is valid against the request's schema, always the same one. Without a schema, or if the schema asks
 * for nothing, it returns an object that repeats the request. Throws AppError schema_mismatch if no valid object was found:
 * invalid mock data would look like an error of the service.
 */
export function mockParse(request: ParseRequest, { large }: { large: boolean }): Record<string, unknown> {
  const plain = toPlain(request);
  const { schema } = request;
  if (schema === undefined) return large ? { ...plain, text: toFiller(LARGE_CHARS) } : plain;
  const sample = sampleSchema(schema);
  const isEmpty = !isObject(sample) || Object.keys(sample).length === 0;
  const data = isEmpty && findProblems(schema, plain).length === 0 ? plain : isObject(sample) ? sample : {};
  const [problem] = findProblems(schema, data);
  if (problem !== undefined) {
    const place = problem.path === "" ? "" : ` at ${problem.path}`;
    const message = `No mock data was found for the schema${place}: ${problem.message.replace(/\.$/, "")}. Add a 'default' or 'examples' to that part of the schema.`;
    throw new AppError("schema_mismatch", message);
  }
  return large ? enlarge(data, schema) : data;
}

function toPlain({ prompt, url }: ParseRequest): Record<string, unknown> {
  return {
    mock: true,
    prompt,
    source: url ?? "html",
    title: "Mock result",
    items: [
      { name: "Mock item 1", price: 19.99 },
      { name: "Mock item 2", price: 29.99 },
    ],
  };
}

/** Returns the same data with over 1 MB more in one more property, a text or an array, if the schema allows that. */
function enlarge(data: SchemaObject, schema: SchemaObject): SchemaObject {
  let tries = 0;
  for (const candidate of largerCopies(data)) {
    if (findProblems(schema, candidate).length === 0) return candidate;
    if (++tries >= MAX_ENLARGED) break;
  }
  return data;
}

function* largerCopies(data: SchemaObject): Generator<SchemaObject> {
  const filler = toFiller(LARGE_CHARS);
  yield { ...data, mock_text: filler };
  const pending: { value: unknown; path: Path }[] = [{ value: data, path: [] }];
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    const { value, path } = next;
    if (typeof value === "string") yield replaceAt(data, path, `${value} ${filler}`);
    if (typeof value !== "object" || value === null) continue;
    if (Array.isArray(value) && value.length > 0) {
      const rounds = Math.ceil(LARGE_CHARS / JSON.stringify(value).length) + 1;
      yield replaceAt(data, path, Array.from({ length: rounds }, () => value).flat());
    }
    for (const [name, inner] of Object.entries(value)) pending.push({ value: inner, path: [...path, name] });
  }
}

function replaceAt(data: SchemaObject, path: Path, replacement: unknown): SchemaObject {
  const copy = structuredClone(data) as Record<string, unknown>;
  let parent = copy;
  for (const name of path.slice(0, -1)) parent = parent[name] as Record<string, unknown>;
  parent[path.at(-1) ?? ""] = replacement;
  return copy;
}

/** Returns evidence as if every value stood in the page, word for word. */
export function mockVerification(data: Record<string, unknown>): Verification {
  const leaves = [...leavesOf(data)].slice(0, MAX_QUOTES);
  const evidence = leaves.map(({ path, value }) => [
    toPointer(path),
    { quote: String(value).slice(0, MAX_QUOTE_CHARS), verified: true },
  ]);
  return { evidence: Object.fromEntries(evidence), unverified: [] };
}
