import type { PageOutcome } from "../../html/outcome/outcome";
import type { VisiblePage } from "../../html/visible-page";
import { toPositiveNumber } from "../../lib/env";
import { AppError } from "../../model/errors";
import type { Outcome } from "../../model/job";
import { PARSE_MAX_INPUT_TOKENS_DEFAULT, PARSE_MAX_INPUT_TOKENS_LEAST, PARSE_MAX_PARTS } from "../../model/limits";
import { availableModels, chooseModel } from "../../models/models";
import type { Model } from "../../models/provider";
import { type Content, webUrlOf } from "../shared/read-content";
import { CutOffError, type Extracted, type ExtractionRequest, extract } from "./extract";
import { type Parts, toParts } from "./parts";
import { type PageContent, readDocument, readHtml, readPlain } from "./read-page";
import { isUnusable } from "./unusable";

/** If an answer is cut off, the page is split again into parts that are smaller by this factor. */
const SMALLER_PARTS_FACTOR = 4;

/** Returns the requested model. Throws AppError `model_failed` if it is no longer configured. */
export function openModel(env: Env, name?: string): Model {
  try {
    return chooseModel(availableModels(env), name);
  } catch (cause) {
    // The model was available when the job was created, so the request isn't wrong.
    throw new AppError("model_failed", "The model of this job is no longer configured.", { cause });
  }
}

/** Reads a loaded page for the model. `page` is the parsed page, or null if the content isn't HTML. */
export function readLoaded(content: Content, page: VisiblePage | null): PageContent {
  const url = webUrlOf(content);
  if (content.kind === "document") {
    const { blocks, metadata, truncated } = content.document;
    return { ...readDocument(blocks, { url, metadata }), ...(truncated && { truncated }) };
  }
  return page === null ? readPlain(content.source, { url }) : readHtml(page, { url });
}

/**
 * Returns the outcome of a page for the model. If no model may be called for the page, `unusable` is the outcome, and
 * otherwise null. A page is unusable if it has no content, or if its content isn't what the caller wants, because a
 * model would invent values. A page without text is usable if it has structured data.
 */
export function assessContent(
  found: PageOutcome,
  { facts, body: { markdown, text } }: PageContent,
): { outcome: PageOutcome; unusable: Outcome | null } {
  const isEmpty = (markdown ?? text).trim() === "";
  const isShell = found.outcome === "needs_rendering" || found.outcome === "empty";
  if ((isEmpty || isShell) && facts.objects.length > 0) {
    return { outcome: { outcome: "ok", reason: null }, unusable: null };
  }
  const outcome = isEmpty && found.outcome === "ok" ? "empty" : found.outcome;
  return { outcome: found, unusable: isUnusable(outcome) ? outcome : null };
}

/** Splits a page into parts of the maximum size. */
export function toModelParts(env: Env, content: PageContent): Parts {
  return toParts(content, { maxTokens: toMaxTokens(env), maxParts: PARSE_MAX_PARTS });
}

function toMaxTokens(env: Env): number {
  return Math.max(
    PARSE_MAX_INPUT_TOKENS_LEAST,
    toPositiveNumber(env.PARSE_MAX_INPUT_TOKENS, PARSE_MAX_INPUT_TOKENS_DEFAULT),
  );
}

/** Extracts data from parts of the maximum size. If an answer is cut off, retries once with smaller parts. */
export async function extractContent(
  env: Env,
  model: Model,
  request: ExtractionRequest,
  { content, signal }: { content: PageContent; signal: AbortSignal },
): Promise<{ extracted: Extracted; parts: Parts }> {
  const maxTokens = toMaxTokens(env);
  const parts = toModelParts(env, content);
  try {
    return {
      extracted: await extract(model, request, { parts: parts.parts, text: parts.text, maxTokens }, signal),
      parts,
    };
  } catch (error) {
    if (!(error instanceof CutOffError)) throw error;
    const smaller = toParts(content, { maxTokens: maxTokens / SMALLER_PARTS_FACTOR, maxParts: PARSE_MAX_PARTS });
    if (smaller.isTruncated || smaller.parts.length <= parts.parts.length) throw error;
    return { extracted: await extract(model, request, { ...smaller, maxTokens }, signal), parts: smaller };
  }
}
