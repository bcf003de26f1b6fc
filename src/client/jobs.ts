import { ExtractionError, toJobError, withJob } from "./errors";
import { getPage, iterate, type Page, type PageQuery, type PageStart } from "./pagination";
import type { CallOptions, Transport } from "./transport";
import { sleep } from "./transport";
import type { Endpoint, JobMeta, JobRecord, JobStatus } from "./wire";

/** The result of an extraction. */
export interface JobResult<Data = Record<string, unknown>, Meta = JobMeta> {
  data: Data;
  meta: Meta;
  job_id: string;
}

export interface Job<Data = Record<string, unknown>, Meta = JobRecord["meta"]>
  extends Omit<JobRecord, "result" | "meta"> {
  /**
   * The result of a completed job; not set otherwise. Null if the result has expired or, in lists, if it is larger than
   * 16 KB.
   */
  result?: Data | null | undefined;
  meta?: Meta | undefined;
}

export interface JobQuery extends PageQuery {
  status?: JobStatus | undefined;
  endpoint?: Endpoint | undefined;
  /**
   * Lists only jobs that this key created. The value is the key's id, or `dashboard` for jobs of the dashboard. A test
   * key lists only its own jobs.
   */
  key_id?: string | undefined;
  /** Lists only failed jobs with this error code. */
  code?: string | undefined;
  /** Lists only completed jobs with this kind of page, such as `ok` or `login`. */
  outcome?: string | undefined;
  /** Lists only jobs that were created at this time (ISO 8601) or later. A date means its start in UTC. */
  from?: string | undefined;
  /** Lists only jobs that were created before this time (ISO 8601). A date includes the whole day in UTC. */
  to?: string | undefined;
  /** Lists only jobs whose URL or search query contains this text. */
  q?: string | undefined;
  /** The `next_cursor` of an earlier page. Use it to read beyond the largest offset, 10,000. */
  cursor?: string | undefined;
}

export interface WaitOptions extends CallOptions {
  /**
   * The maximum total wait, in milliseconds. After this time, the call throws a `wait_timeout` error with the job's id.
   * Default: no limit.
   */
  maxWaitMs?: number | undefined;
}

/** Asynchronous jobs. Every method requires the scope `jobs`. */
export class Jobs {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Returns the job in its current status. */
  get<Data = Record<string, unknown>>(id: string, options?: CallOptions): Promise<Job<Data>> {
    return this.#read(id, 0, options);
  }

  /** Waits until the job has completed or failed. */
  async wait<Data = Record<string, unknown>>(id: string, options: WaitOptions = {}): Promise<Job<Data>> {
    const { maxWaitMs = Number.POSITIVE_INFINITY, signal } = options;
    const startedAt = Date.now();
    const deadline = startedAt + maxWaitMs;
    // Lets the service hold the response for at most half of the timeout. The response then arrives before the attempt
    // times out.
    const holdMs = this.#transport.timeoutOf(options) / 2;
    for (;;) {
      const requestedAt = Date.now();
      const job = await this.#read<Data>(id, toHoldSeconds(Math.min(deadline - requestedAt, holdMs)), options);
      if (job.status === "completed" || job.status === "failed") return job;
      if (requestedAt >= deadline) {
        const message = `The job ${id} has not ended within ${maxWaitMs} ms. It continues, so read it later.`;
        throw new ExtractionError("wait_timeout", message, { jobId: id, retryable: true });
      }
      // The last request is sent at the deadline.
      const next = Math.min(requestedAt + toPollDelay(requestedAt - startedAt), deadline);
      await sleep(Math.max(0, next - Date.now()), signal);
    }
  }

  /** Waits for the job and returns its result. Throws the job's error if it failed. */
  async result<Data = Record<string, unknown>, Meta = JobMeta>(
    id: string,
    options?: WaitOptions,
  ): Promise<JobResult<Data, Meta>> {
    const job = await this.wait<Data>(id, options);
    if (job.error !== undefined) throw toJobError(job.error, id);
    if (job.result == null) {
      throw new ExtractionError("result_expired", `The result of the job ${id} has expired.`, { jobId: id });
    }
    return { data: job.result, meta: job.meta as Meta, job_id: id };
  }

  /** Returns one page of jobs, newest first. */
  page(query: JobQuery = {}, options?: CallOptions): Promise<Page<Job>> {
    return getPage(this.#transport, "/jobs", { ...query }, options);
  }

  /** Iterates over all jobs, newest first. Requests each page when it is needed. Doesn't include jobs created later. */
  list(query: JobQuery = {}, options?: CallOptions): AsyncGenerator<Job, void, undefined> {
    const { offset, cursor, ...filter } = query;
    const readPage = (start: PageStart) => this.page({ ...filter, ...start }, options);
    return iterate(readPage, { start: cursor === undefined ? { offset } : { cursor }, id: (job) => job.job_id });
  }

  async #read<Data>(id: string, holdSeconds: number, options: CallOptions | undefined): Promise<Job<Data>> {
    const path = `/jobs/${encodeURIComponent(id)}`;
    const query = holdSeconds > 0 ? { wait: holdSeconds } : {};
    const call = { method: "GET", path, query, options } as const;
    try {
      const { success: _, ...job } = await this.#transport.call<Job<Data> & { success: true }>(call);
      return job as Job<Data>;
    } catch (error) {
      throw withJob(error, id);
    }
  }
}

/** A started job. */
export class JobHandle<Data = Record<string, unknown>, Meta = JobMeta> {
  readonly id: string;
  readonly #jobs: Jobs;

  constructor(jobs: Jobs, id: string) {
    this.#jobs = jobs;
    this.id = id;
  }

  /** Returns the job in its current status. */
  get(options?: CallOptions): Promise<Job<Data>> {
    return this.#jobs.get(this.id, options);
  }

  /** Waits until the job has completed or failed. */
  wait(options?: WaitOptions): Promise<Job<Data>> {
    return this.#jobs.wait(this.id, options);
  }

  /** Waits for the job and returns its result. Throws the job's error if it failed. */
  result(options?: WaitOptions): Promise<JobResult<Data, Meta>> {
    return this.#jobs.result(this.id, options);
  }
}

/**
 * The maximum `?wait=` of a request for a job, in seconds. The service holds the response until the job ends, so a wait
 * takes a quarter of the requests that polling takes. The value is low, because a held request occupies one of only six
 * connections of a Worker, or of a page that uses HTTP/1.1.
 */
const HOLD_S = 10;

function toHoldSeconds(remainingMs: number): number {
  return Math.max(0, Math.min(HOLD_S, Math.floor(remainingMs / 1_000)));
}

/** Returns the polling interval that the API reference recommends: 1 second for the first 5 seconds, then 3 seconds. */
function toPollDelay(elapsedMs: number): number {
  return elapsedMs < 5_000 ? 1_000 : 3_000;
}
