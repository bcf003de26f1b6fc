import { withTimeout } from "../lib/async";
import { log, toLogged } from "../lib/log";
import { keyVerifier } from "../store/namespaces";

const TIMEOUT_MS = 5_000;

/** Makes the key's `KeyVerifier` reload the key's record. Returns false if it can't be reached. Never throws. */
export async function invalidateKey(env: Env, hash: string): Promise<boolean> {
  try {
    return await withTimeout(TIMEOUT_MS, keyVerifier(env, hash).refresh(hash));
  } catch (error) {
    log("warn", "key_verifier_unreachable", toLogged(error));
    return false;
  }
}
