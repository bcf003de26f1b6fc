import type { ScrapeData, ScrapeRequest } from "../../contract/scrape";
import type { LoadedDocument } from "../../documents/package";
import { type Converted, convertPage } from "../../html/convert";
import type { PageOutcome } from "../../html/outcome/outcome";
import { separatedText } from "../../html/parse/dom";
import { openPage, parseVisiblePage } from "../../html/visible-page";
import { toCount } from "../../lib/count";
import { sha256Hex } from "../../lib/crypto";
import type { FoundPage } from "../../model/crawl";
import { AppError } from "../../model/errors";
import { CRAWL_LIMIT_MAX } from "../../model/limits";
import { type PriceLine, totalOf } from "../../model/receipt";
import type { Execution, RunContext } from "../../model/run-context";
import type { RunPlan } from "../../model/run-plan";
import { toCanonicalUrl } from "../../site/canonical-url";
import { readContentSignals, readPageLinks } from "../../site/page-links";
import { isSignOutText } from "../../site/sign-out";
import type { ExtractionRequest, ModelUsage } from "../parse/extract";
import { assessContent, readLoaded } from "../parse/extract-content";
import { type DataReading, type DataRequest, findData, readForData, toDataMeta } from "../parse/extract-data";
import { toStrategyMeta } from "../parse/strategy";
import { toDocumentMeta } from "../shared/document-options";
import { toMaxOcrLines, toOcrLines } from "../shared/ocr";
import { type OpenedPage, openTarget, toContentWarnings, toOpenOptions, toSignalsMeta } from "../shared/open-target";
import { PageCaptures, toCaptureMeta } from "../shared/page-captures";
import { webUrlOf } from "../shared/read-content";
import { convertsPage, makeFormats, showsText, toConversion } from "./formats";
import { storeActionResults, storePageFiles, toOutputs } from "./page-files";
import {
  chooseRenderMode,
  isFreeWithoutContent,
  type ModelFormat,
  modelFormatsOf,
  toModelLines,
  toPriceLines,
} from "./price";

/** The prompt for `json` with a schema and without a prompt. */
const SCHEMA_PROMPT = "Extract the data that the schema describes.";

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

/** Returns the page in the requested formats. The price depends on rendering and on the outcome. Throws AppError. */
export async function runScrape(request: ScrapeRequest, context: RunContext): Promise<Execution> {
  const { prices } = context.job;
  const { page, readings, skipped, rendered, capture, ocrLines } = await readPage(request, context);
  const made = await makeModelFormats(request, readings, context);
  // A request for data or a summary is charged if they were made, even if the page has another outcome.
  const mayBeFree = isFreeWithoutContent(request) && made === null;
  return {
    ...page,
    data: { ...page.data, ...made?.data },
    extras: { ...page.extras, ...made?.extras },
    lines: [
      ...toPriceLines(prices, { rendered, isReplayed: capture?.isReplayed === true && (!capture.isFree || mayBeFree) }),
      ...toModelLines(prices, request, { skipped, isJsonFromPage: made?.isJsonFromPage === true }),
      ...ocrLines,
    ],
    isFree: page.outcome !== "ok" && mayBeFree,
  };
}

/** Loads the page, and reads everything that the result needs. The result keeps no part of the parsed page. */
async function readPage(request: ScrapeRequest, context: RunContext) {
  const { job } = context;
  const { url, formats } = request;
  const { prices, plan } = job;
  const planned = { isJsonFromPage: plan.strategy === "page" };
  // The limit of the price prevents the rendering that `render: auto` allows.
  const requested = chooseRenderMode(request);
  const limited = plan.method === "plain" && requested === "auto";
  const mode = limited ? "never" : requested;
  const isMarkdown = prefersMarkdown(request);
  const captures = new PageCaptures(context, { ...request, prefer_markdown: isMarkdown || undefined }, mode);
  const options = toOpenOptions(context, request);
  const opened = await openTarget(context, url, {
    ...options,
    pages: { ...options.pages, prefersMarkdown: isMarkdown },
    mode,
    captures,
    screenshot: formats.includes("screenshot"),
    visibility: showsText(request),
    ...toOutputs(request),
  });
  const { rendered, partialLoad, capture } = opened;
  const { data, kind, omitted } = convertsPage(request) ? await toData(request, opened) : { data: {} };
  Object.assign(data, await storePageFiles(request, context, opened.content));
  const forModel = readForModel(request, opened, context);
  const { content } = opened;
  if ("screenshot" in content && content.actions) data.actions = await storeActionResults(context, content.actions);
  const { outcome } = opened.outcome;
  const reason = limited
    ? toLimitedReason(opened.outcome, request, [
        ...toPriceLines(prices, { rendered: true }),
        ...toModelLines(prices, request, planned),
        ...toMaxOcrLines(prices, request),
      ])
    : opened.outcome.reason;
  const page = {
    data,
    outcome,
    extras: {
      outcome,
      ...(reason !== null && { outcome_reason: reason }),
      ...(partialLoad && { partial_load: true }),
      ...(opened.content.original?.type === "markdown" && { source: "site_markdown" }),
      ...toSignalsMeta(opened),
      ...toContentWarnings(opened.page, request.hidden_text),
      ...(kind && outcome === "ok" && { page_kind: kind }),
      ...(omitted && { omitted }),
      ...(isTruncated(opened) && { truncated: true }),
      ...toDocumentMeta(content),
      rendered,
      ...toCaptureMeta(capture),
    },
    ...(await captures.toNewCapture(outcome === "ok" && !partialLoad)),
    ...(job.isCrawled && { found: await toFoundPage(opened) }),
  };
  return { page, ...forModel, rendered, capture, ocrLines: toOcrLines(prices, content) };
}

