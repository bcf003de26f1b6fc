import { MAX_DOCUMENT_REQUESTS, MAX_PAGE_REQUESTS, MAX_PAGE_WORKERS } from "../model/page-limits";
import { RenderError } from "./protocol";

/** The number of navigations that a page has requested, and the number of documents that it has requested or shown. */
export interface NavigationCount {
  requested: number;
  begun: number;
}

/** The maximum numbers of main documents, requests and workers of a page. */
export interface ActivityLimits {
  documents: number;
  requests: number;
  workers: number;
}

export const ACTIVITY_LIMITS: ActivityLimits = {
  documents: MAX_DOCUMENT_REQUESTS,
  requests: MAX_PAGE_REQUESTS,
  workers: MAX_PAGE_WORKERS,
};

/** The numbers of requests, navigations and workers of a page. If a page exceeds a limit, its render ends. */
export class PageActivity {
  limits = ACTIVITY_LIMITS;
  /** The number of requests, navigations and frame loads. A higher number shows that another one has started. */
  count = 0;
  /** The number of navigations that the page has requested, including those that show no document. */
  navigations = 0;
  /** The number of requests for the main document. */
  documents = 0;
  requests = 0;
  workers = 0;

  /** Returns the error of the first limit that the page exceeds, or null. */
  findExceeded(): RenderError | null {
    const { documents, requests, workers } = this.limits;
    if (this.documents > documents)
      return new RenderError("too_many_redirects", `The page navigated more than ${documents} times.`);
    if (this.requests > requests)
      return new RenderError("target_too_large", `The page made more than ${requests} requests.`);
    if (this.workers > workers)
      return new RenderError("target_too_large", `The page started more than ${workers} workers.`);
    return null;
  }
}
