import type { ParseRequest } from "../../contract/parse";
import { createChecker } from "../../json-schema/check";
import { isObject } from "../../json-schema/keywords";
import { toPointer } from "../../json-schema/places";
import { MAX_QUOTE_CHARS, MAX_QUOTES } from "../../model/limits";
import type { Verification } from "../parse/evidence";
import { leavesOf } from "../parse/leaves";
import { LARGE_CHARS, toFiller } from "../shared/filler";
import { enlarge } from "./schema/enlarge";
import { sampleSchema } from "./schema/sample";

/**
 * An object that is valid against the request's schema, with all its properties; without a schema one that tells what was
 * asked. A schema that nothing valid was found for gets the nearest thing: the checker tells. One that is too large to be
 * read counts as none.
 */
export function mockParse(request: ParseRequest, { large }: { large: boolean }): Record<string, unknown> {
  const plain = toPlain(request);
  const checker = request.schema === undefined ? null : createChecker(request.schema);
  if (checker === null) return large ? { ...plain, text: toFiller(LARGE_CHARS) } : plain;
  const value = sampleSchema(checker);
  const sample = isObject(value) ? value : {};
  // A schema that asks for nothing in particular.
  const data = Object.keys(sample).length === 0 && checker.check(checker.schema, plain) ? plain : sample;
  return large ? enlarge(data, checker.schema) : data;
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

/** What is told of an answer that no model gave: every value stands in the page, word for word. */
export function mockVerification(data: Record<string, unknown>): Verification {
  const leaves = [...leavesOf(data)].slice(0, MAX_QUOTES);
  const evidence = leaves.map(({ path, value }) => [
    toPointer(path),
    { quote: String(value).slice(0, MAX_QUOTE_CHARS), verified: true },
  ]);
  return { evidence: Object.fromEntries(evidence), unverified: [] };
}
