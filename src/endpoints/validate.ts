import { ENDPOINT_SCHEMAS, type EndpointRequests } from "../contract/endpoint-schemas";
import { checkIsObject, parseWith } from "../contract/invalid-request";
import type { PageFields } from "../contract/scrape";
import { checkBodySize } from "../json-schema/size";
import { toCount } from "../lib/count";
import { isStartedLocally } from "../lib/env";
import type { Endpoint } from "../model/endpoint";
import { AppError } from "../model/errors";
import type { Prices } from "../model/prices";
import { totalOf } from "../model/receipt";
import type { RunPlan } from "../model/run-plan";
import { knownDenied } from "../net/denied";
import { type EgressPolicy, findRefusal, isDenied, parseEgressPolicy } from "../net/egress";
import { checkReceiver } from "../webhooks/check-receiver";
import { ENDPOINTS } from "./endpoints";
import type { RequestContext } from "./shared/definition";
import { checkTimeout } from "./shared/load-options";
import { toScriptedOutcome } from "./shared/mocks";
import { choosePlan } from "./shared/price";

/** A request that passed all checks that need no network. A job can be created for it. */
export interface ValidatedRequest {
  endpoint: Endpoint;
  request: EndpointRequests[Endpoint];
  /** True if the job starts in the browser. */
  rendered: boolean;
  /** The prices at the time of the request. The job's charge uses them even if they change before it runs. */
  prices: Prices;
  /** The method of the job. Its highest price within `max_credits` is reserved. */
  plan: RunPlan;
}

/** Validates any JSON value as the body of an endpoint. Throws the AppErrors of the endpoint's route. */
export function validateBody<E extends Endpoint>(
  endpoint: E,
  body: unknown,
  context: RequestContext,
): ValidatedRequest {
  checkIsObject(body);
  // The requests of a batch share `checks`. Their size was checked together.
  if (context.checks === undefined) checkBodySize(body);
  const request = parseWith(ENDPOINT_SCHEMAS[endpoint].request, body);
  return validateRequest(endpoint, request as EndpointRequests[E], context);
}

/** Checks the rules that an endpoint's zod schema can't express. Throws AppError if the request breaks one. */
export function validateRequest<E extends Endpoint>(
  endpoint: E,
  request: EndpointRequests[E],
  context: RequestContext,
): ValidatedRequest {
  const definition = ENDPOINTS[endpoint];
  const common: PageFields = request;
  const { url, webhook_url: webhookUrl } = common;
  if (url !== undefined) checkTargetUrl(context, url);
  if (webhookUrl !== undefined) {
    const { env, origin, accountId } = context;
    checkReceiver(env, { url: webhookUrl, origin, accountId, parameter: "webhook_url" });
  }
  checkTimeout(common, context.waitMs);
  definition.validateRequest(request, context);
  const rendered = definition.needsBrowser(request, context);
  const plan = choosePlan(definition.plans(request, context), request.max_credits);
  const validated = { endpoint, request, rendered, prices: context.prices, plan };
  if (context.mode === "test") refuseByScript(validated);
  return validated;
}

/**
 * Throws AppError if the URL alone shows that it may not be fetched. Names are resolved and redirects are followed when
 * the job runs. The target of a request with a test key is never fetched, so any URL is allowed.
 */
function checkTargetUrl({ env, mode, origin, accountId }: RequestContext, url: string): void {
  if (mode === "test") return;
  const policy = parseEgressPolicy(
    env.ALLOWED_PRIVATE_HOSTS,
    [env.PUBLIC_URL, origin],
    knownDenied(env, accountId ?? null),
  );
  const reason = findRefusal(url, policy);
  if (reason === null) return;
  const target = URL.parse(url);
  const rule = target !== null && isDenied(target, policy) ? "must be an allowed target" : "must be a public URL";
  const details = [{ path: "url", message: `${rule}: ${reason}` }];
  throw new AppError("invalid_target", `The parameter 'url' ${rule}: ${reason}`, {
    status: 400,
    details,
    hint: toTargetHint(env, url, policy),
  });
}

/** Returns the next step for a target that the service doesn't request. */
function toTargetHint(env: Env, url: string, policy: EgressPolicy): string {
  const target = URL.parse(url);
  if (target?.hostname.endsWith(".test") === true) {
    return "The outcomes of .test hosts are simulated only for test keys. Send the request with a test key (sk_test_…).";
  }
  if (target !== null && isDenied(target, policy))
    return "Use another target. If you need this target, contact the operator of this service.";
  const publicUrl = "Use a public http or https URL.";
  if (target === null || !isStartedLocally(env)) return publicUrl;
  if (policy.ownHosts.has(target.hostname) || target.hostname.endsWith(".invalid")) return publicUrl;
  // On cloud machines, this address returns credentials.
  if (target.hostname === "169.254.169.254") return publicUrl;
  const host = `${target.hostname}:${target.port || (target.protocol === "https:" ? 443 : 80)}`;
  return `${publicUrl} To allow this host, start the service with: npm start -- --var ALLOWED_PRIVATE_HOSTS:${host}.`;
}

/** Returns the error for a balance that is lower than the request's price. */
export function insufficientCredits(cost: number, balance: number): AppError {
  return new AppError(
    "insufficient_credits",
    `This request costs ${toCount(cost, "credit")}; the balance is ${balance}.`,
  );
}

/** Throws the error that a test key's target simulates, unless it occurs only after the job's creation. */
function refuseByScript({ request, plan }: ValidatedRequest): void {
  const outcome = toScriptedOutcome(request);
  if (outcome.kind !== "refused") return;
  if (outcome.code === "insufficient_credits") throw insufficientCredits(totalOf(plan.lines), 0);
  throw new AppError("rate_limited", "This target simulates an exceeded rate limit. Try again in 60 seconds.", {
    headers: { "Retry-After": "60" },
  });
}
