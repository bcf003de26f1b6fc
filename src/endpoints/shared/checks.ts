import { AppError } from "../../model/errors";
import { findRefusal, parseEgressPolicy } from "../../net/egress";
import type { RequestContext } from "./definition";

/**
 * Throws AppError if the URL alone shows that it may not be fetched. Names are resolved, and redirects followed, when the
 * job runs. A test key's target is never fetched, so it may be anything.
 */
export function checkTargetUrl({ env, mode, origin }: RequestContext, url: string): void {
  if (mode === "test") return;
  const reason = findRefusal(url, parseEgressPolicy(env.ALLOWED_PRIVATE_HOSTS, [env.PUBLIC_URL, origin]));
  if (reason === null) return;
  throw new AppError("invalid_target", reason, { status: 400, details: [{ path: "url", message: reason }] });
}
