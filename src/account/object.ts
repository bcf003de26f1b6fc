import { now } from "../lib/clock";
import { log, toLogged } from "../lib/log";
import type { Job, JobKey } from "../model/job";
import { GET_WAIT_MAX_S, SECOND_MS, SYNC_WAIT_MS } from "../model/limits";
import { migrate, readVersion } from "../store/object-schema";
import { ALARM_RETRY_MS, recoverDue, toNextAlarm } from "./alarm";
import { BatchingObject } from "./batching-object";
import { checkJob, createJob } from "./create-job";
import { startEffects } from "./effects";
import { eraseStep, nextErasure } from "./erase";
import { continueBatch, feedBatches, type NextPages } from "./feed";
import { cancelJob, finishJob } from "./finish";
import { JobCounts } from "./job-counts";
import { readJob, readRow, toClaimedJob, toJobOf } from "./job-row";
import { claimJob, detachCaller, releaseJob, renewLease } from "./jobs";
import { readLifecycle } from "./lifecycle";
import { listJobLines, listJobs, MAX_WINDOWS } from "./lists";
import { Maintenance } from "./maintenance";
import { MIGRATIONS } from "./migrations";
import { readPage } from "./read-page";
import { promoteWaiting, readTotals } from "./slots";
import { adjustCredits, insertState, readState, setMaintenance, updateSettings } from "./state";
import { deleteDueResults } from "./temporary-results";
import { type Totals, Transaction } from "./transaction";
import type {
  AccountSettings,
  CheckedJob,
  CheckReply,
  ClaimReply,
  CreateReply,
  DetachReply,
  FinishReply,
  Gone,
  JobEnd,
  JobFilter,
  NewJob,
  OpenInput,
  ReleaseReason,
  ReleaseReply,
  SlotReply,
} from "./types";
import { WaitingCallers } from "./waiting-callers";

const GONE: Gone = { kind: "gone" };
/** The key in `callers` for calls that wait until any job changes. */
const ANY_JOB = "";

/**
 * The Durable Object of one account. It holds the account's jobs, credits, idempotency keys, usage, webhook settings
 * and deliveries. Each method applies its rules in one transaction. Methods return plain values and never throw
 * AppError, because errors lose their class over RPC. Only `open` and `beginImport` create tables. Without tables, a
 * method writes nothing and returns `gone`, null or false.
 */
export class Account extends BatchingObject {
  /** The calls that wait for a slot. */
  readonly #slotCallers = new WaitingCallers();
  readonly #hasSlotCaller = (id: string) => this.#slotCallers.has(id);
  readonly #maintenance = new Maintenance();
  #counts = new JobCounts();
  #totals: Totals | null = null;
  /** The time (Unix ms) at which the alarm fires, or null if it isn't set. */
  #alarmAt: number | null = null;
  #isOpen = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    void ctx.blockConcurrencyWhile(() => this.reload());
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

