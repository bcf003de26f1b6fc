import { toIdStart, toIdTime } from "../../lib/id";
import type { Mode } from "../../model/api-key";
import { MINUTE_MS } from "../../model/limits";
import type { RowOf, Transaction } from "../storage/transaction";

/** A record that an operator has searched for, and that this account contains. */
export interface Located {
  kind: "job" | "batch" | "crawl" | "delivery";
  mode: Mode;
  id: string;
}

/** The maximum time between a request and the creation of its job. The upload of the body takes most of this time. */
const MAX_DELAY_MS = 5 * MINUTE_MS;
const MAX_FOUND = 20;

/** Returns the record with this id, or else those that the request with this `X-Request-Id` created, oldest first. */
export function locate(tx: Transaction, id: string): Located[] {
  const byId = tx.all<RowOf<Located>>(
    `SELECT 'job' AS kind, mode, id FROM jobs WHERE mode IN ('live', 'test') AND id = ?1
     UNION ALL SELECT kind, mode, id FROM batches WHERE mode IN ('live', 'test') AND id = ?1
     UNION ALL SELECT 'delivery', mode, id FROM deliveries WHERE mode IN ('live', 'test') AND id = ?1`,
    id,
  );
  return byId.length > 0 ? byId : findByRequest(tx, id);
}

/** Reads only rows whose ids contain a time shortly after the request, so the column needs no index. */
function findByRequest(tx: Transaction, requestId: string) {
  const at = toIdTime(requestId);
  return tx.all<RowOf<Located>>(
    `SELECT 'job' AS kind, mode, id FROM jobs
       WHERE mode IN ('live', 'test') AND id >= ?1 AND id < ?2 AND request_id = ?3
     UNION ALL SELECT kind, mode, id FROM batches
       WHERE mode IN ('live', 'test') AND id >= ?1 AND id < ?2 AND request_id = ?3
     ORDER BY id LIMIT ${MAX_FOUND}`,
    ...[toIdStart(at), toIdStart(at + MAX_DELAY_MS), requestId],
  );
}
