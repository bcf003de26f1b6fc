import { AppError } from "../model/errors";
import { LARGE_PAGE_BYTES } from "../model/limits";
import { isEarlyEnd } from "./content-encoding";

/**
 * The beginning of an answer whose status is known already: what comes after `maxBytes` or later than `patienceMs` isn't
 * waited for, and the rest is cancelled. Never throws: what came before a hang-up is what there is.
 */
export async function readBeginning(
  response: Response,
  { maxBytes, patienceMs }: { maxBytes: number; patienceMs: number },
): Promise<Uint8Array> {
  if (response.body === null) return new Uint8Array();
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
  const late = setTimeout(() => void reader.cancel().catch(() => {}), patienceMs);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    while (size < maxBytes) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      size += value.byteLength;
    }
  } catch {
    // It hung up in the middle of what is only looked at.
  } finally {
    clearTimeout(late);
    await reader.cancel().catch(() => {});
  }
  return joinChunks(chunks, size).subarray(0, maxBytes);
}

/** The chunks, `size` bytes together, as one. */
function joinChunks(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const body = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    body.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return body;
}

/**
 * Reads while counting, so that a small compressed body that grows without end stops at the limit: `target_too_large`.
 * `beforeLarge` is awaited before more than LARGE_PAGE_BYTES of it are read.
 */
export async function readWhole(
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
      // Leaving the loop cancels the body.
      if (size > maxBytes) throw tooLarge(maxBytes);
      if (size > LARGE_PAGE_BYTES) await beforeLarge?.();
      chunks.push(chunk);
    }
  } catch (error) {
    if (size > 0 || !isEarlyEnd(error)) throw error;
  }
  return joinChunks(chunks, size);
}

function tooLarge(maxBytes: number): AppError {
  return new AppError("target_too_large", `The page is larger than ${maxBytes} bytes.`);
}
