import type { ContentfulStatusCode } from "hono/utils/http-status";
import { respondThen } from "../../http/responses";
import { jsonBody } from "../../http/router";
import { getOwnJob, jobNotFound, toMeta } from "../../jobs/read-job";
import { toAppError } from "../../jobs/submit";
import { requireScope } from "../../keys/middleware";
import { AppError, type ErrorCode } from "../../model/errors";
import { authenticateAt, createDoor, type DoorContext, type DoorError, readWholeResult, submit } from "../door";
import { toDocument, VERSIONS, type Version } from "./document";
import { SCRAPE_NAMES, toScrapeOptions, withScheme } from "./scrape-options";

/** Firecrawl's status and code for our codes. Other codes keep their status, and are written in upper case. */
const ERRORS: Readonly<Partial<Record<ErrorCode, readonly [status: number, code?: string]>>> = {
  invalid_request: [400, "BAD_REQUEST"],
  invalid_target: [400, "BAD_REQUEST"],
  invalid_json: [400, "BAD_REQUEST_INVALID_JSON"],
  target_timeout: [408, "SCRAPE_TIMEOUT"],
  job_timeout: [408, "SCRAPE_TIMEOUT"],
  dns_failure: [500, "SCRAPE_DNS_RESOLUTION_ERROR"],
  tls_failure: [500, "SCRAPE_SSL_ERROR"],
  connection_failed: [500, "SCRAPE_SITE_ERROR"],
  target_http_error: [500, "SCRAPE_SITE_ERROR"],
  too_many_redirects: [500, "SCRAPE_SITE_ERROR"],
  target_too_large: [500, "SCRAPE_SITE_ERROR"],
  blocked_by_target: [500, "SCRAPE_ALL_ENGINES_FAILED"],
  action_failed: [500, "SCRAPE_ACTION_ERROR"],
  selector_not_found: [500, "SCRAPE_ACTION_ERROR"],
  unsupported_content: [500, "SCRAPE_UNSUPPORTED_FILE_ERROR"],
  cancelled: [500],
  not_configured: [501],
};

/** Returns Firecrawl's status and code for an error. */
export function toPeerError({ code, status }: Pick<DoorError, "code" | "status">): { status: number; code: string } {
  const [peerStatus = status, peerCode = code.toUpperCase()] = ERRORS[code] ?? [];
  // The SDK sends a request again after a 502. A 422 is the error of a page, which is a 500 at Firecrawl.
  if (peerStatus === 502 || peerStatus === 422) return { status: 500, code: peerCode };
  return status === 501 ? { status, code: "NOT_IMPLEMENTED" } : { status: peerStatus, code: peerCode };
}

const POLLED = /^\/firecrawl\/v[12]\/(?:scrape|crawl|batch\/scrape|extract)\/[^/]+(?:\/errors)?$/;
/** The seconds after which a client sends the request for a long scrape again. */
const RESUME_AFTER_S = 5;

export const firecrawl = createDoor("firecrawl", respondError);

firecrawl.use(
  authenticateAt({
    // A browser can't send other headers with a WebSocket.
    readKey: (c) => c.req.header("sec-websocket-protocol"),
    // The old client reads errors with DELETE by mistake.
    isPoll: ({ req: { method, path } }) => POLLED.test(path) && (method !== "DELETE" || path.endsWith("/errors")),
  }),
);

for (const version of VERSIONS) {
  firecrawl.post(`/${version}/scrape`, requireScope(["scrape"]), ...jsonBody, async (c) => {
    const { url, ...options } = await c.req.json<Record<string, unknown>>();
    const { fields, warnings } = toScrapeOptions(c, options);
    const result = await submit(
      c,
      "scrape",
      { url: withScheme(url), ...fields },
      { names: SCRAPE_NAMES, isResumable: true },
    );
    if (result.kind === "accepted") return respondProcessing(c, result.job.id);
    const { jobId, data, meta, discard } = result;
    const document = toDocument({ jobId, url: String(withScheme(url)), data, meta }, { version, warnings });
    const body = { success: true, data: document, ...toV1Warning(version, document), job_id: jobId };
    return fields.store === false ? respondThen(c, body, discard) : c.json(body);
  });

  firecrawl.get(`/${version}/scrape/:id`, requireScope(["jobs"]), async (c) => {
    const { account, mode } = c.get("caller");
    const id = c.req.param("id");
    const job = await getOwnJob(c.env, account, { mode, id });
    if (job?.endpoint !== "scrape") throw jobNotFound(id);
    c.set("jobId", id);
    if (job.error !== null) throw toAppError(id, job.error);
    if (job.endedAt === null) return respondProcessing(c, id);
    const data = await readWholeResult(c.env, job);
    if (data === null) throw new AppError("not_found", "The result of this scrape was deleted.", { jobId: id });
    const document = toDocument({ jobId: id, url: job.subject, data, meta: toMeta(job) }, { version });
    return c.json({ success: true, data: document, job_id: id });
  });
}

/** The first version's clients read the warning beside the document. */
function toV1Warning(version: Version, { warning }: Record<string, unknown>) {
  return version === "v1" && warning !== undefined ? { warning } : {};
}

/** Responds that a scrape continues. Clients then send the same request again, which waits for the same job. */
function respondProcessing(c: DoorContext, jobId: string): Response {
  c.set("errorCode", "job_timeout");
  c.header("Retry-After", String(RESUME_AFTER_S));
  const error = `The scrape takes longer than a minute and continues. Send the same request again, or read it at scrape/${jobId}. It is charged once.`;
  const details = { state: "processing_continues", retryAfterSeconds: RESUME_AFTER_S };
  return c.json({ success: false, code: "SCRAPE_TIMEOUT", error, details, job_id: jobId }, 408);
}

function respondError(c: DoorContext, error: DoorError): Response {
  const { status, code } = toPeerError(error);
  const message = status === 401 ? `Unauthorized: ${error.message}` : error.message;
  const details = error.details?.map(({ path, message }) => ({ code: "custom", path: path.split("."), message }));
  return c.json(
    {
      success: false,
      code,
      error: message,
      ...(details && { details }),
      // The client of `search/research` reads the members of RFC 7807.
      ...(status === 501 && { title: "Not implemented", detail: message }),
      ...error.members,
    },
    status as ContentfulStatusCode,
  );
}
