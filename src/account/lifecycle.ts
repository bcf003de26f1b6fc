import type { AccountRef, Jurisdiction, LocationHint } from "../model/account";

/** The new Durable Object of an account that is being moved. */
export interface MoveTarget {
  /** The name of the new Durable Object. */
  object: string;
  jurisdiction: Jurisdiction | null;
  location: LocationHint | null;
}

/** A move that has started. The old Durable Object stores it, so that the move can be resumed. */
export interface MovePlan {
  to: MoveTarget;
  /**
   * The time (Unix ms) at which the account was suspended before the move, or null. The move restores this value at the
   * end.
   */
  suspendedAt: number | null;
}

/**
 * The reason why a Durable Object serves only operators. While a lifecycle is stored, all other methods return `gone`.
 * The lifecycle isn't part of the tables, so it survives their deletion and isn't exported.
 */
export type Lifecycle =
  /** Rows are being imported. `cursor` is the position of the next row in the export. It is null after the last row. */
  | { kind: "importing"; cursor: string | null }
  /** The rows are being copied and must not change. */
  | { kind: "moving" }
  /** The alarm is deleting everything that belongs to the account. */
  | { kind: "erasing"; tag: string }
  /**
   * The account was moved or erased, and the Durable Object can't be opened again. If `tag` isn't null, the account's
   * objects in R2 are deleted a second time.
   */
  | { kind: "erased"; tag: string | null };

const KEY = "lifecycle";
const PLAN = "move";
const PREDECESSOR = "predecessor";

/** Returns the lifecycle, or null in normal operation. Reads storage, so callers should cache the value. */
export function readLifecycle({ kv }: DurableObjectStorage): Lifecycle | null {
  return kv.get<Lifecycle>(KEY) ?? null;
}

export function writeLifecycle({ kv }: DurableObjectStorage, lifecycle: Lifecycle | null): void {
  if (lifecycle === null) kv.delete(KEY);
  else kv.put(KEY, lifecycle);
}

/** Stores a move unless one is already stored. Returns the stored move. */
export function planMove({ kv }: DurableObjectStorage, plan: MovePlan): MovePlan {
  const earlier = kv.get<MovePlan>(PLAN);
  if (earlier !== undefined) return earlier;
  kv.put(PLAN, plan);
  return plan;
}

/** Returns the stored move, or null. */
export function readPlan({ kv }: DurableObjectStorage): MovePlan | null {
  return kv.get<MovePlan>(PLAN) ?? null;
}

/**
 * Returns the Durable Object that the account was moved from. Returns null if there was no move, or after the rows of
 * that Durable Object were deleted.
 */
export function readPredecessor({ kv }: DurableObjectStorage): AccountRef | null {
  return kv.get<AccountRef>(PREDECESSOR) ?? null;
}

export function writePredecessor({ kv }: DurableObjectStorage, predecessor: AccountRef | null): void {
  if (predecessor === null) kv.delete(PREDECESSOR);
  else kv.put(PREDECESSOR, predecessor);
}
