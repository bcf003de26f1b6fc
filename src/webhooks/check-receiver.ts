import { AppError } from "../model/errors";
import { findRefusal, parseEgressPolicy } from "../net/egress";

/**
 * Throws AppError if the URL shows that the service can't send events to it. Checks only the URL; each delivery also
 * checks the address of the URL's host. `origin` is this service's origin. `parameter` is the name of the request
 * parameter with the URL.
 */
export function checkReceiver(
  env: Env,
  { url, origin, parameter }: { url: string; origin: string; parameter: string },
): void {
  const reason = findRefusal(url, parseEgressPolicy(env.ALLOWED_PRIVATE_HOSTS, [env.PUBLIC_URL, origin]));
  if (reason === null) return;
  throw new AppError("invalid_request", `The parameter '${parameter}' must be publicly reachable: ${reason}`, {
    details: [{ path: parameter, message: reason }],
  });
}
