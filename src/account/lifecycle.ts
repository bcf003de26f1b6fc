/**
 * The reason why a Durable Object serves only operators. While a lifecycle is stored, all other methods return `gone`.
 * The lifecycle isn't part of the tables, so it survives their deletion and isn't exported.
 */
export type Lifecycle =
  /** Rows are being imported. `cursor` is the position of the next row in the export. It is null after the last row. */
  | { kind: "importing"; cursor: string | null }
  /** The alarm is deleting everything that belongs to the account. */
  | { kind: "erasing"; tag: string }
  /**
   * The account was erased, and the Durable Object can't be opened again. If `tag` isn't null, the account's
   * objects in R2 are deleted a second time.
   */
  | { kind: "erased"; tag: string | null };

const KEY = "lifecycle";

/** Returns the lifecycle, or null in normal operation. Reads storage, so callers should cache the value. */
export function readLifecycle({ kv }: DurableObjectStorage): Lifecycle | null {
  return kv.get<Lifecycle>(KEY) ?? null;
}

export function writeLifecycle({ kv }: DurableObjectStorage, lifecycle: Lifecycle | null): void {
  if (lifecycle === null) kv.delete(KEY);
  else kv.put(KEY, lifecycle);
}
