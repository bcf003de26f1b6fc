// The Worker that stands between the local runtime's `fetch` and the network. It chooses the connection by the
// request's host.
import { env } from "cloudflare:workers";
import { isExempt, parseEgressPolicy } from "../../src/net/egress";

interface EgressEnv {
  /** Host:port of what the operator configured, comma-separated. */
  CONFIGURED_HOSTS: string;
  /** Connects to public addresses only. The runtime checks the address that it connects to. */
  PUBLIC: Fetcher;
  /** Connects to any address. */
  ANY: Fetcher;
}

const { CONFIGURED_HOSTS, PUBLIC, ANY } = env as unknown as EgressEnv;
const policy = parseEgressPolicy(CONFIGURED_HOSTS, []);

export default {
  fetch: (request) => (isExempt(new URL(request.url), policy) ? ANY : PUBLIC).fetch(request),
} satisfies ExportedHandler;
