import type { Protocol } from "devtools-protocol";
import type { Denied } from "../net/denied";
import { DenyList } from "../net/deny-list";
import { type EgressPolicy, parseEgressPolicy } from "../net/egress";
import { toHostPatterns } from "./network";
import type { RenderRequest } from "./protocol";

/**
 * The maximum number of hosts for patterns. With more hosts, all requests are intercepted, because the browser compares
 * each request with each pattern.
 */
const MAX_PATTERN_HOSTS = 100;

type PolicyFields = Pick<RenderRequest, "allowedPrivateHosts" | "ownOrigins" | "denied">;

export function toRenderPolicy({ allowedPrivateHosts, ownOrigins, denied }: PolicyFields): EgressPolicy {
  const lists = denied && { lists: [new DenyList(denied.targets)], contact: denied.contact };
  return parseEgressPolicy(allowedPrivateHosts, ownOrigins, lists);
}

/** Returns the deny lists as the plain values of a render's request. Omits them if they are empty. */
export function toDeniedFields({ lists, contact }: Denied): Pick<RenderRequest, "denied"> {
  const targets = lists.flatMap(({ entries }) => entries);
  return targets.length === 0 ? {} : { denied: { targets, contact } };
}

/**
 * Returns the patterns of the requests that a deny list may refuse. The egress policy is applied to each match. If the
 * list has a network, all requests must be intercepted, because any host can be in the network.
 */
export function toDeniedPatterns(targets: readonly string[]): Protocol.Fetch.RequestPattern[] {
  if (targets.length > MAX_PATTERN_HOSTS || new DenyList(targets).hasNetworks) return [{ urlPattern: "*" }];
  const hosts = targets.flatMap((target) => (target.startsWith("*.") ? [target, target.slice(2)] : [target]));
  return toHostPatterns(hosts);
}
