// Starts the service with `npm start`, a website to scrape, the search engines, and a webhook receiver. Reserves a port for `npm run listen`.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../scripts/free-port.ts";
import { endBrowsers } from "../../scripts/processes.ts";
import { CERTIFICATE } from "./certificate.ts";
import { type EngineServers, startEngines, toOriginVariables } from "./engines/server.ts";
import { type Loopback, listen } from "./loopback.ts";
import { pages } from "./pages.ts";
import { type Product, startProduct } from "./product.ts";
import { type Receiver, startReceiver } from "./receiver.ts";
import { sendHtml } from "./responses.ts";
import { startVerificationSite, type VerificationSite } from "./verification-site.ts";

interface Outside {
  site: Loopback;
  receiver: Receiver;
  engines: EngineServers;
  verification: VerificationSite;
  certificate: string;
  listenPort: number;
}

export class ProductWorld {
  /** The folder of the browser profiles and the runtime's state. The processes of this test are found by this path. */
  readonly temporary = mkdtempSync(join(tmpdir(), "extraction-e2e-"));
  readonly state = join(this.temporary, "state");
  #outside: Outside | undefined;
  #product: Product | undefined;

  /** Starts the service. A later start reuses the state of the previous one. */
  async start(): Promise<void> {
    const { site, receiver, engines, verification, certificate, listenPort } = await this.#open();
    const hosts = [`127.0.0.1:${site.port}`, receiver.host, `127.0.0.1:${listenPort}`, ...verification.hosts];
    this.#product = await startProduct({
      state: this.state,
      temporary: this.temporary,
      allowedHosts: hosts.join(),
      env: { NODE_EXTRA_CA_CERTS: certificate },
      args: Object.entries(toOriginVariables(engines.origins)).flatMap(([name, origin]) => [
        "--var",
        `${name}:${origin}`,
      ]),
    });
  }

  /** Kills all processes, to simulate a power failure. */
  async kill(): Promise<void> {
    await this.product.kill();
    await this.#endBrowsers();
  }

  async end(): Promise<void> {
    await this.#product?.stop();
    await this.#endBrowsers();
    this.#outside?.site.close();
    this.#outside?.receiver.close();
    this.#outside?.engines.close();
    this.#outside?.verification.close();
    rmSync(this.temporary, { recursive: true, force: true, maxRetries: 3 });
  }

  /** The most recently started service. Throws if no service was started. */
  get product(): Product {
    return required(this.#product);
  }

  get siteUrl(): string {
    return `${required(this.#outside).site.origin}/`;
  }

  /** A page of the site that never responds. */
  get silentUrl(): string {
    return `${this.siteUrl}${SILENT}`;
  }

  get receiver(): Receiver {
    return required(this.#outside).receiver;
  }

  /** The test addresses of `npm run deploy -- --verify`. */
  get verification(): VerificationSite {
    return required(this.#outside).verification;
  }

  /** A free port that webhooks can reach over http. */
  get listenPort(): number {
    return required(this.#outside).listenPort;
  }

  /** Calls the API. The default key is the live key that `npm start` prints. */
  async call(method: string, path: string, body?: unknown, key = this.product.live): Promise<Response> {
    return await fetch(`${this.product.base}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async #endBrowsers(): Promise<void> {
    await endBrowsers((commandLine) => commandLine.includes(this.temporary));
  }

  async #open() {
    if (this.#outside !== undefined) return this.#outside;
    const receiver = await startReceiver(CERTIFICATE);
    const site = await listen(createServer(respond));
    const engines = await startEngines();
    const verification = await startVerificationSite(CERTIFICATE);
    this.#outside = {
      site,
      receiver,
      engines,
      verification,
      certificate: CERTIFICATE.file,
      listenPort: await freePort(),
    };
    return this.#outside;
  }
}

/** The path of the page that never responds. */
const SILENT = "silent";

function respond(request: IncomingMessage, response: ServerResponse): void {
  if (request.url !== `/${SILENT}`) sendHtml(response, pages.article ?? "");
}

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error("The service wasn't started.");
  return value;
}
