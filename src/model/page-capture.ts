// Captures: the pages that jobs loaded and kept.

/** A page that was kept. `id` is the id of the job that kept it, and `run` is the number of the job's run. */
export interface PageCapture {
  id: string;
  run: number;
  /** The time at which the page was loaded (Unix ms). */
  capturedAt: number;
  /** True if the job that kept the page has ended without a charge, because of the page's outcome. */
  isFree: boolean;
}

/** A page that a run has kept. After the end of the job, other jobs can use it. */
export interface NewPageCapture {
  /** The hash of the URL and of the options for loading it. Null: `max_age` doesn't find the capture. */
  lookup: string | null;
  capturedAt: number;
}

/** Selects a capture by its id, or the newest one with this lookup hash that was loaded since `since` (Unix ms). */
export type CaptureQuery = { id: string } | { lookup: string; since: number };
