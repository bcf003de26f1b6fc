import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { makeCertificate } from "../../test/support/certificate.ts";
import { startEngines } from "../../test/support/engines/server.ts";
import { startModels } from "../../test/support/models.ts";
import { pages } from "../../test/support/pages.ts";
import { type Receiver, startReceiver } from "../../test/support/receiver.ts";
import { serveResolver } from "../resolver.ts";

const SLOW_MS = 4_000;
const LARGE_WORDS = 40_000;

/** Everything that the service asks: a site, models, engines, a receiver of webhooks, all on loopback. */
export interface World {
  /** An address of the site: /{id}/{behaviour}. */
  page: (id: string, behaviour: string) => string;
  receiver: Receiver;
  /** What tells the service of them. */
  variables: Record<string, string>;
  environment: Record<string, string>;
  close: () => void;
}

/** `folder`: where the receiver's certificate goes. */
export async function startWorld(folder: string): Promise<World> {
  const certificate = await makeCertificate(folder);
  const receiver = await startReceiver(certificate);
  const models = await startModels();
  const engines = await startEngines();
  const site = createServer({ keepAliveTimeout: 0 }, answer);
  await new Promise<void>((ready) => site.listen(0, "127.0.0.1", ready));
  const host = `127.0.0.1:${(site.address() as AddressInfo).port}`;
  return {
    page: (id, behaviour) => `http://${host}/${id}/${behaviour}`,
    receiver,
    variables: {
      ALLOWED_PRIVATE_HOSTS: [host, receiver.host].join(),
      DNS_RESOLVER: await serveResolver(),
      CALLER_ADDRESS: "127.0.0.1",
      OPENAI_API_KEY: "none",
      OPENAI_BASE_URL: `${models.origin}/v1`,
      SERP_GOOGLE_ORIGIN: engines.origins.google,
      SERP_BING_ORIGIN: engines.origins.bing,
      SERP_YANDEX_ORIGIN: engines.origins.yandex,
    },
    environment: { NODE_EXTRA_CA_CERTS: certificate.file },
    close: () => {
      for (const server of [receiver, models, engines]) server.close();
      site.closeAllConnections();
      site.close();
    },
  };
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const [, , behaviour = ""] = (request.url ?? "").split("/");
  if (behaviour === "reset") return void request.socket.destroy();
  if (behaviour === "slow") return void setTimeout(() => html(response, pages.article ?? ""), SLOW_MS);
  if (behaviour === "large") {
    return void html(response, `<article><h1>Large</h1><p>${"word ".repeat(LARGE_WORDS)}</p></article>`);
  }
  const page = pages[behaviour];
  if (page !== undefined) return void html(response, page);
  response.writeHead(404, { "content-type": "text/html" });
  response.end("<h1>Not here</h1>");
}

function html(response: ServerResponse, body: string): void {
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
  response.end(body);
}
