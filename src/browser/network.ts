import type { Protocol } from "devtools-protocol";

/**
 * The ways to keep pages away from private networks:
 * - `checked`: every request is intercepted, and its address is checked. The browser's network may be private.
 * - `filtered`: a filtering proxy checks every connection.
 * - `public`: the browser can't reach a private network, as on Cloudflare.
 */
export type BrowserNetwork = "checked" | "filtered" | "public";

const EVERYTHING: Protocol.Fetch.RequestPattern[] = [{ urlPattern: "*" }];
const DOCUMENTS: Protocol.Fetch.RequestPattern = { urlPattern: "*", resourceType: "Document" };
/**
 * Patterns that match every URL with a private host. They also match some public URLs, such as http://10.example.com/,
 * so the policy is applied to each match.
 */
const PRIVATE_HOSTS: Protocol.Fetch.RequestPattern[] = [
  ...["0.", "10.", "100.", "127.", "169.254.", "172.", "192.168.", "168.63.", "[", "localhost"].map(
    (start) => `*://${start}*`,
  ),
  ...["localhost", "local", "internal", "intranet", "private", "corp", "home", "lan", "test"].flatMap((domain) => [
    `*://*.${domain}/*`,
    `*://*.${domain}:*`,
  ]),
].map((urlPattern) => ({ urlPattern }));

/** Returns how pages are kept away from private networks. Without settings, every request is checked. */
export function toBrowserNetwork({ BROWSER_PROXY = "", BROWSER_NETWORK = "" }: Partial<Env>): BrowserNetwork {
  if (BROWSER_PROXY !== "") return "filtered";
  return BROWSER_NETWORK === "public" ? "public" : "checked";
}

/**
 * Returns the requests to intercept. Each intercepted request takes a round trip between the browser and the Durable
 * Object, and its event contains the request's body. A large body would end the connection.
 * - Documents are always intercepted to report their errors to the caller.
 * - Behind a filtering proxy, images, media and fonts are intercepted to skip them, because only screenshots need them.
 *   In a public network, `skipResources` skips them without a round trip.
 */
export function toIntercepted(network: BrowserNetwork): Protocol.Fetch.EnableRequest {
  if (network === "checked") return { patterns: EVERYTHING };
  if (network === "public") return { patterns: [DOCUMENTS, ...PRIVATE_HOSTS] };
  const skipped = (["Image", "Media", "Font"] as const).map((resourceType) => ({ urlPattern: "*", resourceType }));
  return { patterns: [DOCUMENTS, ...skipped] };
}

/**
 * Keeps request bodies out of CDP events, because a large body would end the connection. 1 is the smallest limit,
 * because 0 means no limit in Chromium (tested with 153).
 */
export const NO_BODIES: Protocol.Network.EnableRequest = { maxPostDataSize: 1 };

/** The decision for an intercepted request. `blank-image` returns a transparent pixel. */
export type RequestDecision = { kind: "continue" } | { kind: "fail" } | { kind: "blank-image" };
