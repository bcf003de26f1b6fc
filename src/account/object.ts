import { DurableObject } from "cloudflare:workers";
import { now, sleep } from "../lib/clock";
import { log, toLogged } from "../lib/log";
import type { AccountRef } from "../model/account";
import { MODES } from "../model/api-key";
import type { Job, JobKey } from "../model/job";
import { GET_WAIT_MAX_S, SECOND_MS, SYNC_WAIT_MS } from "../model/limits";
import { requireRegion } from "../store/namespaces";
import { migrate, readVersion } from "../store/object-schema";
import { listBatches, listPageLines, listPages } from "./batches/batch-list";
import { readBatch } from "./batches/batch-row";
import type { BatchReply, KeyStop } from "./batches/batch-types";
import { endCrawl, endPage } from "./batches/batches";
import {
  cancelBatch,
  cancelJob,
  countKeyWork,
  createBatch,
  feedBatches,
  finish,
  resumeBatch,
  startPages,
  stopKeyPart,
  useFreeSlots,
} from "./batches/feed";
import { adjust, insertState, readState, setMaintenance, updateSettings } from "./credits/account-row";
import { readKeyCredits } from "./credits/credit-limits";
import { forgetModelLimit } from "./credits/model-limit";
import { settleCredits } from "./credits/settle";
import {
  readUsageRows,
  recordUsage,
  toUsageReport,
  type UsageQuery,
  type UsageReport,
  type UsageRows,
} from "./credits/usage";
import { type UsageRow, UsageSum } from "./credits/usage-totals";
import { getDelivery, listDeliveries, releaseEvents } from "./deliveries/deliveries";
import { beginAttempt, recordResponse, reportAttempt } from "./deliveries/delivery-attempts";
import type { RedeliveryCount, RedeliveryFilter } from "./deliveries/delivery-types";
import { sendJobEvent, sendTest } from "./deliveries/new-deliveries";
import { redeliver, redeliverPart, toRedeliveryStart } from "./deliveries/redelivery";
import { endAlert, readAlert } from "./deliveries/webhook-alerts";
import { changeWebhook, createEndpoint, deleteEndpoint, listEndpoints } from "./deliveries/webhook-settings";
import { Effects } from "./effects";
import { claim, detach, release, renew } from "./jobs/claims";
import { checkJob, createJob, forgetKey, rememberKey } from "./jobs/create-job";
import { type Inspection, inspect } from "./jobs/inspect";
import { JobCounts } from "./jobs/job-counts";
import { listJobLines, listJobs, readPage } from "./jobs/lists";
import { locate } from "./jobs/locate";
import { type Overview, type OverviewQuery, readOverview } from "./jobs/overview";
import { freeSlot, promoteWaiting, readTotals } from "./jobs/slots";
import { ALARM_RETRY_MS, recoverDue, toNextAlarm } from "./lifecycle/alarm";
import {
  eraseStep,
  eraseStorage,
  failUnfinished,
  type Lifecycle,
  nextErasure,
  readLifecycle,
  writeLifecycle,
} from "./lifecycle/erase";
import { Maintenance } from "./lifecycle/maintenance";
import { listSealed, replaceSealed } from "./lifecycle/sealed-values";
import { adaptRows, type ExportPage, exportPage, importLines } from "./lifecycle/transfer";
import { archivedBefore, findArchive } from "./retention/archive";
import { findCapture, insertCapture, keepsCaptures } from "./retention/captures";
import { deleteDueResults, discardResults } from "./retention/temporary-results";
import { readJob, readPlanned, readRow, toClaimedJob, toJobOf } from "./storage/job-row";
import { MIGRATIONS } from "./storage/migrations";
import { type Totals, Transaction } from "./storage/transaction";
import type { AccountSettings, Ending, Gone, JobFilter, OpenInput, SlotReply } from "./storage/types";

/**
 * The methods of the Durable Object that run in one transaction. Each one is idempotent and returns plain values. If
 * the account isn't open, the method writes nothing and returns `gone`.
 */
