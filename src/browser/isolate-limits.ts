import { SharedLimit } from "../lib/shared-limit";
import { PROXY_CONNECTIONS } from "../model/page-limits";

// Several objects can run in one isolate and share its memory. Therefore all browsers of an isolate share these limits.

/** Admits one large part of a screenshot, or one PDF, at a time. */
export const LARGE_OUTPUTS = new SharedLimit(1);

/** The connections to proxies. */
export const PROXY_SLOTS = {
  all: new SharedLimit(PROXY_CONNECTIONS),
  /** One less than in `all`, so that a document always gets a connection. */
  subresources: new SharedLimit(PROXY_CONNECTIONS - 1),
};
