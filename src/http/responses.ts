import type { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { ErrorBody, Pagination } from "../contract/common";
import { REFERENCE_PATH, toErrorHelp } from "../contract/error-codes";
import { toOrigin } from "../lib/env";
import { log, toLogged } from "../lib/log";
import type { AppEnv } from "../model/env";
import { AppError } from "../model/errors";
import { nameOperator } from "../model/operator";
import { toRoute } from "./request-log";

/** Converts an error to the HTTP response. All errors of the API and of the admin API go through this function. */
export function toErrorResponse(c: Context<AppEnv>, error: AppError): Response {
  c.set("errorCode", error.code);
  if (error.jobId !== undefined) c.set("jobId", error.jobId);
  for (const [name, value] of Object.entries(error.headers)) c.header(name, value);
  return c.json(
    {
      success: false,
      error: toErrorObject(c, error),
      ...(error.jobId === undefined ? {} : { job_id: error.jobId }),
    },
    error.status as ContentfulStatusCode,
  );
}

/** Returns the AppError for any thrown error. Logs an unexpected error, whose message no caller sees. */
export function toHandledError(c: Context, error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof HTTPException && error.status === 400) {
    return new AppError("invalid_json", "The body is not valid JSON.", { cause: error });
  }
  log("error", "request_failed", { route: toRoute(c), ...toLogged(error) });
  return new AppError("internal_error", "Internal error.", { cause: error });
}

/** Returns the error as the body of a response has it. `about` is where the caller finds the rules of parameters. */
export function toErrorObject(
  c: Context<AppEnv>,
  { code, message, retryable, details, hint, parameter }: AppError,
  about = toReferenceHint(c, parameter),
): z.infer<typeof ErrorBody>["error"] {
  const help = toErrorHelp(toOrigin(c.env, c.req.url), code);
  const reference = code === "invalid_request" ? about : undefined;
  return {
    code,
    message: nameOperator(message, c.env),
    retryable,
    ...(details === undefined ? {} : { details }),
    ...help,
    hint: nameOperator([hint, reference].filter((each) => each !== undefined).join(" ") || help.hint, c.env),
    request_id: c.get("requestId"),
  };
}

/** Returns where the API reference describes the parameter, or the one that contains it. Undefined for operations that aren't in the reference. */
function toReferenceHint(c: Context<AppEnv>, parameter: string | undefined): string | undefined {
  const tag = c.get("tag");
  if (tag === undefined) return undefined;
  const path = toRoute(c).replace(/:(\w+)/g, "{$1}");
  const section = `${REFERENCE_PATH}#tag/${tag.toLowerCase()}/${c.req.method}${path}`;
  return `See ${toOrigin(c.env, c.req.url)}${section} for ${parameter === undefined ? "the parameters" : `'${parameter.split(".")[0]}'`}.`;
}

/** Returns the response body of a list operation. */
export function toPage<Item>(
  data: Item[],
  { total, totalIsEstimate = false, limit, offset }: PageNumbers,
): { success: true; data: Item[]; pagination: z.infer<typeof Pagination> } {
  const has_more = offset + data.length < total || (totalIsEstimate && data.length === limit);
  const estimate = totalIsEstimate ? { total_is_estimate: true as const } : {};
  return { success: true, data, pagination: { total, ...estimate, limit, offset, has_more } };
}

interface PageNumbers {
  /** The number of matches on all pages. */
  total: number;
  /** True if there may be more matches than `total`. */
  totalIsEstimate?: boolean;
  limit: number;
  offset: number;
}

/**
 * Responds with `body` and an additional field `name` that contains the result from R2. Streams the result, because
 * parsing and serializing it would keep several copies in memory while a slow caller reads. Calls `onSent` after the
 * complete result was sent.
 */
export function respondWithStored(
  c: Context<AppEnv>,
  body: { job_id: string },
  name: "data" | "result",
  object: R2ObjectBody,
  onSent: () => Promise<void> = async () => {},
): Response {
  const encoder = new TextEncoder();
  const head = encoder.encode(`${JSON.stringify(body).slice(0, -1)},"${name}":`);
  const tail = encoder.encode("}");
  const write = async (writable: WritableStream<Uint8Array>) => {
    await writePart(writable, head);
    await object.body.pipeTo(writable, { preventClose: true });
    await writePart(writable, tail);
  };
  return respondWithStream(
    c,
    { jobId: body.job_id, size: head.byteLength + object.size + tail.byteLength },
    write,
    onSent,
  );
}

/** Responds with `body` as JSON, and calls `onSent` after the complete body was sent. */
export function respondThen(c: Context<AppEnv>, body: { job_id: string }, onSent: () => Promise<void>): Response {
  return respondWithText(c, { jobId: body.job_id, text: JSON.stringify(body), type: "application/json" }, onSent);
}

/** Responds with a text of the media type `type`, and calls `onSent` after the complete text was sent. */
export function respondWithText(
  c: Context<AppEnv>,
  { jobId, text, type }: { jobId: string; text: string; type: string },
  onSent: () => Promise<void>,
): Response {
  const bytes = new TextEncoder().encode(text);
  const write = (writable: WritableStream<Uint8Array>) => writePart(writable, bytes);
  return respondWithStream(c, { jobId, size: bytes.byteLength, type }, write, onSent);
}

function respondWithStream(
  c: Context<AppEnv>,
  { jobId, size, type = "application/json" }: { jobId: string; size: number; type?: string },
  write: (writable: WritableStream<Uint8Array>) => Promise<void>,
  onSent: () => Promise<void>,
): Response {
  const { readable, writable } = new FixedLengthStream(size);
  const send = async () => {
    await write(writable);
    await writable.close();
    await onSent();
  };
  c.executionCtx.waitUntil(
    // Writing fails if the caller disconnects or R2 fails. The caller detects the incomplete body by the
    // Content-Length.
    send().catch((error) => log("warn", "result_not_sent", { job_id: jobId, ...toLogged(error) })),
  );
  return c.body(readable, 200, { "content-type": type });
}

async function writePart(writable: WritableStream<Uint8Array>, part: Uint8Array): Promise<void> {
  const writer = writable.getWriter();
  await writer.write(part);
  writer.releaseLock();
}
