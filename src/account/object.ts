import { now } from "../lib/clock";
import { log, toLogged } from "../lib/log";
import type { Job, JobKey } from "../model/job";
import { GET_WAIT_MAX_S, SECOND_MS, SYNC_WAIT_MS } from "../model/limits";
import { ALARM_RETRY_MS, recoverDue, toNextAlarm } from "./alarm";
import { DeliveringObject } from "./delivering-object";
import { eraseStep, nextErasure } from "./erase";
import { writeJobEvent } from "./events";
import { cancelJob, finishJob } from "./finish";
import { JobCounts } from "./job-counts";
import type { JobLine } from "./job-lines";
import { readJob } from "./job-row";
import { claimJob, createJob, detachCaller, releaseJob, renewLease } from "./jobs";
import { readLifecycle } from "./lifecycle";
import { type ListReply, listJobLines, listJobs } from "./lists";
import { Maintenance } from "./maintenance";
import { type Overview, type OverviewQuery, readOverview } from "./overview";
import { sendDispatched } from "./queues";
import { migrate, readVersion } from "./schema";
import { promoteWaiting, readTotals } from "./slots";
import { adjustCredits, insertState, readState, setMaintenance, updateSettings } from "./state";
import { type Totals, Transaction } from "./transaction";
import type {
  AccountSettings,
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
import { readUsage, type UsageQuery, type UsageReport } from "./usage";
import { WaitingCallers } from "./waiting-callers";

const GONE: Gone = { kind: "gone" };

/** What a call that waits for any change waits for. */
const ANY_JOB = "";

/**
 * One account: its jobs, credits, idempotency keys, usage, webhook settings and deliveries. All rules are code in one
 * transaction. Methods return plain values and never throw our errors, since class identity is lost over RPC. Only `open`
 * creates tables. Without them, every other method answers `gone` and writes nothing.
 */
export class Account extends DeliveringObject {
  /** Calls that wait for the end of a job. */
  readonly #callers = new WaitingCallers();
  /** Calls that wait for a slot. */
  readonly #slotCallers = new WaitingCallers();
  readonly #hasSlotCaller = (id: string) => this.#slotCallers.has(id);
  readonly #maintenance = new Maintenance();
  #counts = new JobCounts();
  #totals: Totals | null = null;
  /** When the alarm fires (Unix ms). Null: never. */
  #alarmAt: number | null = null;
  #isOpen = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    void ctx.blockConcurrencyWhile(() => this.reload());
  }

  /** Creates the tables of a new account, or updates the settings of one that exists. An erased account stays erased. */
  open(input: OpenInput): { kind: "open" } | Gone {
    if (readLifecycle(this.ctx.storage) !== null) return GONE;
    if (!this.#isOpen) {
      this.ctx.storage.transactionSync(() => {
        migrate(this.ctx.storage);
        insertState(this.ctx.storage.sql, input);
      });
      this.#isOpen = true;
    }
    return this.update(input.settings);
  }

  /** Takes over the directory's settings unless it has later ones. */
  update(settings: AccountSettings): { kind: "open" } | Gone {
    return this.#transact((tx) => {
      updateSettings(tx, settings);
      // A larger plan lets more jobs run.
      promoteWaiting(tx, this.#hasSlotCaller);
      return { kind: "open" };
    });
  }

  /**
   * Sets an alarm that was lost. The alarm then reports to the directory, which learns when the account is due next: without
   * that, it would wake an idle account again and again.
   */
  async wake(): Promise<void> {
    this.#alarmAt = await this.ctx.storage.getAlarm();
    this.#transact((tx) => setMaintenance(tx, tx.now));
  }

  /** Adds credits, or removes some. A repeated `key` changes nothing. */
  adjust(input: { key: string; amount: number }): { kind: "adjusted" } | { kind: "insufficient_credits" } | Gone {
    return this.#transact((tx) => ({ kind: adjustCredits(tx, input) ? "adjusted" : "insufficient_credits" }));
  }

  // Jobs.

  /** Reserves the credits and inserts the job. Idempotent by the job's id. */
  createJob(job: NewJob): CreateReply {
    return this.#transact((tx) => createJob(tx, job));
  }

  /** Waits until a job whose caller waits gets a slot, or until `until` (Unix ms). */
  async awaitSlot(key: JobKey, until: number): Promise<SlotReply> {
    for (;;) {
      const isAwaited = (id: string) => id === key.id || this.#slotCallers.has(id);
      const reply = this.#transact<SlotReply>((tx) => {
        promoteWaiting(tx, isAwaited);
        const job = readJob(tx, key);
        if (job === null) return GONE;
        if (job.endedAt !== null) return { kind: "ended", job };
        return job.waiting && job.status === "processing" ? { kind: "run", job } : { kind: "waits" };
      });
      const left = Math.min(until - now(), SYNC_WAIT_MS);
      if (reply.kind !== "waits" || left <= 0) return reply;
      await this.#slotCallers.wait(key.id, left);
    }
  }

  /** Claims a job for a run. The same token gets the same run again. */
  claim(key: JobKey, token: string): ClaimReply {
    return this.#transact((tx) => claimJob(tx, key, token));
  }

  /** Extends a run's lease. Returns false if the run has lost the job. */
  renew(key: JobKey, run: number): boolean {
    return this.#transact((tx) => ({ own: renewLease(tx, key, run) }), { own: false }).own;
  }

  /** Puts a job back into the queue. */
  release(key: JobKey, run: number, reason: ReleaseReason): ReleaseReply {
    return this.#transact((tx) => releaseJob(tx, key, run, reason));
  }

  /** Ends a job with the outcome of its run. Idempotent by job and run. */
  finish(key: JobKey, run: number, end: JobEnd): FinishReply {
    return this.#transact((tx) => finishJob(tx, key, run, end));
  }

  /** Makes a job asynchronous whose caller stopped waiting. */
  detach(key: JobKey, options: { answered: boolean }): DetachReply {
    return this.#transact((tx) => {
      const reply = detachCaller(tx, key, options);
      // A job that was passed over because no caller was there may have a free slot.
      promoteWaiting(tx, this.#hasSlotCaller);
      return reply;
    });
  }

  /** Cancels a job that hasn't ended. Returns the job as it is then, or null if there is none. */
  cancel(key: JobKey): Job | null {
    return this.#transact((tx) => ({ job: cancelJob(tx, key) }), { job: null }).job;
  }

  /** Returns a job. If it hasn't ended, waits for its end for at most `waitMs`. Null: there is no such job. */
  async get(key: JobKey, waitMs = 0): Promise<Job | null> {
    const until = now() + Math.min(waitMs, Math.max(SYNC_WAIT_MS, GET_WAIT_MAX_S * SECOND_MS));
    for (;;) {
      const { job } = this.#transact((tx) => ({ job: readJob(tx, key) }), { job: null });
      const left = until - now();
      if (job === null || job.endedAt !== null || left <= 0) return job;
      await this.#callers.wait(key.id, left);
    }
  }

  // Lists and usage.

  /** Returns a version of the account's rows as soon as it differs from `seen`, or after `waitMs`. */
  async watch(seen: string | null, waitMs: number): Promise<{ kind: "version"; version: string } | Gone> {
    const until = now() + waitMs;
    for (;;) {
      if (!this.#isOpen) return GONE;
      const left = until - now();
      const version = this.changes();
      if (version !== seen || left <= 0) return { kind: "version", version };
      await this.#callers.wait(ANY_JOB, left);
    }
  }

  /** Returns one page of jobs, newest first. */
  list(filter: JobFilter): ({ kind: "page" } & ListReply<Job>) | Gone {
    return this.#transact((tx) => ({ kind: "page", ...listJobs(tx, this.#counts, filter) }));
  }

  /** Returns one page of jobs as lines of a table, newest first. */
  listLines(filter: JobFilter): ({ kind: "page" } & ListReply<JobLine>) | Gone {
    return this.#transact((tx) => ({ kind: "page", ...listJobLines(tx, this.#counts, filter) }));
  }

  /** Returns the balance, and the usage of one mode from a day (YYYY-MM-DD, UTC) on. */
  usage(query: UsageQuery): ({ kind: "usage" } & UsageReport) | Gone {
    return this.#transact((tx) => ({ kind: "usage", ...readUsage(tx, query) }));
  }

  /** Returns what the overview of the dashboard shows. */
  overview(query: OverviewQuery): ({ kind: "overview" } & Overview) | Gone {
    return this.#transact((tx) => ({ kind: "overview", ...readOverview(tx, query) }));
  }

  protected override transact<Reply>(work: (tx: Transaction) => Reply): Reply | Gone {
    return this.#transact<Reply | Gone>(work);
  }

  /** Reads whether the account is open, and sets an alarm that was lost, for example because it threw too often. */
  protected override async reload(): Promise<void> {
    const { storage } = this.ctx;
    const lifecycle = readLifecycle(storage);
    this.#totals = null;
    this.#counts = new JobCounts();
    this.#isOpen = readVersion(storage) > 0 && lifecycle === null;
    if (!this.#isOpen && lifecycle === null) return;
    // Also rows that are being copied, so that a copy has the same columns.
    if (readVersion(storage) > 0) migrate(storage);
    this.#alarmAt = await storage.getAlarm();
    const next = this.#isOpen ? toNextAlarm(storage.sql) : nextErasure(lifecycle, now());
    if (next !== null && (this.#alarmAt === null || this.#alarmAt > next)) await this.#setAlarm(Math.max(next, now()));
  }

  /** Recovers lost work, lets out waiting jobs, and runs maintenance. Never throws: a throwing alarm is given up after a while. */
  override async alarm(): Promise<void> {
    const startedAt = now();
    try {
      const first = this.#isOpen ? toNextAlarm(this.ctx.storage.sql) : null;
      // Set first, in case this invocation dies. If nothing is due yet, this is the only row that is written.
      await this.#setAlarm(first !== null && first > startedAt ? first : startedAt + ALARM_RETRY_MS);
      if (!this.#isOpen) {
        const due = await eraseStep(this.env, this.ctx.storage, startedAt);
        return due === null ? await this.#clearAlarm() : await this.#setAlarm(due);
      }
      const { more } = this.#transact((tx) => ({ more: recoverDue(tx, this.#hasSlotCaller) }), { more: false });
      await this.#maintenance.run(this.env, (work) => (this.#isOpen ? this.#transact(work) : undefined));
      // The account was closed meanwhile. An erasure goes on with the next alarm, which what follows must not move.
      if (!this.#isOpen) return await this.#setAlarm(now());
      const next = more ? now() + Math.random() * SECOND_MS : toNextAlarm(this.ctx.storage.sql);
      if (next === null) await this.#clearAlarm();
      else if (next !== this.#alarmAt) await this.#setAlarm(Math.max(next, now()));
    } catch (error) {
      log("error", "account_alarm_failed", toLogged(error));
      const notSet = (reason: unknown) => log("error", "account_alarm_not_set", toLogged(reason));
      await this.#setAlarm(startedAt + ALARM_RETRY_MS).catch(notSet);
    }
  }

  /**
   * Runs `work` in one transaction, and what follows from it once it is committed. Returns `fallback`, or `gone`, if the
   * account isn't open.
   */
  #transact<Reply>(work: (tx: Transaction) => Reply, fallback?: Reply): Reply {
    const { storage } = this.ctx;
    const state = this.#isOpen ? readState(storage.sql) : null;
    if (state === null) return (fallback === undefined ? GONE : fallback) as Reply;
    const totals = { ...(this.#totals ?? readTotals(storage.sql)) };
    const tx = new Transaction(storage.sql, this.env, state, totals, now());
    const reply = storage.transactionSync(() => {
      const result = work(tx);
      // What has ended or was handed back leaves room for others.
      if (tx.ended.length > 0) promoteWaiting(tx, this.#hasSlotCaller);
      if (tx.dueAt < (this.#alarmAt ?? Number.POSITIVE_INFINITY)) void storage.setAlarm(tx.dueAt);
      return result;
    });
    if (tx.dueAt < (this.#alarmAt ?? Number.POSITIVE_INFINITY)) this.#alarmAt = tx.dueAt;
    this.#totals = totals;
    this.#counts.follow(tx);
    this.#follow(tx);
    return reply;
  }

  /** Sends the messages of a committed transaction, writes its events and resumes waiting calls. */
  #follow({ dispatched, deliveries, ended, changed }: Transaction): void {
    if (dispatched.length > 0 || deliveries.length > 0) {
      this.ctx.waitUntil(
        // The rows are the truth: the alarm sends lost messages again.
        sendDispatched(this.env, dispatched, deliveries).catch((error) => log("warn", "not_sent", toLogged(error))),
      );
    }
    for (const job of ended) this.ctx.waitUntil(writeJobEvent(this.env, job));
    for (const id of changed) this.#slotCallers.notify(id);
    for (const id of [...changed, ANY_JOB]) this.#callers.notify(id);
  }

  async #setAlarm(at: number): Promise<void> {
    this.#alarmAt = at;
    await this.ctx.storage.setAlarm(at);
  }

  async #clearAlarm(): Promise<void> {
    this.#alarmAt = null;
    await this.ctx.storage.deleteAlarm();
  }
}
