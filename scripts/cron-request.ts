import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** A file of the state's folder. `npm start` watches for it, runs the cron, and removes it. */
export const CRON_REQUEST = "cron-requested";

/** Asks the service that runs on this state to run the cron now, so that a change takes effect at once. */
export function requestCron(stateFolder: string): void {
  writeFileSync(join(stateFolder, CRON_REQUEST), "");
}
