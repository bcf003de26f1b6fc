import { JobHandle, type JobResult, Jobs, type WaitOptions } from "./jobs";
import { Keys } from "./keys";
import { type CallOptions, type ClientOptions, Transport } from "./transport";
import { Webhooks } from "./webhooks";
import type {
  Accepted,
  Endpoint,
  JobMeta,
  ParseData,
  ParseMeta,
  ParseRequest,
  ScrapeData,
  ScrapeRequest,
  SerpData,
  SerpHealth,
  SerpMeta,
  SerpRequest,
  Usage,
} from "./wire";

export interface StartOptions extends CallOptions {
  /** Default: a new one for each call, so that its tries make one job. Give your own where you repeat calls yourself. */
  idempotencyKey?: string | undefined;
}

/** With `maxWaitMs` below 60,000 the answer is still held for up to 60 seconds; it bounds the polling that follows. */
export interface ExtractOptions extends StartOptions, WaitOptions {}

type Answer<Data, Meta> = ({ success: true } & JobResult<Data, Meta>) | Accepted;

/** The service, as one API key sees it. Requests and results have the names that the API's reference has. */
export class ExtractionClient {
  readonly jobs: Jobs;
  readonly keys: Keys;
  readonly webhooks: Webhooks;
  readonly #transport: Transport;

  constructor(options: ClientOptions) {
    this.#transport = new Transport(options);
    this.jobs = new Jobs(this.#transport);
    this.keys = new Keys(this.#transport);
    this.webhooks = new Webhooks(this.#transport);
  }

  /** A page in the formats asked for. Waits for the end, however long it takes; throws when the job fails. */
  scrape(request: ScrapeRequest, options?: ExtractOptions): Promise<JobResult<ScrapeData>> {
    return this.#extract("scrape", request, options);
  }

  /** Data from a page, by a language model. `Data` is what you say: the service holds it to `schema`, if there is one. */
  parse<Data = ParseData>(request: ParseRequest, options?: ExtractOptions): Promise<JobResult<Data, ParseMeta>> {
    return this.#extract("parse", request, options);
  }

  /** Search results. */
  serp(request: SerpRequest, options?: ExtractOptions): Promise<JobResult<SerpData, SerpMeta>> {
    return this.#extract("serp", request, options);
  }

  /** A scrape that nobody waits for: its result is pushed to a webhook, or read through the handle. */
  startScrape(request: ScrapeRequest, options?: StartOptions): Promise<JobHandle<ScrapeData>> {
    return this.#start("scrape", request, options);
  }

  startParse<Data = ParseData>(request: ParseRequest, options?: StartOptions): Promise<JobHandle<Data, ParseMeta>> {
    return this.#start("parse", request, options);
  }

  startSerp(request: SerpRequest, options?: StartOptions): Promise<JobHandle<SerpData, SerpMeta>> {
    return this.#start("serp", request, options);
  }

  /** Balance, period and days. Takes the scope `jobs`. */
  async usage(options?: CallOptions): Promise<Usage> {
    return (await this.#transport.call<{ data: Usage }>({ method: "GET", path: "/usage", options })).data;
  }

  /** How the search engines answered of late, where the service checks. */
  async serpHealth(options?: CallOptions): Promise<SerpHealth> {
    return (await this.#transport.call<{ data: SerpHealth }>({ method: "GET", path: "/serp/health", options })).data;
  }

  async #extract<Data, Meta = JobMeta>(
    endpoint: Endpoint,
    request: object,
    options: ExtractOptions = {},
  ): Promise<JobResult<Data, Meta>> {
    const began = Date.now();
    const answer = await this.#post<Data, Meta>(endpoint, request, { wait: true }, options);
    if ("data" in answer) return { data: answer.data, meta: answer.meta, job_id: answer.job_id };
    const { maxWaitMs = Number.POSITIVE_INFINITY } = options;
    const left = Math.max(0, began + maxWaitMs - Date.now());
    return await this.jobs.result<Data, Meta>(answer.job_id, { ...options, maxWaitMs: left });
  }

  async #start<Data, Meta>(endpoint: Endpoint, request: object, options: StartOptions | undefined) {
    const { job_id } = await this.#post<Data, Meta>(endpoint, request, {}, options);
    return new JobHandle<Data, Meta>(this.jobs, job_id);
  }

  #post<Data, Meta>(endpoint: Endpoint, request: object, query: { wait?: true }, options: StartOptions = {}) {
    const { idempotencyKey = newIdempotencyKey() } = options;
    const call = { method: "POST", path: `/${endpoint}`, query, body: request, idempotencyKey, options } as const;
    return this.#transport.call<Answer<Data, Meta>>(call);
  }
}

/** 128 random bits. `randomUUID` is missing in pages that came without TLS. */
function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
