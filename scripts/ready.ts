import { setTimeout as sleep } from "node:timers/promises";

/**
 * Waits until the service responds at `base`. Calls `shouldContinue` before each attempt. If `shouldContinue` returns
 * false, returns early. If it throws, rejects with its error. Throws if the service doesn't respond within the timeout.
 */
export async function waitUntilReady(
  base: string,
  { timeoutMs, shouldContinue }: { timeoutMs: number; shouldContinue: () => boolean },
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (shouldContinue()) {
    const isReady = await fetch(`${base}/v1/jobs`, { signal: AbortSignal.timeout(5_000) }).then(
      (response) => response.headers.has("x-request-id"),
      () => false,
    );
    if (isReady) return;
    if (Date.now() >= deadline)
      throw new Error(`The service at ${base} did not respond within ${timeoutMs / 1_000} seconds.`);
    await sleep(100);
  }
}
