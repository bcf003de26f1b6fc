import type { Jurisdiction, Location } from "../model/account";

/** Where an account is moved to. */
export interface MoveTarget {
  /** The name of the new object. */
  object: string;
  jurisdiction: Jurisdiction | null;
  location: Location | null;
}

/**
 * Why an object serves nothing but operators at the moment. Every other method answers `gone` then. It isn't part of the tables,
 * so it outlives them and isn't exported.
 */
export type Lifecycle =
  /** Rows are being imported. `cursor` is the place in the export that comes next. Null: all rows are here. */
  | { kind: "importing"; cursor: string | null }
  /** The rows don't change any more, because they are being copied. */
  | { kind: "moving"; to: MoveTarget }
  /** The alarm deletes everything that belongs to the account. */
  | { kind: "erasing"; tag: string }
  /** The account was moved or erased, and the object can't be opened again. `tag`: its objects in R2 are deleted once more. */
  | { kind: "erased"; tag: string | null };

const KEY = "lifecycle";

/** Returns null in normal operation. Reads storage: callers keep the answer in memory. */
export function readLifecycle({ kv }: DurableObjectStorage): Lifecycle | null {
  return kv.get<Lifecycle>(KEY) ?? null;
}

export function writeLifecycle({ kv }: DurableObjectStorage, lifecycle: Lifecycle | null): void {
  if (lifecycle === null) kv.delete(KEY);
  else kv.put(KEY, lifecycle);
}

/** Returns true if the alarm still has something to delete. */
export function isErasing(lifecycle: Lifecycle | null): boolean {
  return lifecycle?.kind === "erasing" || (lifecycle?.kind === "erased" && lifecycle.tag !== null);
}
