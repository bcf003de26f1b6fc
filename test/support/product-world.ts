// The product as a user starts it, a site that it may scrape, and a receiver of its webhooks.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endBrowsers } from "../../scripts/processes.ts";
import { html } from "./answers.ts";
import { makeCertificate } from "./certificate.ts";
import { type Loopback, listen } from "./loopback.ts";
import { pages } from "./pages.ts";
import { type Product, startProduct } from "./product.ts";
import { type Receiver, startReceiver } from "./receiver.ts";

export class ProductWorld {
  /** By this path everything is known that belongs to it: browsers have their profiles there, the runtime its state. */
  readonly temporary = mkdtempSync(join(tmpdir(), "extraction-e2e-"));
  readonly state = join(this.temporary, "state");
  #outside: { site: Loopback; receiver: Receiver; certificate: string } | undefined;
  #product: Product | undefined;

  /** For the first time, or again on what the one before has left. */
  async start(): Promise<void> {
    const { site, receiver, certificate } = await this.#open();
    this.#product = await startProduct({
      state: this.state,
      temporary: this.temporary,
      allowedHosts: `127.0.0.1:${site.port},${receiver.host}`,
      env: { NODE_EXTRA_CA_CERTS: certificate },
    });
  }

  /** As when the machine loses its power. */
  async kill(): Promise<void> {
    await this.product.kill();
    await this.#endBrowsers();
  }

  async end(): Promise<void> {
    await this.#product?.stop();
    await this.#endBrowsers();
    this.#outside?.site.close();
    this.#outside?.receiver.close();
    rmSync(this.temporary, { recursive: true, force: true, maxRetries: 3 });
  }

  /** As it was started last. */
  get product(): Product {
    return must(this.#product);
  }

  get siteUrl(): string {
    return `${must(this.#outside).site.origin}/`;
  }

  get receiver(): Receiver {
    return must(this.#outside).receiver;
  }

  /** A call of the API, by the key that `npm start` prints unless another is given. */
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
    const certificate = await makeCertificate(this.temporary);
    const receiver = await startReceiver(certificate);
    const site = await listen(createServer((_, response) => html(response, pages.article ?? "")));
    this.#outside = { site, receiver, certificate: certificate.file };
    return this.#outside;
  }
}

function must<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error("The product wasn't started.");
  return value;
}