  /** Replaces the settings unless the stored ones have a later version. */
  update(settings: AccountSettings): { kind: "open" } | Gone {
    return this.transact((tx) => {
      updateSettings(tx, settings);
      // Higher limits may allow waiting jobs and pages of batches to start.
      promoteWaiting(tx, this.#hasSlotCaller);
      feedBatches(tx);
      return { kind: "open" };
    });
  }

  /**
   * Sets a lost alarm again. Also makes the alarm send a summary to the directory immediately, because the summary
   * contains the time of the next alarm. Without a new summary, the cron would wake an idle account repeatedly.
   */
  async wake(): Promise<void> {
    this.#alarmAt = await this.ctx.storage.getAlarm();
    this.transact((tx) => setMaintenance(tx, tx.now));
  }

  /** Adds credits, or removes credits if the amount is negative. A repeated `key` has no effect. */
  adjust(input: { key: string; amount: number }): { kind: "adjusted" } | { kind: "insufficient_credits" } | Gone {
    return this.transact((tx) => ({ kind: adjustCredits(tx, input) ? "adjusted" : "insufficient_credits" }));
  }

  /** Reserves the credits and inserts the job. Idempotent by the job's id. */
  createJob(job: NewJob): CreateReply {
    return this.transact((tx) => createJob(tx, job));
  }

  /** Checks if the job could be created now. Creates and reserves nothing. */
  checkJob(job: CheckedJob): CheckReply {
    return this.transact((tx) => checkJob(tx, job));
  }

  /** Waits until a synchronous job gets a slot, but at most until `until` (Unix ms). */
  async awaitSlot(key: JobKey, until: number): Promise<SlotReply> {
    for (;;) {
      const isAwaited = (id: string) => id === key.id || this.#slotCallers.has(id);
      const reply = this.transact<SlotReply>((tx) => {
        promoteWaiting(tx, isAwaited);
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

  /** Claims a job for a run. A repeated call with the same token returns the same run. */
  claim(key: JobKey, token: string): ClaimReply {
    return this.transact((tx) => claimJob(tx, key, token));
  }

  /** Extends the lease of a run. Returns false if another run has the job, or if the job has ended. */
  renew(key: JobKey, run: number): boolean {
    return this.transact((tx) => renewLease(tx, key, run), false);
  }

  /** Requeues a job. */
  release(key: JobKey, run: number, reason: ReleaseReason): ReleaseReply {
    return this.transact((tx) => releaseJob(tx, key, run, reason));
  }

  /**
   * Ends a job with the outcome of its run. Idempotent by job and run. With `next.token`, also claims the next page of
   * the job's batch with this token. `next.pages` are the next pages of the job's crawl.
   */
  finish(key: JobKey, run: number, end: JobEnd, next: NextPages = { token: null, pages: [] }): FinishReply {
    return this.transact((tx) =>
      continueBatch(tx, finishJob(tx, key, run, end), next, (batchId) => this.#useFreeSlots(tx, batchId)),
    );
  }

  /** Makes a job asynchronous because its caller stopped waiting. */
  detach(key: JobKey, options: { accepted: boolean }): DetachReply {
    return this.transact((tx) => {
      const reply = detachCaller(tx, key, options);
      // The job may start now, because it is asynchronous. A synchronous job starts only while its caller waits in
      // `awaitSlot`.
      promoteWaiting(tx, this.#hasSlotCaller);
      return reply;
    });
  }

  /** Cancels a job that hasn't ended. Returns the resulting job, or null if it doesn't exist. */
  cancel(key: JobKey): Job | null {
    return this.transact((tx) => cancelJob(tx, key), null);
  }

  /** Returns a job, or null if it doesn't exist. If the job hasn't ended, first waits up to `waitMs` for its end. */
  async get(key: JobKey, waitMs = 0): Promise<Job | null> {
    const until = now() + Math.min(waitMs, Math.max(SYNC_WAIT_MS, GET_WAIT_MAX_S * SECOND_MS));
    for (;;) {
      const job = this.transact((tx) => readJob(tx, key), null);
      const left = until - now();
      if (job === null || job.endedAt !== null || left <= 0) return job;
      await this.callers.wait(key.id, left);
    }
  }

  /** Returns the current version of the account's rows. First waits up to `waitMs` for a version other than `seen`. */
  async watch(seen: string | null, waitMs: number): Promise<{ kind: "version"; version: string } | Gone> {
    const until = now() + waitMs;
    for (;;) {
      if (!this.#isOpen) return GONE;
      const left = until - now();
      const version = this.changes();
      if (version !== seen || left <= 0) return { kind: "version", version };
      await this.callers.wait(ANY_JOB, left);
    }
  }

  /** Returns one page of jobs, newest first. */
  async list(filter: JobFilter) {
    return await readPage(filter, MAX_WINDOWS, (part) => this.transact((tx) => listJobs(tx, this.#counts, part)));
  }

  /** Returns one page of jobs as rows of the dashboard's job list, newest first. */
  async listLines(filter: JobFilter) {
    return await readPage(filter, MAX_WINDOWS, (part) => this.transact((tx) => listJobLines(tx, this.#counts, part)));
  }

  /** Reloads the state from storage. Also sets the alarm if the platform has deleted it after repeated errors. */
  protected override async reload(): Promise<void> {
    const { storage } = this.ctx;
    const lifecycle = readLifecycle(storage);
    this.#totals = null;
    this.#counts = new JobCounts();
    this.#isOpen = readVersion(storage) > 0 && lifecycle === null;
    if (!this.#isOpen && lifecycle === null) return;
    if (readVersion(storage) > 0) migrate(storage, MIGRATIONS);
    this.#alarmAt = await storage.getAlarm();
    const next = this.#isOpen ? toNextAlarm(storage.sql) : nextErasure(lifecycle, now());
    if (next !== null && (this.#alarmAt === null || this.#alarmAt > next)) await this.#setAlarm(Math.max(next, now()));
  }

  /** Recovers lost work, starts waiting jobs and runs maintenance. Never throws, so the platform keeps the alarm. */
  override async alarm(): Promise<void> {
    const startedAt = now();
    try {
      const first = this.#isOpen ? toNextAlarm(this.ctx.storage.sql) : null;
      // Sets the next alarm before the work, in case this invocation dies. If no work is due, setting the alarm is the
      // only write.
      await this.#setAlarm(first !== null && first > startedAt ? first : startedAt + ALARM_RETRY_MS);
      if (!this.#isOpen) {
        const due = await eraseStep(this.env, this.ctx.storage, startedAt);
        return await this.#setAlarm(due);
      }
      const more = this.transact((tx) => recoverDue(tx, this.#hasSlotCaller), false);
      await this.#maintenance.run(this.env, (work) => (this.#isOpen ? this.transact(work) : undefined));
      // The account was closed during maintenance. The next alarm continues the erasure.
      if (!this.#isOpen) return await this.#setAlarm(now());
      const hasMoreResults = await deleteDueResults(this.env.STORE, (work, fallback) => this.transact(work, fallback));
      const next = more || hasMoreResults ? now() + Math.random() * SECOND_MS : toNextAlarm(this.ctx.storage.sql);
      if (next !== this.#alarmAt) await this.#setAlarm(next === null ? null : Math.max(next, now()));
    } catch (error) {
      log("error", "account_alarm_failed", toLogged(error));
      await this.#setAlarm(startedAt + ALARM_RETRY_MS).catch((reason) =>
        log("error", "account_alarm_not_set", toLogged(reason)),
      );
    }
  }

  /**
   * Runs `work` in one transaction. After the commit, sends messages and events and resumes waiting calls. If the
   * account isn't open, returns `fallback`, or `gone` if there is no fallback.
   */
  protected override transact<Reply>(work: (tx: Transaction) => Reply, fallback?: Reply): Reply {
    const { storage } = this.ctx;
    const state = this.#isOpen ? readState(storage.sql) : null;
    if (state === null) return (fallback === undefined ? GONE : fallback) as Reply;
    const totals = { ...(this.#totals ?? readTotals(storage.sql)) };
    const tx = new Transaction(storage.sql, this.env, state, totals, now());
    const reply = storage.transactionSync(() => {
      const result = work(tx);
      if (tx.ended.length > tx.replaced) this.#useFreeSlots(tx);
      if (tx.dueAt < (this.#alarmAt ?? Number.POSITIVE_INFINITY)) void storage.setAlarm(tx.dueAt);
      return result;
    });
    if (tx.dueAt < (this.#alarmAt ?? Number.POSITIVE_INFINITY)) this.#alarmAt = tx.dueAt;
    this.#totals = totals;
    this.#counts.apply(tx);
    this.#applyEffects(tx);
    return reply;
  }

  /** Starts waiting jobs, and then pages of batches, in the slots of ended jobs. */
  #useFreeSlots(tx: Transaction, currentBatch: string | null = null): void {
    tx.replaced = tx.ended.length;
    promoteWaiting(tx, this.#hasSlotCaller);
    feedBatches(tx, currentBatch);
  }

  /** Sends the messages of a committed transaction, writes its events and resumes waiting calls. */
  #applyEffects(tx: Transaction): void {
    for (const work of startEffects(this.env, tx)) this.ctx.waitUntil(work);
    for (const id of tx.changed) this.#slotCallers.notify(id);
    for (const id of [...tx.changed, ANY_JOB]) this.callers.notify(id);
  }

  async #setAlarm(at: number | null): Promise<void> {
    this.#alarmAt = at;
    await (at === null ? this.ctx.storage.deleteAlarm() : this.ctx.storage.setAlarm(at));
  }
}
