import { MAX_MODEL_ANSWER_BYTES, SECOND_MS } from "../model/limits";
import { ModelFailure, type ModelRefusal, toFailure } from "./failure";
import type { Patience } from "./model";

/** One try at a model, with an ear on the line: whoever says nothing for too long has hung up. */
export class Attempt {
  /** Aborted by the caller, by a silence, or when the answer takes too long. */
  readonly signal: AbortSignal;
  readonly #patience: Patience;
  readonly #controller = new AbortController();
  readonly #end: ReturnType<typeof setTimeout>;
  #silence: ReturnType<typeof setTimeout>;
  #heard = false;
  #expired: ModelFailure | null = null;

  constructor(patience: Patience, signal: AbortSignal) {
    this.#patience = patience;
    this.signal = AbortSignal.any([signal, this.#controller.signal]);
    this.#end = setTimeout(() => this.#expire("took longer for its answer than", patience.answerMs), patience.answerMs);
    this.#silence = this.#listen();
  }

  /** The SDKs' way out: the runtime's, but every piece of the answer is heard, and counted. */
  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const response = await fetch(input, init);
    this.#hear();
    return response.body === null ? response : new Response(this.#overhear(response.body), response);
  };

  /** What `work` gives. Throws ModelFailure or ModelRefusal, and the signal's reason once the caller has aborted. */
  async run<T>(work: (attempt: Attempt) => Promise<T>): Promise<T> {
    let leave = () => {};
    // The SDKs end a stream quietly when it is aborted.
    const aborted = new Promise<never>((_, reject) => {
      leave = () => reject(this.signal.reason);
      this.signal.addEventListener("abort", leave, { once: true });
    });
    try {
      this.signal.throwIfAborted();
      return await Promise.race([work(this), aborted]);
    } catch (error) {
      throw this.#toThrown(error);
    } finally {
      this.signal.removeEventListener("abort", leave);
      clearTimeout(this.#end);
      clearTimeout(this.#silence);
      // What is still under way, such as the rest of a stream, is of no use any more.
      this.#controller.abort();
    }
  }

  #toThrown(error: unknown): unknown {
    if (this.#expired !== null) return this.#expired;
    if (this.signal.aborted) return this.signal.reason;
    return toFailure(error, { heard: this.#heard }) satisfies ModelFailure | ModelRefusal;
  }

  #overhear(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
    let size = 0;
    return new ReadableStream({
      pull: async (controller) => {
        const { done, value } = await reader.read();
        this.#hear();
        if (done) return controller.close();
        size += value.byteLength;
        if (size > MAX_MODEL_ANSWER_BYTES) {
          await reader.cancel();
          throw new ModelFailure(`answered with more than ${MAX_MODEL_ANSWER_BYTES} bytes`, { mayRetry: false });
        }
        controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    });
  }

  #hear(): void {
    this.#heard = true;
    clearTimeout(this.#silence);
    if (!this.signal.aborted) this.#silence = this.#listen();
  }

  #listen(): ReturnType<typeof setTimeout> {
    const { silenceMs } = this.#patience;
    return setTimeout(() => this.#expire("said nothing for", silenceMs), silenceMs);
  }

  #expire(words: string, ms: number): void {
    this.#expired = new ModelFailure(`${words} ${ms / SECOND_MS} seconds`, { mayRetry: true });
    this.#controller.abort(this.#expired);
  }
}

/** Servers that don't stream answer in one piece all the same. */
export function isEventStream(response: Response): boolean {
  return response.headers.get("content-type")?.toLowerCase().startsWith("text/event-stream") ?? false;
}