/** Returns true if the site's own Markdown is requested, and the request needs no other part of the page. */
function prefersMarkdown(request: ScrapeRequest): boolean {
  const { prefer_markdown = false, formats, only_main_content, include_selectors, exclude_selectors } = request;
  const isWhole = include_selectors === undefined && exclude_selectors === undefined && only_main_content;
  return prefer_markdown && isWhole && formats.every((format) => /^(?:markdown|text|metadata)$/.test(format));
}

/** Returns true if the end of a document was omitted. */
function isTruncated({ content }: OpenedPage): boolean {
  if (content.kind === "document") return content.document.truncated === true;
  return content.kind === "text" && content.csv?.truncated === true;
}

/**
 * Returns the reason of the outcome. If the page may need rendering, also says that `max_credits` prevented it. `lines`
 * are the parts of the price with rendering.
 */
function toLimitedReason(
  { outcome, reason }: PageOutcome,
  request: ScrapeRequest,
  lines: readonly PriceLine[],
): string | null {
  if (outcome !== "needs_rendering" && outcome !== "empty") return reason;
  const { max_credits } = request;
  const price = toCount(totalOf(lines), "credit");
  const limit = `The page wasn't rendered, because rendering costs ${price} and 'max_credits' is ${max_credits}.`;
  return reason === null ? limit : `${reason} ${limit}`;
}

async function toData(
  request: ScrapeRequest,
  { content, page }: OpenedPage,
): Promise<{ data: ScrapeData } & Pick<Converted, "kind" | "omitted">> {
  const { url, status, contentType } = content;
  const found = { url, status_code: status, content_type: contentType };
  if (content.kind === "text") {
    const { source, csv } = content;
    // A CSV file becomes a table in the formats that support tables. The other formats contain the text itself.
    const table: LoadedDocument | null = csv ? { type: "text", blocks: [csv.table], metadata: {}, links: [] } : null;
    const data = makeFormats(request, ({ conversion, fromDocument, fromText }) => {
      const hasTables = conversion === "markdown" || conversion === "cleanHtml";
      return table !== null && hasTables ? fromDocument?.(table, found) : fromText?.(source, found);
    });
    return { data };
  }
  if (content.kind === "document") {
    const data = makeFormats(request, (format) => format.fromDocument?.(content.document, found));
    if (Object.keys(data).length > 0 || modelFormatsOf(request).length > 0) return { data };
    throw new AppError(
      "unsupported_content",
      `A ${content.document.type} can't be returned in these formats. Request markdown, text or clean_html.`,
    );
  }
  const source = content.original?.text ?? content.source;
  const body = "screenshot" in content ? (content.body ?? null) : source;
  const conversion = toConversion(request, url);
  // Markdown and feeds have no boilerplate.
  if (content.original) conversion.onlyMainContent = false;
  const converted = await convertPage(page ?? openPage(content.source), conversion);
  const data = makeFormats(request, (format) => format.fromHtml?.({ source, body, converted }, found));
  return { ...converted, data };
}

/** The maximum number of links that a crawl takes from one page. A single page can link to all pages of a site. */
const MAX_LINKS = CRAWL_LIMIT_MAX;
const MAX_SIGN_OUT_LINKS = 10;
/** Pages with less text than this count as identical only if they also have the same links. */
const SHORT_TEXT_CHARS = 200;

