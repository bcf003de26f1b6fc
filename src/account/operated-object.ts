import { DurableObject } from "cloudflare:workers";
import { now } from "../lib/clock";
import type { Jurisdiction } from "../model/account";
import type { JobKey } from "../model/job";
import { migrate, readVersion } from "../store/object-schema";
import { type ArchivePart, findArchive } from "./archive";
import { beginErasure, eraseStorage, failUnfinished } from "./erase";
import { type Inspection, inspect } from "./inspect";
import { type Lifecycle, readLifecycle, writeLifecycle } from "./lifecycle";
import { MIGRATIONS } from "./migrations";
import { listSealed, replaceSealed, type SealedPosition, type SealedValue } from "./sealed-values";
import type { Transaction } from "./transaction";
import { adaptRows, type ExportPage, exportPage, importLines } from "./transfer";
import type { Gone } from "./types";

const GONE: Gone = { kind: "gone" };
const SEALED_PAGE = 200;
/** The cursor of an import that has just started. A null cursor means that the import is complete. */
export const IMPORT_START = "";

/** Adds the methods for operators to the account's Durable Object. Each method is idempotent. */
export abstract class OperatedObject extends DurableObject<Env> {
  /** Runs `work` in one transaction. Returns `gone` if the account isn't open. */
  protected abstract transact<Reply>(work: (tx: Transaction) => Reply): Reply | Gone;

  /** Reloads the state from storage. Must be called after each change of the lifecycle. */
  protected abstract reload(): Promise<void>;

  /** Returns the lifecycle if the account isn't open. Otherwise returns `open`, or `gone` if there are no tables. */
  readState(): Lifecycle | { kind: "open" } | Gone {
    return readLifecycle(this.ctx.storage) ?? (readVersion(this.ctx.storage) > 0 ? { kind: "open" } : GONE);
  }

  /** Returns the R2 file that may hold an archived job. */
  findArchive(key: JobKey): { kind: "found"; part: ArchivePart | null } | Gone {
    return this.transact((tx) => ({ kind: "found", part: findArchive(tx, key) }));
  }

  /** Returns the page of the account's rows that starts at `cursor`. A null cursor means the first page. */
  exportRows(cursor: string | null): (ExportPage & { changes: string }) | Gone {
    const { storage } = this.ctx;
    if (readVersion(storage) === 0) return GONE;
    return { ...exportPage(storage.sql, cursor), changes: this.changes() };
  }

  /** Returns a page of the account's encrypted values. `next` is null on the last page. */
  sealedValues(
    position: SealedPosition,
  ): { kind: "sealed"; values: SealedValue[]; next: SealedPosition | null } | Gone {
    return this.transact(({ sql }) => ({ kind: "sealed", ...listSealed(sql, position, SEALED_PAGE) }));
  }

  /** Replaces encrypted values. Skips a value that has changed since it was listed. */
  replaceSealedValues(
    changes: { value: SealedValue; sealed: string }[],
  ): { kind: "replaced"; replaced: number } | Gone {
    return this.transact(({ sql }) => ({
      kind: "replaced",
      replaced: changes.filter(({ value, sealed }) => replaceSealed(sql, value, sealed)).length,
    }));
  }

  /** Returns the account's state as the admin API shows it. */
  inspect(): ({ kind: "open" } & Inspection) | Lifecycle | Gone {
    const lifecycle = readLifecycle(this.ctx.storage);
    return lifecycle ?? this.transact((tx) => ({ kind: "open", ...inspect(tx) }));
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
    await this.reload();
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
  }: {
    object: string;
    jurisdiction: Jurisdiction | null;
  }): Promise<{ kind: "open" } | Gone> {
    const { storage } = this.ctx;
    const state = this.readState();
    if (state.kind === "open") return state;
    if (state.kind !== "importing" || state.cursor !== null) return GONE;
    storage.transactionSync(() => {
      adaptRows(storage.sql, { object, jurisdiction, now: now() });
      writeLifecycle(storage, null);
    });
    await this.reload();
    return { kind: "open" };
  }

  /**
   * Fails unfinished jobs, up to 200 in a call, then closes the account permanently. If it returns `failing`, call it
   * again. If it returns `erasing`, the alarm deletes the rows and the objects in R2. The directory must have suspended
   * the account before.
   */
  async erase(): Promise<{ kind: "failing" } | { kind: "erasing" } | { kind: "erased" }> {
    const { storage } = this.ctx;
    const state = this.readState();
    if (state.kind === "erased" || state.kind === "erasing") return { kind: state.kind };
    if (state.kind === "open") {
      const reply = this.transact((tx) => ({ kind: "failed", jobs: failUnfinished(tx), tag: tx.state.account.tag }));
      // The account stays open until the next call, so that waiting callers can read their failed jobs.
      if ("jobs" in reply && reply.jobs > 0) return { kind: "failing" };
    }
    // There is nothing to erase, because no account was ever opened in this Durable Object.
    if (state.kind === "gone") return await this.discard();
    const [row] = storage.sql.exec<{ tag: string }>("SELECT tag FROM account").toArray();
    if (row !== undefined) beginErasure(storage, row.tag);
    await this.reload();
    return { kind: "erasing" };
  }

  /** Deletes the rows of an account that was only partly imported. Its objects in R2 stay. */
  async discard(): Promise<{ kind: "erased" }> {
    await eraseStorage(this.ctx.storage, null);
    await this.reload();
    return { kind: "erased" };
  }

  /** Returns a string that changes whenever rows change. */
  protected changes(): string {
    const [row] = this.ctx.storage.sql.exec<{ n: number }>("SELECT total_changes() AS n").toArray();
    return `${this.#instance}:${row?.n ?? 0}`;
  }

  readonly #instance = crypto.randomUUID();
}
