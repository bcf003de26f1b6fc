import { now, sleep } from "../lib/clock";
import { log, toLogged } from "../lib/log";
import { AppError } from "../model/errors";
import { MAX_MODEL_ANSWER_BYTES, SECOND_MS } from "../model/limits";
import { isProviderError, ModelFailure, ModelRefusal } from "./errors";
import type {
  Model,
  ModelResponse,
  ModelSettings,
  ModelTimeouts,
  ProviderDefinition,
  RequestOptions,
} from "./provider";
import { toStrictSchema } from "./strict-schema";

/** Returns a model of the provider. */
export function createModel<Format>(provider: ProviderDefinition<Format>, settings: ModelSettings): Model {
  return {
    id: settings.id,
    complete: async (request, signal) => {
      const strictSchema = request.schema === null ? null : toStrictSchema(request.schema, provider.strictSchema);
      const send = await provider.connect(settings);
      const attempt = (format: Format) =>
        new Attempt(settings.timeouts, signal, provider.readError).run((options) => send(request, format, options));
      return await requestWithRetries(provider.toFormats(request, strictSchema), attempt, {
        ...settings,
        provider: provider.label,
        signal,
      });
    },
  };
}

interface RetryOptions extends ModelSettings {
  /** The provider's name, for messages. */
  provider: string;
  signal: AbortSignal;
}

/**
 * Uses the first format that the provider accepts. A rejected format (400, 422) isn't counted as a failure, so each format
 * costs one request at most. Temporary failures are retried in the current format. Throws AppError, and the signal's
 * reason once it is aborted.
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

/** Counts the failures of one request, in all of its formats. */
class Retries {
  readonly #timeouts: ModelTimeouts;
  #failures = 0;
  #endsAt: number | null = null;

  constructor(timeouts: ModelTimeouts) {
    this.#timeouts = timeouts;
  }

  /** Returns the delay (ms) before the next retry, or null if there is none. */
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

/** One request to a model. It ends when the provider sends nothing for too long, or takes too long for the answer. */
class Attempt {
  /** Aborted by the caller or by a time limit. */
  readonly #signal: AbortSignal;
  readonly #timeouts: ModelTimeouts;
  readonly #readError: ProviderDefinition<unknown>["readError"];
  readonly #controller = new AbortController();
  readonly #answerTimer: ReturnType<typeof setTimeout>;
  #idleTimer: ReturnType<typeof setTimeout>;
  #hasResponse = false;
  #expired: ModelFailure | null = null;

  constructor(timeouts: ModelTimeouts, signal: AbortSignal, readError: ProviderDefinition<unknown>["readError"]) {
    this.#timeouts = timeouts;
    this.#readError = readError;
    this.#signal = AbortSignal.any([signal, this.#controller.signal]);
    this.#answerTimer = setTimeout(
      () => this.#expire("took longer for its answer than", timeouts.answerMs),
      timeouts.answerMs,
    );
    this.#idleTimer = this.#startIdleTimer();
  }

  /** Settles as `work` does. Throws ModelFailure or ModelRefusal, and the signal's reason once the caller has aborted. */
  async run<T>(work: (options: RequestOptions) => Promise<T>): Promise<T> {
    let leave = () => {};
    // The SDKs end a stream without an error when it is aborted.
    const aborted = new Promise<never>((_, reject) => {
      leave = () => reject(this.#signal.reason);
      this.#signal.addEventListener("abort", leave, { once: true });
    });
    try {
      this.#signal.throwIfAborted();
      return await Promise.race([work({ fetch: this.#fetch, signal: this.#signal }), aborted]);
    } catch (error) {
      throw this.#toThrown(error);
    } finally {
      this.#signal.removeEventListener("abort", leave);
      clearTimeout(this.#answerTimer);
      clearTimeout(this.#idleTimer);
      // Ends what is still running, such as an unread stream.
      this.#controller.abort();
    }
  }

  /** Fetches as the runtime does. Each piece of the response restarts the idle timer, and its bytes are counted. */
  readonly #fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const response = await fetch(input, init);
    this.#onData();
    return response.body === null ? response : new Response(this.#watch(response.body), response);
  };

  #toThrown(error: unknown): unknown {
    if (this.#expired !== null) return this.#expired;
    if (this.#signal.aborted) return this.#signal.reason;
    return this.#readError(error, this.#hasResponse);
  }

  #watch(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
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
    return setTimeout(() => this.#expire("said nothing for", idleMs), idleMs);
  }

  #expire(words: string, ms: number): void {
    this.#expired = new ModelFailure(`${words} ${ms / SECOND_MS} seconds`, { isRetryable: true });
    this.#controller.abort(this.#expired);
  }
}
