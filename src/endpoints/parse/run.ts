import type { ParseRequest } from "../../contract/parse";
import { hasContent } from "../../html/has-content";
import { detectOutcome, type PageOutcome } from "../../html/outcome/outcome";
import { parseVisiblePage, type VisiblePage } from "../../html/visible-page";
import { toPositiveNumber } from "../../lib/env";
import { AppError } from "../../model/errors";
import {
  LARGE_PAGE_BYTES,
  PARSE_MAX_INPUT_TOKENS_DEFAULT,
  PARSE_MAX_INPUT_TOKENS_LEAST,
  PARSE_MAX_PARTS,
} from "../../model/limits";
import type { Execution, RunContext } from "../../model/run-context";
import { availableModels, chooseModel } from "../../models/models";
import type { Model } from "../../models/provider";
import { toContentWarnings } from "../shared/content-warnings";
import { type OpenedPage, openTarget } from "../shared/open-target";
import { toEvidenceMeta, verifyEvidence } from "./evidence";
import { CutOffError, type Extracted, extract } from "./extract";
import { type Parts, toParts } from "./parts";
import { type PageContent, readDocument, readHtml, readPlain } from "./read-page";
import { refuseUnusable } from "./unusable";

/** If an answer is cut off, the page is split again, into parts that are smaller by this factor. */
const SMALLER_PARTS_FACTOR = 4;

interface Source {
  content: PageContent;
  /** Null if the content isn't HTML. */
  page: VisiblePage | null;
  outcome: PageOutcome;
  rendered: boolean;
  partialLoad: boolean;
}

/**
 * Runs a parse job. The names in parentheses are files of this folder.
 * 1. Fetch or render the page, and find its visible content (`html/visible-page`, `html/has-content`).
 * 2. Choose the content, and add the facts from the page's head (`read-page`, `choose-content`, `page-facts`).
 * 3. Split it into parts that fit into a prompt (`parts`, `split-block`, `tokens`).
 * 4. Send each part to the model (`extract`, `prompt`), and validate each answer (`answer`, `evidence-answer`).
 * 5. Merge the answers, and let the model repair them (`merge`, `repair`).
 * 6. Search the page for the values and quotes (`evidence`, `page-index`).
 */
export async function runParse(request: ParseRequest, context: RunContext): Promise<Execution> {
  const { env, signal } = context;
  const model = toModel(env, request.model);
  const { content, page, outcome, rendered, partialLoad } = await readSource(context, request);
  const maxTokens = Math.max(
    PARSE_MAX_INPUT_TOKENS_LEAST,
    toPositiveNumber(env.PARSE_MAX_INPUT_TOKENS, PARSE_MAX_INPUT_TOKENS_DEFAULT),
  );
  const { prompt, schema = null, evidence: wantsEvidence = false } = request;
  const { extracted, parts } = await extractParts(model, { prompt, schema, wantsEvidence }, content, maxTokens, signal);
  const { data, quotes, usage } = extracted;
  return {
    data,
    outcome: outcome.outcome,
    extras: {
      outcome: outcome.outcome,
      ...(outcome.reason !== null && { outcome_reason: outcome.reason }),
      ...(partialLoad && { partial_load: true }),
      ...toContentWarnings(page, request.hidden_text),
      model_used: model.id,
      rendered,
      parts: parts.parts.length,
      ...(parts.isTruncated && { truncated: true }),
      usage: { ...usage },
      ...(wantsEvidence && toEvidenceMeta(verifyEvidence({ data, quotes, pageText: parts.text }))),
    },
  };
}

function toModel(env: Env, name: string | undefined): Model {
  try {
    return chooseModel(availableModels(env), name);
  } catch (cause) {
    // The model was available when the job was created, so this isn't an error in the request.
    throw new AppError("model_failed", "The model of this job is no longer configured.", { cause });
  }
}

async function readSource(context: RunContext, { url, html, hidden_text }: ParseRequest): Promise<Source> {
  const toShown = (page: VisiblePage) => (hidden_text === "keep" ? page.withHiddenText() : page);
  if (url !== undefined) return await readTarget(context, url, toShown);
  const source = html ?? "";
  if (source.length > LARGE_PAGE_BYTES) await context.acquireLargeLock();
  const page = parseVisiblePage(source);
  // The caller may send a part of a page, so little text isn't a sign of a page that needs rendering.
  const outcome = detectOutcome(page, { url: "", status: 200, rendered: true });
  const read = readHtml(toShown(page), { url: null });
  return { ...requireContent(outcome, read), page, rendered: false, partialLoad: false };
}

/** Reads the page. Renders it if the plain page has no content. */
async function readTarget(
  context: RunContext,
  target: string,
  toShown: (page: VisiblePage) => VisiblePage,
): Promise<Source> {
  const options = { mode: "auto", proxy: null, waitFor: null, screenshot: false, visibility: true } as const;
  const opened = await openTarget(context, target, { ...options, parse: parseVisiblePage, hasContent });
  const { page, rendered, partialLoad } = opened;
  const content = readOpened({ ...opened, page: page && toShown(page) });
  return { ...requireContent(opened.outcome, content), page, rendered, partialLoad };
}

function readOpened({ content, page }: Pick<OpenedPage, "content" | "page">): PageContent {
  const { url } = content;
  if (content.kind === "pdf") return readDocument(content.pdf.blocks, { url, metadata: content.pdf.metadata });
  return page === null ? readPlain(content.source, { url }) : readHtml(page, { url });
}

/**
 * Throws AppError `unusable_page` if the page has no content, or if its outcome shows that the content isn't what the
 * caller wants. A model would invent values for such a page. A page without text has content if it has structured data.
 */
function requireContent(found: PageOutcome, content: PageContent): Pick<Source, "content" | "outcome"> {
  const { facts, body } = content;
  const isEmpty = "text" in body ? body.text.trim() === "" : body.blocks.length === 0;
  const isShell = found.outcome === "needs_rendering" || found.outcome === "empty";
  if ((isEmpty || isShell) && facts.objects.length > 0) return { content, outcome: { outcome: "ok", reason: null } };
  refuseUnusable(isEmpty && found.outcome === "ok" ? "empty" : found.outcome);
  return { content, outcome: found };
}

/** Extracts data from parts of the maximum size. If an answer is cut off, retries once with smaller parts. */
async function extractParts(
  model: Model,
  request: Parameters<typeof extract>[1],
  content: PageContent,
  maxTokens: number,
  signal: AbortSignal,
): Promise<{ extracted: Extracted; parts: Parts }> {
  const parts = toParts(content, { maxTokens, maxParts: PARSE_MAX_PARTS });
  try {
    return { extracted: await extract(model, request, { ...parts, maxTokens }, signal), parts };
  } catch (error) {
    if (!(error instanceof CutOffError)) throw error;
    const smaller = toParts(content, { maxTokens: maxTokens / SMALLER_PARTS_FACTOR, maxParts: PARSE_MAX_PARTS });
    if (smaller.isTruncated || smaller.parts.length <= parts.parts.length) throw error;
    return { extracted: await extract(model, request, { ...smaller, maxTokens }, signal), parts: smaller };
  }
}
