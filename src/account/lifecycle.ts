import type { AccountRef, Jurisdiction, Location } from "../model/account";

/** Where an account is moved to. */
export interface MoveTarget {
  /** The name of the new object. */
  object: string;
  jurisdiction: Jurisdiction | null;
  location: Location | null;
}

/** A move that has begun. It is kept with the object that the account is moved from, so that it can be resumed. */
export interface MovePlan {
  to: MoveTarget;
  /** Whether the account was suspended before (Unix ms), and stays so. */
  suspendedAt: number | null;
}

/**
 * Why an object serves nothing but operators at the moment. Every other method answers `gone` then. It isn't part of the tables,
 * so it outlives them and isn't exported.
 */
export type Lifecycle =
  /** Rows are being imported. `cursor` is the place in the export that comes next. Null: all rows are here. */
  | { kind: "importing"; cursor: string | null }
  /** The rows don't change any more, because they are being copied. */
  | { kind: "moving" }
  /** The alarm deletes everything that belongs to the account. */
  | { kind: "erasing"; tag: string }
  /** The account was moved or erased, and the object can't be opened again. `tag`: its objects in R2 are deleted once more. */
  | { kind: "erased"; tag: string | null };

const KEY = "lifecycle";
const PLAN = "move";
const PREDECESSOR = "predecessor";

/** Returns null in normal operation. Reads storage: callers keep the answer in memory. */
export function readLifecycle({ kv }: DurableObjectStorage): Lifecycle | null {
  return kv.get<Lifecycle>(KEY) ?? null;
}

export function writeLifecycle({ kv }: DurableObjectStorage, lifecycle: Lifecycle | null): void {
  if (lifecycle === null) kv.delete(KEY);
  else kv.put(KEY, lifecycle);
}

/** Returns the move that was planned first. Stores `plan` if there is none. */
export function planMove({ kv }: DurableObjectStorage, plan: MovePlan): MovePlan {
  const earlier = kv.get<MovePlan>(PLAN);
  if (earlier !== undefined) return earlier;
  kv.put(PLAN, plan);
  return plan;
}

/** Returns the move that was planned, or null. */
export function readPlan({ kv }: DurableObjectStorage): MovePlan | null {
  return kv.get<MovePlan>(PLAN) ?? null;
}

/** Returns the object that the account was moved from, until its rows have been deleted. Null: there is none. */
export function readPredecessor({ kv }: DurableObjectStorage): AccountRef | null {
  return kv.get<AccountRef>(PREDECESSOR) ?? null;
}

export function writePredecessor({ kv }: DurableObjectStorage, predecessor: AccountRef | null): void {
  if (predecessor === null) kv.delete(PREDECESSOR);
  else kv.put(PREDECESSOR, predecessor);
}
