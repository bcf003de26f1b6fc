import { SECOND_MS } from "../model/limits";
import { RATE_WINDOW_MS } from "../model/plan";

interface HeaderDeclaration {
  description: string;
  required?: true;
  schema: { type: "string" | "integer"; minimum?: number; format?: string; enum?: string[] };
  example: string | number;
}

/** The headers of answers, by name. What is required stands on every answer that declares it. */
export const HEADERS = {
  "X-Request-Id": {
    description: "Names this request in the service's log: give it when you ask for help.",
    required: true,
    schema: { type: "string" },
    example: "2f1d6c0e-7d0b-4a53-9f0e-0c6c1a6f3b52",
  },
  "X-RateLimit-Limit": {
    description: `Requests that the window allows. A window of ${RATE_WINDOW_MS / SECOND_MS} seconds opens with its first request; reading a single job has one of its own, ten times as large.`,
    required: true,
    schema: { type: "integer", minimum: 1 },
    example: 100,
  },
  "X-RateLimit-Remaining": {
    description: "What is left of the window.",
    required: true,
    schema: { type: "integer", minimum: 0 },
    example: 97,
  },
  "X-RateLimit-Reset": {
    description: "When the window ends, in whole Unix seconds.",
    required: true,
    schema: { type: "integer" },
    example: 1795291260,
  },
  "Retry-After": {
    description: "Wait for so many seconds.",
    required: true,
    schema: { type: "integer", minimum: 1 },
    example: 23,
  },
  Location: {
    description: "Where the job is read.",
    required: true,
    schema: { type: "string", format: "uri-reference" },
    example: "/v1/jobs/0199b2c0-7a51-7c3e-9d0a-3f1e5b7c9d11",
  },
  "WWW-Authenticate": {
    description: "How to authenticate.",
    required: true,
    schema: { type: "string", enum: ["Bearer"] },
    example: "Bearer",
  },
  Allow: {
    description: "The methods that the path has.",
    required: true,
    schema: { type: "string" },
    example: "GET, HEAD",
  },
} as const satisfies Record<string, HeaderDeclaration>;

export type HeaderName = keyof typeof HEADERS;

/** On every answer under /v1. */
const EVERYWHERE = ["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"] as const;

/** The `headers` of an answer under /v1: those of all, and its own. */
export function headersOf(...own: HeaderName[]): Record<string, { $ref: string }> {
  return refer([...EVERYWHERE, ...own]);
}

/** The `headers` of an answer elsewhere: no rate applies there. */
export function headersWithoutRate(...own: HeaderName[]): Record<string, { $ref: string }> {
  return refer(["X-Request-Id", ...own]);
}

function refer(names: readonly HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
