import { getPage, iterate, type Page, type PageQuery, type PageStart } from "./pagination";
import type { CallOptions, Transport } from "./transport";
import type { CreatedKey, KeyChangeRequest, KeyRecord, KeyRequest, KeyRotateRequest } from "./wire";

/** API keys. Every method requires the scope `keys`. */
export class Keys {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Creates a key with at most the permissions of the client's key. `key` in the result is the new key's secret, which
   * is shown only once.
   */
  create(request: KeyRequest = {}, options?: CallOptions): Promise<CreatedKey> {
    return this.#transport.readData({ method: "POST", path: "/keys", body: request, options });
  }

  /** Returns one page of keys, newest first. */
  page(query: PageQuery = {}, options?: CallOptions): Promise<Page<KeyRecord>> {
    return getPage(this.#transport, "/keys", { ...query }, options);
  }

  /** Iterates over all keys, newest first. */
  list(query: PageQuery = {}, options?: CallOptions): AsyncGenerator<KeyRecord, void, undefined> {
    const readPage = (start: PageStart) => this.page({ ...query, ...start }, options);
    return iterate(readPage, { start: { offset: query.offset }, id: (key) => key.id });
  }

  /** Changes a key from its next request. Omitted properties stay unchanged. */
  change(id: string, change: KeyChangeRequest, options?: CallOptions): Promise<KeyRecord> {
    const call = { method: "PATCH", path: `/keys/${encodeURIComponent(id)}`, body: change, options } as const;
    return this.#transport.readData(call);
  }

  /**
   * Replaces the secret of a key. `key` in the result is the new secret, which is shown only once. By default, the current
   * secret works for one more day.
   */
  rotate(id: string, request: KeyRotateRequest = {}, options?: CallOptions): Promise<CreatedKey> {
    const call = { method: "POST", path: `/keys/${encodeURIComponent(id)}/rotate`, body: request, options } as const;
    return this.#transport.readData(call);
  }

  /**
   * Revokes a key. The key's next request is refused, and its unfinished work stops. With `keepJobs`, its jobs, batches and
   * crawls continue. Idempotent.
   */
  async revoke(id: string, { keepJobs, ...options }: CallOptions & { keepJobs?: boolean } = {}): Promise<void> {
    const query = { keep_jobs: keepJobs };
    await this.#transport.call({ method: "DELETE", path: `/keys/${encodeURIComponent(id)}`, query, options });
  }
}
