import {
  BatchHandle,
  type CrawlHandle,
  type CrawlSiteRequest,
  type CrawlStart,
  type ParseBatchRequest,
  type ScrapeBatchRequest,
  type Starting,
  toIterable,
} from "./batches";
import { JobHandle, type JobResult, Jobs } from "./jobs";
import { Keys } from "./keys";
import { iterateParts } from "./pagination";
import { Schemas } from "./schemas";
import { type CallOptions, type ClientOptions, Transport } from "./transport";
import type { WaitOptions } from "./waiting";
import { Webhooks } from "./webhooks";
import type {
  Accepted,
  Batch,
  BatchAccepted,
  BatchDryRun,
  BatchQuery,
  Crawl,
  CrawlAccepted,
  DryRun,
  Endpoint,
  MapData,
  MapMeta,
  MapRequest,
  ParseData,
  ParseMeta,
  ParseRequest,
  ScrapeData,
  ScrapeMeta,
  ScrapeRequest,
  SerpData,
  SerpHealth,
  SerpMeta,
  SerpRequest,
  SkippedQuery,
  SkippedUrl,
  Usage,
  UsageQuery,
  ViewOptions,
} from "./wire";

export interface StartOptions extends CallOptions {
  /**
   * The key that prevents a retry from creating a second job. Default: a random key for each call, which covers the
   * client's own retries. Set the key if you retry calls yourself.
   */
  idempotencyKey?: string | undefined;
}

/** Options of calls that wait for the result. The first request can take 60 seconds, even if `maxWaitMs` is shorter. */
export interface ExtractOptions extends StartOptions, WaitOptions {}

/** A request that creates a job. For a dry run, use the method `dryRun`. */
type Runnable<Body> = Omit<Body, "dry_run">;

interface Requests {
  scrape: ScrapeRequest;
  parse: ParseRequest;
  serp: SerpRequest;
  map: MapRequest;
}

interface ManyRequests {
  batch: ScrapeBatchRequest | ParseBatchRequest;
  crawl: CrawlSiteRequest;
}

type ExtractResponse<Data, Meta> = ({ success: true } & JobResult<Data, Meta>) | Accepted;

/** A client with one API key. The fields of requests and results have the names of the API reference. */
export class ExtractionClient {
  readonly jobs: Jobs;
  readonly keys: Keys;
  readonly schemas: Schemas;
  readonly webhooks: Webhooks;
  readonly #transport: Transport;

