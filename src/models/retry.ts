import { now, sleep } from "../lib/clock";
import { log, toLogged } from "../lib/log";
import { AppError } from "../model/errors";
import { Attempt } from "./attempt";
import { isInTheirWords, ModelFailure, ModelRefusal } from "./failure";
import type { ModelAnswer, ModelSettings, Patience } from "./model";

interface Asking extends ModelSettings {
  /** Whose model it is, for messages. */
  provider: string;
  signal: AbortSignal;
}

/**
 * Asks in the first form that the provider takes; the next one is for servers that refuse it (400, 422), as some gateways
 * and local ones do: that is no failure, and costs a call for each form at most. What may pass is tried again, in whatever
 * form, while patience lasts. Throws AppError, and the signal's reason once that is aborted.
 */
export async function askInForms<Form>(
  forms: readonly [Form, ...Form[]],
  asking: Asking,
  ask: (form: Form, attempt: Attempt) => Promise<ModelAnswer>,
): Promise<ModelAnswer> {
  const { patience, signal } = asking;
  const retries = new Retries(patience);
  let [form, ...others] = forms;
  for (let tries = 1; ; tries++) {
    try {
      return await new Attempt(patience, signal).run((attempt) => ask(form, attempt));
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw toAppError(error, asking);
      logFailure(error, asking, tries);
      const [next, ...rest] = others;
      if (error.refusedForm && next !== undefined) {
        [form, others] = [next, rest];
        continue;
      }
      const pause = retries.pauseAfter(error);
      if (pause === null) throw toAppError(error, asking);
      await sleep(pause, signal);
    }
  }
}

/** What is left of the patience with one question. */
class Retries {
  readonly #patience: Patience;
  #failures = 0;
  #giveUpAt: number | null = null;

  constructor(patience: Patience) {
    this.#patience = patience;
  }

  /** The pause (ms) before another try; null when there is none. */
  pauseAfter({ mayRetry, pauseMs }: ModelFailure): number | null {
    const { pausesMs, retryMs } = this.#patience;
    this.#giveUpAt ??= now() + retryMs;
    const usual = pausesMs[this.#failures++];
    if (!mayRetry || usual === undefined) return null;
    const pause = pauseMs ?? usual;
    return now() + pause > this.#giveUpAt ? null : pause;
  }
}

function toAppError(error: unknown, { id, provider }: Asking): unknown {
  if (error instanceof ModelRefusal) {
    return new AppError("model_refused", `The model ${id} refused to answer.`);
  }
  if (!(error instanceof ModelFailure)) return error;
  const words = `The model ${id} (${provider}) ${error.message}.`;
  return new AppError("model_failed", words, { retryable: error.mayRetry, cause: error });
}

function logFailure({ message, cause }: ModelFailure, { id }: Asking, tries: number): void {
  const { type, code, requestID } = (cause instanceof Error ? cause : {}) as Record<string, unknown>;
  const fields = { model: id, tries, what: message, type, code, provider_request: requestID };
  const isOurs = cause !== undefined && !isInTheirWords(cause);
  log("warn", "model_try_failed", isOurs ? { ...fields, ...toLogged(cause) } : fields);
}
