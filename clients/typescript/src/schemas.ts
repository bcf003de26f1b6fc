import type { CallOptions, Transport } from "./transport";
import type { ReadySchema, ReadySchemaSummary, SchemaName } from "./wire";

/** The ready-made schemas for parses. Every method requires the scope `parse`. */
export class Schemas {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Returns all schemas with their names and descriptions. */
  list(options?: CallOptions): Promise<ReadySchemaSummary[]> {
    return this.#transport.readData({ method: "GET", path: "/schemas", options });
  }

  /** Returns a schema with its prompt. Later versions of the service may have other schemas than this client knows. */
  get(name: SchemaName | (string & {}), options?: CallOptions): Promise<ReadySchema> {
    return this.#transport.readData({ method: "GET", path: `/schemas/${encodeURIComponent(name)}`, options });
  }
}
