import { withTimeout } from "../lib/async";
import { log, toLogged } from "../lib/log";

/** A gate that doesn't answer holds nobody up. */
const PATIENCE_MS = 5_000;

/** Has a key's gate read its record anew. False when it doesn't answer; never throws. */
export async function tellGate(env: Env, hash: string): Promise<boolean> {
  try {
    return await withTimeout(PATIENCE_MS, env.KEY_GATE.getByName(hash).refresh(hash));
  } catch (error) {
    log("warn", "gate_unreachable", toLogged(error));
    return false;
  }
}