const METHODS = {
  update,
  adjust,
  keyCredits: readKeyCredits,
  locate,
  sealedValues: listSealed,
  replaceSealedValues: replaceSealed,

  createJob,
  checkJob,
  claim,
  renew,
  release,
  finish,
  detach,
  cancel: cancelJob,
  findArchive,
  findCapture,
  keepsCaptures,
  discardResults,

  rememberKey,
  forgetKey,

  createBatch,
  startPages,
  endCrawl,
  resumeBatch,
  keyWork: countKeyWork,
  listPages,
  listBatches,
  listPageLines,

  beginAttempt,
  reportAttempt,
  recordResponse,
  sendTest,
  redeliver,
  getDelivery,
  listDeliveries,
  webhook: changeWebhook,
  listEndpoints,
  createEndpoint,
  deleteEndpoint,
  readAlert,
  endAlert,
} satisfies Record<string, (tx: Transaction, ...args: never[]) => unknown>;

/** The effects of a job's end, in this order and in its transaction. Each feature adds its step here. */
const END_STEPS: readonly ((tx: Transaction, ending: Ending) => void)[] = [
  insertCapture,
  dropFile,
  settleCredits,
  forgetModelLimit,
  recordUsage,
  freeSlot,
  sendJobEvent,
  endPage,
];

/** Has the file of the job's request deleted after the commit. */
function dropFile(tx: Transaction, { row }: Ending): void {
  if (row.mode === "live" && readPlanned(row).plan.method === "given_file") tx.files.push(row.id);
}

/** Replaces the settings unless the stored ones have a later version. */
function update(tx: Transaction, settings: AccountSettings): { kind: "open" } {
  const { grantsEnabled } = tx.state.settings;
  updateSettings(tx, settings);
  // Higher limits may allow events, waiting jobs and pages of batches to start.
  if (!grantsEnabled && tx.state.settings.grantsEnabled) releaseEvents(tx);
  promoteWaiting(tx);
  feedBatches(tx);
  return { kind: "open" };
}

/** The methods of `METHODS` as a caller sees them: without the transaction, and with the reply `gone`. */
type TransactionMethods = {
  [Name in keyof typeof METHODS]: (typeof METHODS)[Name] extends (tx: Transaction, ...args: infer Args) => infer Reply
    ? (...args: Args) => Reply | Gone
    : never;
};

/** The base class with the types of `METHODS`. The static block of `Account` implements them. */
const AccountBase = DurableObject as unknown as new (
  ctx: DurableObjectState,
  env: Env,
) => DurableObject<Env> & TransactionMethods;

const GONE: Gone = { kind: "gone" };
/** The key in `#callers` for calls that wait until any job changes. */
const ANY_JOB = "";
/** The cursor of an import that has just started. A null cursor means that the import is complete. */
const IMPORT_START = "";

/**
 * The Durable Object of one account. It holds the account's jobs, credits, idempotency keys, usage, webhook settings
 * and deliveries. Its methods are those of `METHODS` and those below. They return plain values and never throw
 * AppError, because errors lose their class over RPC. Only `open` and `beginImport` create tables.
 */
export class Account extends AccountBase {
  readonly #effects = new Effects();
  /** The calls that wait until a job or a batch changes. */
  readonly #callers = new WaitingCallers();
  /** The calls that wait for a slot. */
  readonly #slotCallers = new WaitingCallers();
  readonly #hooks = { isAwaited: (id: string) => this.#slotCallers.has(id), endSteps: END_STEPS };
  readonly #maintenance = new Maintenance();
  readonly #instance = crypto.randomUUID();
  #counts: JobCounts | null = null;
  #loadingCounts: Promise<JobCounts> | null = null;
  #totals: Totals | null = null;
  /** The time (Unix ms) at which the alarm fires, or null if it isn't set. */
  #alarmAt: number | null = null;
  #isOpen = false;

  // RPC finds a method only on the prototype of the class.
  static {
    for (const [name, work] of Object.entries<(tx: Transaction, ...args: never[]) => unknown>(METHODS)) {
      Object.defineProperty(Account.prototype, name, {
        value(this: Account, ...args: never[]) {
          return this.#transact((tx) => work(tx, ...args));
        },
      });
    }
  }

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    void ctx.blockConcurrencyWhile(() => this.#reload());
  }

  /** Creates the tables, or updates the settings if the tables exist. Returns `gone` if a lifecycle is stored. */
  open(input: OpenInput): { kind: "open" } | Gone {
    if (readLifecycle(this.ctx.storage) !== null) return GONE;
    if (!this.#isOpen) {
      this.ctx.storage.transactionSync(() => {
        migrate(this.ctx.storage, MIGRATIONS);
        insertState(this.ctx.storage.sql, input);
      });
      this.#isOpen = true;
    }
    return this.update(input.settings);
  }

