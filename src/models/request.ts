import { now, sleep } from "../lib/clock";
import { log, toLogged } from "../lib/log";
import { formatSeconds } from "../lib/time-limit";
import { AppError } from "../model/errors";
import { MAX_MODEL_ANSWER_BYTES } from "../model/limits";
import { outboundFetch } from "../net/outbound-fetch";
import { refusePlatformAnswer } from "../net/platform-answer";
import { isProviderError, ModelFailure, ModelRefusal, readSdkError } from "./errors";
import type {
  Model,
  ModelResponse,
  ModelSettings,
  ModelTimeouts,
  ProviderDefinition,
  RequestOptions,
} from "./provider";
import { findStrictSchema } from "./strict-schema";

export function createModel<Format>(provider: ProviderDefinition<Format>, settings: ModelSettings): Model {
  return {
    id: settings.id,
    complete: async (request, signal) => {
      const strictSchema = request.schema === null ? null : findStrictSchema(request.schema, provider.strictSchema);
      const send = await provider.connect(settings);
      const attempt = (format: Format) =>
        new Attempt(settings.timeouts, signal).run((options) => send(request, format, options));
      return await requestWithRetries(provider.toFormats(request, strictSchema), attempt, {
        ...settings,
        provider: provider.label,
        signal,
      });
    },
  };
}

interface RetryOptions extends ModelSettings {
  /** The provider's name for error messages. */
  provider: string;
  signal: AbortSignal;
}

/**
 * Sends the request in the first format that the provider accepts. If the provider rejects a format (400, 422), the
 * next format is tried. A rejection doesn't count as a failure. Temporary failures are retried with the current format.
 * Throws AppError, or the signal's reason if the signal is aborted.
 */
async function requestWithRetries<Format>(
  formats: readonly [Format, ...Format[]],
  attempt: (format: Format) => Promise<ModelResponse>,
  options: RetryOptions,
): Promise<ModelResponse> {
  const retries = new Retries(options.timeouts);
  let [format, ...others] = formats;
  for (let tries = 1; ; tries++) {
    try {
      return await attempt(format);
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw toAppError(error, options);
      logFailure(error, options, tries);
      const [next, ...rest] = others;
      if (error.isFormatRejected && next !== undefined) {
        [format, others] = [next, rest];
        continue;
      }
      const delayMs = retries.delayAfter(error);
      if (delayMs === null) throw toAppError(error, options);
      await sleep(delayMs, options.signal);
    }
  }
}

/** Counts the temporary failures of one request, in all its formats, and chooses the retry delays. */
class Retries {
  readonly #timeouts: ModelTimeouts;
  #failures = 0;
  #endsAt: number | null = null;

  constructor(timeouts: ModelTimeouts) {
    this.#timeouts = timeouts;
  }

  /** Returns the delay (ms) before the next retry, or null if the request isn't retried. */
  delayAfter({ isRetryable, delayMs }: ModelFailure): number | null {
    const { retryDelaysMs, retryMs } = this.#timeouts;
    this.#endsAt ??= now() + retryMs;
    const usualMs = retryDelaysMs[this.#failures++];
    if (!isRetryable || usualMs === undefined) return null;
    const chosenMs = delayMs ?? usualMs;
    return now() + chosenMs > this.#endsAt ? null : chosenMs;
  }
}

function toAppError(error: unknown, { id, provider }: RetryOptions): unknown {
  if (error instanceof ModelRefusal) {
    return new AppError("model_refused", `The model ${id} refused to answer.`);
  }
  if (!(error instanceof ModelFailure)) return error;
  const message = `The model ${id} (${provider}) ${error.message}.`;
  return new AppError("model_failed", message, { retryable: error.isRetryable, cause: error });
}

function logFailure({ message, cause }: ModelFailure, { id }: RetryOptions, tries: number): void {
  const { type, code, requestID } = (cause instanceof Error ? cause : {}) as Record<string, unknown>;
  const fields = { model: id, tries, what: message, type, code, provider_request: requestID };
  const isOurs = cause !== undefined && !isProviderError(cause);
  log("warn", "model_try_failed", isOurs ? { ...fields, ...toLogged(cause) } : fields);
}

/** One HTTP request to a model. Fails if no data arrives for too long, or if the answer takes too long. */
class Attempt {
  /** The signal that is aborted by the caller or by a time limit. */
  readonly #signal: AbortSignal;
  readonly #timeouts: ModelTimeouts;
  readonly #controller = new AbortController();
  readonly #answerTimer: ReturnType<typeof setTimeout>;
  #idleTimer: ReturnType<typeof setTimeout>;
  #hasResponse = false;
  #expired: ModelFailure | null = null;

