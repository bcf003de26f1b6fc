import { AppError } from "../model/errors";
import { findRefusal, parseEgressPolicy } from "../net/egress";

/**
 * Throws AppError for a receiver whose address alone shows that it can't be one; each delivery checks again. `origin` is
 * where this service was reached, `parameter` where the address was given.
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
