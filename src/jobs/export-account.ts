// Exports an account's data for its members, as NDJSON. The export of operators (`account/restore-account.ts`) has the
// rows of the database instead, which only the same version of the service can read.

import type { ArchivePart } from "../account/archive";
import { readArchivedJobs } from "../account/archived-job";
import { accountGone, callAccount } from "../account/client";
import { type DeliveryRow, toDelivery } from "../account/deliveries";
import { exportDirectory } from "../directory/move";
import { toIso } from "../lib/clock";
import type { AccountRef } from "../model/account";
import { MODES } from "../model/api-key";
import type { Job } from "../model/job";
import { type Account, toAccountRef } from "../store/accounts";
import { listMembers } from "../store/memberships";
import { toDeliveryRecord } from "../webhooks/deliveries";
import { toListed } from "./read";

/** The number of jobs that one call to the account's Durable Object returns. A job has at most 16 KB of results. */
const JOBS_PER_CALL = 250;

type Line = { type: string } & Record<string, unknown>;
type Row = Record<string, unknown>;

/**
 * Streams the account's data as NDJSON: the account, its members, its keys without secrets, its ledger, its deliveries
 * and its jobs. Holds one page of rows in memory at a time. The last line has the type `end` and the number of lines
 * before it. If the line is missing, the export is incomplete.
 */
export function streamAccountData(env: Env, account: Account, now: number): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const pages = readPages(env, account, now);
  let count = 0;
  return new ReadableStream({
    pull: async (controller) => {
      const { value: lines, done } = await pages.next();
      const page = done ? [{ type: "end", lines: count }] : lines;
      count += page.length;
      controller.enqueue(encoder.encode(page.map((line) => `${JSON.stringify(line)}\n`).join("")));
      if (done) controller.close();
    },
    cancel: async () => {
      await pages.return();
    },
  });
}

async function* readPages(env: Env, account: Account, now: number): AsyncGenerator<Line[], void> {
  const ref = toAccountRef(account);
  const [directory, members] = await Promise.all([exportDirectory(env.DB, account), listMembers(env.DB, account.id)]);
  yield [
    { type: "account", exported_at: toIso(now), ...toWire(directory.account) },
    ...members.map(({ email, name, role, joinedAt }) => ({
      type: "member",
      email,
      name,
      role,
      joined_at: toIso(joinedAt),
    })),
    ...directory.keys.map(({ hash: _, ...key }) => ({ type: "key", ...toWire(key) })),
  ];
  for await (const rows of readTable(env, ref, "ledger")) {
    yield rows.map(({ kind, amount, created_at }) => ({ type: "ledger", kind, amount, ...toWire({ created_at }) }));
  }
  for await (const rows of readTable(env, ref, "deliveries")) {
    yield (rows as DeliveryRow[]).map((row) => ({
      type: "delivery",
      mode: row.mode,
      ...toDeliveryRecord(toDelivery(row)),
    }));
  }
  for (const mode of MODES) {
    let cursor: string | undefined;
    do {
      const filter = { mode, cursor, limit: JOBS_PER_CALL, offset: 0, isCounted: false };
      const page = await callAccount(env, ref, (stub) => stub.list(filter));
      if (page.kind === "gone") throw accountGone();
      yield page.items.map(toJobLine);
      cursor = page.next ?? undefined;
    } while (cursor !== undefined);
  }
  yield* readArchives(env, ref);
}

/** Reads the archived jobs. A job that is archived during the export can be exported twice, but not left out. */
async function* readArchives(env: Env, account: AccountRef): AsyncGenerator<Line[], void> {
  let before = "";
  for await (const [row] of readTable(env, account, "account")) before = String(row?.archived_before ?? "");
  for await (const rows of readTable(env, account, "archives")) {
    for (const row of rows) {
      const part = { ...row, expired: row.expired === 1 } as ArchivePart;
      if (part.date < before) yield (await readArchivedJobs(env, account, part)).map(toJobLine);
    }
  }
}

function toJobLine(job: Job): Line {
  return { type: "job", mode: job.mode, ...toListed(job) };
}

/** Reads the rows of one table, about 2 MB at a time. */
async function* readTable(env: Env, account: AccountRef, table: string): AsyncGenerator<Row[], void> {
  let cursor: string | null = JSON.stringify({ table, after: null });
  while (cursor !== null) {
    const at: string = cursor;
    const page = await callAccount(env, account, (stub) => stub.exportRows(at));
    if (page.kind === "gone") throw accountGone();
    const lines = page.lines.split("\n").filter((line) => line !== "");
    const rows = lines.map((line) => JSON.parse(line) as [table: string, row: Row]);
    // A page continues with the next table at the end of a table.
    const own = rows.filter(([name]) => name === table).map(([, row]) => row);
    if (own.length > 0) yield own;
    cursor = own.length < rows.length ? null : page.next;
  }
}

/** Converts a row of the directory to the form of the API: times are ISO 8601, and JSON columns are values. */
function toWire(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (name.endsWith("_at") && typeof value === "number") return [name, toIso(value)];
      const isJson = typeof value === "string" && /^[[{]/.test(value) && name !== "name";
      return [name, isJson ? JSON.parse(value) : value];
    }),
  );
}
