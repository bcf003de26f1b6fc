// Limits the jobs of a day (UTC) that fail because of a model's answer. See MODEL_FAILURES.
import { toIdStart } from "../../lib/id";
import { MAX_MODEL_FAILURES, MODEL_FAILURES } from "../../model/errors";
import { DAY_MS } from "../../model/limits";
import type { RefundReason } from "../../model/receipt";
import { readPlanned } from "../storage/job-row";
import type { Transaction } from "../storage/transaction";
import type { CheckedJob, CreateReply, Ending } from "../storage/types";

/** Returns the refusal of a job that can call a model, or null. A job counts for the day on which it was created. */
export function checkModelLimit(
  tx: Transaction,
  { mode, plan }: CheckedJob,
): Extract<CreateReply, { kind: "model_limit" }> | null {
  if (mode === "test" || plan?.model === undefined) return null;
  const day = tx.now - (tx.now % DAY_MS);
  if (tx.totals.modelLimit?.day !== day) tx.totals.modelLimit = { day, isReached: isReached(tx, day) };
  return tx.totals.modelLimit.isReached ? { kind: "model_limit", resetsAt: day + DAY_MS } : null;
}

/** Makes the next check count again if a job failed because of a model's answer. */
export function forgetModelLimit(tx: Transaction, { row, end }: Ending): void {
  if (end.status !== "failed" || !MODEL_FAILURES.includes(end.error.code)) return;
  if (readPlanned(row).plan.model !== undefined) tx.totals.modelLimit = null;
}

function isReached(tx: Transaction, day: number): boolean {
  // Jobs with the strategy `page` have the same code, but call no model.
  const failures = tx.all(
    `SELECT id FROM jobs INDEXED BY jobs_by_code
     WHERE mode = 'live' AND code IN (SELECT value FROM json_each(?1)) AND id >= ?2 AND code IS NOT NULL
       AND instr(receipt, ?3) = 0 LIMIT ?4`,
    JSON.stringify(MODEL_FAILURES),
    toIdStart(day),
    JSON.stringify("no_model" satisfies RefundReason),
    MAX_MODEL_FAILURES,
  );
  return failures.length === MAX_MODEL_FAILURES;
}
