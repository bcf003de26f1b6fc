import { setTimeout as sleep } from "node:timers/promises";
import { newSecret } from "../local-state.ts";

const RESPONSE_TIMEOUT_MS = 10_000;
const RETRY_DELAY_MS = 3_000;
/** The maximum time that a new address takes to become reachable everywhere. */
export const HEALTH_TIMEOUT_MS = 120_000;

/**
 * Requests `/v1/usage` with a well-formed but unknown key until the service rejects the key. A rejection shows that the
 * Worker, its Durable Objects and its database all work. Throws an error with the last response after the timeout.
 */
export async function checkHealth(base: string, healthTimeoutMs: number): Promise<void> {
  const deadline = Date.now() + healthTimeoutMs;
  for (;;) {
    const problem = await findProblem(new URL("/v1/usage", base)).catch((error: unknown) => toReason(error));
    if (problem === null) return;
    if (Date.now() + RETRY_DELAY_MS > deadline)
      throw new Error(`The service at ${base} doesn't respond as expected: ${problem}`);
    await sleep(RETRY_DELAY_MS);
  }
}

/**
 * Sends a request with an unknown API key. Returns null if the service rejects the key, or else a description of the
 * response.
 */
async function findProblem(url: URL): Promise<string | null> {
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${newSecret("live")}` },
    signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
  });
  const text = await response.text();
  if (response.status === 401 && text.includes('"invalid_api_key"')) return null;
  return `status ${response.status}, ${text.slice(0, 300)}`;
}

function toReason(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}
