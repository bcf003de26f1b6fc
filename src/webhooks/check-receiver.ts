import { invalidParameter } from "../contract/invalid-request";
import { isStartedLocally } from "../lib/env";
import { type Denied, knownDenied } from "../net/denied";
import { type EgressPolicy, findRefusal, isExempt, parseEgressPolicy } from "../net/egress";

/** The part of the environment that decides which URLs can receive events. */
type ReceiverEnv = Pick<Env, "ALLOWED_PRIVATE_HOSTS" | "LOCAL_RECEIVERS" | "PUBLIC_URL" | "DB" | "SUPPORT_URL">;

/**
 * Throws AppError if the URL shows that the service can't send events to it. Checks only the URL; each delivery also
 * checks the address of the URL's host. `origin` is this service's origin. `parameter` is the name of the request
 * parameter with the URL. `accountId` is the account whose deny list applies in addition to the operator's list.
 */
export function checkReceiver(
  env: ReceiverEnv,
  {
    url,
    origin,
    accountId,
    parameter,
  }: { url: string; origin: string; accountId?: string | undefined; parameter: string },
): void {
  const policy = receiverPolicy(env, origin, knownDenied(env, accountId ?? null));
  const rule = findSchemeRefusal(env, url, policy);
  if (rule !== null) throw invalidParameter(parameter, rule, { hint: HINT });
  const reason = findRefusal(url, policy);
  if (reason !== null) throw invalidParameter(parameter, "must be publicly reachable", { reason, hint: HINT });
}

const HINT = "Use a public https URL. To receive the webhooks of a local service, run npm run listen.";

/** Returns the egress policy of webhooks. Only webhooks can reach LOCAL_RECEIVERS. */
export function receiverPolicy(env: ReceiverEnv, origin: string, denied: Denied): EgressPolicy {
  const hosts = isStartedLocally(env)
    ? [env.ALLOWED_PRIVATE_HOSTS, ...env.LOCAL_RECEIVERS]
    : [env.ALLOWED_PRIVATE_HOSTS];
  return parseEgressPolicy(hosts.join(","), [env.PUBLIC_URL, origin], denied);
}

/**
 * Returns the rule that the URL's scheme breaks, or null. A deployed service accepts only https. Under `npm start`, an
 * exempt host of the policy may also use http. The text completes a sentence that begins with the parameter's name.
 */
export function findSchemeRefusal(env: ReceiverEnv, url: string, policy: EgressPolicy): string | null {
  const target = URL.parse(url);
  if (target?.protocol === "https:") return null;
  if (target?.protocol !== "http:" || !isStartedLocally(env)) return "must begin with https://";
  if (isExempt(target, policy)) return null;
  const host = `${target.hostname}:${target.port || 80}`;
  return `must begin with https://. To use this http URL, add ${host} to ALLOWED_PRIVATE_HOSTS (npm start -- --var ALLOWED_PRIVATE_HOSTS:${host})`;
}
