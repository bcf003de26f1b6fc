/** Returns the current time as Unix milliseconds. */
export function now(): number {
  return Date.now();
}

/** Converts Unix milliseconds to the ISO 8601 format of the API. */
export function toIso(ms: number): string {
  return new Date(ms).toISOString();
}

/** Resolves after `ms`, or rejects with the signal's reason as soon as the signal is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
