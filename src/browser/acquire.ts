import { now } from "../lib/clock";
import { log, toLogged } from "../lib/log";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../model/limits";
import { parseRetryAfter } from "../net/response";

/** The browser service closes a browser after this time without commands. */
const KEEP_ALIVE_MS = 120_000;
/** The wait after a refusal, if neither the response nor the limits say when the next browser may start. */
const DEFAULT_RETRY_MS = 15 * SECOND_MS;
/** The longest wait after a refusal. A wrong or outdated figure of the browser service can't stop all renders. */
const MAX_RETRY_MS = 60 * MINUTE_MS;
/** The longest wait after the daily limit. It is short, because the limit ends with an upgrade to Workers Paid. */
const DAILY_LIMIT_RETRY_MS = 5 * MINUTE_MS;
/** The time for which a failed start is reported. Later, nothing is known until the next start. */
const REPORTED_MS = 5 * MINUTE_MS;
const LIMITS_TIMEOUT_MS = 5 * SECOND_MS;
/** The documented message of the Workers Free plan's daily limit. */
const DAILY_LIMIT = /time limit exceeded for today/i;

/** The limits of the browser service, as far as they are used. The response isn't checked. */
interface Limits {
  /** The time until the next browser may start, in milliseconds. */
  timeUntilNextAllowedBrowserAcquisition?: unknown;
}

/** Thrown if the browser service refuses to start a browser, because a limit is reached or it has no free browser. */
export class BrowserRefusedError extends Error {
  /** The time after which a browser may start, in milliseconds. */
  readonly retryAfterMs: number;
  /** True if the account has used up its browser time of the day (Workers Free). */
  readonly isDailyLimit: boolean;

  constructor(message: string, { retryAfterMs, isDailyLimit }: { retryAfterMs: number; isDailyLimit: boolean }) {
    super(message);
    this.name = "BrowserRefusedError";
    this.retryAfterMs = retryAfterMs;
    this.isDailyLimit = isDailyLimit;
  }
}

/** The storage key for the time (Unix ms) of the last failed start. The entry is deleted when a browser starts. */
const FAILED_KEY = "start_failed_at";
type FailureStorage = Pick<DurableObjectStorage, "get" | "put" | "delete">;

/** The browser service. After a refusal, it isn't called until a browser may start again. */
export class BrowserSource {
  #refused: { error: BrowserRefusedError; until: number } | null = null;
  readonly #storage: FailureStorage;

  /** `storage` outlives this instance, which ends after some seconds without a request. */
  constructor(storage: FailureStorage) {
    this.#storage = storage;
  }

  /** Returns true if the latest start failed in the last minutes. A lack of capacity isn't a failure. */
  async hasJustFailed(): Promise<boolean> {
    return now() - ((await this.#storage.get<number>(FAILED_KEY)) ?? 0) < REPORTED_MS;
  }

  /**
   * Starts a browser and returns its session id. `country` is the browser's location (ISO 3166-1), or empty to let the
   * browser service choose. Throws as `acquireBrowser` does.
   */
  async acquire(binding: BrowserRun, country: string): Promise<string> {
    if (this.#refused !== null) {
      const { error, until } = this.#refused;
      const retryAfterMs = until - now();
      if (retryAfterMs > 0) {
        throw new BrowserRefusedError(error.message, { retryAfterMs, isDailyLimit: error.isDailyLimit });
      }
      this.#refused = null;
    }
    try {
      const sessionId = await acquireBrowser(binding, country);
      await this.#storage.delete(FAILED_KEY);
      return sessionId;
    } catch (error) {
      if (!(error instanceof BrowserRefusedError) || error.isDailyLimit) await this.#storage.put(FAILED_KEY, now());
      if (error instanceof BrowserRefusedError) this.#refused = { error, until: now() + error.retryAfterMs };
      throw error;
    }
  }
}

/**
 * Starts a browser and returns its session id. Throws BrowserRefusedError if a limit is reached, and an Error if no
 * browser is installed. Retries once if the local runtime can't start a browser, because a browser may crash while it
 * starts. The local runtime reports a crash and a missing browser with the same error.
 */
async function acquireBrowser(binding: BrowserRun, country: string): Promise<string> {
  try {
    return await acquire(binding, country);
  } catch (error) {
    if (!isLaunchFailure(error)) throw error;
    log("warn", "browser_not_launched", toLogged(error));
    return await acquire(binding, country);
  }
}

/**
 * Sends the request itself, because `puppeteer.acquire` doesn't return the headers of an error. If the request is
 * invalid, it is sent again without the location. Cloudflare documents the location only in the types of its puppeteer.
 */
async function acquire(binding: BrowserRun, country: string): Promise<string> {
  const query = new URLSearchParams({ keep_alive: `${KEEP_ALIVE_MS}`, ...(country !== "" && { location: country }) });
  const response = await binding.fetch(`https://browser/v1/devtools/browser?${query}`, { method: "POST" });
  const text = await response.text();
  if (response.ok) return (JSON.parse(text) as { sessionId: string }).sessionId;
  const error = await readServiceError(binding, response, text);
  if (country === "" || (response.status !== 400 && response.status !== 422)) throw error;
  log("warn", "browser_location_refused", { location: country, ...toLogged(error) });
  return await acquire(binding, "");
}

/**
 * Returns the error for a failed response of the browser service: BrowserRefusedError if a limit is reached or no
 * browser is free, otherwise an Error. `text` is the body of the response.
 */
async function readServiceError(binding: BrowserRun, response: Response, text: string): Promise<Error> {
  const message = `The browser service responded with status ${response.status}: ${text}`;
  if (response.status !== 429 && response.status !== 503) return new Error(message);
  if (DAILY_LIMIT.test(text)) {
    // The daily limit ends with the day (UTC).
    const retryAfterMs = Math.min(DAY_MS - (now() % DAY_MS), DAILY_LIMIT_RETRY_MS);
    return new BrowserRefusedError(message, { retryAfterMs, isDailyLimit: true });
  }
  const retryAfterMs = parseRetryAfter(response.headers.get("retry-after")) || (await readWait(binding));
  return new BrowserRefusedError(message, { retryAfterMs: Math.min(retryAfterMs, MAX_RETRY_MS), isDailyLimit: false });
}

/** Returns the time until the next browser may start, from the limits of the browser service. */
async function readWait(binding: BrowserRun): Promise<number> {
  try {
    const { timeUntilNextAllowedBrowserAcquisition: ms } = await readLimits(binding);
    return typeof ms === "number" && ms > 0 ? ms : DEFAULT_RETRY_MS;
  } catch (error) {
    log("warn", "browser_limits_unknown", toLogged(error));
    return DEFAULT_RETRY_MS;
  }
}

/** Returns the limits of the browser service, without starting a browser. Throws if it doesn't respond. */
export async function readLimits(binding: BrowserRun): Promise<Limits> {
  const response = await binding.fetch("https://browser/v1/limits", { signal: AbortSignal.timeout(LIMITS_TIMEOUT_MS) });
  if (!response.ok) throw new Error(`The browser service responded with status ${response.status}.`);
  return await response.json<Limits>();
}

/** Returns true if the local runtime couldn't start a browser. On the platform, only limits prevent a start. */
export function isLaunchFailure(error: unknown): boolean {
  return error instanceof Error && error.message.includes("Failed to launch local browser");
}
