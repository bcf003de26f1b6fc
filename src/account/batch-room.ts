import { hasFreeSlot } from "./slots";
import type { Transaction } from "./transaction";

/**
 * The concurrency slots that the pages of batches can still use. All pages together leave one slot of the plan to other
 * jobs.
 */
export class Room {
  #jobs: number;
  #renders: number;

  constructor(readonly tx: Transaction) {
    const { concurrentJobs, concurrentRenders } = tx.state.settings;
    const used = tx.first<{ jobs: number; renders: number }>(
      `SELECT COUNT(*) AS jobs, COALESCE(SUM(rendered), 0) AS renders FROM jobs INDEXED BY jobs_due
       WHERE due_at IS NOT NULL AND batch_id IS NOT NULL`,
    );
    this.#jobs = Math.max(1, concurrentJobs - 1) - (used?.jobs ?? 0);
    this.#renders = Math.max(1, concurrentRenders - 1) - (used?.renders ?? 0);
  }

  isFreeFor(rendered: boolean): boolean {
    const { totals, state } = this.tx;
    if (this.#jobs <= 0 || (rendered && this.#renders <= 0)) return false;
    return hasFreeSlot(totals, state.settings, { rendered, waiting: false });
  }

  take(rendered: boolean): void {
    this.#jobs--;
    if (rendered) this.#renders--;
  }
}
