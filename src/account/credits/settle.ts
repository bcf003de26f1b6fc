// The price of a job that ends. The job's reserved credits are its highest price.
import { type Receipt, type RefundReason, toReceipt } from "../../model/receipt";
import { readPlanned } from "../storage/job-row";
import type { Transaction } from "../storage/transaction";
import type { Ending, JobEnd, JobRow } from "../storage/types";
import { applyDueGrant, writeCredits } from "./account-row";
import { countCharged, countReserved } from "./credit-limits";
import { settle } from "./credits";
import { alertAfterCharge } from "./usage-alerts";

export function toCharge(tx: Transaction, row: JobRow, end: JobEnd): number {
  if (end.status === "failed" || (end.isFree === true && !tx.state.settings.chargeFreeOutcomes)) return 0;
  return Math.min(Math.max(0, end.charge), row.credits);
}

/** Returns the receipt of a job that ends. The receipt's total is the charge. */
export function toEndReceipt(row: JobRow, end: JobEnd, charge: number): Receipt {
  const lines = (end.status === "completed" ? end.lines : undefined) ?? readPlanned(row).plan.lines;
  return toReceipt(lines, charge, toRefundReason(row, end));
}

/** Returns the reason why a job costs less than the parts of its price. */
function toRefundReason({ mode }: JobRow, end: JobEnd): string {
  if (mode === "test") return "test_key" satisfies RefundReason;
  if (end.status === "failed") return end.error.code;
  return end.isFree === true && end.outcome !== undefined ? end.outcome : ("not_used" satisfies RefundReason);
}

/** Charges an ended job and releases its other reserved credits. */
export function settleCredits(tx: Transaction, { row, charge }: Ending): void {
  if (row.credits === 0) return;
  applyDueGrant(tx);
  const credits = settle(tx.state.credits, { reserved: row.credits, charge, createdAt: row.created_at });
  const isSame = credits.funds === tx.state.credits.funds && credits.used === tx.state.credits.used;
  tx.state.credits = credits;
  countReserved(tx, row.key_id, -row.credits);
  countCharged(tx, { id: row.id, keyId: row.key_id, charge });
  if (!isSame) writeCredits(tx);
  if (charge > 0) alertAfterCharge(tx, row.key_id);
}
