import { DurableObject } from "cloudflare:workers";
import { now } from "../lib/clock";
import { sha256Hex } from "../lib/crypto";
import type { AccountRef, Jurisdiction } from "../model/account";
import type { JobKey } from "../model/job";
import { type ArchivePart, findArchive } from "./archive";
import { beginErasure, failUnfinished, leaveTombstone } from "./erase";
import { type Inspection, inspect } from "./inspect";
import {
  type Lifecycle,
  type MovePlan,
  planMove,
  readLifecycle,
  readPlan,
  readPredecessor,
  writeLifecycle,
  writePredecessor,
} from "./lifecycle";
import { migrate, readVersion } from "./schema";
import type { Transaction } from "./transaction";
import { adoptRows, type ExportPage, exportPage, importLines } from "./transfer";
import type { Gone } from "./types";

const GONE: Gone = { kind: "gone" };
/** The cursor of an import that has begun. Null means that it is complete. */
export const IMPORT_START = "";

/** What operators do with an account's object. Each method is idempotent. */
export abstract class OperatedObject extends DurableObject<Env> {
  /** Runs `work` in one transaction, if the account is open. */
  protected abstract transact<Reply>(work: (tx: Transaction) => Reply): Reply | Gone;

  /** Must be called after the lifecycle was changed. */
  protected abstract reload(): Promise<void>;

  /** Returns why the account isn't open, or `open`. */
  readState(): Lifecycle | { kind: "open" } | Gone {
    return readLifecycle(this.ctx.storage) ?? (readVersion(this.ctx.storage) > 0 ? { kind: "open" } : GONE);
  }

  /** Returns the file in R2 that holds an archived job. */
  findArchive(key: JobKey): { kind: "found"; part: ArchivePart | null } | Gone {
    return this.transact((tx) => ({ kind: "found", part: findArchive(tx, key) }));
  }

  /** Returns the page of the account's rows that begins at `cursor`. Null: the first page. */
  exportRows(cursor: string | null): (ExportPage & { changes: string }) | Gone {
    const { storage } = this.ctx;
    if (readVersion(storage) === 0) return GONE;
    return { ...exportPage(storage.sql, cursor), changes: this.changes() };
  }

  /** Returns the SHA-256 of a page, for a comparison of two objects. */
  async digestRows(cursor: string | null): Promise<{ kind: "digest"; digest: string; next: string | null } | Gone> {
    const page = this.exportRows(cursor);
    if (page.kind === "gone") return page;
    return { kind: "digest", digest: await sha256Hex(page.lines), next: page.next };
  }

  /** Returns what an operator sees of the account. */
  inspect(): ({ kind: "open" } & Inspection) | Lifecycle | Gone {
    const lifecycle = readLifecycle(this.ctx.storage);
    return lifecycle ?? this.transact((tx) => ({ kind: "open", ...inspect(tx) }));
  }

  /** Stores where the account is moved to. Returns the plan of a move that began before. */
  planMove(plan: MovePlan): { kind: "planned"; plan: MovePlan } | Gone {
    const { kind } = this.readState();
    if (kind !== "open" && kind !== "moving") return GONE;
    return { kind: "planned", plan: planMove(this.ctx.storage, plan) };
  }

  /** Returns the plan of a move that has begun, or null. */
  movePlan(): { kind: "plan"; plan: MovePlan | null } {
    return { kind: "plan", plan: readPlan(this.ctx.storage) };
  }

  /** Keeps the rows from changing, so that they can be copied. */
  async freeze(): Promise<{ kind: "moving" } | Gone> {
    const { kind } = this.readState();
    if (kind === "moving") return { kind };
    if (kind !== "open") return GONE;
    writeLifecycle(this.ctx.storage, { kind: "moving" });
    await this.reload();
    return { kind: "moving" };
  }

