import type { EndpointRequests } from "../../contract/endpoint-schemas";
import type { Mode } from "../../model/api-key";
import type { Endpoint } from "../../model/endpoint";
import type { ErrorCode } from "../../model/errors";
import type { ClaimedJob, Outcome } from "../../model/job";
import type { Prices } from "../../model/prices";
import type { Execution, RunContext } from "../../model/run-context";
import type { RunPlans } from "../../model/run-plan";
import type { BatchChecks } from "./batch-checks";

/** The mode of the request's API key, and the origin under which the caller reached the service. */
export interface RequestContext {
  env: Env;
  mode: Mode;
  origin: string;
  prices: Prices;
  /** The account whose deny list applies in addition to the operator's list. */
  accountId?: string | undefined;
  /** The maximum wait of the caller for the result, in milliseconds. Undefined for an asynchronous request. */
  waitMs?: number | undefined;
  /** True if the request names a capture whose page was charged. */
  usesPaidCapture?: boolean | undefined;
  /** The checks that the requests of a batch share. Undefined for a single request. */
  checks?: BatchChecks | undefined;
}

/** The input of a mock. If `large` is true, its result must exceed 1 MB. `outcome` is that of the mock page. */
export interface MockContext {
  env: Env;
  job: ClaimedJob;
  large: boolean;
  outcome: Outcome;
  /** The run that gets the mock result. */
  run: RunContext;
}

/** The reason of an outcome that the target of a test key's request selects. */
export const SIMULATED_OUTCOME = "The target of this test request simulates the outcome.";

/** The properties of an endpoint. Its schemas are in contract/endpoint-schemas.ts. */
export interface EndpointDefinition<E extends Endpoint> {
  /** The endpoint's name on the dashboard. */
  label: string;
  /** The error codes in the API reference, by HTTP status, besides those that every endpoint can return. */
  errorCodes: { 400: ErrorCode[]; 404?: ErrorCode[]; 422: ErrorCode[]; 500: ErrorCode[]; 502: ErrorCode[] };
  /** Returns the sentences about the price in the API reference. */
  describePrice(prices: Prices): string;
  /**
   * Checks the rules that the zod schema can't express. `url` and `webhook_url` have been checked before. Throws
   * AppError.
   */
  validateRequest(request: EndpointRequests[E], context: RequestContext): void;
  /** Returns true if the job starts in the browser. Such a job uses the queue `renders`. */
  needsBrowser(request: EndpointRequests[E], context: RequestContext): boolean;
  /**
   * Returns the methods for running the request, the preferred one first. The highest price of the chosen method is
   * reserved.
   */
  plans(request: EndpointRequests[E], context: RequestContext): RunPlans;
}

/** The functions that run the jobs of an endpoint. */
export interface EndpointRuns<E extends Endpoint> {
  /** Runs a job. An AppError ends the job; any other error is retried. */
  run(request: EndpointRequests[E], context: RunContext): Promise<Execution>;
  /** Returns the mock result for a test key. The same request always gets the same result. */
  mock(request: EndpointRequests[E], context: MockContext): Promise<Execution>;
}

export const FETCH_ERROR_CODES: readonly ErrorCode[] = [
  "dns_failure",
  "connection_failed",
  "tls_failure",
  "target_http_error",
  "too_many_redirects",
  "payment_required",
  "blocked_by_target",
];

/** The error codes of the endpoints that load and read a page. */
export const PAGE_ERROR_CODES: EndpointDefinition<"scrape">["errorCodes"] = {
  400: ["invalid_target", "proxy_unavailable"],
  404: ["not_found"],
  422: [
    "invalid_target",
    "selector_not_found",
    "section_not_found",
    "action_failed",
    "unsupported_content",
    "target_too_large",
    "schema_mismatch",
    "model_refused",
  ],
  500: ["render_failed"],
  502: [...FETCH_ERROR_CODES, "proxy_unavailable", "model_failed"],
};
