import { ExtractionError } from "./errors";
import { Jobs } from "./jobs";
import { readEndedPages } from "./page-feed";
import type { CallOptions, Transport } from "./transport";
import { type WaitOptions, waitForEnd } from "./waiting";
import type {
  Batch,
  BatchAccepted,
  BatchPageRecord,
  BatchRequest,
  Crawl,
  CrawlAccepted,
  CrawlRequest,
  ParseRequest,
  ScrapeData,
  ScrapeRequest,
} from "./wire";

/** A page of a batch or crawl with its complete result. */
export interface BatchPage<Data = ScrapeData> extends Omit<BatchPageRecord, "result" | "result_truncated" | "job_id"> {
  job_id: string;
  /** The result of a completed page. Null if it has expired. */
  result?: Data | null | undefined;
}

type Options<Request> = Partial<Omit<Request, "url" | "html" | "webhook_url" | "dry_run" | "capture_id" | "file">>;

interface BatchOf<Endpoint extends "scrape" | "parse", Request>
  extends Omit<BatchRequest, "endpoint" | "requests" | "defaults" | "dry_run"> {
  endpoint: Endpoint;
  /** The pages. Their options replace those of `defaults`. */
  requests: readonly ({ url: string } & Options<Request>)[];
  /** Options that all pages share. */
  defaults?: Options<Request> | undefined;
}

/** The request of a batch of scrapes. */
export type ScrapeBatchRequest = BatchOf<"scrape", ScrapeRequest>;
/** The request of a batch of parses. */
export type ParseBatchRequest = BatchOf<"parse", ParseRequest>;

/** The request of a crawl. */
export interface CrawlSiteRequest extends Omit<CrawlRequest, "scrape" | "dry_run"> {
  /** The options of a scrape for each page. */
  scrape?: Omit<Options<ScrapeRequest>, "metadata" | "tags"> | undefined;
}

/** The response to the request that started a batch. */
type Start = Omit<BatchAccepted, "success">;
/** The response to the request that started a crawl. */
export type CrawlStart = Omit<CrawlAccepted, "success">;

interface BatchOrCrawl<Accepted> {
  kind: "batch" | "crawl";
  id: string;
  accepted: Accepted | null;
}

/** A started batch or crawl. Iterating over it yields its pages, as `pages` does. */
export class BatchHandle<Data = ScrapeData, Status extends Pick<Batch, "status" | "error"> = Batch, Accepted = Start>
  implements AsyncIterable<BatchPage<Data>>
{
  readonly id: string;
  /**
   * The response to the request, with the highest price. Null if the handle was opened by the id of the batch or crawl.
   */
  readonly accepted: Accepted | null;
  readonly #transport: Transport;
  readonly #kind: "batch" | "crawl";

  constructor(transport: Transport, { kind, id, accepted }: BatchOrCrawl<Accepted>) {
    this.#transport = transport;
    this.#kind = kind;
    this.id = id;
    this.accepted = accepted;
  }

  /** Returns the progress: the counts and credits of all pages. */
  status(options?: CallOptions): Promise<Status> {
    return this.#read(0, options);
  }

  /** Waits until all pages have ended, or until the batch or crawl was canceled or ran out of credits. */
  wait(options: WaitOptions = {}): Promise<Status> {
    const timeoutMs = this.#transport.timeoutOf(options);
    const read = (holdSeconds: number) => this.#read(holdSeconds, options);
    const name = `${this.#kind} ${this.id}`;
    return waitForEnd({ name, jobId: null, timeoutMs, read }, options);
  }

  /**
   * Yields each page once, with its complete result, as soon as it has ended. A failed page has an `error`. Ends when
   * all pages have ended. If the batch or crawl was canceled or ran out of credits, throws its error after the last
   * ended page.
   */
  async *pages(options: CallOptions = {}): AsyncGenerator<BatchPage<Data>, void, undefined> {
    const jobs = new Jobs(this.#transport);
    const source = { transport: this.#transport, path: this.#path(), options };
    for await (const { result_truncated, job_id, ...page } of readEndedPages(source)) {
      // Lists of pages omit very large results, so these are read from the job.
      const { result } = result_truncated === true ? await jobs.get(job_id, options) : page;
      yield { ...page, job_id, ...(result !== undefined && { result }) } as BatchPage<Data>;
    }
    const { error } = await this.status(options);
    if (error !== undefined) {
      const { code, message, hint, doc_url: docUrl } = error;
      throw new ExtractionError(code, message, { hint, docUrl });
    }
  }

  /**
   * Cancels the batch or crawl and returns it. Unfinished pages stop and aren't charged. Has no effect if the batch or
   * crawl has ended.
   */
  cancel(options?: CallOptions): Promise<Status> {
    return this.#change("DELETE", "", options);
  }

  /**
   * Continues a batch or crawl that stopped because of its key, or because the account couldn't pay for the next page.
   * Has no effect on other batches and crawls.
   */
  resume(options?: CallOptions): Promise<Status> {
    return this.#change("POST", "/resume", options);
  }

  [Symbol.asyncIterator](): AsyncGenerator<BatchPage<Data>, void, undefined> {
    return this.pages();
  }

  #path(): string {
    return `/${this.#kind}/${encodeURIComponent(this.id)}`;
  }

  async #read(holdSeconds: number, options: CallOptions | undefined): Promise<Status> {
    const query = { limit: 1, results: "none", ...(holdSeconds > 0 && { wait: holdSeconds }) };
    const call = { method: "GET", path: this.#path(), query, options } as const;
    const { success: _, pages: _1, next_cursor: _2, ...batch } = await this.#transport.call<Body>(call);
    return batch as unknown as Status;
  }

  async #change(method: "DELETE" | "POST", suffix: string, options: CallOptions | undefined): Promise<Status> {
    const call = { method, path: `${this.#path()}${suffix}`, options };
    const { success: _, ...batch } = await this.#transport.call<Body>(call);
    return batch as unknown as Status;
  }
}

/** A started crawl. Iterating over it yields its pages as they end. `status` also has the number of found URLs. */
export type CrawlHandle = BatchHandle<ScrapeData, Crawl, CrawlStart>;

type Body = { success: true; pages?: unknown; next_cursor?: string } & Partial<Batch>;

/**
 * The promise of a handle. Iterating over the promise yields the pages, so the caller doesn't have to await the handle
 * first.
 */
export type Starting<Handle> = Promise<Handle> &
  (Handle extends AsyncIterable<infer Page> ? AsyncIterable<Page> : never);

/** Makes the promise of a handle iterable. */
export function toIterable<Data, Status extends Pick<Batch, "status" | "error">, Accepted>(
  handle: Promise<BatchHandle<Data, Status, Accepted>>,
): Promise<BatchHandle<Data, Status, Accepted>> & AsyncIterable<BatchPage<Data>> {
  return Object.assign(handle, {
    async *[Symbol.asyncIterator]() {
      yield* await handle;
    },
  });
}
