import { ExtractionError, toJobError, withJob } from "./errors";
import { getPage, iterate, type Page, type PageQuery, type PageStart } from "./pagination";
import type { CallOptions, Transport } from "./transport";
import { type WaitOptions, waitForEnd } from "./waiting";
import type { Endpoint, JobMeta, JobRecord, JobStatus, ViewOptions } from "./wire";

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
  /** Lists only jobs that have this tag, or all these tags. */
  tag?: string | readonly string[] | undefined;
  /** Lists only jobs whose `metadata` has all these values. A number also matches the same number as text. */
  metadata?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** The `next_cursor` of an earlier page. Use it to read beyond the largest offset, 10,000. */
  cursor?: string | undefined;
}

/** Options of a call that reads a job. */
interface ViewOption {
  /** Selects a part of the result's Markdown or text. `meta.next_offset` is the `offset` of the next part. */
  view?: ViewOptions | undefined;
}

/** Asynchronous jobs. Every method requires the scope `jobs`. */
export class Jobs {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Returns the job in its current status. */
  get<Data = Record<string, unknown>>(id: string, options: CallOptions & ViewOption = {}): Promise<Job<Data>> {
    return this.#read(id, 0, options);
  }

  /**
   * Cancels the job and returns it in its final status. Its credits are released. A job that has ended is returned
   * unchanged. Requires the scope of the job's endpoint.
   */
  async cancel<Data = Record<string, unknown>>(id: string, options?: CallOptions): Promise<Job<Data>> {
    const path = `/jobs/${encodeURIComponent(id)}`;
    const call = { method: "DELETE", path, options } as const;
    const { success: _, ...job } = await this.#transport.call<Job<Data> & { success: true }>(call);
    return job as Job<Data>;
  }

  /** Waits until the job has completed or failed. */
  wait<Data = Record<string, unknown>>(id: string, options: WaitOptions & ViewOption = {}): Promise<Job<Data>> {
    const timeoutMs = this.#transport.timeoutOf(options);
    const read = (holdSeconds: number) => this.#read<Data>(id, holdSeconds, options);
    return waitForEnd({ name: `job ${id}`, jobId: id, timeoutMs, read }, options);
  }

  /** Waits for the job and returns its result. Throws the job's error if it failed. */
  async result<Data = Record<string, unknown>, Meta = JobMeta>(
    id: string,
    options?: WaitOptions & ViewOption,
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
    const { metadata = {}, ...filter } = query;
    const values = Object.entries(metadata).map(([key, value]) => [`metadata[${key}]`, value]);
    return getPage(this.#transport, "/jobs", { ...filter, ...Object.fromEntries(values) }, options);
  }

  /** Iterates over all jobs, newest first. Requests each page when it is needed. Doesn't include jobs created later. */
  list(query: JobQuery = {}, options?: CallOptions): AsyncGenerator<Job, void, undefined> {
    const { offset, cursor, ...filter } = query;
    const readPage = (start: PageStart) => this.page({ ...filter, ...start }, options);
    return iterate(readPage, { start: cursor === undefined ? { offset } : { cursor }, id: (job) => job.job_id });
  }

  async #read<Data>(id: string, holdSeconds: number, options: CallOptions & ViewOption): Promise<Job<Data>> {
    const path = `/jobs/${encodeURIComponent(id)}`;
    const query = { ...(holdSeconds > 0 && { wait: holdSeconds }), ...options.view };
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

  /** Cancels the job and returns it in its final status. */
  cancel(options?: CallOptions): Promise<Job<Data>> {
    return this.#jobs.cancel(this.id, options);
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
