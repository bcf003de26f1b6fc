import { getPage, iterate, type Page, type PageQuery, type PageStart } from "./pagination";
import type { CallOptions, Transport } from "./transport";
import type { DeliveryRecord, DeliveryStatus, WebhookSettings } from "./wire";

export interface DeliveryQuery extends PageQuery {
  status?: DeliveryStatus | undefined;
  job_id?: string | undefined;
}

/**
 * Webhook settings and deliveries. Methods for settings require the scope `keys`. Methods for deliveries require the
 * scope `jobs`.
 */
export class Webhooks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Returns the webhook URL and the signing secret. */
  get(options?: CallOptions): Promise<WebhookSettings> {
    return this.#data({ method: "GET", path: "/webhooks", options });
  }

  /**
   * Sets the webhook URL for all new asynchronous jobs. With null, events are sent only for requests with a
   * `webhook_url`.
   */
  setUrl(url: string | null, options?: CallOptions): Promise<WebhookSettings> {
    return this.#data({ method: "PUT", path: "/webhooks", body: { url }, options });
  }

  /** Creates a new signing secret. For 24 hours, events also have a signature with the previous secret. */
  rotateSecret(options?: CallOptions): Promise<WebhookSettings> {
    return this.#data({ method: "POST", path: "/webhooks/rotate", options });
  }

  /** Sends a `webhook.test` event, with one attempt. */
  test(options?: CallOptions): Promise<DeliveryRecord> {
    return this.#data({ method: "POST", path: "/webhooks/test", options });
  }

  /** Returns one page of deliveries, newest first. */
  deliveriesPage(query: DeliveryQuery = {}, options?: CallOptions): Promise<Page<DeliveryRecord>> {
    return getPage(this.#transport, "/webhooks/deliveries", { ...query }, options);
  }

  /** Iterates over all deliveries, newest first. */
  deliveries(query: DeliveryQuery = {}, options?: CallOptions): AsyncGenerator<DeliveryRecord, void, undefined> {
    const readPage = (start: PageStart) => this.deliveriesPage({ ...query, ...start }, options);
    return iterate(readPage, { start: { offset: query.offset }, id: (delivery) => delivery.id });
  }

  /** Sends a delivery again, in a new series of attempts with the same `X-Webhook-ID`. */
  redeliver(id: string, options?: CallOptions): Promise<DeliveryRecord> {
    return this.#data({ method: "POST", path: `/webhooks/deliveries/${encodeURIComponent(id)}/redeliver`, options });
  }

  async #data<Data>(call: Parameters<Transport["call"]>[0]): Promise<Data> {
    return (await this.#transport.call<{ data: Data }>(call)).data;
  }
}
