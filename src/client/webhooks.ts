import { getPage, iterate, type Page, type PageQuery } from "./listing";
import type { CallOptions, Transport } from "./transport";
import type { DeliveryRecord, DeliveryStatus, WebhookSettings } from "./wire";

export interface DeliveryQuery extends PageQuery {
  status?: DeliveryStatus | undefined;
  job_id?: string | undefined;
}

/** Where results are pushed, and what became of it. Settings take the scope `keys`, deliveries the scope `jobs`. */
export class Webhooks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  get(options?: CallOptions): Promise<WebhookSettings> {
    return this.#data({ method: "GET", path: "/webhooks", options });
  }

  /** For all asynchronous jobs from now on; null: only where a request asks for it. */
  setUrl(url: string | null, options?: CallOptions): Promise<WebhookSettings> {
    return this.#data({ method: "PUT", path: "/webhooks", body: { url }, options });
  }

  /** A new secret; the one before signs beside it for 24 hours. */
  rotateSecret(options?: CallOptions): Promise<WebhookSettings> {
    return this.#data({ method: "POST", path: "/webhooks/rotate", options });
  }

  /** Pushes a `webhook.test` event, once. */
  test(options?: CallOptions): Promise<DeliveryRecord> {
    return this.#data({ method: "POST", path: "/webhooks/test", options });
  }

  deliveriesPage(query: DeliveryQuery = {}, options?: CallOptions): Promise<Page<DeliveryRecord>> {
    return getPage(this.#transport, "/webhooks/deliveries", { ...query }, options);
  }

  /** Newest first, page after page. */
  deliveries(query: DeliveryQuery = {}, options?: CallOptions): AsyncGenerator<DeliveryRecord, void, undefined> {
    const readPage = (offset: number) => this.deliveriesPage({ ...query, offset }, options);
    return iterate(readPage, { offset: query.offset, id: (delivery) => delivery.id });
  }

  /** A new round of attempts, with the same id. */
  redeliver(id: string, options?: CallOptions): Promise<DeliveryRecord> {
    return this.#data({ method: "POST", path: `/webhooks/deliveries/${encodeURIComponent(id)}/redeliver`, options });
  }

  async #data<Data>(call: Parameters<Transport["call"]>[0]): Promise<Data> {
    return (await this.#transport.call<{ data: Data }>(call)).data;
  }
}
