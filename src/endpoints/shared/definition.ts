import type { EndpointInputs, EndpointRequests, EndpointResponses } from "../../contract/endpoint-schemas";
import type { Mode } from "../../model/api-key";
import type { Endpoint } from "../../model/endpoint";
import type { ErrorCode } from "../../model/errors";
import type { ClaimedJob, Execution, RunContext } from "../../model/run-context";

/** The circumstances of a request: its key's mode, and the origin under which the caller reached this service. */
export interface RequestContext {
  env: Env;
  mode: Mode;
  origin: string;
}

/** What a mock needs. `large` asks for a result of more than 1 MB. */
export interface MockContext {
  env: Env;
  job: ClaimedJob;
  large: boolean;
}

/** Everything that differs from endpoint to endpoint. Its schemas are in contract/endpoint-schemas.ts. */
export interface EndpointDefinition<E extends Endpoint> {
  /** The name on the dashboard. */
  label: string;
  /** The texts of the operation in the API reference. */
  summary: string;
  description: string;
  /** The texts of the MCP tool. */
  tool: { title: string; description: string };
  requestExamples: Record<string, { summary: string; value: EndpointInputs[E] }>;
  responseExample: EndpointResponses[E];
  /** The error codes that the reference lists in addition to those of every endpoint, by HTTP status. */
  errorCodes: { 400: ErrorCode[]; 422: ErrorCode[]; 500: ErrorCode[]; 502: ErrorCode[] };
  /** The credits of a completed job. `rendering` is added to `base` if the job starts in the browser. */
  price: { base: number; rendering: number };
  /** Checks what the zod schema can't, except for `url` and `webhook_url`, which are checked before. Throws AppError. */
  validateRequest(request: EndpointRequests[E], context: RequestContext): void;
  /** Returns whether the job starts in the browser, and therefore goes through the queue of renders. */
  needsBrowser(request: EndpointRequests[E], context: RequestContext): boolean;
  /** Does the work of a job. Throws AppError for an answer; any other error is retried. */
  run(request: EndpointRequests[E], context: RunContext): Promise<Execution>;
  /** Returns a test key's result, which is the same for the same request. */
  mock(request: EndpointRequests[E], context: MockContext): Promise<Execution>;
}

/** The error codes of a page that can't be fetched. */
export const FETCH_ERROR_CODES: readonly ErrorCode[] = [
  "dns_failure",
  "connection_failed",
  "tls_failure",
  "target_http_error",
  "too_many_redirects",
  "blocked_by_target",
];
