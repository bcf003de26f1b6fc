import { equalsInConstantTime, hmacHex } from "../../lib/crypto";
import { toPositiveNumber } from "../../lib/env";
import { DAY_MS, RETENTION_DAYS_DEFAULT, SECOND_MS } from "../../model/limits";

/** Returns the signed link to a job's screenshot. It needs no API key and expires with the result. */
export async function toScreenshotUrl(
  env: Env,
  { id, origin, createdAt }: { id: string; origin: string; createdAt: number },
): Promise<string> {
  const days = toPositiveNumber(env.RETENTION_DAYS, RETENTION_DAYS_DEFAULT);
  const expires = Math.floor((createdAt + days * DAY_MS) / SECOND_MS);
  return `${origin}/screenshots/${id}?expires=${expires}&signature=${await sign(env, id, expires)}`;
}

/** Returns true if the signature is valid and the link hasn't expired. */
export async function isScreenshotLinkValid(
  env: Env,
  { id, expires, signature, now }: { id: string; expires: number; signature: string; now: number },
): Promise<boolean> {
  return equalsInConstantTime(await sign(env, id, expires), signature) && expires * SECOND_MS > now;
}

async function sign(env: Env, id: string, expires: number): Promise<string> {
  return await hmacHex(env.SIGNING_SECRET, `screenshot:${id}:${expires}`);
}
