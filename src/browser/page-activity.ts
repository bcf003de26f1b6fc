import { MAX_DOCUMENT_REQUESTS, MAX_PAGE_REQUESTS, MAX_PAGE_WORKERS } from "../model/page-limits";
import { RenderError } from "./protocol";

/** The number of navigations that a page has requested, and the number of documents that it has requested or shown. */
export interface NavigationCount {
  requested: number;
  begun: number;
}

/** The numbers of requests, navigations and workers of a page. If a page exceeds a limit, its render ends. */
export class PageActivity {
  /**
   * The number of requests, navigations and frame loads. If the number is unchanged, none of them has started in the
   * meantime.
   */
  count = 0;
  /** The number of navigations that the page has requested, including those that show no document. */
  navigations = 0;
  /** The number of requests for the main document. */
  documents = 0;
  requests = 0;
  workers = 0;

  /** Returns the error of the first limit that the page exceeds, or null. */
  findExceeded(): RenderError | null {
    if (this.documents > MAX_DOCUMENT_REQUESTS)
      return new RenderError("too_many_redirects", `The page navigated more than ${MAX_DOCUMENT_REQUESTS} times.`);
    if (this.requests > MAX_PAGE_REQUESTS)
      return new RenderError("target_too_large", `The page made more than ${MAX_PAGE_REQUESTS} requests.`);
    if (this.workers > MAX_PAGE_WORKERS)
      return new RenderError("target_too_large", `The page started more than ${MAX_PAGE_WORKERS} workers.`);
    return null;
  }
}
