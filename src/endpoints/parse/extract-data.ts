import type { VisiblePage } from "../../html/visible-page";
import type { Path, SchemaObject } from "../../json-schema/keywords";
import { toPointer, valueAt } from "../../json-schema/pointer";
import { findProblems } from "../../json-schema/validate";
import { AppError } from "../../model/errors";
import type { JobExtras } from "../../model/job";
import { MAX_PROBLEMS } from "../../model/limits";
import type { RunContext } from "../../model/run-context";
import type { Strategy } from "../../model/run-plan";
import type { Model } from "../../models/provider";
import { toMismatch } from "./answer";
import type { ExtractionRequest, ModelUsage } from "./extract";
import { extractContent, openModel, toModelParts } from "./extract-content";
import { leavesOf } from "./member-schemas";
import type { Quote } from "./merge";
import { addToKnown, fillWithNull, keepValid, toOpenSchema } from "./open-properties";
import { answerFromPage } from "./page-data/answer";
import { answerFromJson } from "./page-data/json-answer";
import { type PageContent, readData } from "./read-page";

export interface DataRequest extends ExtractionRequest {
  strategy: Strategy;
  /** The reason why the strategy isn't the requested one. */
  strategyReason?: string | undefined;
  /** The model that the request names. Undefined for the default model. */
  model?: string | undefined;
}

export interface DataSourcePage {
  content: PageContent;
  /** The page with the text that counts as visible. Null if the content isn't HTML. */
  page: VisiblePage | null;
  /** The URL of the page. Null if it isn't known. */
  url: string | null;
  /** Throws AppError `unusable_page` if no model may be called for the page. By default, the page was checked before. */
  check?: () => void;
}

interface FoundData {
  data: SchemaObject;
  quotes: readonly Quote[];
  usage: ModelUsage;
  /** The id of the model that was called. Null if none was called. */
  model: string | null;
  parts: number;
  /** True if the model didn't get the end of the page. */
  isTruncated: boolean;
  /** The text in which values and quotes are searched. Empty if the request needs neither a model nor evidence. */
  text: string;
  /** The source of each value by JSON Pointer. Null if everything comes from the model. */
  sources: Record<string, string> | null;
}

export const NO_USAGE: ModelUsage = { input_tokens: 0, output_tokens: 0, model_calls: 0, model_time_ms: 0 };
const NO_MODEL_HINT =
  "Make the property optional or allow null, or ask the operator of this service to set OPENAI_API_KEY or ANTHROPIC_API_KEY.";
const MISMATCH = "The data that was found doesn't match the schema";
/** The maximum number of values whose sources are listed, and of the characters of their pointers. */
const MAX_SOURCES = 2_000;
const MAX_SOURCES_CHARS = 200_000;

/** The data that was found without a model, or everything that the request to the model needs. */
export type DataReading =
  | { done: FoundData }
  | { done: null; request: DataRequest; found: FoundOnPage | null; model: Model; content: PageContent };

/**
 * Reads a page for a request. With the strategies `auto` and `page`, reads the page's own data first. The result keeps
 * no part of the parsed page, so that the page's memory is free while a model answers. Throws AppError.
 */
export function readForData(env: Env, request: DataRequest, source: DataSourcePage): DataReading {
  const { schema, strategy } = request;
  const found = strategy === "model" || schema === null ? null : findOnPage({ ...request, schema }, source);
  if (schema !== null && found !== null && (found.isComplete || strategy === "page")) {
    return { done: toFoundOnPage({ ...request, schema }, { env, found, source }) };
  }
  source.check?.();
  const model = openModel(env, request.model);
  const { facts, body } = source.content;
  return { done: null, request, found, model, content: { facts, body } };
}

/** Returns the data of a request. Requests the properties that are missing in the page's own data from the model. */
export async function findData(
  reading: DataReading,
  { env, signal, releaseLargeLock }: Pick<RunContext, "env" | "signal" | "releaseLargeLock">,
): Promise<FoundData> {
  if (reading.done !== null) return reading.done;
  const { request, found, model, content } = reading;
  const { schema } = request;
  const known = schema === null || found === null || Object.keys(found.data).length === 0 ? null : found.data;
  const open = schema === null || known === null ? null : toOpenSchema(schema, known);
  const asking = open === null || known === null ? request : { ...request, schema: open, known };
  // A model can take a minute, and its prompt is much smaller than the page.
  releaseLargeLock();
  const { extracted, parts } = await extractContent(env, model, asking, { content, signal });
  const { isTruncated, text } = parts;
  const asked = { ...extracted, model: model.id, parts: parts.parts.length, isTruncated, text, sources: null };
  if (schema === null || found === null) return asked;
  if (open === null) return { ...asked, sources: toSources(asked.data, new Map(), "model") };
  const data = addToKnown(schema, found.data, asked.data);
  const problems = findProblems(schema, data);
  if (problems.length > 0) throw toMismatch(MISMATCH, problems);
  return {
    ...asked,
    data,
    quotes: [...found.quotes, ...asked.quotes],
    text: `${text}\n${textOf(found.quotes)}`,
    sources: toSources(data, found.sources, "model"),
  };
}

