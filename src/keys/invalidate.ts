import { withTimeout } from "../lib/async";
import { log, toLogged } from "../lib/log";

const TIMEOUT_MS = 5_000;

/** Makes the key's `KeyVerifier` reload the key's record. Returns false if it can't be reached. Never throws. */
export async function invalidateKey(env: Env, hash: string): Promise<boolean> {
  try {
    return await withTimeout(TIMEOUT_MS, env.KEY_VERIFIER.getByName(hash).refresh(hash));
  } catch (error) {
    log("warn", "key_verifier_unreachable", toLogged(error));
    return false;
  }
}
