import { joinChunks } from "../lib/bytes";
import { now, sleep } from "../lib/clock";
import { AppError, type ErrorDetail, type TargetBusy } from "../model/errors";
import { SECOND_MS } from "../model/limits";
import { LARGE_PAGE_BYTES, MAX_RETRY_AFTER_MS } from "../model/page-limits";
import { isEarlyEnd } from "./content-encoding";

/**
 * Reads at most `maxBytes` of a body, for at most `timeoutMs`, and cancels the remaining body. Never throws: if the
 * connection breaks, it returns the bytes that were received before.
 */
export async function readBodyPrefix(
  response: Response,
  { maxBytes, timeoutMs }: { maxBytes: number; timeoutMs: number },
): Promise<Uint8Array> {
  const { prefix, body } = await peekBody(response, { maxBytes, timeoutMs });
  await body?.cancel().catch(() => {});
  return prefix.subarray(0, maxBytes);
}

/**
 * Reads the first `maxBytes` of a body, or the bytes that arrive within `timeoutMs`. Also returns the whole body. Never
 * throws: reading that body throws the errors of the connection. Returns no Response, because `fetch` also returns
 * responses with a status above 599, which the constructor of Response rejects.
 */
export async function peekBody(
  response: Response,
  { maxBytes, timeoutMs }: { maxBytes: number; timeoutMs: number },
): Promise<{ prefix: Uint8Array; body: ReadableStream<Uint8Array> | null }> {
  if (response.body === null) return { prefix: new Uint8Array(), body: null };
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
  const over = new AbortController();
  const late = sleep(timeoutMs, over.signal).then(() => null);
  late.catch(() => {});
  const chunks: Uint8Array[] = [];
  let size = 0;
  let pending: ReturnType<typeof reader.read> | null = null;
  try {
    while (size < maxBytes) {
      pending = reader.read();
      const read = await Promise.race([pending, late]);
      if (read === null || read.done) break;
      pending = null;
      chunks.push(read.value);
      size += read.value.byteLength;
    }
  } catch {
    // Reading the body rejects with the error of `pending`.
  } finally {
    over.abort();
  }
  const prefix = joinChunks(chunks, size);
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const chunk = chunks.shift();
        if (chunk !== undefined) return controller.enqueue(chunk);
        const { done, value } = await (pending ?? reader.read());
        pending = null;
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return { prefix, body };
}

/**
 * Reads the whole decoded body. Throws AppError `target_too_large` as soon as it has more than `maxBytes`. Awaits
 * `beforeLarge` before it reads more than LARGE_PAGE_BYTES.
 */
export async function readBody(
  response: Response,
  maxBytes: number,
  beforeLarge?: () => Promise<void>,
): Promise<Uint8Array> {
  if (response.body === null) return new Uint8Array();
  const declared = Number(response.headers.get("content-length"));
  if (declared > maxBytes) {
    await response.body.cancel();
    throw tooLarge(maxBytes);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of response.body as ReadableStream<Uint8Array>) {
      size += chunk.byteLength;
      // The error ends the loop, which cancels the body.
      if (size > maxBytes) throw tooLarge(maxBytes);
      if (size > LARGE_PAGE_BYTES) await beforeLarge?.();
      chunks.push(chunk);
    }
  } catch (error) {
    // An empty body is valid in every encoding. A body with a declared length isn't empty, so it was cut off.
    if (size > 0 || declared > 0 || !isEarlyEnd(error)) throw error;
  }
  return joinChunks(chunks, size);
}

function tooLarge(maxBytes: number): AppError {
  return new AppError("target_too_large", `The page is larger than ${maxBytes} bytes.`);
}

/** The delay before a retry if the response has no valid Retry-After header. */
const RETRY_DELAY_DEFAULT_MS = SECOND_MS;

/** Returns the delay before a retry in ms, or null if the status isn't 429 or 503, or the delay is too long. */
export function retryDelay(status: number, retryAfter: string | null | undefined): number | null {
  if (status !== 429 && status !== 503) return null;
  const delayMs = parseRetryAfter(retryAfter) ?? RETRY_DELAY_DEFAULT_MS;
  return delayMs <= MAX_RETRY_AFTER_MS ? delayMs : null;
}

/** Cloudflare's pay per crawl: a currency and an amount, such as `USD 0.01`. Other text of the target isn't quoted. */
const CRAWLER_PRICE = /^[A-Z]{3} \d{1,9}(?:\.\d{1,9})?$/;

/** The arguments of an error about a response with an error status. */
type StatusError = [
  code: "payment_required" | "target_http_error",
  message: string,
  options: { retryable: boolean; details?: ErrorDetail[]; targetBusy?: TargetBusy },
];

/** Returns the error about a status of at least 400. With status 402, its details have the price of the page. */
export function toStatusError(
  host: string,
  status: number,
  header: (name: string) => string | null | undefined,
): StatusError {
  const message = `${host} responded with status ${status}.`;
  if (status === 402) {
    const price = header("crawler-price")?.trim() ?? "";
    if (!CRAWLER_PRICE.test(price)) return ["payment_required", message, { retryable: false }];
    const details = [{ path: "crawler-price", message: price }];
    return ["payment_required", `${host} charges ${price} for the page.`, { retryable: false, details }];
  }
  const isBusy = status === 429 || status === 503;
  const targetBusy = isBusy ? { targetBusy: { retryAfterMs: parseRetryAfter(header("retry-after")) } } : {};
  return ["target_http_error", message, { retryable: status === 429 || status >= 500, ...targetBusy }];
}

/**
 * Returns the delay in a Retry-After header in ms, which is at least 0. The header has seconds or a date (RFC 9110,
 * section 10.2.3). Returns null if the header is missing or invalid.
 */
export function parseRetryAfter(header: string | null | undefined): number | null {
  const value = header?.trim() ?? "";
  if (/^\d+(?:\.\d+)?$/.test(value)) return Number(value) * SECOND_MS;
  // `Date.parse` also takes values such as "-5" for a date. All forms of a valid date begin with the day of the week.
  const date = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now());
}

/** Converts a fetch error to one for the caller, by its message, because the runtime's errors have no code. */
export function toNetworkError(cause: unknown, host: string): AppError {
  const message = cause instanceof Error ? cause.message : String(cause);
  if (/dns|lookup|getaddrinfo|name not resolved|no such host/i.test(message)) {
    return new AppError("dns_failure", `The name ${host} could not be resolved.`, { cause });
  }
  if (/tls|ssl|certificate|handshake/i.test(message)) {
    return new AppError("tls_failure", `A trusted TLS connection to ${host} could not be established.`, { cause });
  }
  return new AppError("connection_failed", `The connection to ${host} failed.`, { cause });
}

/** Returns true for HTML and XHTML. `type` must be in lower case and without parameters. */
export function isMarkupType(type: string): boolean {
  return type === "text/html" || type === "application/xhtml+xml";
}

/** Returns the message for a media type without text. Only quotes a valid type, because a server can send any text. */
export function describeMediaType(type: string): string {
  return /^[\w.+-]{1,64}\/[\w.+-]{1,64}$/.test(type)
    ? `The page's media type is ${type}, which has no text.`
    : "The page's media type is invalid, so the page can't be converted.";
}
