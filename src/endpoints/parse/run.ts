import type { ParseRequest } from "../../contract/parse";
import { hasContent } from "../../html/has-content";
import { parseVisiblePage } from "../../html/visible-page";
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
import { fetchContent, renderContent } from "../shared/load-page";
import { toEvidenceMeta, verifyEvidence } from "./evidence";
import { CutOffError, type Extracted, extract } from "./extract";
import { type Parts, toParts } from "./parts";
import { type PageContent, readDocument, readHtml, readPlain } from "./read-page";

/** If an answer is cut off, the page is split again, into parts that are smaller by this factor. */
const SMALLER_PARTS_FACTOR = 4;

interface Source {
  content: PageContent;
  rendered: boolean;
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
  const { content, rendered } = await readSource(context, request);
  const maxTokens = Math.max(
    PARSE_MAX_INPUT_TOKENS_LEAST,
    toPositiveNumber(env.PARSE_MAX_INPUT_TOKENS, PARSE_MAX_INPUT_TOKENS_DEFAULT),
  );
  const { prompt, schema = null, evidence: wantsEvidence = false } = request;
  const { extracted, parts } = await extractParts(model, { prompt, schema, wantsEvidence }, content, maxTokens, signal);
  const { data, quotes, usage } = extracted;
  return {
    data,
    extras: {
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

async function readSource(context: RunContext, { url, html }: ParseRequest): Promise<Source> {
  if (url !== undefined) return await readPage(context, url);
  const source = html ?? "";
  if (source.length > LARGE_PAGE_BYTES) await context.acquireLargeLock();
  return { content: requireText(readHtml(parseVisiblePage(source), { url: null })), rendered: false };
}

/** Reads the fetched page. If it has no content, renders the page and reads the rendered one. */
async function readPage(context: RunContext, target: string): Promise<Source> {
  const page = await fetchContent(context, target, { proxy: null });
  const { url } = page;
  if (page.kind === "pdf") {
    const { blocks, metadata } = page.pdf;
    return { content: requireText(readDocument(blocks, { url, metadata })), rendered: false };
  }
  if (page.kind === "text") return { content: requireText(readPlain(page.source, { url })), rendered: false };
  const visible = parseVisiblePage(page.source);
  if (hasContent(visible)) return { content: readHtml(visible, { url }), rendered: false };
  const rendered = await renderContent(context, target, { proxy: null, waitFor: null, screenshot: false });
  const content =
    rendered.kind === "html"
      ? readHtml(parseVisiblePage(rendered.source), { url: rendered.url })
      : readPlain(rendered.source, { url: rendered.url });
  return { content: requireText(content), rendered: true };
}

/** Throws AppError unsupported_content for an empty page, because a model would invent values for it. */
function requireText(content: PageContent): PageContent {
  const { facts, body } = content;
  const isEmpty = "text" in body ? body.text.trim() === "" : body.blocks.length === 0;
  if (!isEmpty || facts.objects.length > 0) return content;
  throw new AppError("unsupported_content", "The page has no text to extract data from.");
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
