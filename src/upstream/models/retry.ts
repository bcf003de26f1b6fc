import { AppError } from "../../errors";
import { now, sleep } from "../../lib/clock";
import { log, toLogged } from "../../lib/log";
import { Attempt } from "./attempt";
import { ModelFailure, ModelRefusal } from "./failure";
import type { ModelAnswer, ModelSettings } from "./model";

interface Asking extends ModelSettings {
  /** Whose model it is, for messages. */
  provider: string;
  signal: AbortSignal;
}

/**
 * Asks in the first form that the provider takes; the next one is for servers that refuse it (400, 422), as some gateways
 * and local ones do. What may pass is tried again, while patience lasts. Throws AppError, and the signal's reason once
 * that is aborted.
 */
export async function askInForms<Form>(
  forms: readonly Form[],
  asking: Asking,
  ask: (form: Form, attempt: Attempt) => Promise<ModelAnswer>,
): Promise<ModelAnswer> {
  for (const [i, form] of forms.entries()) {
    try {
      return await retry(asking, (attempt) => ask(form, attempt));
    } catch (error) {
      const isLast = i === forms.length - 1;
      if (isLast || !(error instanceof ModelFailure && error.refusedForm)) throw toAppError(error, asking);
    }
  }
  throw new Error("There is no form to ask in.");
}

async function retry<T>(asking: Asking, ask: (attempt: Attempt) => Promise<T>): Promise<T> {
  const { patience, signal } = asking;
  let giveUpAt: number | null = null;
  for (let tries = 1; ; tries++) {
    try {
      return await new Attempt(patience, signal).run(ask);
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error;
      logFailure(error, asking, tries);
      giveUpAt ??= now() + patience.retryMs;
      const usual = patience.pausesMs[tries - 1];
      const pause = error.pauseMs ?? usual;
      if (!error.mayRetry || usual === undefined || pause === undefined || now() + pause > giveUpAt) throw error;
      await sleep(pause, signal);
    }
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
  const { status, type, code, requestID } = (cause instanceof Error ? cause : {}) as Record<string, unknown>;
  // What has a status or a type is in the provider's words, which may quote what was sent.
  const isOurs = cause !== undefined && status === undefined && typeof type !== "string";
  const fields = { model: id, tries, what: message, type, code, provider_request: requestID };
  log("warn", "model_try_failed", isOurs ? { ...fields, ...toLogged(cause) } : fields);
}
