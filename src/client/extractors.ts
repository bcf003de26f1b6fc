import { getPage, iterate, type Page, type PageQuery, type PageStart } from "./pagination";
import type { CallOptions, Transport } from "./transport";
import type { Extractor, ExtractorWithRules } from "./wire";

/** The extractors that were learned from parses. Every method requires the scope `parse`. */
export class Extractors {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Returns one page of extractors, the last used first. */
  listPage(query: PageQuery = {}, options?: CallOptions): Promise<Page<Extractor>> {
    return getPage(this.#transport, "/extractors", { ...query }, options);
  }

  /** Iterates over all extractors, the last used first. */
  list(query: PageQuery = {}, options?: CallOptions): AsyncGenerator<Extractor, void, undefined> {
    const readPage = (start: PageStart) => this.listPage({ ...query, ...start }, options);
    return iterate(readPage, { start: { offset: query.offset }, id: ({ id }) => id });
  }

  /** Returns an extractor with the places that it reads values from. */
  async get(id: string, options?: CallOptions): Promise<ExtractorWithRules> {
    const call = { method: "GET", path: `/extractors/${encodeURIComponent(id)}`, options } as const;
    return (await this.#transport.call<{ data: ExtractorWithRules }>(call)).data;
  }

  /** Deletes an extractor. The next parses of its pages learn a new one. */
  async delete(id: string, options?: CallOptions): Promise<void> {
    await this.#transport.call({ method: "DELETE", path: `/extractors/${encodeURIComponent(id)}`, options });
  }
}
