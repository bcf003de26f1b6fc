import { AppError } from "../model/errors";
import { findRefusal, parseEgressPolicy } from "../net/egress";

/**
 * Throws AppError if the URL alone shows that events can't be sent there. Each delivery checks it again. `origin` is the origin
 * of this service, and `parameter` names the request parameter that has the URL.
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
