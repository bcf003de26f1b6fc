import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { lookup } from "./egress/lookup.ts";

const TYPES: Record<string, { number: number; family: 4 | 6 }> = {
  A: { number: 1, family: 4 },
  AAAA: { number: 28, family: 6 },
};
const NO_SUCH_NAME = 3;

/**
 * Serves this machine's name resolution as JSON over HTTP (DoH) on loopback. The Worker resolves names with it to check
 * the addresses that the local runtime would connect to. Returns the URL.
 */
export function serveResolver(): Promise<string> {
  const server = createServer(async (request, response) => {
    const query = new URL(request.url ?? "/", "http://resolver").searchParams;
    const name = query.get("name") ?? "";
    const type = TYPES[query.get("type") ?? "A"];
    const addresses = await lookup(name).catch(() => []);
    const answers = addresses.filter(({ family }) => family === type?.family);
    response.setHeader("content-type", "application/dns-json");
    response.end(
      JSON.stringify({
        Status: addresses.length === 0 ? NO_SUCH_NAME : 0,
        Answer: answers.map(({ address }) => ({ name, type: type?.number, data: address })),
      }),
    );
  });
  server.unref();
  return new Promise((ready) =>
    server.listen(0, "127.0.0.1", () => ready(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)),
  );
}
