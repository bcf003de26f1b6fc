import type { IncomingMessage, ServerResponse } from "node:http";
import type { ForbiddenHost } from "../forbidden.ts";

export interface Visit {
  url: URL;
  query: URLSearchParams;
  request: IncomingMessage;
  response: ServerResponse;
  /** The host that the site's pages try to contact. */
  forbidden: ForbiddenHost;
  /** Returns the number of requests to this path, including this one. */
  count: () => number;
  /** Delays the response or its end until a test calls `release` for the path. */
  hold: () => void;
}
