import { now } from "../lib/clock";
import { log, toLogged } from "../lib/log";
import { toNextAlarm } from "./alarm";
import { applyRetention } from "./retention";
import { setMaintenance } from "./state";
import { isInUse, SUMMARY_INTERVAL_MS, summarize } from "./summary";
import type { Transaction } from "./transaction";

/** What maintenance works with. `transact` runs one transaction. It returns undefined if the account isn't open any more. */
export interface MaintenanceInput {
  transact: <T>(work: (tx: Transaction) => T) => T | undefined;
  env: Env;
}

/** Does one bounded step of the work that isn't urgent, if it is due: retention, the archive, and the summary. */
export async function runMaintenance({ transact, env }: MaintenanceInput): Promise<void> {
  const startedAt = now();
  const transaction = <T>(work: (tx: Transaction) => T): T => {
    const done = transact((tx) => ({ value: work(tx) }));
    if (done === undefined) throw new Error("The account isn't open any more.");
    return done.value;
  };
  const due = transact(({ state }) =>
    state.maintenanceAt !== null && state.maintenanceAt <= startedAt ? state : null,
  );
  if (due === null || due === undefined) return;
  const retentionAt = await applyRetention({ env, account: due.account, now: startedAt, transaction });
  const summary = transact((tx) => {
    const summaryAt = isInUse(summarize(tx, null)) ? tx.now + SUMMARY_INTERVAL_MS : null;
    const times = [retentionAt, summaryAt].filter((time) => time !== null);
    setMaintenance(tx, times.length === 0 ? null : Math.min(...times));
    return summarize(tx, toNextAlarm(tx.sql));
  });
  if (summary === undefined) return;
  try {
    await env.SUMMARIES.send({ kind: "account", ...summary });
  } catch (error) {
    // The next summary follows. Until then the directory's figures are old.
    log("warn", "summary_not_sent", { account_id: due.account.id, ...toLogged(error) });
  }
}
