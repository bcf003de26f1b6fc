import { ENDPOINT_SCHEMAS, type EndpointRequests } from "../contract/endpoint-schemas";
import { checkIsObject, toInvalidRequest } from "../contract/invalid-request";
import type { Endpoint } from "../model/endpoint";
import { AppError } from "../model/errors";
import { findRefusal, parseEgressPolicy } from "../net/egress";
import { checkReceiver } from "../webhooks/check-receiver";
import { ENDPOINTS, toPrice } from "./endpoints";
import type { RequestContext } from "./shared/definition";
import { toScriptedOutcome } from "./shared/scripted-outcome";

/** A request that passed all checks that need no network. A job can be created for it. */
export interface ValidatedRequest {
  endpoint: Endpoint;
  request: EndpointRequests[Endpoint];
  /** True if the job starts in the browser. */
  rendered: boolean;
  /** The highest price of the job with a live key, in credits. It is reserved. */
  price: number;
}

/** Validates any JSON value as the body of an endpoint. Throws the AppErrors of the endpoint's route. */
export function validateBody<E extends Endpoint>(
  endpoint: E,
  body: unknown,
  context: RequestContext,
): ValidatedRequest {
  checkIsObject(body);
  const parsed = ENDPOINT_SCHEMAS[endpoint].request.safeParse(body);
  if (!parsed.success)
    throw toInvalidRequest(parsed.error.issues, { value: body, schema: ENDPOINT_SCHEMAS[endpoint].request });
  return validateRequest(endpoint, parsed.data as EndpointRequests[E], context);
}

/** Checks the rules that an endpoint's zod schema can't express. Throws AppError if the request breaks one. */
export function validateRequest<E extends Endpoint>(
  endpoint: E,
  request: EndpointRequests[E],
  context: RequestContext,
): ValidatedRequest {
  const definition = ENDPOINTS[endpoint];
  const { url, webhook_url: webhookUrl }: { url?: string | undefined; webhook_url?: string | undefined } = request;
  if (url !== undefined) checkTargetUrl(context, url);
  if (webhookUrl !== undefined) {
    checkReceiver(context.env, { url: webhookUrl, origin: context.origin, parameter: "webhook_url" });
  }
  definition.validateRequest(request, context);
  const rendered = definition.needsBrowser(request, context);
  const price = toPrice(endpoint, definition.mayRender(request, context));
  if (context.mode === "test") refuseByScript({ endpoint, request, rendered, price });
  return { endpoint, request, rendered, price };
}

/**
 * Throws AppError if the URL alone shows that it may not be fetched. Names are resolved and redirects are followed when
 * the job runs. The target of a request with a test key is never fetched, so any URL is allowed.
 */
function checkTargetUrl({ env, mode, origin }: RequestContext, url: string): void {
  if (mode === "test") return;
  const reason = findRefusal(url, parseEgressPolicy(env.ALLOWED_PRIVATE_HOSTS, [env.PUBLIC_URL, origin]));
  if (reason === null) return;
  const hint = isScripted(url)
    ? "The outcomes of .test hosts are simulated only for test keys. Send the request with a test key (sk_test_…)."
    : undefined;
  throw new AppError("invalid_target", reason, { status: 400, details: [{ path: "url", message: reason }], hint });
}

function isScripted(url: string): boolean {
  return URL.parse(url)?.hostname.endsWith(".test") === true;
}

/** Returns the error for a balance that is lower than the request's price. */
export function insufficientCredits(cost: number, balance: number): AppError {
  return new AppError("insufficient_credits", `This request costs ${cost} credits; the balance is ${balance}.`);
}

/**
 * Throws the error that a test key's target simulates. Does nothing if the error occurs only after the job is created.
 */
function refuseByScript({ request, price }: ValidatedRequest): void {
  const outcome = toScriptedOutcome(request);
  if (outcome.kind !== "refused") return;
  if (outcome.code === "insufficient_credits") throw insufficientCredits(price, 0);
  throw new AppError("rate_limited", "This target simulates an exceeded rate limit. Try again in 60 seconds.", {
    headers: { "Retry-After": "60" },
  });
}
