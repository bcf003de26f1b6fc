import { setTimeout as sleep } from "node:timers/promises";

/**
 * Waits until the service answers at `base`. Before each try `goesOn` is asked: false gives up, and it may throw for a
 * service that has ended.
 */
export async function waitUntilReady(
  base: string,
  { timeoutMs, goesOn }: { timeoutMs: number; goesOn: () => boolean },
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (goesOn()) {
    const answers = await fetch(`${base}/v1/jobs`, { signal: AbortSignal.timeout(5_000) }).then(
      (response) => response.headers.has("x-request-id"),
      () => false,
    );
    if (answers) return;
    if (Date.now() >= deadline)
      throw new Error(`The service did not answer at ${base} in ${timeoutMs / 1_000} seconds.`);
    await sleep(100);
  }
}
