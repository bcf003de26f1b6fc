import { invalidateDueKeys } from "./directory/accounts";
import { grantDue } from "./directory/credits";
import { withTimeout } from "./lib/async";
import { toPositiveNumber } from "./lib/env";
import { log, toLogged } from "./lib/log";
import {
  CRON_BATCH,
  CRON_DELETIONS,
  CRON_PART_MS,
  DAY_MS,
  RETENTION_DAYS_DEFAULT,
  SERP_CHECKS_KEPT_MS,
} from "./model/limits";
import { checkEngines } from "./search/canary";
import { deleteRevokedKeys } from "./store/keys";
import { deleteOldSerpChecks } from "./store/serp-checks";
import { deleteEndedSessions, deleteOldAttempts, deleteOldLinks } from "./store/users";

/**
 * Recovers lost work and deletes what is no longer retained. Each part is bounded and idempotent, and a failed part doesn't
 * stop the others. Throws an AggregateError if a part failed.
 */
export async function runCron(env: Env, now: number): Promise<void> {
  const parts: Record<string, () => Promise<number>> = {
    keys_invalidated: () => invalidateDueKeys(env, now),
    granted: () => grantDue(env, now),
    keys: () => deleteRevokedKeys(env.DB, now, CRON_BATCH),
    forgotten_checks: () => deleteOldSerpChecks(env.DB, now - SERP_CHECKS_KEPT_MS),
    sessions: () => deleteEndedSessions(env.DB, now, CRON_BATCH),
    links: () => deleteOldLinks(env.DB, now, CRON_BATCH),
    attempts: () => deleteOldAttempts(env.DB, now, CRON_BATCH),
    checked: () => checkEngines(env, now),
  };
  const done: Record<string, number> = {};
  const failures: unknown[] = [];
  for (const [name, part] of Object.entries(parts)) {
    try {
      // A part that hangs is abandoned. Its work is still due in the next run.
      const count = await withTimeout(CRON_PART_MS, part());
      if (count > 0) done[name] = count;
    } catch (error) {
      log("error", "cron_failed", { part: name, ...toLogged(error) });
      failures.push(error);
    }
  }
  if (Object.keys(done).length > 0) log("info", "cron", done);
  if (failures.length > 0) throw new AggregateError(failures, "A part of the cron failed.");
}
