import type { ParseRequest } from "../../contract/parse";
import { hasContent } from "../../html/has-content";
import { detectOutcome, type PageOutcome } from "../../html/outcome/outcome";
import { parseVisiblePage, type VisiblePage } from "../../html/visible-page";
import type { JobExtras } from "../../model/job";
import type { PriceLine } from "../../model/receipt";
import type { Execution, RunContext } from "../../model/run-context";
import { toDocumentMeta } from "../shared/document-options";
import { toOcrLines } from "../shared/ocr";
import { openTarget, toContentWarnings, toOpenOptions, toSignalsMeta } from "../shared/open-target";
import { PageCaptures, toCaptureMeta, type UsedCapture } from "../shared/page-captures";
import { webUrlOf } from "../shared/read-content";
import { chooseParseMode, toParseLines } from "./check-request";
import { toEvidenceMeta, verifyEvidence } from "./evidence";
import { assessContent, openModel, readLoaded } from "./extract-content";
import { findData, readForData, toDataMeta } from "./extract-data";
import { leavesOf } from "./member-schemas";
import { type PageContent, readHtml } from "./read-page";
import { toStrategyMeta } from "./strategy";
import { refuseUnusable } from "./unusable";

interface LoadedPage {
  content: PageContent;
  /** Null if the content isn't HTML. */
  page: VisiblePage | null;
  /** The same page with the text that counts as visible. */
  shown: VisiblePage | null;
  /** The URL of the page. Null if the request contains the page. */
  url: string | null;
  outcome: PageOutcome;
  rendered: boolean;
  partialLoad: boolean;
  /** The capture that was used or kept. Null if there is none. */
  capture: UsedCapture | null;
  /** The fields of `meta` that describe a document, and the uses that the site allows. */
  documentMeta: JobExtras;
  /** The line of the scanned pages that a model has read. */
  ocrLines: PriceLine[];
}

/**
 * Runs a parse job. The names in parentheses are files of this folder.
 * 1. Fetch or render the page, and find its visible content (`html/visible-page`, `html/has-content`).
 * 2. Choose the content, and add the facts from the page's head (`read-page`, `choose-content`, `page-facts`).
 * 3. Split it into parts that fit into a prompt (`parts`, and `cut` and `tokens` of `text-view`).
 * 4. Unless the strategy is `model`: find the schema's properties in the page's own data (`strategy`, `extract-data`,
 *    `page-data`). If required properties are missing, the model gets only the open ones (`open-properties`).
 * 5. Send each part to the model (`extract-content`, `extract`, `prompt`), and validate each answer (`answer`, `evidence-answer`).
 * 6. Merge the answers, and let the model repair them (`merge`, `repair`).
 * 7. Search the page for the values and quotes (`evidence`, `page-index`).
 */
export async function runParse(request: ParseRequest, context: RunContext): Promise<Execution> {
  const { plan, prices } = context.job;
  // Fails before the page is loaded if the model is no longer configured.
  if (plan.strategy !== "page") openModel(context.env, request.model);
  const { reading, outcome, capture, newCapture, ocrLines, extras, documentMeta } = await readPage(context, request);
  const found = await findData(reading, context);
  const { data, quotes } = found;
  const use = {
    isReplayed: capture?.isReplayed === true && !capture.isFree,
    callsModel: found.model !== null,
    foundNothing: capture === null && leavesOf(data).next().done === true,
  };
  return {
    data,
    outcome,
    lines: [...toParseLines(prices, use), ...ocrLines],
    ...newCapture,
    extras: {
      ...extras,
      ...toDataMeta(found),
      ...documentMeta,
      ...(request.evidence && toEvidenceMeta(verifyEvidence({ data, quotes, pageText: found.text }))),
    },
  };
}

/** Loads the page, and reads everything that the result needs. The result keeps no part of the parsed page. */
async function readPage(context: RunContext, request: ParseRequest) {
  const { prompt, schema = null, evidence: wantsEvidence = false, model } = request;
  const { strategy = "model", strategyReason } = context.job.plan;
  const captures = new PageCaptures(context, request, chooseParseMode(request));
  const source = await loadPage(context, request, captures);
  // The page's own data is read first. The content is then read and checked only if it is needed.
  const check = () => requireContent(source.outcome, source.content);
  const isLater = strategy !== "model" && schema !== null && source.outcome.outcome === "ok";
  const { outcome, reason } = (isLater ? source : check()).outcome;
  const { content, page, shown, url, rendered, partialLoad, capture, ocrLines, documentMeta } = source;
  const dataRequest = { prompt, schema, wantsEvidence, strategy, strategyReason, model };
  return {
    reading: readForData(context.env, dataRequest, { content, page: shown, url, check }),
    ...{ outcome, capture, ocrLines, documentMeta },
    newCapture: await captures.toNewCapture(outcome === "ok" && !partialLoad),
    extras: {
      outcome,
      ...(reason !== null && { outcome_reason: reason }),
      ...(partialLoad && { partial_load: true }),
      ...toContentWarnings(page, request.hidden_text),
      ...toStrategyMeta(context.job.plan, request.strategy),
      rendered,
      ...toCaptureMeta(capture),
    },
  };
}

async function loadPage(context: RunContext, request: ParseRequest, captures: PageCaptures): Promise<LoadedPage> {
  const { html, hidden_text } = request;
  const toShown = (page: VisiblePage) => (hidden_text === "keep" ? page.withHiddenText() : page);
  if (html === undefined) return await readTarget(context, request, { captures, toShown });
  const source = html;
  await context.acquireLargeLock(source.length);
  const page = parseVisiblePage(source);
  // The caller may send a part of a page, so little text isn't a sign of a page that needs rendering.
  const outcome = detectOutcome(page, { url: "", status: 200, rendered: true });
  const shown = toShown(page);
  const content = readHtml(shown, { url: null });
  const target = { url: null, rendered: false, partialLoad: false, capture: null, documentMeta: {}, ocrLines: [] };
  return { content, outcome, page, shown, ...target };
}

/** Fetches or renders the page and reads its content. */
async function readTarget(
  context: RunContext,
  request: ParseRequest,
  { captures, toShown }: { captures: PageCaptures; toShown: (page: VisiblePage) => VisiblePage },
): Promise<LoadedPage> {
  const opened = await openTarget(context, request.url, {
    ...toOpenOptions(context, request),
    mode: chooseParseMode(request),
    captures,
    screenshot: false,
    visibility: true,
    parse: parseVisiblePage,
    hasContent,
  });
  const { page, rendered, partialLoad, capture } = opened;
  const shown = page && toShown(page);
  const content = readLoaded(opened.content, shown);
  const { outcome } = opened;
  return {
    ...{ content, outcome, page, shown, rendered, partialLoad, capture },
    url: webUrlOf(opened.content),
    documentMeta: {
      ...(content.truncated && { truncated: true }),
      ...toDocumentMeta(opened.content),
      ...toSignalsMeta(opened),
    },
    ocrLines: toOcrLines(context.job.prices, opened.content),
  };
}

/** Throws AppError `unusable_page` if no model may be called for the page. */
function requireContent(found: PageOutcome, content: PageContent): Pick<LoadedPage, "content" | "outcome"> {
  const { outcome, unusable } = assessContent(found, content);
  if (unusable !== null) refuseUnusable(unusable);
  return { content, outcome };
}
