import { sleep } from "../../lib/clock";
import { log } from "../../lib/log";
import { AppError } from "../../model/errors";
import { MAX_SERP_API_BYTES, MAX_SERP_API_ERROR_BYTES, SECOND_MS } from "../../model/limits";
import { readBeginning, readWhole } from "../../net/body";
import { SearchFailure, toStatusFailure } from "./failure";
import type { ApiPage, Patience } from "./search-api";

interface Asking {
  /** Whose API it is, for messages. */
  provider: string;
  url: string;
  init: RequestInit;
  patience: Patience;
  signal: AbortSignal;
  /** Throws SearchFailure on what isn't an answer. */
  read: (text: string) => ApiPage;
}

/** Once more after what may pass. Throws AppError serp_unavailable, and the signal's reason once that is aborted. */
export async function ask(asking: Asking): Promise<ApiPage> {
  for (let tries = 1; ; tries++) {
    try {
      return asking.read(await fetchText(asking));
    } catch (error) {
      asking.signal.throwIfAborted();
      if (!(error instanceof SearchFailure)) throw error;
      const { provider, patience, signal } = asking;
      log("warn", "search_api_try_failed", { provider, tries, what: error.message });
      const { pauseMs } = error;
      if (tries > 1 || pauseMs === null || pauseMs > patience.maxPauseMs) throw toAppError(error, provider);
      await sleep(pauseMs, signal);
    }
  }
}

async function fetchText({ url, init, patience, signal }: Asking): Promise<string> {
  const deadline = AbortSignal.timeout(patience.answerMs);
  try {
    // A redirect would take the key to another address.
    const response = await fetch(url, { ...init, redirect: "manual", signal: AbortSignal.any([signal, deadline]) });
    if (response.ok) return new TextDecoder().decode(await readWhole(response, MAX_SERP_API_BYTES));
    throw toStatusFailure(response, await beginningOf(response, patience), patience.pauseMs);
  } catch (error) {
    if (error instanceof SearchFailure) throw error;
    if (deadline.aborted) {
      throw new SearchFailure(`did not answer within ${patience.answerMs / SECOND_MS} seconds`, { retryable: true });
    }
    if (error instanceof AppError) {
      throw new SearchFailure(`answered with more than ${MAX_SERP_API_BYTES} bytes`, { retryable: false });
    }
    // Without its cause: the runtime's words may hold the address, and that the key.
    throw new SearchFailure("could not be reached", { retryable: true, pauseMs: patience.pauseMs });
  }
}

async function beginningOf(response: Response, { answerMs }: Patience): Promise<string> {
  const bytes = await readBeginning(response, { maxBytes: MAX_SERP_API_ERROR_BYTES, patienceMs: answerMs });
  return new TextDecoder().decode(bytes);
}

/** Of the provider's own words nothing is told: they may quote the key. */
function toAppError({ message, retryable }: SearchFailure, provider: string): AppError {
  return new AppError("serp_unavailable", `${provider} ${message}.`, { retryable });
}
