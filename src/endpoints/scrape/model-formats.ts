import type { ScrapeData, ScrapeRequest } from "../../contract/scrape";
import { parseVisiblePage } from "../../html/visible-page";
import { AppError } from "../../model/errors";
import type { JobExtras, Outcome } from "../../model/job";
import type { RunContext } from "../../model/run-context";
import type { RunPlan } from "../../model/run-plan";
import type { ExtractionRequest, ModelUsage } from "../parse/extract";
import { assessContent, readLoaded } from "../parse/extract-content";
import { type DataRequest, type DataSourcePage, findData, toDataMeta } from "../parse/extract-data";
import { toStrategyMeta } from "../parse/strategy";
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
  /** True if the data of the format `json` was found without a model. */
  isJsonFromPage: boolean;
}

/**
 * Creates the requested formats that need a language model from a loaded page. Calls no model if the page has no
 * content, or other content than the caller wants. Returns null if no such format was requested. Throws AppError if the
 * model fails.
 */
export async function makeModelFormats(
  request: ScrapeRequest,
  opened: OpenedPage,
  context: RunContext,
): Promise<ModelResult | null> {
  const { plan } = context.job;
  const formats = modelFormatsOf(request);
  if (formats.length === 0) return null;
  const source = readSource(request, opened);
  const { unusable } = assessContent(opened.outcome, source.content);
  if (unusable !== null) return { data: {}, extras: {}, skipped: unusable, isJsonFromPage: false };
  const failed = new AbortController();
  const signal = AbortSignal.any([context.signal, failed.signal]);
  const run = { env: context.env, signal };
  const findOne = async (format: ModelFormat) => {
    try {
      return { format, found: await findData(toDataRequest(format, request, plan), source, run) };
    } catch (error) {
      // The caller hasn't sent the schema of a summary, so it can't fix the mismatch.
      const isOwnSchema = format === "summary" && error instanceof AppError && error.code === "schema_mismatch";
      throw isOwnSchema
        ? new AppError("model_failed", "The model returned no valid summary.", { cause: error })
        : error;
    }
  };
  try {
    const made = await Promise.all(formats.map(findOne));
    const json = made.find(({ format }) => format === "json")?.found ?? null;
    const all = made.map(({ found }) => found);
    return {
      data: Object.fromEntries(
        made.map(({ format, found }) => [format, format === "json" ? found.data : readSummary(found.data)]),
      ),
      extras: {
        ...toStrategyMeta(plan, request.json?.strategy),
        ...toDataMeta({
          model: all.find(({ model }) => model !== null)?.model ?? null,
          parts: Math.max(...all.map(({ parts }) => parts)),
          isTruncated: all.some(({ isTruncated }) => isTruncated),
          usage: addUsage(all.map(({ usage }) => usage)),
          sources: json?.sources ?? null,
        }),
      },
      skipped: null,
      isJsonFromPage: json !== null && json.model === null,
    };
  } catch (error) {
    // Aborts the calls for the other format.
    failed.abort(error);
    throw error;
  }
}

/** Reads the page as a parse does. Parses the page again, because the model also gets the values of form fields. */
function readSource({ hidden_text }: ScrapeRequest, { content }: OpenedPage): DataSourcePage {
  const { url } = content;
  if (content.kind !== "html") return { content: readLoaded(content, null), page: null, url };
  const page = parseVisiblePage(content.source, "visibility" in content ? content.visibility : null);
  const shown = hidden_text === "keep" ? page.withHiddenText() : page;
  return { content: readLoaded(content, shown), page: shown, url };
}

function toDataRequest(format: ModelFormat, { json }: ScrapeRequest, { strategy = "model" }: RunPlan): DataRequest {
  if (format === "summary" || json === undefined) return { ...SUMMARY, strategy: "model" };
  const { prompt, schema = null } = json;
  return { prompt, schema, wantsEvidence: false, strategy };
}

function readSummary({ paragraphs }: Record<string, unknown>): string {
  const texts = Array.isArray(paragraphs) ? paragraphs.map((text) => String(text).trim()).filter(Boolean) : [];
  if (texts.length === 0) throw new AppError("model_failed", "The model returned an empty summary.");
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