  /**
   * Sets a lost alarm again. Also makes the alarm send a summary to the directory immediately, because the summary
   * contains the time of the next alarm. Without a new summary, the cron would wake an idle account repeatedly.
   */
  async wake(): Promise<void> {
    this.#alarmAt = await this.ctx.storage.getAlarm();
    this.#transact((tx) => setMaintenance(tx, tx.now));
  }

  /** Waits until a synchronous job gets a slot, but at most until `until` (Unix ms). */
  async awaitSlot(key: JobKey, until: number): Promise<SlotReply> {
    for (;;) {
      const reply = this.#transact<SlotReply>((tx) => {
        promoteWaiting(tx, key.id);
        const row = readRow(tx, key);
        if (row === null) return GONE;
        if (row.ended_at !== null) return { kind: "ended", job: toJobOf(tx, row) };
        const isClaimed = row.waiting === 1 && row.status === "processing";
        return isClaimed ? { kind: "run", job: toClaimedJob(tx, row) } : { kind: "waits" };
      });
      const left = Math.min(until - now(), SYNC_WAIT_MS);
      if (reply.kind !== "waits" || left <= 0) return reply;
      await this.#slotCallers.wait(key.id, left);
    }
  }

  /** Returns a job, or null if it doesn't exist. If the job hasn't ended, first waits up to `waitMs` for its end. */
  async get(key: JobKey, waitMs = 0): Promise<Job | null> {
    const until = now() + Math.min(waitMs, Math.max(SYNC_WAIT_MS, GET_WAIT_MAX_S * SECOND_MS));
    for (;;) {
      const job = this.#isOpen ? (this.#transact((tx) => readJob(tx, key)) as Job | null) : null;
      const left = until - now();
      if (job === null || job.endedAt !== null || left <= 0) return job;
      await this.#callers.wait(key.id, left);
    }
  }

  /** Returns a batch. If it hasn't ended, first waits up to `waitMs` for its end. */
  async getBatch(key: JobKey, waitMs = 0): Promise<BatchReply | Gone> {
    const until = now() + Math.min(waitMs, GET_WAIT_MAX_S * SECOND_MS);
    for (;;) {
      const reply = this.#transact<BatchReply>((tx) => {
        const batch = readBatch(tx, key);
        return batch === null ? { kind: "missing" } : { kind: "batch", batch };
      });
      const left = until - now();
      if (reply.kind !== "batch" || reply.batch.endedAt !== null || left <= 0) return reply;
      await this.#callers.wait(key.id, left);
    }
  }

  /** Cancels a batch or crawl. Many unfinished jobs are canceled in several transactions. */
  async cancelBatch(key: JobKey): Promise<BatchReply | Gone> {
    for (;;) {
      const reply = this.#transact((tx) => cancelBatch(tx, key));
      if (reply.kind !== "cancelling") return reply;
      await sleep(0);
    }
  }

  /** Stops the unfinished work of a key, in several transactions. Returns the number of cancelled jobs. */
  async stopKey(stop: KeyStop): Promise<{ kind: "stopped"; cancelled: number } | Gone> {
    for (let cancelled = 0; ; await sleep(0)) {
      const part = this.#transact((tx) => stopKeyPart(tx, stop));
      if (part.kind === "gone") return part;
      cancelled += part.cancelled;
      if (!part.hasMore) return { kind: "stopped", cancelled };
    }
  }

  /** Starts a new round of the deliveries that match the filter, in several transactions. */
  async redeliverAll(filter: RedeliveryFilter): Promise<RedeliveryCount | Gone> {
    const counts = { redelivered: 0, skipped: 0 };
    for (let position = toRedeliveryStart(filter.status); ; await sleep(0)) {
      const limit = filter.limit - counts.redelivered - counts.skipped;
      const part = this.#transact((tx) => redeliverPart(tx, { ...filter, limit }, position));
      if (part.kind === "gone") return part;
      counts.redelivered += part.redelivered;
      counts.skipped += part.skipped;
      const isFull = part.hasMore && part.redelivered + part.skipped === limit;
      if (part.next === null || isFull) return { ...counts, hasMore: part.hasMore };
      position = part.next;
    }
  }

  /** Returns the current version of the account's rows. First waits up to `waitMs` for a version other than `seen`. */
  async watch(seen: string | null, waitMs: number): Promise<{ kind: "version"; version: string } | Gone> {
    const until = now() + waitMs;
    for (;;) {
      if (!this.#isOpen) return GONE;
      const left = until - now();
      const version = this.#version();
      if (version !== seen || left <= 0) return { kind: "version", version };
      await this.#callers.wait(ANY_JOB, left);
    }
  }

  async list(filter: JobFilter) {
    const counts = await this.#loadCounts();
    return await readPage(filter, (part) => this.#transact((tx) => listJobs(tx, counts, part)));
  }

  /**
   * Returns one page of jobs as rows of the dashboard's job list, newest first. The numbers of jobs that link to the
   * list come from the table `usage`. If the list has too many jobs to count, the total of its first page comes from
   * there too.
   */
  async listLines(filter: JobFilter) {
    const counts = await this.#loadCounts();
    return await readPage(filter, (part) => this.#transact((tx) => listJobLines(tx, counts, part)));
  }

  /** Returns the balance and the usage of one mode. */
  async usage(query: UsageQuery): Promise<UsageReport | Gone> {
    const sum = new UsageSum(query.groupBy);
    await this.#readUsage(query, ({ rows }) => {
      for (const row of rows) sum.add(row);
    });
    const totals = sum.toTotals();
    return this.#transact((tx) => toUsageReport(tx, totals));
  }

  /** Returns the data for the dashboard's overview page. */
  async overview(query: OverviewQuery): Promise<Overview | Gone> {
    const report = await this.usage({ mode: query.mode, since: query.since });
    return "kind" in report ? report : this.#transact((tx) => readOverview(tx, report, query));
  }

  /** Returns the account's state as the admin API shows it. */
  inspect(): ({ kind: "open" } & Inspection) | Lifecycle | Gone {
    return readLifecycle(this.ctx.storage) ?? this.#transact((tx) => ({ kind: "open", ...inspect(tx) }));
  }

  /** Returns the lifecycle if the account isn't open. Otherwise returns `open`, or `gone` if there are no tables. */
  readState(): Lifecycle | { kind: "open" } | Gone {
    return readLifecycle(this.ctx.storage) ?? (readVersion(this.ctx.storage) > 0 ? { kind: "open" } : GONE);
  }

  /** Returns the page of the account's rows that starts at `cursor`. A null cursor means the first page. */
  exportRows(cursor: string | null): (ExportPage & { changes: string }) | Gone {
    const { storage } = this.ctx;
    if (readVersion(storage) === 0) return GONE;
    return { ...exportPage(storage.sql, cursor), changes: this.#version() };
  }

  /** Creates empty tables for an import. If an import has already started, returns its cursor. */
  async beginImport(): Promise<{ kind: "importing"; cursor: string | null } | Gone> {
    const { storage } = this.ctx;
    const state = this.readState();
    if (state.kind === "importing") return { kind: "importing", cursor: state.cursor };
    // A Durable Object that is open or was erased accepts no rows.
    if (readLifecycle(storage) !== null || readVersion(storage) > 0) return GONE;
    migrate(storage, MIGRATIONS);
    writeLifecycle(storage, { kind: "importing", cursor: IMPORT_START });
    await this.#reload();
    return { kind: "importing", cursor: IMPORT_START };
  }

  /** Inserts the rows of one page of an export. `next` is the cursor of the next page, or null for the last page. */
  importRows({ lines, next }: { lines: string; next: string | null }): { kind: "imported"; rows: number } | Gone {
    const { storage } = this.ctx;
    if (this.readState().kind !== "importing") return GONE;
    return storage.transactionSync(() => {
      const rows = importLines(storage.sql, lines);
      writeLifecycle(storage, { kind: "importing", cursor: next });
      return { kind: "imported", rows };
    });
  }

  /** Opens the account with the imported rows. */
  async activate({
    object,
    jurisdiction,
  }: Pick<AccountRef, "object" | "jurisdiction">): Promise<{ kind: "open" } | Gone> {
    const { storage } = this.ctx;
    const state = this.readState();
    if (state.kind === "open") return state;
    if (state.kind !== "importing" || state.cursor !== null) return GONE;
    storage.transactionSync(() => {
      adaptRows(storage.sql, { object, jurisdiction, now: now() });
      writeLifecycle(storage, null);
    });
    await this.#reload();
    return { kind: "open" };
  }

  /**
   * Fails unfinished jobs, up to 25 in a call, then closes the account permanently. If it returns `failing`, call it
   * again. If it returns `erasing`, the alarm deletes the rows and the objects in R2. The directory must have suspended
   * the account before.
   */
  async erase(): Promise<{ kind: "failing" } | { kind: "erasing" } | { kind: "erased" }> {
    const { storage } = this.ctx;
    const state = this.readState();
    if (state.kind === "erased" || state.kind === "erasing") return { kind: state.kind };
    if (state.kind === "open") {
      const failed = this.#transact(failUnfinished);
      // The account stays open until the next call, so that waiting callers can read their failed jobs.
      if (typeof failed === "number" && failed > 0) return { kind: "failing" };
    }
    // There is nothing to erase, because no account was ever opened in this Durable Object.
    if (state.kind === "gone") return await this.discard();
    const [row] = storage.sql.exec<{ tag: string }>("SELECT tag FROM account").toArray();
    if (row !== undefined) writeLifecycle(storage, { kind: "erasing", tag: row.tag });
    await this.#reload();
    return { kind: "erasing" };
  }

  /** Deletes the rows of an account that was only partly imported. Its objects in R2 stay. */
  async discard(): Promise<{ kind: "erased" }> {
    await eraseStorage(this.ctx.storage, null);
    await this.#reload();
    return { kind: "erased" };
  }

  /** Recovers lost work, starts waiting jobs and runs maintenance. Never throws, so the platform keeps the alarm. */
  override async alarm(): Promise<void> {
    const startedAt = now();
    try {
      const first = this.#isOpen ? toNextAlarm(this.ctx.storage.sql) : null;
      // Sets the next alarm before the work, in case this invocation dies. If no work is due, setting the alarm is the
      // only write.
      await this.#setAlarm(first !== null && first > startedAt ? first : startedAt + ALARM_RETRY_MS);
      requireRegion(this.env);
      if (!this.#isOpen) {
        const due = await eraseStep(this.env, this.ctx.storage, startedAt);
        return await this.#setAlarm(due);
      }
      const more = this.#transact(recoverDue) === true;
      await this.#maintenance.run(this.env, (work) => this.#transactIfOpen(work));
      // The account was closed during maintenance. The next alarm continues the erasure.
      if (!this.#isOpen) return await this.#setAlarm(now());
      const hasMoreResults = await deleteDueResults(this.env.STORE, (work) => this.#transactIfOpen(work));
      const next = more || hasMoreResults ? now() + Math.random() * SECOND_MS : toNextAlarm(this.ctx.storage.sql);
      if (next !== this.#alarmAt) await this.#setAlarm(next === null ? null : Math.max(next, now()));
    } catch (error) {
      log("error", "account_alarm_failed", toLogged(error));
      await this.#setAlarm(startedAt + ALARM_RETRY_MS).catch((reason) =>
        log("error", "account_alarm_not_set", toLogged(reason)),
      );
    }
  }

  /** Reloads the state. Call it after each change of the lifecycle. Restores an alarm that the platform deleted. */
  async #reload(): Promise<void> {
    const { storage } = this.ctx;
    const lifecycle = readLifecycle(storage);
    this.#totals = null;
    this.#counts = null;
    this.#isOpen = readVersion(storage) > 0 && lifecycle === null;
    if (!this.#isOpen && lifecycle === null) return;
    if (readVersion(storage) > 0) migrate(storage, MIGRATIONS);
    this.#alarmAt = await storage.getAlarm();
    const next = this.#isOpen ? toNextAlarm(storage.sql) : nextErasure(lifecycle, now());
    if (next !== null && (this.#alarmAt === null || this.#alarmAt > next)) await this.#setAlarm(Math.max(next, now()));
  }

  /** Reads rows of `usage`, newest first. Calls `add` in each transaction, so that no job ends in between. */
  async #readUsage(query: UsageQuery, add: (part: UsageRows) => void): Promise<void> {
    for (let after: UsageRow | null = null; ; await sleep(0)) {
      const next: UsageRow | null | Gone = this.#transact((tx) => {
        const part = readUsageRows(tx, query, after);
        add(part);
        return part.next;
      });
      if (next === null || "kind" in next) return;
      after = next;
    }
  }

  /** Returns the numbers of listed jobs. Loads them for the first list, and after a day was archived. */
  async #loadCounts(): Promise<JobCounts> {
    this.#loadingCounts ??= this.#readCounts().finally(() => {
      this.#loadingCounts = null;
    });
    return await this.#loadingCounts;
  }

  async #readCounts(): Promise<JobCounts> {
    const since = this.#transactIfOpen((tx) => archivedBefore(tx).date) ?? "";
    if (this.#counts?.isLoaded && this.#counts.since === since) return this.#counts;
    const counts = new JobCounts(since);
    // From now on, each transaction updates the counts.
    this.#counts = counts;
    for (const mode of MODES) await this.#readUsage({ mode, since }, (part) => counts.addEnded(mode, part));
    this.#transactIfOpen((tx) => counts.addUnfinished(tx));
    return counts;
  }

  /** Returns a string that changes whenever rows change. */
  #version(): string {
    const [row] = this.ctx.storage.sql.exec<{ n: number }>("SELECT total_changes() AS n").toArray();
    return `${this.#instance}:${row?.n ?? 0}`;
  }

  /**
   * Runs `work` in one transaction. After the commit, sends messages and events and resumes waiting calls. Returns
   * `gone` if the account isn't open.
   */
  #transact<Reply>(work: (tx: Transaction) => Reply): Reply | Gone {
    const { storage } = this.ctx;
    const state = this.#isOpen ? readState(storage.sql) : null;
    if (state === null) return GONE;
    const totals = { ...(this.#totals ?? readTotals(storage.sql)) };
    const tx = new Transaction(storage.sql, this.env, state, totals, now(), this.#hooks);
    const reply = storage.transactionSync(() => {
      const result = work(tx);
      if (tx.ended.length > tx.replaced) useFreeSlots(tx);
      if (tx.dueAt < (this.#alarmAt ?? Number.POSITIVE_INFINITY)) void storage.setAlarm(tx.dueAt);
      return result;
    });
    if (tx.dueAt < (this.#alarmAt ?? Number.POSITIVE_INFINITY)) this.#alarmAt = tx.dueAt;
    this.#totals = totals;
    this.#counts?.apply(tx);
    this.ctx.waitUntil(this.#effects.start(this.env, tx));
    if (tx.hasMorePages) this.ctx.waitUntil(this.#startMorePages());
    for (const id of tx.changed) this.#slotCallers.notify(id);
    for (const id of [...tx.changed, ANY_JOB]) this.#callers.notify(id);
    return reply;
  }

  /** Starts more pages of batches after other calls had their turn. */
  async #startMorePages(): Promise<void> {
    await sleep(0);
    this.#transactIfOpen(feedBatches);
  }

  /** Runs `work` in one transaction. Returns undefined if the account isn't open. */
  #transactIfOpen<Reply>(work: (tx: Transaction) => Reply): Reply | undefined {
    return this.#isOpen ? (this.#transact(work) as Reply) : undefined;
  }

  async #setAlarm(at: number | null): Promise<void> {
    this.#alarmAt = at;
    await (at === null ? this.ctx.storage.deleteAlarm() : this.ctx.storage.setAlarm(at));
  }
}

/**
 * The calls that wait for a job to change. They exist only in memory, so the Worker repeats its call if the Durable
 * Object restarts. Each call has its own timer, which prevents the Durable Object from being evicted.
 */
class WaitingCallers {
  readonly #waiting = new Map<string, Set<() => void>>();

  /** Resolves when `notify` is called for this id, or after `ms`. */
  async wait(id: string, ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const waiting = this.#waiting.get(id) ?? new Set();
      this.#waiting.set(id, waiting);
      const done = () => {
        clearTimeout(timer);
        waiting.delete(done);
        if (waiting.size === 0) this.#waiting.delete(id);
        resolve();
      };
      const timer = setTimeout(done, ms);
      waiting.add(done);
    });
  }

  has(id: string): boolean {
    return this.#waiting.has(id);
  }

  notify(id: string): void {
    for (const done of [...(this.#waiting.get(id) ?? [])]) done();
  }
}
