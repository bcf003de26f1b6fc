import { SECOND_MS } from "../model/limits";
import { POLL_FACTOR, RATE_WINDOW_MS } from "../model/plan";

interface HeaderDeclaration {
  description: string;
  schema: { type: "string" | "integer"; minimum?: number; format?: string; enum?: string[] };
  example: string | number;
}

/** The response headers by name. Each is sent with every response that declares it. */
export const HEADERS = {
  "X-Request-Id": {
    description: "The id of this request in the service's log. Include it when you contact support.",
    schema: { type: "string" },
    example: "2f1d6c0e-7d0b-4a53-9f0e-0c6c1a6f3b52",
  },
  "X-RateLimit-Limit": {
    description: `The number of requests that the rate limit allows per window. A window lasts ${RATE_WINDOW_MS / SECOND_MS} seconds and starts with its first request. \`GET /v1/jobs/{id}\` has its own limit: ${POLL_FACTOR} times the key's requests per minute.`,
    schema: { type: "integer", minimum: 1 },
    example: 100,
  },
  "X-RateLimit-Remaining": {
    description: "The number of requests that remain in the window.",
    schema: { type: "integer", minimum: 0 },
    example: 97,
  },
  "X-RateLimit-Reset": {
    description: "The time at which the window ends, in Unix seconds.",
    schema: { type: "integer" },
    example: 1795291260,
  },
  "Retry-After": {
    description: "The number of seconds to wait before the next attempt.",
    schema: { type: "integer", minimum: 1 },
    example: 23,
  },
  Location: {
    description: "The path of the job.",
    schema: { type: "string", format: "uri-reference" },
    example: "/v1/jobs/0199b2c0-7a51-7c3e-9d0a-3f1e5b7c9d11",
  },
  "X-Cancelled-Jobs": {
    description:
      "The number of jobs that were canceled before the response. If the account couldn't be reached, it is 0, and the jobs are canceled a few minutes later.",
    schema: { type: "integer", minimum: 0 },
    example: 12,
  },
  "WWW-Authenticate": {
    description: "The authentication scheme.",
    schema: { type: "string", enum: ["Bearer"] },
    example: "Bearer",
  },
} as const satisfies Record<string, HeaderDeclaration>;

export type HeaderName = keyof typeof HEADERS;

/** The headers of every response under /v1. */
const EVERYWHERE = ["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"] as const;

/** Returns the `headers` of a response under /v1: the common headers, and the given ones. */
export function headersOf(...own: HeaderName[]): Record<string, { $ref: string }> {
  return refer([...EVERYWHERE, ...own]);
}

/** Returns the `headers` of a response outside /v1, which has no rate limit headers. */
export function headersWithoutRate(...own: HeaderName[]): Record<string, { $ref: string }> {
  return refer(["X-Request-Id", ...own]);
}

function refer(names: readonly HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
