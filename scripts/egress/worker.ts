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

const HANDSHAKE_TIMEOUT_MS = 5_000;

export default {
  fetch: async (request) => {
    const url = new URL(request.url);
    const network = isExempt(url, policy) ? ANY : PUBLIC;
    try {
      return await network.fetch(request);
    } catch (error) {
      if (!request.signal.aborted && (await failsHandshake(network, url))) throw new Error("The TLS handshake failed.");
      throw error;
    }
  },
} satisfies ExportedHandler;

/**
 * Returns true if the target accepts connections, but no TLS handshake succeeds. The error of the runtime's `fetch`
 * doesn't say whether TLS failed. Never throws.
 */
async function failsHandshake(network: Fetcher, { protocol, hostname, port }: URL): Promise<boolean> {
  if (protocol !== "https:") return false;
  let socket: Socket | null = null;
  let isConnected = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("The handshake took too long.")), HANDSHAKE_TIMEOUT_MS);
  });
  try {
    socket = network.connect(
      { hostname, port: Number(port) || 443 },
      { secureTransport: "starttls", allowHalfOpen: false },
    );
    await Promise.race([socket.opened, late]);
    isConnected = true;
    socket = socket.startTls();
    await Promise.race([socket.opened, late]);
    return false;
  } catch {
    return isConnected;
  } finally {
    clearTimeout(timer);
    socket?.close().catch(() => {});
  }
}
