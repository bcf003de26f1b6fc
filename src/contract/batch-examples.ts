import { EXAMPLE_JOB_ID as JOB_ID } from "./common";
import { EXAMPLE_ORIGIN, toErrorRecord } from "./error-codes";
import { COMPLETED_AT, COMPLETED_EVENT, CREATED_AT, SCRAPE_DATA, SCRAPE_META } from "./examples";

const BATCH_ID = "0199b2c3-4a17-7e08-b1d5-6c2f9e0a4b77";

/** A batch that is running. */
export const BATCH = {
  batch_id: BATCH_ID,
  status: "processing" as const,
  endpoint: "scrape" as const,
  counts: { total: 2, pending: 0, running: 1, completed: 1, failed: 0, by_code: { ok: 1 } },
  credits: { reserved: 1, used: 1, given_back: 0 },
  created_at: CREATED_AT,
};

/** A batch that has ended. */
export const ENDED_BATCH = {
  ...BATCH,
  status: "completed" as const,
  counts: { total: 2, pending: 0, running: 0, completed: 1, failed: 1, by_code: { ok: 1, dns_failure: 1 } },
  credits: { reserved: 0, used: 1, given_back: 1 },
  completed_at: COMPLETED_AT,
};

/** Returns the error with this code in the format of a job record. */
const errorOf = (code: "cancelled" | "dns_failure", message: string) =>
  toErrorRecord({ code, message }, EXAMPLE_ORIGIN);

export const CANCELED_BATCH = {
  ...ENDED_BATCH,
  status: "failed" as const,
  counts: { total: 2, pending: 0, running: 0, completed: 1, failed: 1, by_code: { ok: 1, cancelled: 1 } },
  error: errorOf("cancelled", "The batch was canceled. Unfinished pages aren't charged."),
};

export const BATCH_PAGES = [
  {
    number: 1,
    url: "https://example.com/",
    job_id: JOB_ID,
    status: "completed" as const,
    outcome: "ok" as const,
    result: SCRAPE_DATA,
    meta: SCRAPE_META,
  },
  {
    number: 2,
    url: "https://gone.example.net/",
    job_id: "0199b2c0-7a52-7f10-8c3d-5b2e9a1f4c77",
    status: "failed" as const,
    error: errorOf("dns_failure", "The host name gone.example.net does not exist."),
    meta: { processing_time_ms: 31, credits_used: 0, receipt: { total: 0, lines: [] } },
  },
];

const { batch_id: crawl_id, ...CRAWL_FIELDS } = BATCH;

/** A crawl that is running. */
export const CRAWL = { crawl_id, ...CRAWL_FIELDS };

/** A crawl that has ended. */
export const ENDED_CRAWL = {
  ...CRAWL,
  status: "completed" as const,
  counts: { total: 1, pending: 0, running: 0, completed: 1, failed: 0, by_code: { ok: 1 } },
  credits: { reserved: 0, used: 1, given_back: 0 },
  completed_at: COMPLETED_AT,
  discovered: 4,
  skipped: { robots: 1, file: 2 },
};

export const CANCELED_CRAWL = { ...ENDED_CRAWL, status: "failed" as const, error: CANCELED_BATCH.error };

export const CRAWL_PAGES = BATCH_PAGES.slice(0, 1);

const { status, endpoint, counts, credits } = ENDED_BATCH;
const BATCH_END = { status, endpoint, counts, credits };

const END_META = { created_at: CREATED_AT, completed_at: COMPLETED_AT };

export const BATCH_COMPLETED_EVENT = {
  event: "batch.completed" as const,
  batch_id: BATCH_ID,
  ...BATCH_END,
  meta: END_META,
};

export const CRAWL_COMPLETED_EVENT = {
  event: "crawl.completed" as const,
  crawl_id: BATCH_ID,
  ...BATCH_END,
  meta: END_META,
};

const PAGE_EVENT = { ...COMPLETED_EVENT, page: 1, url: "https://example.com/" };

export const BATCH_PAGE_EVENT = { ...PAGE_EVENT, event: "batch.page" as const, batch_id: BATCH_ID };

export const CRAWL_PAGE_EVENT = { ...PAGE_EVENT, event: "crawl.page" as const, crawl_id: BATCH_ID };
