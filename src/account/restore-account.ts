// Streams the export of an account, and restores an account from an export. A restore imports the rows into a new
// Durable Object, which is opened after the last row.
import { changeAccount } from "../directory/accounts";
import { beginRestore, type DirectoryExport, finishRestore } from "../directory/directory-export";
import { getAnyAccount, removeFromDirectory } from "../directory/erase";
import { now } from "../lib/clock";
import type { AccountRef } from "../model/account";
import { AppError } from "../model/errors";
import { type Account, toAccountRef } from "../store/accounts";
import { oauthStore, requireJurisdiction } from "../store/namespaces";
import { callAccount, callAccountOrGone } from "./client";

const FORMAT = { format: "account-export", version: 1 };

/**
 * Streams an account as NDJSON. The first line has the directory's data. The next lines have the form `["table",
 * {row}]`. The last line has the number of rows, and shows whether rows changed during the export.
 */
export function streamExport(env: Env, account: AccountRef, directory: DirectoryExport): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let cursor: string | null = null;
  let rows = 0;
  let changes: string | null = null;
  let isChanged = false;
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(`${JSON.stringify({ ...FORMAT, ...directory })}\n`)),
    pull: async (controller) => {
      const at = cursor;
      const page = await callAccountOrGone(env, account, (stub) => stub.exportRows(at));
      if (page.kind === "gone") throw new Error("The account no longer exists.");
      isChanged ||= changes !== null && changes !== page.changes;
      changes = page.changes;
      rows += page.rows;
      cursor = page.next;
      if (page.lines !== "") controller.enqueue(encoder.encode(page.lines));
      if (cursor !== null) return;
      controller.enqueue(encoder.encode(`${JSON.stringify({ rows, changed: isChanged })}\n`));
      controller.close();
    },
  });
}

/**
 * Starts or continues the restore of an account in the location and the jurisdiction of `header`. `cursor` in the result is the number of rows that were already
 * imported, or null if all rows were imported.
 */
export async function openRestore(env: Env, header: DirectoryExport): Promise<{ id: string; cursor: number | null }> {
  requireJurisdiction(env, header.account.jurisdiction);
  const account = await beginRestore(env, header, { isFree: (found) => isFree(env, found, header), now: now() });
  if (account === null)
    throw new AppError("invalid_request", `The account '${header.account.id}' already exists. Erase it first.`);
  const reply = await callAccountOrGone(env, toAccountRef(account), (stub) => stub.beginImport(), {
    location: account.location,
  });
  if (reply.kind === "gone")
    throw new AppError(
      "unavailable",
      "The account's Durable Object can't start an import at the moment. Try again later.",
    );
  return { id: account.id, cursor: reply.cursor === null ? null : Number(reply.cursor) };
}

/** Returns true if the account's object accepts an import in the wanted place. Throws AppError during an erasure. */
async function isFree(env: Env, account: Account, { account: wanted }: DirectoryExport): Promise<boolean> {
  const state = await callAccountOrGone(env, toAccountRef(account), (stub) => stub.readState(), {
    location: account.location,
  });
  if (state.kind === "erasing") {
    const message = "This account is still being erased. Try again in a minute.";
    throw new AppError("unavailable", message, { headers: { "Retry-After": "60" } });
  }
  // An erasure deletes the account's objects in R2 twice. `discard` cancels the second deletion, which would delete the
  // restored objects.
  if (state.kind === "erased" && state.tag !== null) {
    await callAccount(env, toAccountRef(account), (stub) => stub.discard());
  }
  const isInPlace = account.location === wanted.location && account.jurisdiction === wanted.jurisdiction;
  // An interrupted import into another place is discarded.
  if (state.kind === "importing" && !isInPlace) {
    await callAccount(env, toAccountRef(account), (stub) => stub.discard());
  }
  return isInPlace && (state.kind === "gone" || state.kind === "importing");
}

/** Imports some rows. `next` is the number of imported rows, or null if these are the last rows. */
export async function importChunk(
  env: Env,
  accountId: string,
  { lines, next }: { lines: string; next: number | null },
): Promise<number> {
  const account = await mustBeRestoring(env, accountId);
  const chunk = { lines, next: next === null ? null : String(next) };
  const reply = await callAccountOrGone(env, toAccountRef(account), (stub) => stub.importRows(chunk));
  if (reply.kind === "gone")
    throw new AppError("invalid_request", "This account doesn't accept rows. Start an import first.");
  return reply.rows;
}

/** Opens a restored account and restores its API keys. */
export async function activateRestored(env: Env, header: DirectoryExport, actor: string): Promise<void> {
  const account = await mustBeRestoring(env, header.account.id);
  const { object, jurisdiction } = account;
  const reply = await callAccountOrGone(env, toAccountRef(account), (stub) => stub.activate({ object, jurisdiction }));
  if (reply.kind === "gone")
    throw new AppError("invalid_request", "The import isn't complete. Import the remaining rows first.");
  await finishRestore(env, header, { actor, now: now() });
}

async function mustBeRestoring(env: Env, accountId: string): Promise<Account> {
  const account = await getAnyAccount(env.DB, accountId);
  if (account === null || account.erasedAt === null) {
    throw new AppError("invalid_request", `The account '${accountId}' isn't being restored.`);
  }
  return account;
}

/**
 * Erases an account: suspends it, fails its unfinished jobs, ends its connections, and removes it from the directory. The alarm of the
 * account's Durable Object then deletes the rows and the objects in R2. If a step fails, call this function again to
 * continue. Throws AppError if no account ever had this id.
 */
export async function eraseAccount(
  env: Env,
  { accountId, actor }: { accountId: string; actor: string },
): Promise<void> {
  const account = await getAnyAccount(env.DB, accountId);
  if (account === null) throw new AppError("not_found", `There is no account '${accountId}'.`);
  if (account.suspendedAt === null) {
    await changeAccount(env, { accountId, change: { suspendedAt: now() }, actor, now: now() });
  }
  const ref = toAccountRef(account);
  while ((await callAccount(env, ref, (stub) => stub.erase())).kind === "failing");
  await oauthStore(env, ref).clear();
  await removeFromDirectory(env, { accountId, actor, now: now() });
}
