import type { CallOptions, Transport } from "./transport";
import type { ReadySchema, ReadySchemaSummary, SchemaName } from "./wire";

/** The ready-made schemas for parses. Every method requires the scope `parse`. */
export class Schemas {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Returns all schemas with their names and descriptions. */
  async list(options?: CallOptions): Promise<ReadySchemaSummary[]> {
    const call = { method: "GET", path: "/schemas", options } as const;
    return (await this.#transport.call<{ data: ReadySchemaSummary[] }>(call)).data;
  }

  /** Returns a schema with its prompt. Later versions of the service may have other schemas than this client knows. */
  async get(name: SchemaName | (string & {}), options?: CallOptions): Promise<ReadySchema> {
    const call = { method: "GET", path: `/schemas/${encodeURIComponent(name)}`, options } as const;
    return (await this.#transport.call<{ data: ReadySchema }>(call)).data;
  }
}
