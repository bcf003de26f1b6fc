import type { ParseRequest } from "../../contract/parse";
import { toPositiveNumber } from "../../lib/env";
import { AppError } from "../../model/errors";
import {
  LARGE_PAGE_BYTES,
  PARSE_MAX_INPUT_TOKENS_DEFAULT,
  PARSE_MAX_INPUT_TOKENS_LEAST,
  PARSE_MAX_PARTS,
} from "../../model/limits";
import type { Execution, RunContext } from "../../model/run";
import { availableModels, chooseModel } from "../../models/models";
import type { Model } from "../../models/provider";
import { fetchContent, renderContent } from "../scrape/content";
import { toEvidenceMeta, verifyEvidence } from "./evidence";
import { CutOffError, type Extracted, extract } from "./extract";
import { hasContent } from "./has-content";
import { type Parts, toParts } from "./parts";
import { type PageContent, readDocument, readHtml, readPlain } from "./read-page";
import { parseVisiblePage } from "./visible-page";

/** A long answer is asked for again in parts that are smaller by this much. */
const FINER = 4;

interface Source {
  reading: PageContent;
  rendered: boolean;
}

/** Reads the page as a person would see it, has a model take out what was asked, and holds that against schema and page. */
export async function runParse(request: ParseRequest, context: RunContext): Promise<Execution> {
  const { env, signal } = context;
  const model = toModel(env, request.model);
  const { reading, rendered } = await readSource(context, request);
  const maxTokens = Math.max(
    PARSE_MAX_INPUT_TOKENS_LEAST,
    toPositiveNumber(env.PARSE_MAX_INPUT_TOKENS, PARSE_MAX_INPUT_TOKENS_DEFAULT),
  );
  const { prompt, schema = null, evidence: wantsEvidence = false } = request;
  const { extracted, parts } = await extractParts(model, { prompt, schema, wantsEvidence }, reading, maxTokens, signal);
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

function toModel(env: Env, asked: string | undefined): Model {
  try {
    return chooseModel(availableModels(env), asked);
  } catch (cause) {
    // It was there when the job was admitted.
    throw new AppError("model_failed", "The model of this job isn't configured any more.", { cause });
  }
}

async function readSource(context: RunContext, { url, html }: ParseRequest): Promise<Source> {
  if (url !== undefined) return await readPage(context, url);
  const source = html ?? "";
  if (source.length > LARGE_PAGE_BYTES) await context.takeTurn();
  return { reading: withWords(readHtml(parseVisiblePage(source), { url: null })), rendered: false };
}

/** The plain page, or the rendered one where that says nothing to speak of. */
async function readPage(context: RunContext, target: string): Promise<Source> {
  const page = await fetchContent(context, target, { proxy: null });
  const { url } = page;
  if (page.kind === "pdf") {
    const { blocks, metadata } = page.pdf;
    return { reading: withWords(readDocument(blocks, { url, metadata })), rendered: false };
  }
  if (page.kind === "text") return { reading: withWords(readPlain(page.source, { url })), rendered: false };
  const seen = parseVisiblePage(page.source);
  if (hasContent(seen)) return { reading: readHtml(seen, { url }), rendered: false };
  const rendered = await renderContent(context, target, { proxy: null, waitFor: null, screenshot: false });
  const reading =
    rendered.kind === "html"
      ? readHtml(parseVisiblePage(rendered.source), { url: rendered.url })
      : readPlain(rendered.source, { url: rendered.url });
  return { reading: withWords(reading), rendered: true };
}

/** A model that is given nothing makes something up. */
function withWords(reading: PageContent): PageContent {
  const { head, body } = reading;
  const isEmpty = "text" in body ? body.text.trim() === "" : body.blocks.length === 0;
  if (!isEmpty || head.data.length > 0) return reading;
  throw new AppError("unsupported_content", "There is no text on the page to extract anything from.");
}

/** In parts as large as they may be; where the answer for one gets too long, once more in finer ones. */
async function extractParts(
  model: Model,
  request: Parameters<typeof extract>[1],
  reading: PageContent,
  maxTokens: number,
  signal: AbortSignal,
): Promise<{ extracted: Extracted; parts: Parts }> {
  const parts = toParts(reading, { maxTokens, maxParts: PARSE_MAX_PARTS });
  try {
    return { extracted: await extract(model, request, { ...parts, maxTokens }, signal), parts };
  } catch (error) {
    if (!(error instanceof CutOffError)) throw error;
    const finer = toParts(reading, { maxTokens: maxTokens / FINER, maxParts: PARSE_MAX_PARTS });
    if (finer.isTruncated || finer.parts.length <= parts.parts.length) throw error;
    return { extracted: await extract(model, request, { ...finer, maxTokens }, signal), parts: finer };
  }
}
