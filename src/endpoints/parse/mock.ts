import type { JsonOptions } from "../../contract/model-options";
import type { ParseRequest } from "../../contract/parse";
import { isObject, type SchemaObject } from "../../json-schema/keywords";
import { toPointer } from "../../json-schema/pointer";
import { findProblems } from "../../json-schema/validate";
import { AppError } from "../../model/errors";
import type { JobExtras } from "../../model/job";
import { MAX_QUOTE_CHARS, MAX_QUOTES } from "../../model/limits";
import { availableModels } from "../../models/models";
import { type MockContext, SIMULATED_OUTCOME } from "../shared/definition";
import { LARGE_CHARS, mockCapture, toFiller } from "../shared/mocks";
import { mockOcr } from "../shared/ocr";
import { toCaptureMeta } from "../shared/page-captures";
import { chooseParseMode, toParseLines } from "./check-request";
import { toEvidenceMeta, type Verification } from "./evidence";
import type { ModelUsage } from "./extract";
import { NO_USAGE, toDataMeta } from "./extract-data";
import { leavesOf } from "./member-schemas";
import { makeMockData } from "./mock-data";
import { toStrategyMeta } from "./strategy";
import { refuseUnusable } from "./unusable";

const MAX_ENLARGED = 20;

/** The usage in mock results: one model call. */
const MOCK_USAGE: ModelUsage = { input_tokens: 812, output_tokens: 64, model_calls: 1, model_time_ms: 0 };

/** Runs the job of a test key. */
export async function runMock(request: ParseRequest, context: MockContext) {
  const { env, job, large, outcome } = context;
  refuseUnusable(outcome);
  const mode = chooseParseMode(request);
  const page = request.html === undefined ? await mockCapture(context, request, mode) : null;
  const { url, used = null, ...kept } = page ?? {};
  const data = mockParse({ ...request, url }, { large });
  const ocr = mockOcr(job.prices, request, env);
  const callsModel = job.plan.strategy === "model";
  const model = callsModel ? (request.model ?? availableModels(env).accepted[0] ?? null) : null;
  return {
    data,
    outcome,
    ...kept,
    lines: [...toParseLines(job.prices, { isReplayed: used?.isReplayed === true, callsModel }), ...ocr.lines],
    extras: {
      outcome,
      ...(outcome !== "ok" && { outcome_reason: SIMULATED_OUTCOME }),
      ...toStrategyMeta(job.plan, request.strategy),
      rendered: request.url !== undefined && mode === "always",
      ...toCaptureMeta(used),
      ...mockDataMeta(data, model),
      ...ocr.meta,
      ...(request.evidence === true && toEvidenceMeta(mockVerification(data))),
    },
  };
}

/** Returns the members of `meta` that describe how mock data was found. Without a model, all of it comes from JSON-LD. */
export function mockDataMeta(data: Record<string, unknown>, model: string | null): JobExtras {
  const found = { model, isTruncated: false };
  if (model !== null) return toDataMeta({ ...found, parts: 1, usage: MOCK_USAGE, sources: null });
  const sources = Object.fromEntries([...leavesOf(data)].map(({ path }) => [toPointer(path), "json_ld"]));
  return toDataMeta({ ...found, parts: 0, usage: NO_USAGE, sources });
}

/**
 * Returns an object that is valid against the request's schema. The same request always gets the same object. If the
 * schema is missing or has no properties, the object repeats the request. Throws AppError schema_mismatch if no valid
 * object is found. Invalid mock data would look like a bug in the service.
 */
export function mockParse(
  request: Pick<JsonOptions, "prompt" | "schema"> & Pick<ParseRequest, "url">,
  { large }: { large: boolean },
): Record<string, unknown> {
  const plain = toPlain(request);
  const { schema } = request;
  if (schema === undefined) return large ? { ...plain, text: toFiller(LARGE_CHARS) } : plain;
  const made = makeMockData(schema);
  const sample = isObject(made) ? made : {};
  const isEmpty = Object.keys(sample).length === 0;
  const data = isEmpty && findProblems(schema, plain).length === 0 ? plain : sample;
  const [problem] = findProblems(schema, data);
  if (problem !== undefined) {
    const location = problem.path === "" ? "" : ` at ${problem.path}`;
    const message = `No mock data was found that is valid against the schema${location}: ${problem.message.replace(/\.$/, "")}. Add 'default' or 'examples' to that part of the schema.`;
    throw new AppError("schema_mismatch", message);
  }
  return large ? enlarge(data, schema) : data;
}

function toPlain({ prompt, url }: Pick<JsonOptions, "prompt"> & Pick<ParseRequest, "url">): Record<string, unknown> {
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

/** Returns the data with at least 1 MB more text or items. Returns it unchanged if the schema allows no larger copy. */
function enlarge(data: SchemaObject, schema: SchemaObject): SchemaObject {
  const copies = largerCopies(data).take(MAX_ENLARGED);
  return copies.find((copy) => findProblems(schema, copy).length === 0) ?? data;
}

function* largerCopies(data: SchemaObject): Generator<SchemaObject> {
  const filler = toFiller(LARGE_CHARS);
  yield { ...data, mock_text: filler };
  for (const [name, value] of Object.entries(data)) {
    if (typeof value === "string") yield { ...data, [name]: `${value} ${filler}` };
    if (isObject(value)) for (const copy of largerCopies(value)) yield { ...data, [name]: copy };
    if (!Array.isArray(value) || value.length === 0) continue;
    const rounds = Math.ceil(LARGE_CHARS / JSON.stringify(value).length) + 1;
    yield { ...data, [name]: Array.from({ length: rounds }, () => value).flat() };
  }
}

/** Returns evidence for mock data, as if the page contained every value literally. */
export function mockVerification(data: Record<string, unknown>): Verification {
  const leaves = [...leavesOf(data)].slice(0, MAX_QUOTES);
  const evidence = leaves.map(({ path, value }) => [
    toPointer(path),
    { quote: String(value).slice(0, MAX_QUOTE_CHARS), verified: true },
  ]);
  return { evidence: Object.fromEntries(evidence), unverified: [] };
}
