// The account of the loopback of Cloudflare's API, and the parts that its routes share.
import type { IncomingMessage } from "node:http";
import type { DatabaseSync } from "node:sqlite";

export const ACCOUNT_ID = "0123456789abcdef0123456789abcdef";

export interface StoredQueue {
  queue_id: string;
  queue_name: string;
  consumers: { type: string; consumer_id: string; script: string; settings: object; dead_letter_queue?: string }[];
}

/** A deployed Worker. `metadata` is what wrangler uploaded with the code. */
export interface StoredWorker {
  metadata: { bindings: Binding[]; migrations?: { new_tag: string } } & Record<string, unknown>;
  secrets: Record<string, string>;
  schedules: { cron: string }[];
  subdomain: boolean;
  /** The last applied tag of the migrations of Durable Object classes. */
  migrationTag?: string | undefined;
  versions: { id: string; metadata: StoredWorker["metadata"] }[];
  /** The ids of the deployed versions, oldest first. */
  deployments: string[];
  /** The last deployment's update strategy of Durable Objects. */
  codeUpdate?: unknown;
}

export interface Binding {
  type: string;
  name: string;
  [field: string]: unknown;
}

/** Everything that the account has. */
export interface Account {
  databases: { uuid: string; name: string; body: Record<string, unknown>; sqlite: DatabaseSync }[];
  buckets: { name: string; jurisdiction: string | null; location: string | null; rules: { id: string }[] }[];
  queues: StoredQueue[];
  workers: Map<string, StoredWorker>;
}

/** Makes the API respond with this status and error code. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** The fields of all requests' bodies. */
export interface Body extends Record<string, unknown> {
  name: string;
  sql: string;
  action: string;
  etag: string;
  filename: string;
  locationHint?: string;
  rules: { id: string }[];
  queue_name: string;
  script_name: string;
  settings: object;
  dead_letter_queue?: string;
  text: string;
  enabled: boolean;
  subdomain?: { enabled: boolean };
  versions: { version_id: string }[];
}

export interface Call {
  query: URLSearchParams;
  headers: IncomingMessage["headers"];
  raw: Buffer;
  /** The body as JSON, or an empty object. Each route reads only the fields that wrangler sends to it. */
  body: Body;
}

/** A method, the pattern of a path, and a function that returns the `result` of the response. */
export type Route = [method: string, pattern: RegExp, answer: (names: string[], call: Call) => unknown];
