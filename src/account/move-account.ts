import { changeAccount } from "../directory/accounts";
import { switchObject, toNextObject } from "../directory/move";
import { now, sleep } from "../lib/clock";
import type { AccountRef, Jurisdiction, LocationHint } from "../model/account";
import { AppError } from "../model/errors";
import { requireJurisdiction } from "../store/account-stub";
import { type Account, getAccount, toAccountRef } from "../store/accounts";
import { callAccount } from "./client";

const DRAIN_POLL_MS = 500;

/** The progress of a move after one call of `moveAccount`. Pass `cursor` to the next call as `compareFrom`. */
export type MoveProgress =
  | { state: "copying"; rows: number }
  | { state: "comparing"; cursor: string }
  | { state: "moved"; object: string };

interface MoveInput {
  accountId: string;
  location: LocationHint | null;
  jurisdiction: Jurisdiction | null;
  actor: string;
  /** The cursor at which the comparison starts. Null for the first row. */
  compareFrom: string | null;
  /**
   * The maximum time (ms) to wait for active runs to end. Runs that take longer are repeated in the new Durable Object.
   */
  drainMs: number;
  /** The maximum time (ms) that this call spends on copying and comparing. */
  budgetMs: number;
}

/**
 * Moves an account to a new Durable Object. Suspends the account, copies its rows and compares the copy. Then switches
 * the directory to the new Durable Object, which also ends the suspension. Finally deletes the old rows. Call this
 * function repeatedly until it returns `moved`. If a step fails, call the function again to continue. Throws AppError
 * if the account or jurisdiction doesn't exist, or if the copy differs.
 */
export async function moveAccount(env: Env, input: MoveInput): Promise<MoveProgress> {
  const account = await getAccount(env.DB, input.accountId);
  if (account === null) throw new AppError("not_found", `There is no account '${input.accountId}'.`);
  requireJurisdiction(env, input.jurisdiction);
  const from = toAccountRef(account);
  if (await isMoved(env, account, input)) return { state: "moved", object: account.object };
  const { plan } = requireReply(
    await callAccount(env, from, (stub) =>
      stub.planMove({
        to: { object: toNextObject(account), jurisdiction: input.jurisdiction, location: input.location },
        suspendedAt: account.suspendedAt,
      }),
    ),
  );
  const to: AccountRef = { ...from, object: plan.to.object, jurisdiction: plan.to.jurisdiction };
  await suspend(env, account, input.actor);
  await drain(env, from, input.drainMs);
  requireReply(await callAccount(env, from, (stub) => stub.freeze()));
  const until = now() + input.budgetMs;
  // If the new Durable Object is open, an earlier call of `moveAccount` has already compared the rows. `readState` may
  // be the first call to the new Durable Object, so it must have the location hint.
  const { kind } = await callAccount(env, to, (stub) => stub.readState(), { location: plan.to.location });
  if (kind !== "open") {
    const copied = await copyRows(env, { from, to, until });
    if (!copied.done) return { state: "copying", rows: copied.rows };
    const cursor = await compareRows(env, { from, to, cursor: input.compareFrom, until });
    if (cursor !== null) return { state: "comparing", cursor };
    const { object, jurisdiction } = to;
    requireReply(await callAccount(env, to, (stub) => stub.activate({ object, jurisdiction })));
  }
  await switchObject(env, account, { to: plan.to, suspendedAt: plan.suspendedAt, actor: input.actor, now: now() });
  await discardPredecessor(env, to);
  return { state: "moved", object: to.object };
}

/**
 * Finishes a move that has already switched the directory. Returns true if there is such a move and the account is now
 * in the wanted location and jurisdiction.
 */
async function isMoved(env: Env, account: Account, { location, jurisdiction }: MoveInput): Promise<boolean> {
  const hadPredecessor = await discardPredecessor(env, toAccountRef(account));
  return hadPredecessor && account.location === location && account.jurisdiction === jurisdiction;
}

/**
 * Deletes the rows of the Durable Object that the account was moved from. Returns false if there is no such Durable
 * Object.
 */
async function discardPredecessor(env: Env, account: AccountRef): Promise<boolean> {
  const { account: predecessor } = await callAccount(env, account, (stub) => stub.predecessor());
  if (predecessor === null) return false;
  await callAccount(env, predecessor, (stub) => stub.discard());
  await callAccount(env, account, (stub) => stub.clearPredecessor());
  return true;
}

/**
 * Deletes the rows that an unfinished move has left in other Durable Objects. Call this before the account is erased.
 */
export async function abandonMove(env: Env, account: AccountRef): Promise<void> {
  await discardPredecessor(env, account);
  const { plan } = await callAccount(env, account, (stub) => stub.movePlan());
  if (plan === null) return;
  const { object, jurisdiction } = plan.to;
  await callAccount(env, { ...account, object, jurisdiction }, (stub) => stub.discard());
}

async function suspend(env: Env, account: Account, actor: string): Promise<void> {
  if (account.suspendedAt !== null) return;
  await changeAccount(env, { accountId: account.id, change: { suspendedAt: now() }, actor, now: now() });
}

/** Waits until no job is running, but at most `drainMs`. */
async function drain(env: Env, account: AccountRef, drainMs: number): Promise<void> {
  const until = now() + drainMs;
  while (now() < until) {
    const inspection = await callAccount(env, account, (stub) => stub.inspect());
    if (inspection.kind !== "open" || inspection.processing === 0) return;
    await sleep(DRAIN_POLL_MS);
  }
}

async function copyRows(
  env: Env,
  { from, to, until }: { from: AccountRef; to: AccountRef; until: number },
): Promise<{ done: boolean; rows: number }> {
  let { cursor } = requireReply(await callAccount(env, to, (stub) => stub.beginImport(from)));
  let rows = 0;
  while (cursor !== null) {
    if (now() > until) return { done: false, rows };
    const at: string | null = cursor === "" ? null : cursor;
    const page = requireReply(await callAccount(env, from, (stub) => stub.exportRows(at)));
    const { lines, next } = page;
    requireReply(await callAccount(env, to, (stub) => stub.importRows({ lines, next })));
    rows += page.rows;
    cursor = next;
  }
  return { done: true, rows };
}

/**
 * Compares rows until `until` (Unix ms). Returns the cursor for the next call, or null if all rows were equal. Throws
 * AppError if rows differ.
 */
async function compareRows(
  env: Env,
  { from, to, cursor, until }: { from: AccountRef; to: AccountRef; cursor: string | null; until: number },
): Promise<string | null> {
  let at = cursor;
  do {
    const [original, copy] = await Promise.all(
      [from, to].map(async (account) => requireReply(await callAccount(env, account, (stub) => stub.digestRows(at)))),
    );
    if (original === undefined || original.digest !== copy?.digest || original.next !== copy.next) {
      throw new AppError(
        "internal_error",
        "The copied rows differ from the original ones. The account stays suspended.",
      );
    }
    at = original.next;
  } while (at !== null && now() < until);
  return at;
}

/** Returns the reply. Throws AppError if it is `gone`. */
function requireReply<Reply extends { kind: string }>(reply: Reply): Exclude<Reply, { kind: "gone" }> {
  if (reply.kind !== "gone") return reply as Exclude<Reply, { kind: "gone" }>;
  throw new AppError(
    "unavailable",
    "The account's Durable Object isn't ready for this step of the move. Try again in a minute.",
    {
      headers: { "Retry-After": "60" },
    },
  );
}
