import type { IncomingMessage, ServerResponse } from "node:http";

export interface Visit {
  url: URL;
  request: IncomingMessage;
  response: ServerResponse;
  /** Returns the URL of another behavior of this site, over HTTP or HTTPS. */
  to: (behavior: string, scheme?: "http" | "https") => string;
  /** The number of requests to this path, including this one. */
  count: number;
}

export type Behaviors = Record<string, (visit: Visit) => void>;
