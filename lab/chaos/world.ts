import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { serveResolver } from "../../scripts/resolver.ts";
import { CERTIFICATE } from "../../test/support/certificate.ts";
import { startEngines, toOriginVariables } from "../../test/support/engines/server.ts";
import { startModels } from "../../test/support/models.ts";
import { pages } from "../../test/support/pages.ts";
import { type Receiver, startReceiver } from "../../test/support/receiver.ts";

const SLOW_MS = 4_000;
const LARGE_WORDS = 40_000;

/** The servers that the service calls, all on loopback: a site, models, search engines and a webhook receiver. */
export interface World {
  /** Returns a URL of the site: /{id}/{behavior}. */
  page: (id: string, behavior: string) => string;
  receiver: Receiver;
  /** The Worker variables with the addresses of these servers. */
  variables: Record<string, string>;
  environment: Record<string, string>;
  close: () => void;
}

/** Starts the servers. */
export async function startWorld(): Promise<World> {
  const receiver = await startReceiver(CERTIFICATE);
  const models = await startModels();
  const engines = await startEngines();
  const site = createServer({ keepAliveTimeout: 0 }, serveSite);
  await new Promise<void>((ready) => site.listen(0, "127.0.0.1", ready));
  const host = `127.0.0.1:${(site.address() as AddressInfo).port}`;
  return {
    page: (id, behavior) => `http://${host}/${id}/${behavior}`,
    receiver,
    variables: {
      ALLOWED_PRIVATE_HOSTS: [host, receiver.host].join(),
      DNS_RESOLVER: await serveResolver(),
      CALLER_ADDRESS: "127.0.0.1",
      OPENAI_API_KEY: "none",
      OPENAI_BASE_URL: `${models.origin}/v1`,
      ...toOriginVariables(engines.origins),
    },
    environment: { NODE_EXTRA_CA_CERTS: CERTIFICATE.file },
    close: () => {
      for (const server of [receiver, models, engines]) server.close();
      site.closeAllConnections();
      site.close();
    },
  };
}

function serveSite(request: IncomingMessage, response: ServerResponse): void {
  const [, , behavior = ""] = (request.url ?? "").split("/");
  if (behavior === "reset") return void request.socket.destroy();
  if (behavior === "slow") return void setTimeout(() => html(response, pages.article ?? ""), SLOW_MS);
  if (behavior === "large") {
    return void html(response, `<article><h1>Large</h1><p>${"word ".repeat(LARGE_WORDS)}</p></article>`);
  }
  const page = pages[behavior];
  if (page !== undefined) return void html(response, page);
  response.writeHead(404, { "content-type": "text/html" });
  response.end("<h1>Not here</h1>");
}

function html(response: ServerResponse, body: string): void {
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
  response.end(body);
}
