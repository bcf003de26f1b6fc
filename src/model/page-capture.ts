// Captures: the pages that jobs loaded and kept.

/** A kept page. `id` is the id of the job that kept it, and `run` is the number of the job's run. */
export interface PageCapture {
  id: string;
  run: number;
  /** When the page was loaded (Unix ms). */
  capturedAt: number;
}

/** A page that a run has kept. The job's end makes it available to other jobs. */
export interface NewPageCapture {
  /** The hash of the URL and the options that change what is loaded. Null: `max_age` doesn't find the capture. */
  lookup: string | null;
  capturedAt: number;
}

/** Selects a capture of the account and mode: by its id, or the newest one that was loaded at `since` (Unix ms) or later. */
export type CaptureQuery = { id: string } | { lookup: string; since: number };
