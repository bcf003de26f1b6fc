import type { ScrapeData, ScrapeRequest } from "../../contract/scrape";
import { parseVisiblePage } from "../../html/visible-page";
import { AppError } from "../../model/errors";
import type { JobExtras, Outcome } from "../../model/job";
import type { RunContext } from "../../model/run-context";
import type { ExtractionRequest, ModelUsage } from "../parse/extract";
import { assessContent, extractContent, openModel, readLoaded } from "../parse/extract-content";
import type { PageContent } from "../parse/read-page";
import type { OpenedPage } from "../shared/open-target";
import { type ModelFormat, modelFormatsOf } from "./price";

/** A page that is split into parts gets one paragraph for each part, because the answers are joined. */
const SUMMARY: ExtractionRequest = {
  prompt:
    "Summarize the page for a reader who hasn't seen it. Write one paragraph of two to five sentences in the language of the page, with the facts that matter most, as the only item of `paragraphs`. Say only what the page says.",
  schema: {
    type: "object",
    properties: { paragraphs: { type: "array", items: { type: "string", minLength: 1 }, minItems: 1 } },
    required: ["paragraphs"],
    additionalProperties: false,
  },
  wantsEvidence: false,
};

interface ModelResult {
  data: Pick<ScrapeData, ModelFormat>;
  extras: JobExtras;
  /** The outcome of the page if this outcome prevented the call of a model. Null if a model was called. */
  skipped: Outcome | null;
}

/**
 * Creates the requested formats that need a language model from a loaded page. Calls no model if the page has no
 * content, or other content than the caller wants. Returns null if no such format was requested. Throws AppError if the
 * model fails.
 */
export async function makeModelFormats(
  request: ScrapeRequest,
  opened: OpenedPage,
  { env, signal }: RunContext,
): Promise<ModelResult | null> {
  const formats = modelFormatsOf(request);
  if (formats.length === 0) return null;
  const content = readForModel(request, opened);
  const { unusable } = assessContent(opened.outcome, content);
  if (unusable !== null) return { data: {}, extras: {}, skipped: unusable };
  const model = openModel(env);
  const failed = new AbortController();
  const source = { content, signal: AbortSignal.any([signal, failed.signal]) };
  const extractOne = async (format: ModelFormat) => {
    const { extracted, parts } = await extractContent(env, model, toExtraction(format, request), source);
    return { format, data: extracted.data, usage: extracted.usage, parts };
  };
  try {
    const made = await Promise.all(formats.map(extractOne));
    return {
      data: Object.fromEntries(made.map(({ format, data }) => [format, format === "json" ? data : toSummary(data)])),
      extras: {
        model_used: model.id,
        parts: Math.max(...made.map(({ parts }) => parts.parts.length)),
        ...(made.some(({ parts }) => parts.isTruncated) && { truncated: true }),
        usage: addUsage(made.map(({ usage }) => usage)),
      },
      skipped: null,
    };
  } catch (error) {
    // Aborts the calls for the other format.
    failed.abort(error);
    throw error;
  }
}

/** Reads the page as a parse does. Parses the page again, because the model also gets the values of form fields. */
function readForModel({ hidden_text }: ScrapeRequest, { content }: OpenedPage): PageContent {
  if (content.kind !== "html") return readLoaded(content, null);
  const page = parseVisiblePage(content.source, "visibility" in content ? content.visibility : null);
  return readLoaded(content, hidden_text === "keep" ? page.withHiddenText() : page);
}

function toExtraction(format: ModelFormat, { json }: ScrapeRequest): ExtractionRequest {
  if (format === "summary" || json === undefined) return SUMMARY;
  return { prompt: json.prompt, schema: json.schema ?? null, wantsEvidence: false };
}

function toSummary({ paragraphs }: Record<string, unknown>): string {
  const texts = Array.isArray(paragraphs) ? paragraphs.map((text) => String(text).trim()).filter(Boolean) : [];
  if (texts.length === 0) throw new AppError("schema_mismatch", "The model returned an empty summary.");
  return texts.join("\n\n");
}

/** Adds up the usage of calls that ran in parallel. */
function addUsage(each: readonly ModelUsage[]): { [Field in keyof ModelUsage]: number } {
  const sum = (field: keyof ModelUsage) => each.reduce((total, usage) => total + usage[field], 0);
  return {
    input_tokens: sum("input_tokens"),
    output_tokens: sum("output_tokens"),
    model_calls: sum("model_calls"),
    model_time_ms: Math.max(...each.map(({ model_time_ms }) => model_time_ms)),
  };
}
