import { createRoute, z } from "@hono/zod-openapi";
import { JobId } from "../contract/common";
import { headersWithoutRate } from "../contract/headers";
import { describeErrorResponse, describeOperation } from "../contract/responses";
import { isScreenshotLinkValid, type LinkedFile } from "../endpoints/scrape/page-files";
import { createRouter } from "../http/router";
import { now } from "../lib/clock";
import { isId } from "../lib/id";
import { AppError } from "../model/errors";
import { FILE_TYPES, SCREENSHOT_TYPES, toScreenshotFile } from "../model/page-files";
import { getPdf, getScreenshot } from "../store/objects";

/** The screenshots. Browsers open them by a signed link, so no key is required. */
export const screenshots = createRouter();

/** A query parameter that appears once. If it appears twice, it counts as missing, so the link is invalid. */
const singleParameter = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === "string" ? value : undefined));

const actionParameter = singleParameter.openapi({
  type: "string",
  description: "Selects the screenshot of an action, as in `screenshot_url`.",
});

/** Returns the schema of the query of a signed link. `field` is the field of the result with the link. */
function toLinkQuery(field: string) {
  return z.object({
    expires: singleParameter.openapi({ type: "string", description: `The expiry time, as in \`${field}\`.` }),
    signature: singleParameter.openapi({ type: "string", description: `The signature, as in \`${field}\`.` }),
  });
}

const ERRORS = {
  404: describeErrorResponse(404, ["not_found"], headersWithoutRate()),
  500: describeErrorResponse(500, ["internal_error"], headersWithoutRate()),
};

function describeFile(description: string, contentTypes: readonly string[]) {
  const content = contentTypes.map((type) => [type, { schema: { type: "string", contentMediaType: type } }] as const);
  return { description, headers: headersWithoutRate(), content: Object.fromEntries(content) };
}

const screenshotRoute = createRoute({
  method: "get",
  path: "/{id}",
  ...describeOperation("getScreenshot"),
  security: [],
  request: {
    params: z.object({ id: JobId }),
    query: toLinkQuery("screenshot_url").extend({ action: actionParameter }),
  },
  responses: {
    200: describeFile(
      "The screenshot.",
      SCREENSHOT_TYPES.map((type) => FILE_TYPES[type].contentType),
    ),
    ...ERRORS,
  },
});

screenshots.openapi(screenshotRoute, async (c) => {
  const { id } = c.req.valid("param");
  const { action, ...link } = c.req.valid("query");
  const number = action === undefined ? undefined : Number(action);
  await checkLink(c.env, "screenshot", { id, number, ...link });
  c.set("jobId", id);
  const object = await getScreenshot(c.env.STORE, id, number);
  if (object === null) throw notFound("screenshot", "is no longer stored");
  const { contentType, extension } = toScreenshotFile(object.httpMetadata?.contentType);
  return c.body(object.body, 200, {
    ...toHeaders(object, { contentType, name: `screenshot-${id}.${extension}` }),
    // Prevents a browser from interpreting the bytes as anything other than an image.
    "content-security-policy": "default-src 'none'; sandbox",
  });
});

/** The PDFs of rendered pages. Browsers open them with a signed link, so no key is required. */
export const pdfs = createRouter();

const pdfRoute = createRoute({
  method: "get",
  path: "/{id}",
  ...describeOperation("getPdf"),
  security: [],
  request: { params: z.object({ id: JobId }), query: toLinkQuery("pdf_url") },
  responses: { 200: describeFile("The PDF.", ["application/pdf"]), ...ERRORS },
});

pdfs.openapi(pdfRoute, async (c) => {
  const { id } = c.req.valid("param");
  await checkLink(c.env, "pdf", { id, ...c.req.valid("query") });
  c.set("jobId", id);
  const object = await getPdf(c.env.STORE, id);
  if (object === null) throw notFound("pdf", "is no longer stored");
  return c.body(object.body, 200, {
    ...toHeaders(object, { contentType: "application/pdf", name: `page-${id}.pdf` }),
    // With `sandbox`, browsers don't show the PDF. Their viewers embed the file and add styles to their own page.
    "content-security-policy": "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'",
  });
});

interface SignedLink {
  id: string;
  number?: number | undefined;
  expires?: string | undefined;
  signature?: string | undefined;
}

/** Throws AppError if the link has no valid signature or has expired. */
async function checkLink(
  env: Env,
  kind: LinkedFile,
  { id, number, expires, signature = "" }: SignedLink,
): Promise<void> {
  const link = { kind, id, number, expires: Number(expires), signature, now: now() };
  if (isId(id) && (await isScreenshotLinkValid(env, link))) return;
  throw notFound(kind, "link is invalid or has expired");
}

function notFound(kind: LinkedFile, problem: string): AppError {
  const hint = `Use the ${kind}_url of the job's result unchanged. If the result has expired, send the request again.`;
  return new AppError("not_found", `This ${kind === "pdf" ? "PDF" : kind} ${problem}.`, { hint });
}

function toHeaders(object: R2ObjectBody, { contentType, name }: { contentType: string; name: string }) {
  return {
    "content-type": contentType,
    "content-length": String(object.size),
    "content-disposition": `inline; filename="${name}"`,
    "cache-control": "private, max-age=3600",
    etag: object.httpEtag,
    "x-content-type-options": "nosniff",
    // Any page may embed the file, because only a caller with the signed link can request it.
    "cross-origin-resource-policy": "cross-origin",
  };
}
