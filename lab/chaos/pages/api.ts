import { setTimeout as sleep } from "node:timers/promises";

/** The fields of a crawl or batch that the checks use. */
export interface ShownBatch {
  status: string;
  error?: { code: string };
  counts: {
    total: number;
    pending: number;
    running: number;
    completed: number;
    failed: number;
    by_code: Record<string, number>;
  };
  credits: { reserved: number; used: number; given_back: number };
  discovered?: number;
  skipped?: Record<string, number>;
  note?: string;
}

/** A page as the API returns it. */
export interface ShownPage {
  number: number;
  url: string;
  job_id: string | null;
  status: string;
  result?: { url?: string; markdown?: string } | null;
  result_truncated?: boolean;
  error?: { code: string };
  meta?: { credits_used: number; duplicate_of?: string; depth?: number };
}

const REQUEST_TIMEOUT_MS = 30_000;
const PAGES_PER_REQUEST = 100;
const RETRY_MS = 200;

/** The API of the service. The base URL changes when the service is started again. */
export class Api {
  base = "";
  key = "";

  /** Sends a request once. Throws if the service can't be reached or responds with an error. */
  async send<T>(method: string, path: string, { body, idempotencyKey }: RequestParts = {}): Promise<T> {
    const response = await fetch(`${this.base}/v1/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.key}`,
        "content-type": "application/json",
        ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} responded with status ${response.status}: ${text}`);
    return JSON.parse(text) as T;
  }

  /** Sends a request until the service responds with a success. */
  async insist<T>(method: string, path: string, parts: RequestParts, triesLeft: number): Promise<T> {
    try {
      return await this.send<T>(method, path, parts);
    } catch (error) {
      if (triesLeft <= 1) throw error;
      await sleep(RETRY_MS);
      return await this.insist(method, path, parts, triesLeft - 1);
    }
  }

  /** Returns all pages of a crawl or batch. */
  async readPages(path: string): Promise<ShownPage[]> {
    const pages: ShownPage[] = [];
    let cursor = "";
    do {
      const query = `limit=${PAGES_PER_REQUEST}${cursor === "" ? "" : `&cursor=${cursor}`}`;
      const part = await this.send<{ pages: ShownPage[]; next_cursor?: string }>("GET", `${path}?${query}`);
      pages.push(...part.pages);
      cursor = part.next_cursor ?? "";
    } while (cursor !== "");
    return pages;
  }
}

interface RequestParts {
  body?: unknown;
  idempotencyKey?: string;
}
