import { parseJson } from "../lib/json";
import { AppError, type ErrorCode } from "../model/errors";
import { SECOND_MS } from "../model/limits";
import { peekBody } from "./response";

interface PlatformAnswer {
  status: number;
  code: ErrorCode;
  toMessage: (host: string) => string;
}

/**
 * The answers with which Cloudflare's `fetch` replaces the errors of the local runtime, by Cloudflare's error code. The
 * status of a code from 520 to 526 is the code itself. Source: cloudflare/cloudflare-docs,
 * support/troubleshooting/http-status-codes.
 */
const ANSWERS: Readonly<Record<string, PlatformAnswer>> = {
  520: toAnswer(520, "connection_failed", (host) => `The connection to ${host} ended without a valid response.`),
  521: toAnswer(521, "connection_failed", (host) => `The connection to ${host} was refused.`),
  522: toAnswer(522, "target_timeout", (host) => `The connection to ${host} timed out.`),
  523: toAnswer(523, "connection_failed", (host) => `The connection to ${host} failed: its address is unreachable.`),
  524: toAnswer(524, "target_timeout", (host) => `${host} did not respond in time.`),
  525: toAnswer(525, "tls_failure", (host) => `A trusted TLS connection to ${host} could not be established.`),
  526: toAnswer(526, "tls_failure", (host) => `The TLS certificate of ${host} is not valid.`),
  1002: toAnswer(403, "invalid_target", (host) => `${host} resolves to a forbidden address.`),
  1003: toAnswer(403, "invalid_target", (host) => `${host} is an IP address. Use a host name instead.`),
  1016: toAnswer(530, "dns_failure", (host) => `The name ${host} could not be resolved.`),
  1021: toAnswer(403, "invalid_target", (host) => `The address of ${host} can't be requested.`),
  1024: toAnswer(403, "invalid_target", (host) => `The address of ${host} can't be requested.`),
};
const STATUSES: ReadonlySet<number> = new Set(Object.values(ANSWERS).map(({ status }) => status));

/** Cloudflare's error pages show their code in the first 2 KB. */
const MAX_PREFIX_BYTES = 8 * 1024;
const PREFIX_TIMEOUT_MS = 2 * SECOND_MS;

function toAnswer(status: number, code: ErrorCode, toMessage: (host: string) => string): PlatformAnswer {
  return { status, code, toMessage };
}

/**
 * Returns the response of an outbound request if the target sent it. Throws AppError if Cloudflare answered instead of
 * the target, for example with status 530 if the host name doesn't exist. `host` is the target in the error message.
 *
 * `fetch` adds `server: cloudflare` to every response, so the header alone proves nothing. An answer is Cloudflare's
 * if it also names the error code that belongs to its status, in the header `cf-error-type` or in a body of one of
 * Cloudflare's forms. A site's own page with such a status has neither. A site that uses Cloudflare, and whose own
 * server is down, has the same answer. It is reported in the same way, because the target can't be reached either.
 */
export async function refusePlatformAnswer(response: Response, host: string): Promise<Response> {
  const { status, headers } = response;
  if (!STATUSES.has(status) || headers.get("server")?.toLowerCase() !== "cloudflare") return response;
  const peeked = await peekBody(response, { maxBytes: MAX_PREFIX_BYTES, timeoutMs: PREFIX_TIMEOUT_MS });
  const answer = ANSWERS[readErrorType(response) ?? findCode(peeked.prefix) ?? ""];
  if (answer?.status !== status) return new Response(peeked.body, response);
  // Canceling fails if the connection broke after the code. The answer is complete enough.
  await peeked.body?.cancel().catch(() => {});
  throw new AppError(answer.code, answer.toMessage(host));
}

/**
 * Returns the error code in the header `cf-error-type`, or null if there is no such header. According to Cloudflare's
 * documentation, the header of the statuses 520 to 526 can be the category `52x`.
 */
function readErrorType({ status, headers }: Response): string | null {
  const type = headers.get("cf-error-type");
  return type === "52x" ? String(status) : type;
}

/** Returns the error code in a body of one of Cloudflare's forms, or null. `prefix` is the beginning of the body. */
function findCode(prefix: Uint8Array): string | null {
  const text = new TextDecoder().decode(prefix).replaceAll("\r\n", "\n");
  return findTextCode(text) ?? findPageCode(text) ?? findJsonCode(text);
}

/** Clients that don't accept HTML get one line of text. */
function findTextCode(text: string): string | null {
  return /^error code: (\d{3,4})\s*$/.exec(text)?.[1] ?? null;
}

function findPageCode(text: string): string | null {
  if (!/\bid="cf-error-details"/.test(text)) return null;
  const [, long, short] =
    /class="cf-error-code">\s*(\d{3,4})\s*<|class="code-label">\s*Error code (\d{3,4})\s*</.exec(text) ?? [];
  return long ?? short ?? null;
}

/** Clients that want JSON get an object. The code must be its member, because sites can quote such an object. */
function findJsonCode(text: string): string | null {
  const { cloudflare_error, error_code } = Object(parseJson(text)) as Record<string, unknown>;
  return cloudflare_error === true && typeof error_code === "number" ? String(error_code) : null;
}
