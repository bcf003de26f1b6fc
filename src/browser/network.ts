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
/** The beginnings of the hosts that the egress policy refuses. `?` matches one character. */
const PRIVATE_STARTS: readonly string[] = [
  ..."0. 10. 100. 127. 168.63. 169.254. 172. 192.168.".split(" "),
  // Reserved ranges, which some networks use internally.
  ..."192.0.0. 192.0.2. 192.88.99. 198.18. 198.19. 198.51.100. 203.0.113. 22?. 23?. 24?. 25?.".split(" "),
  "[",
  "localhost",
];
const PRIVATE_DOMAINS = "localhost localdomain local internal intranet private corp home lan arpa test"
  .split(" ")
  .map((domain) => `*.${domain}`);
/**
 * Patterns that match every URL with a private host, except names without a dot. They also match some public URLs, such
 * as http://10.example.com/, so the policy is applied to each match.
 */
const PRIVATE_HOSTS: Protocol.Fetch.RequestPattern[] = [
  ...PRIVATE_STARTS.map((start) => ({ urlPattern: `*://${start}*` })),
  ...toHostPatterns(PRIVATE_DOMAINS),
];

/** Returns the patterns of the URLs with one of the hosts. A name may end with a dot. */
export function toHostPatterns(hosts: readonly string[]): Protocol.Fetch.RequestPattern[] {
  return hosts.flatMap((host) => ["/", ":", "./", ".:"].map((end) => ({ urlPattern: `*://${host}${end}*` })));
}

/** Returns how pages are kept away from private networks. Without settings, every request is checked. */
export function toBrowserNetwork({ BROWSER_PROXY = "", BROWSER_NETWORK = "" }: Partial<Env>): BrowserNetwork {
  if (BROWSER_PROXY !== "") return "filtered";
  return BROWSER_NETWORK === "public" ? "public" : "checked";
}

/**
 * Keeps request bodies out of CDP events, because a large body would end the connection. 1 is the smallest limit,
 * because 0 means no limit in Chromium (tested with 153).
 */
export const NO_BODIES: Protocol.Network.EnableRequest = { maxPostDataSize: 1 };

/** A proxy address without a proxy, the discard port. `<-loopback>` also applies it to loopback addresses. */
export const DEAD_PROXY = { proxyServer: "http://127.0.0.1:9", proxyBypassList: "<-loopback>" };

/** The requests that a browser intercepts. The options of its tabs determine them. */
export class InterceptedRequests {
  readonly #network: BrowserNetwork;
  /** The number of tabs whose requests are all intercepted. */
  isolatedTabs = 0;
  /** Maps a tab to the patterns of its requests that get headers, or that a deny list may refuse. */
  readonly more = new Map<object, Protocol.Fetch.RequestPattern[]>();

  constructor(network: BrowserNetwork) {
    this.#network = network;
  }

  /**
   * Returns the parameters of `Fetch.enable`. They apply to all tabs of the browser. Each intercepted request takes a
   * round trip between the browser and the Durable Object, and its event contains the request's body. A large body
   * would end the connection.
   * - Documents are always intercepted to report their errors to the caller.
   * - Behind a filtering proxy, images, media and fonts are intercepted to skip them, because only screenshots need
   *   them. In a public network, `skipResources` skips them without a round trip.
   */
  toCommand(): Protocol.Fetch.EnableRequest {
    if (this.isolatedTabs > 0 || this.#network === "checked") return { patterns: EVERYTHING };
    const more = [...this.more.values()].flat();
    if (this.#network === "public") return { patterns: [DOCUMENTS, ...PRIVATE_HOSTS, ...more] };
    const skipped = (["Image", "Media", "Font"] as const).map((resourceType) => ({ urlPattern: "*", resourceType }));
    return { patterns: [DOCUMENTS, ...skipped, ...more] };
  }
}

/**
 * The decision for an intercepted request. `blank-image` returns a transparent pixel. `blank-document` returns an empty
 * document, because a frame that fails to load shows an error message.
 */
export interface RequestDecision {
  kind: "continue" | "fail" | "blank-image" | "blank-document";
}
