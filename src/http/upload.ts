import type { Context, Next } from "hono";
import { bodyLimit } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import { invalidParameter } from "../contract/invalid-request";
import { checkBodySize } from "../json-schema/size";
import { TimeoutError, withTimeout } from "../lib/async";
import { now } from "../lib/clock";
import { parseJson } from "../lib/json";
import { SharedLimit } from "../lib/shared-limit";
import type { AppEnv } from "../model/env";
import { AppError } from "../model/errors";
import { MAX_BODY_MS, MAX_INLINE_FILE_BYTES, MAX_UPLOAD_BYTES } from "../model/limits";
import { FileContent } from "../model/uploaded-file";
import { bodyTooSlow, limitBody, refuseMediaType, requireJson, toMediaType } from "./router";

// All uploads of an isolate share this lock, because they share its memory of 128 MB. While a form is parsed, it is in
// memory twice, which is 50 MB for the largest one. The lock contains no request data.
const largeUploads = new SharedLimit(1);

const MULTIPART = "multipart/form-data";

/** The multipart body of an operation in the OpenAPI document. */
export const UPLOAD_BODY = {
  [MULTIPART]: {
    schema: {
      type: "object" as const,
      required: ["file"],
      properties: {
        file: { type: "string" as const, format: "binary", description: "The file, up to 25 MB." },
        options: {
          type: "string" as const,
          contentMediaType: "application/json",
          description: "The other parameters, as a JSON object. Parameters for loading a page can't be used.",
        },
      },
    },
  },
};

const limitUpload = bodyLimit({
  maxSize: MAX_UPLOAD_BYTES,
  onError: () => {
    throw new AppError("payload_too_large", `The body is larger than the limit of ${MAX_UPLOAD_BYTES} bytes.`);
  },
});

/** Refuses a JSON body over MAX_BODY_BYTES with 413. `requireJsonOrFile` checks the size of an upload. */
export const limitJsonBody = createMiddleware<AppEnv>(async (c, next) =>
  toMediaType(c) === MULTIPART ? await next() : await limitBody(c, next),
);

/** Accepts JSON, and a file with its options as multipart/form-data. The handler gets the same body from both. */
export const requireJsonOrFile = createMiddleware<AppEnv>(async (c, next) => {
  const type = toMediaType(c);
  if (type === "application/json") return await requireJson(c, next);
  if (type !== MULTIPART) throw refuseMediaType(type, `application/json', or a file with '${MULTIPART}`);
  const deadline = c.get("startedAt") + MAX_BODY_MS;
  const release = await acquireUpload(c, deadline);
  try {
    // The form must not stay in memory, because this function ends after the job.
    const body = await readForm(c, deadline).then((form) => toBody(form, release));
    delete c.req.bodyCache.formData;
    const { url, method, headers: sent, signal } = c.req.raw;
    const headers = new Headers(sent);
    // zod-openapi validates the body of this type.
    headers.set("content-type", "application/json");
    headers.delete("content-length");
    c.req.raw = new Request(url, { method, headers, signal });
    c.req.json = async <T>() => body as T;
    await next();
  } finally {
    release();
  }
});

/** Reads a form with a file, which later handlers get from Hono's cache. The form stays in memory until the response. */
export async function limitFileForm(c: Context, next: Next): Promise<void> {
  const deadline = now() + MAX_BODY_MS;
  const release = await acquireUpload(c, deadline);
  try {
    await readForm(c, deadline);
    await next();
  } finally {
    release();
  }
}

/** Acquires the lock for a body over 1 MB or of unknown size. Throws AppError if it isn't free in time. */
async function acquireUpload(c: Context, deadline: number): Promise<() => void> {
  const size = Number(c.req.header("content-length") ?? Number.NaN);
  if (size <= MAX_INLINE_FILE_BYTES) return () => {};
  try {
    return await largeUploads.acquire(AbortSignal.timeout(Math.max(0, deadline - now())));
  } catch (cause) {
    const message = "Other large files are being uploaded. Send the request again.";
    throw new AppError("unavailable", message, { headers: { "Retry-After": "5" }, cause });
  }
}

async function readForm(c: Context, deadline: number): Promise<FormData> {
  try {
    const reading = limitUpload(c, async () => {}).then(() => c.req.formData());
    return await withTimeout(Math.max(0, deadline - now()), reading);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    if (cause instanceof TimeoutError) throw bodyTooSlow();
    throw new AppError("invalid_request", `The body is not valid ${MULTIPART}.`, { cause });
  }
}

/** Returns the body as a JSON request with the same parameters has it. `release` is called when the file is stored. */
async function toBody(form: FormData, release: () => void): Promise<object> {
  for (const name of form.keys())
    if (name !== "file" && name !== "options")
      throw invalidParameter(
        name.slice(0, 100),
        "is not a part of this form; send parameters as a JSON object in the part 'options'",
        { kind: "field" },
      );
  const [file, ...otherFiles] = form.getAll("file");
  const [options = "{}", ...otherOptions] = form.getAll("options");
  if (file === undefined) throw invalidParameter("file", `is required in ${MULTIPART}; send JSON for a URL`);
  if (otherFiles.length > 0) throw invalidParameter("file", "must be one file; send each file in its own request");
  if (typeof file === "string") throw invalidParameter("file", "must be a file with a file name, not a text");
  if (otherOptions.length > 0) throw invalidParameter("options", "must be sent only once");
  const given = parseJson(typeof options === "string" ? options : await options.text());
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw invalidParameter("options", 'must be a JSON object, such as {"formats": ["text"]}');
  if ("file" in given) throw invalidParameter("options.file", "must not be in 'options'; send it as the part 'file'");
  checkBodySize(given);
  const { name, type } = file;
  return { ...given, file: { name, content_type: type, base64: new FileContent(file, release) } };
}
