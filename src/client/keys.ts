import { getPage, iterate, type Page, type PageQuery } from "./listing";
import type { CallOptions, Transport } from "./transport";
import type { CreatedKey, KeyRecord, KeyRequest } from "./wire";

/** API keys; all of it takes the scope `keys`. */
export class Keys {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** A key that can do no more than this one. Its secret, `key`, is shown this once. */
  async create(request: KeyRequest = {}, options?: CallOptions): Promise<CreatedKey> {
    const call = { method: "POST", path: "/keys", body: request, options } as const;
    return (await this.#transport.call<{ data: CreatedKey }>(call)).data;
  }

  page(query: PageQuery = {}, options?: CallOptions): Promise<Page<KeyRecord>> {
    return getPage(this.#transport, "/keys", { ...query }, options);
  }

  /** Newest first, page after page. */
  list(query: PageQuery = {}, options?: CallOptions): AsyncGenerator<KeyRecord, void, undefined> {
    const readPage = (offset: number) => this.page({ ...query, offset }, options);
    return iterate(readPage, { offset: query.offset, id: (key) => key.id });
  }

  /** From the next request on nobody gets in with it. May be repeated. */
  async revoke(id: string, options?: CallOptions): Promise<void> {
    await this.#transport.call({ method: "DELETE", path: `/keys/${encodeURIComponent(id)}`, options });
  }
}
