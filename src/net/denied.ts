import { withTimeout } from "../lib/async";
import { now } from "../lib/clock";
import { log, toLogged } from "../lib/log";
import { SECOND_MS } from "../model/limits";
import { toContact } from "../model/operator";
import { ALL_ACCOUNTS, readAllDenied } from "../store/denied-targets";
import { DenyList } from "./deny-list";

/** The deny lists that apply to a request: the operator's list and the account's list. */
export interface Denied {
  lists: readonly DenyList[];
  /** The operator's SUPPORT_URL, or null. */
  contact: string | null;
}

type DeniedEnv = Pick<Env, "DB" | "SUPPORT_URL">;

/** The maximum age of the lists. */
const MAX_AGE_MS = 60 * SECOND_MS;
/** When the lists reach this age, one request reloads them while the other requests use the old lists. */
const REFRESH_AGE_MS = 30 * SECOND_MS;
const TIMEOUT_MS = 2 * SECOND_MS;
/** The interval in which at most one request waits for D1 while D1 doesn't respond. */
const RETRY_MS = 10 * SECOND_MS;

interface CacheEntry {
  /** True if the lists were read successfully, now or before a change. */
  isKnown: boolean;
  /** The time at which the lists were read (Unix ms), or 0. */
  readAt: number;
  /** The start of the last attempt to read the lists (Unix ms). */
  triedAt: number;
  lists: ReadonlyMap<string, DenyList>;
}

const NO_LISTS: ReadonlyMap<string, DenyList> = new Map();
/** The cached lists of each database, so that most requests need no query. */
const cache = new WeakMap<D1Database, CacheEntry>();

/**
 * Returns the deny lists for an account, at most 60 seconds old. If D1 doesn't respond, returns the lists that were
 * read last, because an outage of D1 must not stop jobs. `accountId` is null for the service's own requests.
 */
export async function readDenied(env: DeniedEnv, accountId: string | null): Promise<Denied> {
  const entry = entryOf(env.DB);
  const at = now();
  // A request never waits for the query of another request, because the query is canceled when the other request ends.
  const isOld = at - entry.readAt >= MAX_AGE_MS;
  if (isOld || (at - entry.readAt >= REFRESH_AGE_MS && at - entry.triedAt >= RETRY_MS)) {
    entry.triedAt = at;
    await load(env.DB, entry);
  }
  return knownDenied(env, accountId);
}

/**
 * Prepares `knownDenied` for a request. Old lists are used immediately and are reloaded in the background, because the run
 * of a job reads the lists again before it requests a page. Waits for D1 only if this isolate has read no lists, or if
 * it has changed them.
 */
export async function prepareDenied(env: DeniedEnv, waitUntil: (promise: Promise<unknown>) => void): Promise<void> {
  const entry = entryOf(env.DB);
  const at = now();
  const isFresh = at - entry.readAt < REFRESH_AGE_MS || at - entry.triedAt < RETRY_MS;
  if (isFresh && entry.readAt > 0) return;
  entry.triedAt = at;
  const loading = load(env.DB, entry);
  // The lists are also for later requests, so a refusal of this request doesn't cancel the query.
  waitUntil(loading);
  if (!entry.isKnown || entry.readAt === 0) await loading;
}

/** Returns the deny lists that `prepareDenied` or `readDenied` has cached. The same request must have called one of them. */
export function knownDenied(env: DeniedEnv, accountId: string | null): Denied {
  const lists = cache.get(env.DB)?.lists ?? NO_LISTS;
  const found = [ALL_ACCOUNTS, ...(accountId === null ? [] : [accountId])].map((id) => lists.get(id));
  return { lists: found.filter((list) => list !== undefined), contact: toContact(env) };
}

/** Makes the next request of this isolate read the lists again. Other isolates read them within 60 seconds. */
export function forgetDenied(db: D1Database): void {
  // The new entry keeps the old lists in case D1 doesn't respond. A query that is still running writes to the old entry.
  const old = entryOf(db);
  cache.set(db, { ...old, readAt: 0, triedAt: 0 });
}

function entryOf(db: D1Database): CacheEntry {
  const entry = cache.get(db) ?? { isKnown: false, readAt: 0, triedAt: 0, lists: NO_LISTS };
  cache.set(db, entry);
  return entry;
}

/** Reads the lists. Never throws. After an error, the old lists stay valid for another MAX_AGE_MS - REFRESH_AGE_MS. */
async function load(db: D1Database, entry: CacheEntry): Promise<void> {
  try {
    const rows = await withTimeout(TIMEOUT_MS, readAllDenied(db));
    const targets = Map.groupBy(rows, ({ accountId }) => accountId);
    entry.lists = new Map([...targets].map(([id, of]) => [id, new DenyList(of.map(({ target }) => target))]));
    entry.readAt = now();
    entry.isKnown = true;
  } catch (error) {
    log("error", "deny_list_not_read", toLogged(error));
    entry.readAt = now() - REFRESH_AGE_MS;
  }
}
