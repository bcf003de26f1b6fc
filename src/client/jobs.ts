import { ExtractionError, toJobError, withJob } from "./errors";
import { getPage, iterate, type Page, type PageQuery } from "./listing";
import { pause } from "./pause";
import type { CallOptions, Transport } from "./transport";
import type { Endpoint, JobMeta, JobRecord, JobStatus } from "./wire";

/** What an extraction came to. */
export interface JobResult<Data = Record<string, unknown>, Meta = JobMeta> {
  data: Data;
  meta: Meta;
  job_id: string;
}

export interface Job<Data = Record<string, unknown>, Meta = JobRecord["meta"]>
  extends Omit<JobRecord, "result" | "meta"> {
  /** Of a completed job. null: its time is over; in lists also: it is larger than 16 KB. */
  result?: Data | null | undefined;
  meta?: Meta | undefined;
}

export interface JobQuery extends PageQuery {
  status?: JobStatus | undefined;
  endpoint?: Endpoint | undefined;
}

export interface WaitOptions extends CallOptions {
  /** In all; then a `wait_timeout` that names the job. Default: until it ends, as every job does. */
  maxWaitMs?: number | undefined;
}

/** Asynchronous work; all of it takes the scope `jobs`. */
export class Jobs {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** As it stands. */
  get<Data = Record<string, unknown>>(id: string, options?: CallOptions): Promise<Job<Data>> {
    return this.#read(id, 0, options);
  }

  /** Once it has ended, completed or failed. */
  async wait<Data = Record<string, unknown>>(id: string, options: WaitOptions = {}): Promise<Job<Data>> {
    const { maxWaitMs = Number.POSITIVE_INFINITY, signal } = options;
    const began = Date.now();
    const deadline = began + maxWaitMs;
    // A held answer must come before its try is given up.
    const holdMs = this.#transport.timeoutOf(options) / 2;
    for (;;) {
      const asked = Date.now();
      const job = await this.#read<Data>(id, toHoldSeconds(Math.min(deadline - asked, holdMs)), options);
      if (job.status === "completed" || job.status === "failed") return job;
      if (asked >= deadline) {
        const message = `The job ${id} has not ended yet.`;
        throw new ExtractionError("wait_timeout", message, { jobId: id, retryable: true });
      }
      // One last look at the deadline.
      const next = Math.min(asked + toPollPause(asked - began), deadline);
      await pause(Math.max(0, next - Date.now()), signal);
    }
  }

  /** What it came to, once it has ended; throws its error when it failed. */
  async result<Data = Record<string, unknown>, Meta = JobMeta>(
    id: string,
    options?: WaitOptions,
  ): Promise<JobResult<Data, Meta>> {
    const job = await this.wait<Data>(id, options);
    if (job.error !== undefined) throw toJobError(job.error, id);
    if (job.result == null) {
      throw new ExtractionError("result_expired", `The result of the job ${id} is no longer kept.`, { jobId: id });
    }
    return { data: job.result, meta: job.meta as Meta, job_id: id };
  }

  page(query: JobQuery = {}, options?: CallOptions): Promise<Page<Job>> {
    return getPage(this.#transport, "/jobs", { ...query }, options);
  }

  /**
   * Newest first, page after page; `for await` asks for a page when it gets there. With a `status`, jobs that leave it
   * meanwhile move the others up: one may be missed.
   */
  list(query: JobQuery = {}, options?: CallOptions): AsyncGenerator<Job, void, undefined> {
    const readPage = (offset: number) => this.page({ ...query, offset }, options);
    return iterate(readPage, { offset: query.offset, id: (job) => job.job_id });
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

/** A job that was sent on its way. */
export class JobHandle<Data = Record<string, unknown>, Meta = JobMeta> {
  readonly id: string;
  readonly #jobs: Jobs;

  constructor(jobs: Jobs, id: string) {
    this.#jobs = jobs;
    this.id = id;
  }

  get(options?: CallOptions): Promise<Job<Data>> {
    return this.#jobs.get(this.id, options);
  }

  /** Once it has ended, completed or failed. */
  wait(options?: WaitOptions): Promise<Job<Data>> {
    return this.#jobs.wait(this.id, options);
  }

  /** What it came to, once it has ended; throws its error when it failed. */
  result(options?: WaitOptions): Promise<JobResult<Data, Meta>> {
    return this.#jobs.result(this.id, options);
  }
}

/**
 * The service holds each answer until the job has ended, which tells of the end within a second and takes a quarter of the
 * requests that polling does. Not for longer: a Worker, and a page on HTTP/1.1, has six connections for all it does.
 */
const HOLD_S = 10;

function toHoldSeconds(leftMs: number): number {
  return Math.max(0, Math.min(HOLD_S, Math.floor(leftMs / 1_000)));
}

/** Where an answer isn't held, the rhythm that the contract advises: every second for five, then every three. */
function toPollPause(elapsedMs: number): number {
  return elapsedMs < 5_000 ? 1_000 : 3_000;
}
