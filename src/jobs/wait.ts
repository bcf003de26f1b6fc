import { now, sleep } from "../lib/clock";
import type { StoredJob } from "../model/job";
import { getJob } from "../store/jobs";

const FIRST_LOOK_MS = 100;
const MAX_LOOK_MS = 1_000;

/** The job once it has ended, or as it stands at `until` (Unix ms); null when there is none. */
export async function waitForEnd(env: Env, jobId: string, until: number): Promise<StoredJob | null> {
  for (let pause = FIRST_LOOK_MS; ; pause = Math.min(pause * 1.5, MAX_LOOK_MS)) {
    const job = await getJob(env.DB, jobId);
    const left = until - now();
    if (job === null || job.endedAt !== null || left <= 0) return job;
    await sleep(Math.min(pause, left));
  }
}
