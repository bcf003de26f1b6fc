import { log, toLogged, writeDataPoint } from "../lib/log";
import type { Mode } from "../model/api-key";
import type { Endpoint } from "../model/endpoint";
import { type Job, wasRendered } from "../model/job";

/** The event of an ended job. It has no page content, and only the host of the target's URL. Times are Unix ms. */
export interface JobEvent {
  job: string;
  account: string;
  key: string;
  mode: Mode;
  endpoint: Endpoint;
  rendered: boolean;
  status: "completed" | "failed";
  /** The page type of a completed job, such as `ok`. Empty if the job failed. */
  outcome: string;
  /** The error code of a failed job. Empty if the job completed. */
  code: string;
  /** The host of the target's URL. Empty for a search, and for a request that contains its own HTML. */
  host: string;
  processingMs: number;
  /** The time from the job's creation to its end, minus `processingMs`. */
  queueMs: number;
  credits: number;
  runs: number;
  endedAt: number;
}

/** Returns the event of a job, or null if the job hasn't ended. */
export function toJobEvent(job: Job): JobEvent | null {
  if (job.endedAt === null || (job.status !== "completed" && job.status !== "failed")) return null;
  const processingMs = job.processingTimeMs ?? 0;
  return {
    job: job.id,
    account: job.account.id,
    key: job.keyId,
    mode: job.mode,
    endpoint: job.endpoint,
    rendered: wasRendered(job),
    status: job.status,
    outcome: job.outcome ?? "",
    code: job.error?.code ?? "",
    host: toHost(job),
    processingMs,
    queueMs: Math.max(0, job.endedAt - job.createdAt - processingMs),
    credits: job.creditsUsed,
    runs: job.run,
    endedAt: job.endedAt,
  };
}

function toHost({ endpoint, subject }: Job): string {
  // The subject of a search is its query. The query isn't parsed, because it can look like a URL.
  if (endpoint === "serp" || subject === null) return "";
  return URL.parse(subject)?.hostname ?? "";
}

/**
 * Writes the event of an ended job to Analytics Engine, and also to the event log if LOCAL_EVENTS is on. Never throws.
 * Don't change the order of the blobs and doubles: queries use their positions (scripts/jobs.ts).
 */
export async function writeJobEvent(env: Env, job: Job): Promise<void> {
  const event = toJobEvent(job);
  if (event === null) return;
  const { account, key, mode, endpoint, rendered, status, outcome, code, host } = event;
  writeDataPoint(env, {
    account,
    blobs: ["job", endpoint, status, code, mode, rendered ? "rendered" : "plain", key, outcome, host, event.job],
    doubles: [event.processingMs, event.queueMs, event.credits, event.runs],
  });
  if (env.LOCAL_EVENTS !== "on") return;
  try {
    await env.EVENT_LOG.getByName(EVENT_LOG_NAME).write(event);
  } catch (error) {
    log("warn", "not_counted", toLogged(error));
  }
}

/** The name of the only Durable Object of the class `EventLog`. */
export const EVENT_LOG_NAME = "events";
