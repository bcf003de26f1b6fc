import { getPage, iterate, type Page, type PageQuery, type PageStart } from "./pagination";
import type { CallOptions, Transport } from "./transport";
import type {
  DeliveryDetail,
  DeliveryRecord,
  DeliveryStatus,
  Redeliveries,
  RedeliveriesRequest,
  WebhookEndpoint,
  WebhookEndpointChange,
  WebhookEndpointRequest,
  WebhookEndpointWithSecret,
  WebhookSettings,
} from "./wire";

export interface DeliveryQuery extends PageQuery {
  status?: DeliveryStatus | undefined;
  job_id?: string | undefined;
}

/**
 * Webhook settings and deliveries. Methods for settings require the scope `keys`. Methods for deliveries require the
 * scope `jobs`.
 */
export class Webhooks {
  readonly endpoints: WebhookEndpoints;
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
    this.endpoints = new WebhookEndpoints(transport);
  }

  /** Returns the webhook URL and the signing secret. */
  get(options?: CallOptions): Promise<WebhookSettings> {
    return this.#transport.readData({ method: "GET", path: "/webhooks", options });
  }

  /**
   * Sets the webhook URL for all new asynchronous jobs. With null, events are sent only for requests with a
   * `webhook_url`.
   */
  setUrl(url: string | null, options?: CallOptions): Promise<WebhookSettings> {
    return this.#transport.readData({ method: "PUT", path: "/webhooks", body: { url }, options });
  }

  /** Creates a new signing secret. For 24 hours, events also have a signature with the previous secret. */
  rotateSecret(options?: CallOptions): Promise<WebhookSettings> {
    return this.#transport.readData({ method: "POST", path: "/webhooks/rotate", options });
  }

  /** Sends a `webhook.test` event, with one attempt. */
  test(options?: CallOptions): Promise<DeliveryRecord> {
    return this.#transport.readData({ method: "POST", path: "/webhooks/test", options });
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

  /** Returns a delivery with the payload, headers and signatures that were sent. */
  delivery(id: string, options?: CallOptions): Promise<DeliveryDetail> {
    return this.#transport.readData({ method: "GET", path: `/webhooks/deliveries/${encodeURIComponent(id)}`, options });
  }

  /**
   * Sends a delivery again, in a new series of attempts with the same `X-Webhook-ID`. The event is sent to the current
   * URL of its endpoint, or to the `url` in the options, which requires the scope `keys` too.
   */
  redeliver(id: string, { url, ...options }: CallOptions & { url?: string } = {}): Promise<DeliveryRecord> {
    const body = url === undefined ? {} : { body: { url } };
    const path = `/webhooks/deliveries/${encodeURIComponent(id)}/redeliver`;
    return this.#transport.readData({ method: "POST", path, ...body, options });
  }

  /**
   * Sends the deliveries since a time again, up to 1,000 in one call. If `has_more` is true, call it again with the
   * `until` of the result.
   */
  redeliverAll(request: RedeliveriesRequest, options?: CallOptions): Promise<Redeliveries> {
    return this.#transport.readData({ method: "POST", path: "/webhooks/deliveries/redeliver", body: request, options });
  }
}

/** Webhook endpoints. The endpoint `default` has the account's webhook URL. Every method requires the scope `keys`. */
export class WebhookEndpoints {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Returns one page of endpoints without their secrets, oldest first. */
  page(query: PageQuery = {}, options?: CallOptions): Promise<Page<WebhookEndpoint>> {
    return getPage(this.#transport, "/webhooks/endpoints", { ...query }, options);
  }

  /** Iterates over all endpoints, oldest first. */
  list(query: PageQuery = {}, options?: CallOptions): AsyncGenerator<WebhookEndpoint, void, undefined> {
    const readPage = (start: PageStart) => this.page({ ...query, ...start }, options);
    return iterate(readPage, { start: { offset: query.offset }, id: (endpoint) => endpoint.id });
  }

  /** Creates an endpoint. Without `events`, it receives `job.completed` and `job.failed`. */
  create(request: WebhookEndpointRequest, options?: CallOptions): Promise<WebhookEndpointWithSecret> {
    return this.#transport.readData({ method: "POST", path: "/webhooks/endpoints", body: request, options });
  }

  /** Returns an endpoint with its signing secret. */
  get(id: string, options?: CallOptions): Promise<WebhookEndpointWithSecret> {
    return this.#transport.readData({ method: "GET", path: toPath(id), options });
  }

  /** Changes the URL or the events of an endpoint. Omitted properties stay unchanged. */
  change(id: string, change: WebhookEndpointChange, options?: CallOptions): Promise<WebhookEndpointWithSecret> {
    return this.#transport.readData({ method: "PATCH", path: toPath(id), body: change, options });
  }

  /** Deletes an endpoint. Its unfinished deliveries are abandoned. */
  async delete(id: string, options?: CallOptions): Promise<void> {
    await this.#transport.call({ method: "DELETE", path: toPath(id), options });
  }

  /** Creates a new signing secret. For 24 hours, events also have a signature with the previous secret. */
  rotateSecret(id: string, options?: CallOptions): Promise<WebhookEndpointWithSecret> {
    return this.#transport.readData({ method: "POST", path: `${toPath(id)}/rotate`, options });
  }

  /** Sends a `webhook.test` event to the endpoint, with one attempt. */
  test(id: string, options?: CallOptions): Promise<DeliveryRecord> {
    return this.#transport.readData({ method: "POST", path: `${toPath(id)}/test`, options });
  }
}

function toPath(id: string): string {
  return `/webhooks/endpoints/${encodeURIComponent(id)}`;
}
