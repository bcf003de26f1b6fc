import { getPage, iterate, type Page, type PageQuery, type Place } from "./pagination";
import type { CallOptions, Transport } from "./transport";
import type { DeliveryRecord, DeliveryStatus, WebhookSettings } from "./wire";

export interface DeliveryQuery extends PageQuery {
  status?: DeliveryStatus | undefined;
  job_id?: string | undefined;
}

/** Webhook settings and deliveries. Settings require the scope `keys`, deliveries the scope `jobs`. */
export class Webhooks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Returns the webhook URL and the signing secret. */
  get(options?: CallOptions): Promise<WebhookSettings> {
    return this.#data({ method: "GET", path: "/webhooks", options });
  }

  /** Sets the URL for all new asynchronous jobs. null: only requests with their own `webhook_url` are pushed. */
  setUrl(url: string | null, options?: CallOptions): Promise<WebhookSettings> {
    return this.#data({ method: "PUT", path: "/webhooks", body: { url }, options });
  }

  /** Creates a new signing secret. The previous one also signs for 24 hours. */
  rotateSecret(options?: CallOptions): Promise<WebhookSettings> {
    return this.#data({ method: "POST", path: "/webhooks/rotate", options });
  }

  /** Sends one `webhook.test` event. */
  test(options?: CallOptions): Promise<DeliveryRecord> {
    return this.#data({ method: "POST", path: "/webhooks/test", options });
  }

  /** Returns one page of deliveries, newest first. */
  deliveriesPage(query: DeliveryQuery = {}, options?: CallOptions): Promise<Page<DeliveryRecord>> {
    return getPage(this.#transport, "/webhooks/deliveries", { ...query }, options);
  }

  /** Iterates over all deliveries, newest first. */
  deliveries(query: DeliveryQuery = {}, options?: CallOptions): AsyncGenerator<DeliveryRecord, void, undefined> {
    const readPage = (place: Place) => this.deliveriesPage({ ...query, ...place }, options);
    return iterate(readPage, { place: { offset: query.offset }, id: (delivery) => delivery.id });
  }

  /** Starts a new round of attempts with the same id. */
  redeliver(id: string, options?: CallOptions): Promise<DeliveryRecord> {
    return this.#data({ method: "POST", path: `/webhooks/deliveries/${encodeURIComponent(id)}/redeliver`, options });
  }

  async #data<Data>(call: Parameters<Transport["call"]>[0]): Promise<Data> {
    return (await this.#transport.call<{ data: Data }>(call)).data;
  }
}
