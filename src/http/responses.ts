import type { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Pagination } from "../contract/common";
import { log, toLogged } from "../lib/log";
import type { AppEnv } from "../model/env";
import type { AppError } from "../model/errors";

/** Turns an error into an HTTP response. No other code does. */
export function toErrorResponse(c: Context<AppEnv>, error: AppError): Response {
  c.set("errorCode", error.code);
  if (error.jobId !== undefined) c.set("jobId", error.jobId);
  for (const [name, value] of Object.entries(error.headers)) c.header(name, value);
  return c.json(
    {
      success: false,
      error: {
        code: error.code,
        message: error.message,
        retryable: error.retryable,
        ...(error.details === undefined ? {} : { details: error.details }),
      },
      ...(error.jobId === undefined ? {} : { job_id: error.jobId }),
    },
    error.status as ContentfulStatusCode,
  );
}

/** Returns the body of a list: one page of the matches, and whether more follow. */
export function toPage<Item>(
  data: Item[],
  { total, totalIsEstimate = false, limit, offset }: PageNumbers,
): { success: true; data: Item[]; pagination: z.infer<typeof Pagination> } {
  const has_more = offset + data.length < total || (totalIsEstimate && data.length === limit);
  const estimate = totalIsEstimate ? { total_is_estimate: true as const } : {};
  return { success: true, data, pagination: { total, ...estimate, limit, offset, has_more } };
}

interface PageNumbers {
  /** The number of all matches. */
  total: number;
  /** True if there may be more. */
  totalIsEstimate?: boolean;
  limit: number;
  offset: number;
}

/**
 * Responds with JSON that has a result from R2 as its member `name`. The result is streamed: parsing it and writing it again
 * would keep several copies in memory for as long as a slow caller reads.
 */
export function respondWithStored(
  c: Context<AppEnv>,
  body: { job_id: string },
  name: "data" | "result",
  object: R2ObjectBody,
): Response {
  const encoder = new TextEncoder();
  const head = encoder.encode(`${JSON.stringify(body).slice(0, -1)},"${name}":`);
  const tail = encoder.encode("}");
  const { readable, writable } = new FixedLengthStream(head.byteLength + object.size + tail.byteLength);
  const write = async () => {
    await writePart(writable, head);
    await object.body.pipeTo(writable, { preventClose: true });
    await writePart(writable, tail);
    await writable.close();
  };
  c.executionCtx.waitUntil(
    // The caller disconnected or R2 failed. The content length shows the caller that the body is incomplete.
    write().catch((error) => log("warn", "result_not_sent", { job_id: body.job_id, ...toLogged(error) })),
  );
  return c.body(readable, 200, { "content-type": "application/json" });
}

async function writePart(writable: WritableStream<Uint8Array>, part: Uint8Array): Promise<void> {
  const writer = writable.getWriter();
  await writer.write(part);
  writer.releaseLock();
}