  constructor(options: ClientOptions) {
    this.#transport = new Transport(options);
    this.jobs = new Jobs(this.#transport);
    this.keys = new Keys(this.#transport);
    this.schemas = new Schemas(this.#transport);
    this.webhooks = new Webhooks(this.#transport);
  }

  /** Scrapes a page and waits for the result. Throws an `ExtractionError` if the job fails. */
  scrape(request: Runnable<ScrapeRequest>, options?: ExtractOptions): Promise<JobResult<ScrapeData, ScrapeMeta>> {
    return this.#extract("scrape", request, options);
  }

  /**
   * Extracts data from a page. If `schema` is given, the service validates the data against it. `strategy` selects if a
   * language model is called.
   */
  parse<Data = ParseData>(
    request: Runnable<ParseRequest>,
    options?: ExtractOptions,
  ): Promise<JobResult<Data, ParseMeta>> {
    return this.#extract("parse", request, options);
  }

  /** Searches with a search engine and waits for the results. */
  serp(request: Runnable<SerpRequest>, options?: ExtractOptions): Promise<JobResult<SerpData, SerpMeta>> {
    return this.#extract("serp", request, options);
  }

  /** Lists the URLs of a site, from its sitemaps, the links of the page and its feeds. */
  map(request: Runnable<MapRequest>, options?: ExtractOptions): Promise<JobResult<MapData, MapMeta>> {
    return this.#extract("map", request, options);
  }

  /**
   * Checks a request and returns its highest price and the method that it would use. Creates no job. Throws the
   * `ExtractionError` with which the request would be refused.
   */
  dryRun<E extends Endpoint>(endpoint: E, request: Requests[E], options?: CallOptions): Promise<DryRun>;
  /** Checks the request of a batch or crawl, and returns the highest price of all its pages. Creates nothing. */
  dryRun<K extends keyof ManyRequests>(kind: K, request: ManyRequests[K], options?: CallOptions): Promise<BatchDryRun>;
  dryRun(endpoint: string, request: object, options?: CallOptions): Promise<DryRun | BatchDryRun> {
    const body = toSent({ ...request, dry_run: true });
    return this.#transport.readData({ method: "POST", path: `/${endpoint}`, body, options });
  }

  /** Starts an asynchronous scrape. Read its result with the returned handle, or receive it with a webhook. */
  startScrape(request: Runnable<ScrapeRequest>, options?: StartOptions): Promise<JobHandle<ScrapeData, ScrapeMeta>> {
    return this.#start("scrape", request, options);
  }

  /** Starts an asynchronous parse. */
  startParse<Data = ParseData>(
    request: Runnable<ParseRequest>,
    options?: StartOptions,
  ): Promise<JobHandle<Data, ParseMeta>> {
    return this.#start("parse", request, options);
  }

  /** Starts an asynchronous search. */
  startSerp(request: Runnable<SerpRequest>, options?: StartOptions): Promise<JobHandle<SerpData, SerpMeta>> {
    return this.#start("serp", request, options);
  }

  /** Starts an asynchronous map. */
  startMap(request: Runnable<MapRequest>, options?: StartOptions): Promise<JobHandle<MapData, MapMeta>> {
    return this.#start("map", request, options);
  }

  /**
   * Starts a batch. Each of its requests becomes a page, which is a job. Await the handle, or iterate over the call to get
   * the pages as they end.
   */
  batch(request: ScrapeBatchRequest, options?: StartOptions): Starting<BatchHandle<ScrapeData>>;
  batch<Data = ParseData>(request: ParseBatchRequest, options?: StartOptions): Starting<BatchHandle<Data>>;
  batch(request: ScrapeBatchRequest | ParseBatchRequest, options?: StartOptions): Starting<BatchHandle<unknown>> {
    return toIterable(this.#startBatch(request, options));
  }

  /** Returns the handle of a batch that was started earlier, for example by another process. Sends no request. */
  openBatch<Data = ScrapeData>(id: string): BatchHandle<Data> {
    return new BatchHandle<Data>(this.#transport, { kind: "batch", id, accepted: null });
  }

  /**
   * Starts a crawl of a site. Each visited page is a scrape. Await the handle, or iterate over the call to get the pages as
   * they end.
   */
  crawl(request: CrawlSiteRequest, options?: StartOptions): Starting<CrawlHandle> {
    return toIterable(this.#startCrawl(request, options));
  }

  /** Returns the handle of a crawl that was started earlier. Sends no request. */
  openCrawl(id: string): CrawlHandle {
    return new BatchHandle<ScrapeData, Crawl, CrawlStart>(this.#transport, { kind: "crawl", id, accepted: null });
  }

  /** Yields the batches of the key's account and mode, newest first. */
  listBatches(query: BatchQuery = {}, options?: CallOptions): AsyncGenerator<Batch, void, undefined> {
    return iterateParts(this.#transport, "/batch", query, options);
  }

  /** Yields the crawls of the key's account and mode, newest first. */
  listCrawls(query: BatchQuery = {}, options?: CallOptions): AsyncGenerator<Crawl, void, undefined> {
    return iterateParts(this.#transport, "/crawl", query, options);
  }

  /** Yields the URLs that a crawl has found and doesn't visit, for example those that robots.txt doesn't allow. */
  listSkipped(
    id: string,
    query: SkippedQuery = {},
    options?: CallOptions,
  ): AsyncGenerator<SkippedUrl, void, undefined> {
    return iterateParts(this.#transport, `/crawl/${encodeURIComponent(id)}/skipped`, query, options);
  }

  /** Returns the balance, the current period and the usage, by default of the last 31 days. Requires the scope `jobs`. */
  usage(query: UsageQuery & CallOptions = {}, options: CallOptions = {}): Promise<Usage> {
    const { from, to, group_by, ...earlier } = query;
    return this.#transport.readData({
      method: "GET",
      path: "/usage",
      query: { from, to, group_by: group_by?.join(",") },
      options: { ...earlier, ...options },
    });
  }

  /** Returns the hourly checks of the search engines in the last day. Empty if the operator hasn't enabled them. */
  serpHealth(options?: CallOptions): Promise<SerpHealth> {
    return this.#transport.readData({ method: "GET", path: "/serp/health", options });
  }

  async #extract<Data, Meta>(
    endpoint: Endpoint,
    request: object,
    options: ExtractOptions = {},
  ): Promise<JobResult<Data, Meta>> {
    const startedAt = Date.now();
    const response = await this.#post<Data, Meta>(endpoint, request, { wait: true }, options);
    if ("data" in response) return { data: response.data, meta: response.meta, job_id: response.job_id };
    const { maxWaitMs = Number.POSITIVE_INFINITY } = options;
    const remainingMs = Math.max(0, startedAt + maxWaitMs - Date.now());
    const view = endpoint === "scrape" ? viewOf(request) : {};
    return await this.jobs.result<Data, Meta>(response.job_id, { ...options, view, maxWaitMs: remainingMs });
  }

  async #start<Data, Meta>(endpoint: Endpoint, request: object, options: StartOptions | undefined) {
    const { job_id } = await this.#post<Data, Meta>(endpoint, request, {}, options);
    return new JobHandle<Data, Meta>(this.jobs, job_id);
  }

  async #startBatch<Data>(request: object, options: StartOptions | undefined) {
    const accepted = await this.#create<BatchAccepted>("/batch", request, options);
    return new BatchHandle<Data>(this.#transport, { kind: "batch", id: accepted.batch_id, accepted });
  }

  async #startCrawl(request: CrawlSiteRequest, options: StartOptions | undefined): Promise<CrawlHandle> {
    const accepted = await this.#create<CrawlAccepted>("/crawl", request, options);
    const source = { kind: "crawl", id: accepted.crawl_id, accepted } as const;
    return new BatchHandle<ScrapeData, Crawl, CrawlStart>(this.#transport, source);
  }

  async #create<Body extends { success: true }>(path: string, body: object, options: StartOptions = {}) {
    const { idempotencyKey = newIdempotencyKey(), ...others } = options;
    const call = { method: "POST", path, body, idempotencyKey, options: others } as const;
    const { success: _, ...accepted } = await this.#transport.call<Body>(call);
    return accepted;
  }

  #post<Data, Meta>(endpoint: Endpoint, request: object, query: { wait?: true }, options: StartOptions = {}) {
    const { idempotencyKey = newIdempotencyKey() } = options;
    const call = {
      method: "POST",
      path: `/${endpoint}`,
      query,
      body: toSent(request),
      idempotencyKey,
      options,
    } as const;
    return this.#transport.call<ExtractResponse<Data, Meta>>(call);
  }
}

/** Returns the body of a request: a form if the request has a file. */
function toSent(request: object): object {
  const { file, ...options } = request as Pick<ScrapeRequest, "file">;
  if (file === undefined) return request;
  const { data, name } = "data" in file ? file : { data: file, name: "name" in file ? String(file.name) : "file" };
  const form = new FormData();
  form.append("file", data instanceof Blob ? data : new Blob([new Uint8Array(data)]), name);
  form.append("options", JSON.stringify(options));
  return form;
}

const VIEW_FIELDS: { [Name in keyof ViewOptions]-?: true } = {
  ...{ max_chars: true, max_tokens: true, offset: true, outline: true, section: true, query: true, max_passages: true },
};

/** Returns the fields of a scrape that select a part of its text. */
function viewOf(request: object): ViewOptions {
  return Object.fromEntries(Object.entries(request).filter(([name]) => Object.hasOwn(VIEW_FIELDS, name)));
}

/** Returns 128 random bits in hex. Doesn't use `crypto.randomUUID`, because browsers don't offer it on http: pages. */
function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