/** Returns the properties of a page that a crawl needs. Documents and text files have no links. */
async function toFoundPage({ content, page }: OpenedPage): Promise<FoundPage> {
  const url = toCanonicalUrl(content.url);
  const signals = readContentSignals(content.header, page?.document ?? null);
  if (page === null) {
    const text = content.kind === "document" ? JSON.stringify(content.document.blocks) : content.source;
    return { url, canonical: null, hash: await hashText(text, []), links: [], nofollow: false, signals };
  }
  const robotsTag = content.header?.("x-robots-tag") ?? null;
  const found = readPageLinks(page.document, { url: content.url, robotsTag });
  const [links, nofollowLinks] = [new Set<string>(), new Set<string>()];
  const signOut = found.links.filter(({ text }) => isSignOutText(text)).slice(0, MAX_SIGN_OUT_LINKS);
  for (const link of found.links) {
    const canonical = toCanonicalUrl(link.url);
    if (canonical !== null) (link.nofollow ? nofollowLinks : links).add(canonical);
    if (links.size + nofollowLinks.size >= MAX_LINKS) break;
  }
  return {
    url,
    canonical: found.canonical === null ? null : toCanonicalUrl(found.canonical),
    hash: await hashText(separatedText(page.whole(), {}), [...links, ...nofollowLinks]),
    links: [...links],
    nofollowLinks: [...nofollowLinks.difference(links)],
    ...(signOut.length > 0 && { signOutLinks: signOut.flatMap((link) => toCanonicalUrl(link.url) ?? []) }),
    nofollow: found.directives.nofollow,
    signals,
  };
}

async function hashText(text: string, links: readonly string[]): Promise<string | null> {
  const words = text.replace(/\s+/g, " ").trim();
  if (words === "") return null;
  return await sha256Hex(words.length < SHORT_TEXT_CHARS ? [words, ...links].join("\n") : words);
}

/**
 * Reads a page for the requested formats that need a language model. `skipped` is the outcome of a page that has no
 * content, or other content than the caller wants. No model may be called for such a page. Throws AppError.
 */
function readForModel(request: ScrapeRequest, opened: OpenedPage, { env, job }: RunContext) {
  const readings = new Map<ModelFormat, DataReading>();
  const formats = modelFormatsOf(request);
  if (formats.length === 0) return { readings, skipped: null };
  const source = readSource(request, opened);
  const { unusable } = assessContent(opened.outcome, source.content);
  for (const format of unusable === null ? formats : []) {
    readings.set(format, readForData(env, toDataRequest(format, request, job.plan), source));
  }
  return { readings, skipped: unusable };
}

/** Creates the formats that need a language model. Returns null if there are none. Throws AppError if the model fails. */
async function makeModelFormats(
  request: ScrapeRequest,
  readings: ReadonlyMap<ModelFormat, DataReading>,
  context: RunContext,
) {
  if (readings.size === 0) return null;
  const failed = new AbortController();
  const signal = AbortSignal.any([context.signal, failed.signal]);
  const findOne = async ([format, reading]: [ModelFormat, DataReading]) => {
    try {
      return { format, found: await findData(reading, { ...context, signal }) };
    } catch (error) {
      // The caller hasn't sent the schema of a summary, so it can't fix the mismatch.
      const isOwnSchema = format === "summary" && error instanceof AppError && error.code === "schema_mismatch";
      throw isOwnSchema
        ? new AppError("model_failed", "The model returned no valid summary.", { cause: error })
        : error;
    }
  };
  try {
    const made = await Promise.all([...readings].map(findOne));
    const json = made.find(({ format }) => format === "json")?.found ?? null;
    const all = made.map(({ found }) => found);
    return {
      data: Object.fromEntries(
        made.map(({ format, found }) => [format, format === "json" ? found.data : readSummary(found.data)]),
      ),
      extras: {
        ...toStrategyMeta(context.job.plan, request.json?.strategy),
        ...toDataMeta({
          model: all.find(({ model }) => model !== null)?.model ?? null,
          parts: Math.max(...all.map(({ parts }) => parts)),
          isTruncated: all.some(({ isTruncated }) => isTruncated),
          usage: addUsage(all.map(({ usage }) => usage)),
          sources: json?.sources ?? null,
        }),
      },
      isJsonFromPage: json !== null && json.model === null,
    };
  } catch (error) {
    // Aborts the calls for the other format.
    failed.abort(error);
    throw error;
  }
}

/** Reads the page as a parse does. Parses the page again, because the model also gets the values of form fields. */
function readSource({ hidden_text }: ScrapeRequest, { content }: OpenedPage) {
  const url = webUrlOf(content);
  if (content.kind !== "html") return { content: readLoaded(content, null), page: null, url };
  const page = parseVisiblePage(content.source, "visibility" in content ? content.visibility : null);
  const shown = hidden_text === "keep" ? page.withHiddenText() : page;
  return { content: readLoaded(content, shown), page: shown, url };
}

function toDataRequest(
  format: ModelFormat,
  { json }: ScrapeRequest,
  { strategy = "model", strategyReason }: RunPlan,
): DataRequest {
  if (format === "summary" || json === undefined) return { ...SUMMARY, strategy: "model" };
  const { prompt = SCHEMA_PROMPT, schema = null } = json;
  return { prompt, schema, wantsEvidence: false, strategy, strategyReason };
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
