import type { Job } from "../../../model/job";
import { MAX_PREVIEW_BYTES } from "../../../model/limits";
import { openRequest, readSmall } from "../../../store/objects";

const MAX_TEXT_CHARS = 20_000;
const MAX_HTML_CHARS = 2_000;

/** The request of a job, with long fields shortened. */
export interface RequestPreview {
  request: Record<string, unknown>;
  /** The names of the shortened fields. */
  shortened: string[];
}

/** Returns the request of a job, null if it has expired, or "too large" if it exceeds MAX_PREVIEW_BYTES. */
export async function readRequestPreview(env: Env, job: Job): Promise<RequestPreview | "too large" | null> {
  const json = job.request ?? (await readStoredRequest(env, job.id));
  if (json === null || json === "too large") return json;
  const shortened: string[] = [];
  const fields = Object.entries(JSON.parse(json) as Record<string, unknown>).map(([name, value]) => {
    const limit = name === "html" ? MAX_HTML_CHARS : MAX_TEXT_CHARS;
    if (typeof value !== "string" || value.length <= limit) return [name, value];
    shortened.push(name);
    return [name, `${value.slice(0, limit)}…`];
  });
  return { request: Object.fromEntries(fields), shortened };
}

async function readStoredRequest(env: Env, jobId: string): Promise<string | null> {
  const object = await openRequest(env.STORE, jobId);
  return object === null ? null : await readSmall(object, MAX_PREVIEW_BYTES);
}