/** The valid data that was found without a model. */
interface FoundOnPage {
  data: SchemaObject;
  quotes: readonly Quote[];
  sources: ReadonlyMap<string, string>;
  /** The paths of the required properties without a value. */
  lacking: readonly Path[];
  /** True if no model is needed. */
  isComplete: boolean;
}

function findOnPage(
  { schema, prompt }: DataRequest & { schema: SchemaObject },
  { page, url, content }: DataSourcePage,
): FoundOnPage {
  const answer =
    page === null && content.body.markdown === null
      ? answerFromJson(content.body.text, { schema, prompt })
      : answerFromPage({ nodes: page === null ? [] : readData(page, { url }), schema, prompt });
  const data = keepValid(schema, answer.data);
  const isKept = (pointer: Path) => valueAt(data, pointer) !== undefined;
  const dropped = Object.keys(answer.data).filter((name) => !Object.hasOwn(data, name));
  // Most schemas name no required property, although their authors want all of them.
  const isAllWanted = !Array.isArray(schema.required) || schema.required.length === 0;
  const wanted = isAllWanted ? answer.missing : answer.missingRequired;
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const lost = dropped.filter((name) => isAllWanted || required.has(name)).map((name) => [name]);
  const lacking = [...wanted, ...lost].filter((path) => !isKept(path));
  return {
    data,
    quotes: answer.quotes,
    sources: answer.sources,
    lacking,
    isComplete: lacking.length === 0 && findProblems(schema, fillWithNull(schema, data)).length === 0,
  };
}

function toFoundOnPage(
  { schema, strategyReason, wantsEvidence }: DataRequest & { schema: SchemaObject },
  { env, found, source }: { env: Env; found: FoundOnPage; source: DataSourcePage },
): FoundData {
  const { data, quotes, sources, lacking } = found;
  const filled = fillWithNull(schema, data);
  const problems = findProblems(schema, filled);
  if (problems.length > 0) {
    source.check?.();
    const missing = lacking.filter((path) => valueAt(filled, path) === undefined).map(toPointer);
    throw missing.length === 0 ? toMismatch(MISMATCH, problems) : toMissing(missing, strategyReason);
  }
  return {
    data: filled,
    quotes,
    usage: NO_USAGE,
    model: null,
    parts: 0,
    isTruncated: false,
    text: wantsEvidence ? `${toModelParts(env, source.content).text}\n${textOf(quotes)}` : "",
    sources: toSources(filled, sources, null),
  };
}

/** Returns the words that show the values. The page declares some of them outside its text. */
function textOf(quotes: readonly Quote[]): string {
  return quotes.map(({ quote }) => quote).join("\n");
}

/** Returns the source of each value of the data: that of the value or of the list or object that contains it. */
function toSources(
  data: SchemaObject,
  sources: ReadonlyMap<string, string>,
  other: string | null,
): Record<string, string> {
  const found: [string, string][] = [];
  let left = MAX_SOURCES_CHARS;
  for (const { path } of leavesOf(data)) {
    const pointer = toPointer(path);
    left -= pointer.length;
    if (found.length >= MAX_SOURCES || left < 0) break;
    const lengths = path.map((_, at) => path.length - at);
    const known = lengths.map((length) => sources.get(toPointer(path.slice(0, length)))).find(Boolean) ?? other;
    if (known !== null) found.push([pointer, known]);
  }
  return Object.fromEntries(found);
}

function toMissing(pointers: readonly string[], whyNoModel: string | undefined): AppError {
  const named = pointers.slice(0, MAX_PROBLEMS);
  const others = pointers.length > named.length ? ` and ${pointers.length - named.length} more` : "";
  const details = named.map((path) => ({ path, message: "has no unambiguous value in the page's own data" }));
  const advice =
    whyNoModel === undefined
      ? "Make it optional, allow null, or use a strategy with a model."
      : `No model searched the page: ${whyNoModel}`;
  return new AppError(
    "schema_mismatch",
    `The page's own data has no unambiguous value for ${named.join(", ")}${others}, which the schema requires. ${advice}`,
    { details, ...(whyNoModel !== undefined && { hint: NO_MODEL_HINT }) },
  );
}

/** Returns the members of `meta` that describe how the data was found. */
export function toDataMeta({
  model,
  parts,
  isTruncated,
  usage,
  sources,
}: Pick<FoundData, "model" | "parts" | "isTruncated" | "usage" | "sources">): JobExtras {
  return {
    model_used: model ?? "none",
    parts,
    ...(isTruncated && { truncated: true }),
    usage: { ...usage },
    ...(sources !== null && { source_by_field: sources }),
  };
}