  constructor(timeouts: ModelTimeouts, signal: AbortSignal) {
    this.#timeouts = timeouts;
    this.#signal = AbortSignal.any([signal, this.#controller.signal]);
    this.#answerTimer = setTimeout(
      () => this.#expire((seconds) => `took longer than ${seconds} to respond`, timeouts.answerMs),
      timeouts.answerMs,
    );
    this.#idleTimer = this.#startIdleTimer();
  }

  /** Runs `work` with the time limits. Throws ModelFailure, ModelRefusal, or the reason of the caller's abort. */
  async run<T>(work: (options: RequestOptions) => Promise<T>): Promise<T> {
    let onAbort = () => {};
    // If a stream is aborted, the SDKs end it without an error. This promise rejects instead.
    const aborted = new Promise<never>((_, reject) => {
      onAbort = () => reject(this.#signal.reason);
      this.#signal.addEventListener("abort", onAbort, { once: true });
    });
    try {
      this.#signal.throwIfAborted();
      return await Promise.race([work({ fetch: this.#fetch, watch: this.#watch, signal: this.#signal }), aborted]);
    } catch (error) {
      throw this.#toThrown(error);
    } finally {
      this.#signal.removeEventListener("abort", onAbort);
      clearTimeout(this.#answerTimer);
      clearTimeout(this.#idleTimer);
      // Aborts pending work, such as an unread stream.
      this.#controller.abort();
    }
  }

  /** Calls `fetch`, and watches the response. */
  readonly #fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const { host } = new URL(input instanceof Request ? input.url : input);
    return this.#watch(await refusePlatformAnswer(await outboundFetch(input, init), host));
  };

  /** Restarts the idle timer at each chunk of the response, and counts its bytes. */
  readonly #watch = (response: Response): Response => {
    this.#onData();
    return response.body === null ? response : new Response(this.#watchBody(response.body), response);
  };

  #toThrown(error: unknown): unknown {
    if (this.#expired !== null) return this.#expired;
    if (this.#signal.aborted) return this.#signal.reason;
    return readSdkError(error, this.#hasResponse);
  }

  #watchBody(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
    let size = 0;
    return new ReadableStream({
      pull: async (controller) => {
        const { done, value } = await reader.read();
        this.#onData();
        if (done) return controller.close();
        size += value.byteLength;
        if (size > MAX_MODEL_ANSWER_BYTES) {
          await reader.cancel();
          throw new ModelFailure(`returned more than ${MAX_MODEL_ANSWER_BYTES} bytes`, { isRetryable: false });
        }
        controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    });
  }

  #onData(): void {
    this.#hasResponse = true;
    clearTimeout(this.#idleTimer);
    if (!this.#signal.aborted) this.#idleTimer = this.#startIdleTimer();
  }

  #startIdleTimer(): ReturnType<typeof setTimeout> {
    const { idleMs } = this.#timeouts;
    return setTimeout(() => this.#expire((seconds) => `sent no data for ${seconds}`, idleMs), idleMs);
  }

  #expire(toMessage: (duration: string) => string, ms: number): void {
    this.#expired = new ModelFailure(toMessage(formatSeconds(ms)), {
      isRetryable: true,
    });
    this.#controller.abort(this.#expired);
  }
}
