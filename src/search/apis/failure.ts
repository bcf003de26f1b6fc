import { now } from "../../lib/clock";
import { SECOND_MS } from "../../model/limits";

interface FailureOptions {
  /** The same search may succeed later. */
  retryable: boolean;
  /** Null: another try at once, or so, can't help. */
  pauseMs?: number | null;
}

/** A try that brought no answer. Its message goes on where the provider's name ends: "answered with status 500". */
export class SearchFailure extends Error {
  readonly retryable: boolean;
  readonly pauseMs: number | null;

  constructor(words: string, { retryable, pauseMs = null }: FailureOptions) {
    super(words);
    this.name = "SearchFailure";
    this.retryable = retryable;
    this.pauseMs = pauseMs;
  }
}

/** Words of the providers for a plan that is used up, which they say with 429 or 400. */
const USED_UP = /run out of searches|searches .{0,40}exhausted|not enough credits/i;

export function saysUsedUp(text: string): boolean {
  return USED_UP.test(text);
}

export function usedUpFailure(words: string): SearchFailure {
  return new SearchFailure(`${words}: what its plan holds is used up`, { retryable: false });
}

/** Of an answer that isn't a success; `body` is its beginning. */
export function toStatusFailure(response: Response, body: string, usualPauseMs: number): SearchFailure {
  const { status } = response;
  const words = `answered with status ${status}`;
  if (saysUsedUp(body)) return usedUpFailure(words);
  if (status === 401 || status === 403) return new SearchFailure(`${words}: it refuses the key`, { retryable: false });
  if (status === 429 || status >= 500) {
    return new SearchFailure(words, { retryable: true, pauseMs: retryAfterOf(response) ?? usualPauseMs });
  }
  return new SearchFailure(words, { retryable: status === 408 });
}

/** Its time, in ms; null when it names none. */
function retryAfterOf(response: Response): number | null {
  const text = response.headers.get("retry-after")?.trim() ?? "";
  const pause = /^\d+$/.test(text) ? Number(text) * SECOND_MS : Date.parse(text) - now();
  return pause >= 0 ? pause : null;
}

/** An answer of another form than the published one, such as a gateway's page. */
export function toFormFailure(): SearchFailure {
  return new SearchFailure("answered with something that isn't a list of results", { retryable: true });
}
