import { sleep } from "./clock";

/** What was waited for didn't answer in time. */
export class LateError extends Error {
  override readonly name = "LateError";
}

/** What the work brings, or LateError: work that is late is left behind, not stopped. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const done = new AbortController();
  const late = sleep(ms, done.signal).then(() => Promise.reject(new LateError(`It took longer than ${ms} ms.`)));
  try {
    return await Promise.race([work, late]);
  } finally {
    done.abort();
  }
}
