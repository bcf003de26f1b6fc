import type { ImageContent } from "@modelcontextprotocol/server";
import { parseWith } from "../contract/invalid-request";
import { findBatch } from "../jobs/batches";
import { getOwnJob, jobNotFound, readSmallResult, toJobRecord, toMeta } from "../jobs/read-job";
import { toAppError } from "../jobs/submit";
import { discardResult } from "../jobs/temporary";
import type { Job, JobMeta } from "../model/job";
import { MAX_TOOL_IMAGE_BYTES, MAX_VIEW_BYTES, SECOND_MS } from "../model/limits";
import { toScreenshotFile } from "../model/page-files";
import { getScreenshot } from "../store/objects";
import { showBatch, type ToolCall } from "./batch-tools";
import { readResource } from "./resources";
import { type ToolResult, toResult } from "./result";
import { type PartOptions, selectOrOutline, toFacts } from "./result-part";
import { ReadRequest } from "./tool-requests";

/** Reads a job, batch, crawl or resource by its id. */
export async function read(env: Env, args: unknown, call: ToolCall): Promise<ToolResult> {
  const { id, wait, limit, ...options } = parseWith(ReadRequest, args);
  const resource = readResource(id);
  if (resource !== null) return toResult({ facts: { id, resource: JSON.parse(resource) } });
  const { caller, onJob } = call;
  const key = { mode: caller.mode, id };
  const job = await getOwnJob(env, caller.account, key, wait * SECOND_MS);
  if (job === null) {
    const batch = await findBatch(env, caller.account, { ...key, waitMs: wait * SECOND_MS });
    if (batch === null) throw jobNotFound(id);
    return await showBatch(env, batch, { limit, options });
  }
  onJob(id);
  if (job.error !== null) throw toAppError(id, job.error);
  if (job.endedAt === null) return inProgress(job);
  const data = await readSmallResult(env, job, MAX_VIEW_BYTES);
  return await showJob(env, { job, meta: toMeta(job), source: "this job's target", data, options }, call);
}

interface Ended {
  job: Pick<Job, "id" | "account" | "mode" | "endpoint" | "isTemporary">;
  meta: JobMeta;
  /** The URL or the query of the request. */
  source: string;
  data: Record<string, unknown> | "too large" | null;
  /** The part to show. */
  options: PartOptions;
}

const UNREADABLE = {
  deleted: "The result was deleted after it was read, or at the end of its retention period.",
  "too large":
    "The result is too large to be read in parts. Read it with GET /v1/jobs/{id}, or request less: only the format markdown, or a part of the page.",
};

/** Shows a part of the result of a completed job. */
export async function showJob(
  env: Env,
  { job, meta, source, data, options }: Ended,
  { waitUntil }: Pick<ToolCall, "waitUntil">,
): Promise<ToolResult> {
  const facts = { job_id: job.id, status: "completed" };
  if (data === null || data === "too large") return toResult({ facts, notes: [UNREADABLE[data ?? "deleted"]] });
  const part = selectOrOutline({ endpoint: job.endpoint, data, meta }, options);
  const more = part.facts.next_offset ?? null;
  const section = options.section === undefined ? "" : " and the same section";
  const notes = more === null ? [] : [`To read on for free, call read with id ${job.id}, offset ${more}${section}.`];
  if (job.isTemporary && part.isEnd) waitUntil(discardResult(env, job));
  const result = toResult({
    facts: { ...facts, ...toFacts(meta), ...part.facts },
    untrusted: { source, text: part.text },
    notes: [...notes, ...part.notes],
    images: part.isStart && typeof data.screenshot_url === "string" ? await readScreenshot(env, job.id) : [],
  });
  return part.error === undefined ? result : { ...result, isError: true };
}

/** Returns the screenshot of a job as an image. Returns nothing if it is too large: the result has a link to it. */
async function readScreenshot(env: Env, jobId: string): Promise<ImageContent[]> {
  const object = await getScreenshot(env.STORE, jobId);
  if (object === null) return [];
  if (object.size > MAX_TOOL_IMAGE_BYTES) {
    await object.body.cancel();
    return [];
  }
  const data = Buffer.from(await object.arrayBuffer()).toString("base64");
  return [{ type: "image", data, mimeType: toScreenshotFile(object.httpMetadata?.contentType).contentType }];
}

export function inProgress(job: Job): ToolResult {
  const { job_id, status } = toJobRecord(job);
  const note = "The job continues in the background. Call read with this id and wait: 30.";
  return toResult({ facts: { job_id, status }, notes: [note] });
}
