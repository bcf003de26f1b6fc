// The secrets of requests, such as headers and cookies for the target. In the stored request, "[redacted]" replaces
// them. They are stored encrypted in the job's row until the job ends.

import { joinSecrets } from "../contract/secret-fields";
import { hmacHex, sha256Hex } from "../lib/crypto";
import { toCanonicalJson } from "../lib/json";
import { reseal, seal, unseal } from "../lib/sealing";
import { AppError } from "../model/errors";
import type { Job, JobKey } from "../model/job";

/** Encrypts the secrets of a job or a batch. They can be decrypted only for a job with the same `toSecretsKey`. */
export async function sealSecrets(env: Env, key: JobKey, secrets: string): Promise<string> {
  return await seal(env, secrets, contextOf(key));
}

/** Puts the secrets of a job back into its request. Throws AppError if ENCRYPTION_KEY was changed. */
export async function openSecrets<T>(env: Env, key: JobKey, request: T, sealed: string | null): Promise<T> {
  if (sealed === null) return request;
  let secrets: string;
  try {
    secrets = await unseal(env, sealed, contextOf(key));
  } catch (cause) {
    throw new AppError(
      "internal_error",
      "The secrets of this request can't be decrypted, because this service's ENCRYPTION_KEY was changed. Send the request again.",
      { cause },
    );
  }
  return joinSecrets(request, secrets);
}

/**
 * Returns the hash of a request's body, which a repeated request with the same Idempotency-Key must have. The hash of a
 * body with secrets is keyed (HMAC), because a plain hash would let a reader of the database guess a short secret.
 */
export async function hashBody(env: Env, accountId: string, body: object, hasSecrets: boolean): Promise<string> {
  const text = toCanonicalJson(body);
  return hasSecrets ? await hmacHex(env.ENCRYPTION_KEY, `request hash:${accountId}:${text}`) : await sha256Hex(text);
}

/** Encrypts secrets with the current ENCRYPTION_KEY. Null if they already are. Throws if no key decrypts them. */
export async function resealSecrets(env: Env, key: JobKey, sealed: string): Promise<string | null> {
  return await reseal(env, sealed, contextOf(key));
}

/** Returns the owner for which a job's secrets are encrypted. The pages of a batch use the secrets of the batch. */
export function toSecretsKey({ mode, id, batchId }: Pick<Job, "mode" | "id" | "batchId">): JobKey {
  return { mode, id: batchId ?? id };
}

function contextOf({ mode, id }: JobKey): string {
  return `job secrets:${mode}:${id}`;
}
