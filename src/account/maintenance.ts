import { now } from "../lib/clock";
import { applyRetention } from "./retention";
import { setMaintenance } from "./state";
import type { Transaction } from "./transaction";

/** What maintenance works with. `transact` runs one transaction. It returns undefined if the account isn't open any more. */
export interface MaintenanceInput {
  transact: <T>(work: (tx: Transaction) => T) => T | undefined;
  env: Env;
}

/** Does one bounded step of the work that isn't urgent, if it is due: retention and the archive. */
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
  const next = await applyRetention({ env, account: due.account, now: startedAt, transaction });
  transact((tx) => setMaintenance(tx, next));
}
