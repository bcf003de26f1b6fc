// Calls the verified service with the key of the run.
import { setTimeout as sleep } from "node:timers/promises";

/** A scrape takes at most 60 seconds. With this limit, a connection that is never answered doesn't stop the run. */
const CALL_TIMEOUT_MS = 90_000;
/** The maximum time for a job that became asynchronous, because no browser was free. */
const JOB_TIMEOUT_MS = 90_000;

/** The part of a scrape's data that the checks read. */
export interface ScrapeData {
  html?: string;
  text?: string;
  screenshot_url?: string;
}

/** The end of a scrape. `ms` is the time from the request to the end, as measured here. */
export type Outcome = { ms: number } & (
  | { kind: "completed"; data: ScrapeData; processingMs: number }
  | { kind: "failed"; code: string; message: string }
  /** The job didn't end in time. */
  | { kind: "unfinished" }
  /** The scrape wasn't sent, because an earlier render didn't end in time. */
  | { kind: "skipped" }
  /** The platform answered instead of the service, for example because a limit was exceeded. */
  | { kind: "platform"; status: number; text: string }
);

export interface Answer {
  status: number;
  headers: Headers;
  /** The parsed body, or null if it isn't JSON. */
  json: ApiBody | null;
  text: string;
}

interface ApiBody {
  data?: unknown;
  job_id?: string;
  status?: string;
  result?: ScrapeData | null;
  meta?: { processing_time_ms?: number };
  error?: { code: string; message: string };
}

export class Service {
  readonly base: string;
  readonly #key: string;
  readonly #jobTimeoutMs: number;
  /** All outcomes, so that the limits of the platform can be recognized at the end. */
  readonly outcomes: Outcome[] = [];
  #hasUnfinishedRender = false;

  constructor(base: string, key: string, jobTimeoutMs = JOB_TIMEOUT_MS) {
    this.base = base;
    this.#key = key;
    this.#jobTimeoutMs = jobTimeoutMs;
  }

  /** Calls an operation. Throws if the service can't be reached. */
  async call(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(new URL(path, this.base), {
      method,
      headers: { authorization: `Bearer ${this.#key}`, "content-type": "application/json" },
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, json: toJson(text), text };
  }

  /** Calls an operation and returns the `data` of its response. Throws with the response if the call fails. */
  async read<Data>(method: string, path: string, body?: unknown): Promise<Data> {
    const { status, json, text } = await this.call(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path} responded with status ${status}: ${text.slice(0, 300)}`);
    return json?.data as Data;
  }

  /**
   * Scrapes a page. Repeats the scrape once if the target itself answered with an error, or not at all. Skips all renders
   * after one that didn't end in time, because each of them would take minutes.
   */
  async scrape(request: Record<string, unknown>, { repeat = false } = {}): Promise<Outcome> {
    const isRendered = request.render === "always";
    if (isRendered && this.#hasUnfinishedRender) return { kind: "skipped", ms: 0 };
    const outcome = await this.#scrapeOnce(request);
    this.outcomes.push(outcome);
    if (isRendered && outcome.kind === "unfinished") this.#hasUnfinishedRender = true;
    if (!repeat || !isTargetProblem(outcome)) return outcome;
    return await this.scrape(request);
  }

  /** Waits until a job has ended. */
  async waitForJob(id: string, startedAt = performance.now()): Promise<Outcome> {
    const deadline = performance.now() + this.#jobTimeoutMs;
    for (;;) {
      const answer = await this.call("GET", `/v1/jobs/${id}?wait=30`);
      const ms = performance.now() - startedAt;
      if (answer.json?.status === "failed" || answer.json?.status === "completed" || answer.json?.error !== undefined)
        return toOutcome(answer, ms);
      if (performance.now() > deadline) return { kind: "unfinished", ms };
      await sleep(1_000);
    }
  }

  async #scrapeOnce(request: Record<string, unknown>): Promise<Outcome> {
    const startedAt = performance.now();
    const answer = await this.call("POST", "/v1/scrape?wait=true", request);
    const id = answer.json?.job_id;
    if (answer.status === 202 && id !== undefined) return await this.waitForJob(id, startedAt);
    return toOutcome(answer, performance.now() - startedAt);
  }
}

function toOutcome({ status, json, text }: Answer, ms: number): Outcome {
  const { error, meta } = json ?? {};
  if (error !== undefined) return { kind: "failed", ms, code: error.code, message: error.message };
  const data = json?.result ?? json?.data;
  if (status >= 300 || typeof data !== "object" || data === null)
    return { kind: "platform", ms, status, text: text.slice(0, 300) };
  return { kind: "completed", ms, data, processingMs: meta?.processing_time_ms ?? ms };
}

/** Returns true if the target answered with an error status, or not in time. A public test address may do both. */
export function isTargetProblem(outcome: Outcome): boolean {
  return outcome.kind === "failed" && ["target_http_error", "target_timeout"].includes(outcome.code);
}

/** Returns a short description, such as `dns_failure` or `target_http_error: The page responded with status 530.` */
export function describeOutcome(outcome: Outcome, { withMessage = true } = {}): string {
  switch (outcome.kind) {
    case "completed":
      return "completed";
    case "failed":
      return withMessage ? `${outcome.code}: ${outcome.message}` : outcome.code;
    case "unfinished":
      return "no result";
    case "skipped":
      return "not tested";
    case "platform":
      return `status ${outcome.status}: ${outcome.text}`;
  }
}

const CPU_LIMIT = /\b1102\b|exceeded (?:its )?(?:cpu|resource)/i;
const BROWSER_LIMIT = /browser time|daily limit/i;

/** Returns what to do if the outcome shows that a limit of the Cloudflare plan was reached, or null. */
export function findPlanLimit(outcome: Outcome): string | null {
  const text = describeOutcome(outcome);
  if (outcome.kind === "platform" && CPU_LIMIT.test(text)) {
    return "Cloudflare ended the Worker, because it used too much CPU time (error 1102). The Free plan allows 10 ms. Switch the account to Workers Paid.";
  }
  if (outcome.kind === "failed" && outcome.code === "unavailable" && BROWSER_LIMIT.test(outcome.message)) {
    return "The account has used up its browser time of the day. The Free plan allows 10 minutes a day. Switch the account to Workers Paid, or wait until the next day (UTC).";
  }
  return null;
}

function toJson(text: string): ApiBody | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : null;
  } catch {
    return null;
  }
}
