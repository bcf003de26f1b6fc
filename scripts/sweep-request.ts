import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** A file of the state's folder. `npm start` watches for it, sweeps, and removes it. */
export const SWEEP_REQUEST = "sweep-requested";

/** Asks the service that runs on this state to sweep now, so that a change takes effect at once. */
export function requestSweep(stateFolder: string): void {
  writeFileSync(join(stateFolder, SWEEP_REQUEST), "");
}
