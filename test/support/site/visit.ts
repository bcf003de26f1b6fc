import type { IncomingMessage, ServerResponse } from "node:http";
import type { Forbidden } from "../forbidden.ts";

export interface Visit {
  url: URL;
  query: URLSearchParams;
  request: IncomingMessage;
  response: ServerResponse;
  /** Where its pages try to get. */
  forbidden: Forbidden;
  /** How often this path was asked, this time included. */
  count: () => number;
  /** Answers, or goes on, when a test releases the path. */
  hold: () => void;
}
