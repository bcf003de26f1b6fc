import { updateGrants } from "./directory/accounts";
import { pushDueEntries } from "./directory/push";
import { wakeOverdueAccounts } from "./directory/summaries";
import { sumService, watchService } from "./health/watch";
import { withTimeout } from "./lib/async";
import { log, toLogged } from "./lib/log";
import { CRON_BATCH, CRON_CHECK_MS, CRON_PART_MS } from "./model/limits";
import { SERP_CHECKS_KEPT_MS } from "./model/search-limits";
import { checkEngines } from "./search/canary";
import { deleteOldInvitations } from "./store/invitations";
import { deleteRevokedKeys } from "./store/keys";
import { requireRegion } from "./store/namespaces";
import { requireSchema } from "./store/schema-version";
import { deleteOldSerpChecks } from "./store/serp-checks";
import { deleteEndedSessions, deleteOldAttempts, deleteOldLinks } from "./store/users";

/**
 * Runs the scheduled work that doesn't belong to an account, and wakes accounts whose alarm was lost. Each part is
 * bounded and idempotent, and a failed part doesn't stop the others. Stops waiting for a part after `partMs`. Throws an
 * AggregateError if a part failed. Throws AppError `unavailable` while the database's schema is older than the code, and
 * as `requireRegion` does.
 */
export async function runCron(env: Env, now: number, partMs = CRON_PART_MS): Promise<void> {
  requireRegion(env);
  // Runs before the check of the schema, so that a database that doesn't respond is also reported.
  const watched = await Promise.allSettled([withTimeout(partMs, watchService(env, now))]);
  await withTimeout(partMs, requireSchema(env.DB));
  const parts: Record<string, () => Promise<number>> = {
    pushed: () => pushDueEntries(env, now),
    grants_changed: () => updateGrants(env, now),
    accounts_woken: () => wakeOverdueAccounts(env, now),
    keys: () => deleteRevokedKeys(env.DB, now, CRON_BATCH),
    deleted_checks: () => deleteOldSerpChecks(env.DB, now - SERP_CHECKS_KEPT_MS),
    sessions: () => deleteEndedSessions(env.DB, now, CRON_BATCH),
    links: () => deleteOldLinks(env.DB, now, CRON_BATCH),
    invitations: () => deleteOldInvitations(env.DB, now, CRON_BATCH),
    attempts: () => deleteOldAttempts(env.DB, now, CRON_BATCH),
    checked: () => checkEngines(env, now),
    summed: () => sumService(env, now),
    alerts: async () => {
      const [result] = watched;
      if (result.status === "rejected") throw result.reason;
      return result.value;
    },
  };
  const done: Record<string, number> = {};
  const failures: unknown[] = [];
  for (const [name, part] of Object.entries(parts)) {
    try {
      // Stops waiting for a part that hangs. The next run of the cron does the part's work.
      const count = await withTimeout(name === "checked" ? CRON_CHECK_MS : partMs, part());
      if (count > 0) done[name] = count;
    } catch (error) {
      log("error", "cron_failed", { part: name, ...toLogged(error) });
      failures.push(error);
    }
  }
  if (Object.keys(done).length > 0) log("info", "cron", done);
  if (failures.length > 0) throw new AggregateError(failures, "A part of the cron failed.");
}