  /**
   * Creates empty tables for an import. Returns the cursor of an import that began before. `predecessor`: the object that the
   * account is moved from, if it is.
   */
  async beginImport(predecessor: AccountRef | null): Promise<{ kind: "importing"; cursor: string | null } | Gone> {
    const { storage } = this.ctx;
    const state = this.readState();
    if (state.kind === "importing") return { kind: "importing", cursor: state.cursor };
    // An object that is open or was erased takes no rows.
    if (readLifecycle(storage) !== null || readVersion(storage) > 0) return GONE;
    migrate(storage);
    writePredecessor(storage, predecessor);
    writeLifecycle(storage, { kind: "importing", cursor: IMPORT_START });
    await this.reload();
    return { kind: "importing", cursor: IMPORT_START };
  }

  /** Returns the object that the account was moved from, until `forgetPredecessor` is called. */
  predecessor(): { kind: "predecessor"; account: AccountRef | null } {
    return { kind: "predecessor", account: readPredecessor(this.ctx.storage) };
  }

  /** Must be called once the rows of the predecessor were deleted. */
  forgetPredecessor(): void {
    writePredecessor(this.ctx.storage, null);
  }

  /** Inserts the rows of one page of an export. `next`: the cursor of the page after it. */
  importRows({ lines, next }: { lines: string; next: string | null }): { kind: "imported"; rows: number } | Gone {
    const { storage } = this.ctx;
    if (this.readState().kind !== "importing") return GONE;
    return storage.transactionSync(() => {
      const rows = importLines(storage.sql, lines);
      writeLifecycle(storage, { kind: "importing", cursor: next });
      return { kind: "imported", rows };
    });
  }

  /** Opens the account with the rows that were imported. */
  async activate({
    object,
    jurisdiction,
  }: {
    object: string;
    jurisdiction: Jurisdiction | null;
  }): Promise<{ kind: "open" } | Gone> {
    const { storage } = this.ctx;
    const state = this.readState();
    if (state.kind === "open") return state;
    if (state.kind !== "importing" || state.cursor !== null) return GONE;
    storage.transactionSync(() => {
      adoptRows(storage.sql, { object, jurisdiction, isMoved: readPredecessor(storage) !== null, now: now() });
      writeLifecycle(storage, null);
    });
    await this.reload();
    return { kind: "open" };
  }

  /**
   * Fails unfinished jobs in portions, then closes the account for good. `failing`: must be called again. `erasing`: the alarm does
   * the rest. The directory must have suspended the account before.
   */
  async erase(): Promise<{ kind: "failing" } | { kind: "erasing" } | { kind: "erased" }> {
    const { storage } = this.ctx;
    const state = this.readState();
    if (state.kind === "erased" || state.kind === "erasing") return { kind: state.kind };
    if (state.kind === "open") {
      const reply = this.transact((tx) => ({ kind: "failed", jobs: failUnfinished(tx), tag: tx.state.account.tag }));
      // Waiting callers read the end of their jobs before the account is closed.
      if ("jobs" in reply && reply.jobs > 0) return { kind: "failing" };
    }
    // The account was never opened.
    if (state.kind === "gone") return await this.discard();
    const [row] = storage.sql.exec<{ tag: string }>("SELECT tag FROM account").toArray();
    if (row !== undefined) beginErasure(storage, row.tag);
    await this.reload();
    return { kind: "erasing" };
  }

  /** Deletes the rows of an account that was moved away, or that was imported in part. Objects in R2 stay. */
  async discard(): Promise<{ kind: "erased" }> {
    await leaveTombstone(this.ctx.storage, null);
    await this.reload();
    return { kind: "erased" };
  }

  /** Returns a text that differs if rows have changed since it was last read. */
  protected changes(): string {
    const [row] = this.ctx.storage.sql.exec<{ n: number }>("SELECT total_changes() AS n").toArray();
    return `${this.#instance}:${row?.n ?? 0}`;
  }

  readonly #instance = crypto.randomUUID();
}
