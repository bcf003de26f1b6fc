import { toPositiveNumber } from "../../lib/env";
import { isSigned, sign } from "../../lib/signing";
import { DAY_MS, RETENTION_DAYS_DEFAULT, SECOND_MS } from "../../model/limits";

/** The kinds of files with signed links. The path of a link starts with the kind. */
export type LinkedFile = "screenshot" | "pdf";

/** The parts of a link that its signature protects. `number` selects the screenshot of an action. */
interface SignedParts {
  id: string;
  number?: number | undefined;
  /** Unix time in seconds. */
  expires: number;
}

interface LinkJob {
  id: string;
  origin: string;
  createdAt: number;
}

/**
 * Returns the signed link to a job's screenshot. It needs no API key and expires with the result. `number` selects the
 * screenshot of an action.
 */
export async function toScreenshotUrl(env: Env, job: LinkJob, number?: number): Promise<string> {
  return await toUrl(env, "screenshot", job, number);
}

/** Returns the signed link to a job's PDF. It needs no API key and expires with the result. */
export async function toPdfUrl(env: Env, job: LinkJob): Promise<string> {
  return await toUrl(env, "pdf", job);
}

async function toUrl(env: Env, kind: LinkedFile, { id, origin, createdAt }: LinkJob, number?: number): Promise<string> {
  const days = toPositiveNumber(env.RETENTION_DAYS, RETENTION_DAYS_DEFAULT);
  const expires = Math.floor((createdAt + days * DAY_MS) / SECOND_MS);
  const signature = await sign(env, toSignedText(kind, { id, number, expires }));
  const action = number === undefined ? "" : `action=${number}&`;
  return `${origin}/${kind}s/${id}?${action}expires=${expires}&signature=${signature}`;
}

/** Returns true if the signature is valid for this kind of file, and the link hasn't expired. */
export async function isScreenshotLinkValid(
  env: Env,
  link: SignedParts & { kind?: LinkedFile; signature: string; now: number },
): Promise<boolean> {
  const { kind = "screenshot", expires, signature, now } = link;
  return (await isSigned(env, toSignedText(kind, link), signature)) && expires * SECOND_MS > now;
}

function toSignedText(kind: LinkedFile, { id, number, expires }: SignedParts): string {
  const name = number === undefined ? id : `${id}:${number}`;
  return `${kind}:${name}:${expires}`;
}
