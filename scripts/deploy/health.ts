import { setTimeout as sleep } from "node:timers/promises";
import { newSecret } from "../local-state.ts";

const ANSWER_TIMEOUT_MS = 10_000;
const PAUSE_MS = 3_000;
/** A new address takes a while until it is known everywhere. */
export const PATIENCE_MS = 120_000;

/**
 * Asks with a key that is well formed and nobody's: to refuse it, the Worker, its Durable Objects and its database must
 * have worked. Throws with the last answer when that doesn't come in time.
 */
export async function lookAt(base: string, patienceMs: number): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const answer = await ask(new URL("/v1/usage", base)).catch((error: unknown) => toReason(error));
    if (answer === null) return;
    if (Date.now() + PAUSE_MS > deadline) throw new Error(`${base} doesn't answer as it should: ${answer}`);
    await sleep(PAUSE_MS);
  }
}

/** Null: as it should be. */
async function ask(url: URL): Promise<string | null> {
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${newSecret("live")}` },
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
  });
  const text = await response.text();
  if (response.status === 401 && text.includes('"invalid_api_key"')) return null;
  return `status ${response.status}, ${text.slice(0, 300)}`;
}

function toReason(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}
