// The egress Worker of the local runtime. All outbound requests of the service go through it. It selects the network by
// the request's host.
import { env } from "cloudflare:workers";
import { isExempt, parseEgressPolicy } from "../../src/net/egress";

interface EgressEnv {
  /** The comma-separated host:port of all services that the operator configured. */
  CONFIGURED_HOSTS: string;
  /** A network with only public addresses. The runtime checks the address that it connects to. */
  PUBLIC: Fetcher;
  /** A network with public and private addresses. */
  ANY: Fetcher;
}

const { CONFIGURED_HOSTS, PUBLIC, ANY } = env as unknown as EgressEnv;
const policy = parseEgressPolicy(CONFIGURED_HOSTS, []);

export default {
  fetch: (request) => (isExempt(new URL(request.url), policy) ? ANY : PUBLIC).fetch(request),
} satisfies ExportedHandler;
