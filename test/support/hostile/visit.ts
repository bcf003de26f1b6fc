import type { IncomingMessage, ServerResponse } from "node:http";

export interface Visit {
  url: URL;
  request: IncomingMessage;
  response: ServerResponse;
  /** The address of another behaviour here, over HTTP or HTTPS. */
  to: (behaviour: string, scheme?: "http" | "https") => string;
  /** How often this path has been asked, this time included. */
  count: number;
}

export type Behaviours = Record<string, (visit: Visit) => void>;
