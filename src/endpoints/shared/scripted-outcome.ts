import type { ErrorCode } from "../../model/errors";
import { OUTCOMES, type Outcome } from "../../model/job";
import { SECOND_MS } from "../../model/limits";
import { FETCH_TIMEOUT_MS } from "../../model/page-limits";

const MAX_SLOW_S = 60;

/** The outcome that a test key's target or query selects. */
export type ScriptedOutcome =
  | { kind: "plain" }
  /** The run fails. `retryable` overrides the default of the error code. */
  | { kind: "fails"; code: ErrorCode; message: string; retryable?: boolean }
  /** The mock result is returned after this number of seconds, from 0 to 60. */
  | { kind: "slow"; seconds: number }
  /** The result is larger than 1 MB. */
  | { kind: "large" }
  /** The page has this outcome. A search ignores it. */
  | { kind: "page"; outcome: Outcome }
  /** The request is refused before a job is created. */
  | { kind: "refused"; code: "insufficient_credits" | "rate_limited" };

/**
 * Returns the outcome that a request's target (`https://blocked.test/…`) or query (`blocked.test` or `blocked`)
 * selects.
 */
export function toScriptedOutcome(request: { url?: string | undefined; query?: string | undefined }): ScriptedOutcome {
  const { url, query } = request;
  const word = url === undefined ? toQueryWord(query ?? "") : toHostWord(url);
  return word === null ? { kind: "plain" } : toOutcome(word);
}

/** Returns the word before `.test` if the host name is `{word}.test`. */
function toHostWord(url: string): string | null {
  return /^([^.]+)\.test\.?$/.exec(URL.parse(url)?.hostname ?? "")?.[1] ?? null;
}

function toQueryWord(query: string): string | null {
  return /^([^.\s]+)(\.test\.?)?$/.exec(query.trim().toLowerCase())?.[1] ?? null;
}

function toOutcome(word: string): ScriptedOutcome {
  const name = `${word}.test`;
  switch (word) {
    case "blocked":
      return {
        kind: "fails",
        code: "blocked_by_target",
        message: `${name} returned a block page (a bot challenge) instead of its content.`,
      };
    case "timeout":
      return {
        kind: "fails",
        code: "target_timeout",
        message: `${name} did not send its complete response within ${FETCH_TIMEOUT_MS / SECOND_MS} seconds.`,
      };
    case "dns":
      return { kind: "fails", code: "dns_failure", message: `The name ${name} could not be resolved.` };
    case "large":
      return { kind: "large" };
    case "out-of-credits":
      return { kind: "refused", code: "insufficient_credits" };
    case "rate-limited":
      return { kind: "refused", code: "rate_limited" };
  }
  const outcome = OUTCOMES.find((known) => known === word.replaceAll("-", "_"));
  if (outcome !== undefined) return { kind: "page", outcome };
  const seconds = /^slow-(\d+)$/.exec(word)?.[1];
  if (seconds !== undefined) return { kind: "slow", seconds: Math.min(Number(seconds), MAX_SLOW_S) };
  const status = Number(/^http-([45]\d\d)$/.exec(word)?.[1] ?? Number.NaN);
  if (Number.isNaN(status)) return { kind: "plain" };
  return {
    kind: "fails",
    code: "target_http_error",
    message: `${name} responded with status ${status}.`,
    retryable: status === 429 || status >= 500,
  };
}
