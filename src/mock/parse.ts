import type { ParseRequest } from "../contract/parse";
import { LARGE_CHARS, toFiller } from "./filler";
import { enlarge } from "./schema/enlarge";
import { isObject } from "./schema/keywords";
import { sampleSchema } from "./schema/sample";

/**
 * An object that is valid against the request's schema, with all its properties; without a schema one that tells what was
 * asked. A schema that nothing valid was found for gets the nearest thing: `isValid` tells.
 */
export function mockParse(request: ParseRequest, { large }: { large: boolean }): Record<string, unknown> {
  const { schema } = request;
  const plain = toPlain(request);
  if (schema === undefined) return large ? { ...plain, text: toFiller(LARGE_CHARS) } : plain;
  const { value, checker } = sampleSchema(schema);
  const sample = isObject(value) ? value : {};
  // A schema that asks for nothing in particular.
  const data = Object.keys(sample).length === 0 && checker.check(schema, plain) ? plain : sample;
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
