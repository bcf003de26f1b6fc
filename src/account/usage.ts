import { toIso } from "../lib/clock";
import type { Mode } from "../model/api-key";
import type { Endpoint } from "../model/endpoint";
import { bucketOf } from "./histogram";
import type { Transaction } from "./transaction";

/** A job that has ended, as usage counts it. */
export interface EndedJob {
  mode: Mode;
  /** Unix ms. Usage counts a job on the day on which it was created. */
  createdAt: number;
  keyId: string;
  endpoint: Endpoint;
  /** The outcome of a completed job, such as ok, or the error's code. */
  code: string;
  failed: boolean;
  credits: number;
  durationMs: number;
}

/** Counts a job that has ended. Writes one row. */
export function recordUsage(tx: Transaction, job: EndedJob): void {
  const bucket = `$."${bucketOf(job.durationMs)}"`;
  tx.run(
    `INSERT INTO usage (mode, date, key_id, endpoint, code, failed, requests, credits, durations)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, 1, ?7, json_set('{}', ?8, 1))
     ON CONFLICT DO UPDATE SET requests = requests + 1, credits = credits + excluded.credits,
       durations = json_set(durations, ?8, COALESCE(json_extract(durations, ?8), 0) + 1)`,
    job.mode,
    toIso(job.createdAt).slice(0, 10),
    job.keyId,
    job.endpoint,
    job.code,
    job.failed ? 1 : 0,
    job.credits,
    bucket,
  );
}
