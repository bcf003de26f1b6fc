import { createRoute, z } from "@hono/zod-openapi";
import { JobId } from "../contract/common";
import { headersWithoutRate } from "../contract/headers";
import { describeErrorResponse } from "../contract/responses";
import { isScreenshotLinkValid } from "../endpoints/scrape/screenshot-url";
import { createRouter } from "../http/router";
import { now } from "../lib/clock";
import { isId } from "../lib/id";
import { AppError } from "../model/errors";
import { getScreenshot } from "../store/objects";

/** The screenshots. Browsers open them by a signed link, so no key is required. */
export const screenshots = createRouter();

/** A query parameter that appears once. If it appears twice, it counts as missing, so the link is invalid. */
const singleParameter = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === "string" ? value : undefined));

const screenshotRoute = createRoute({
  method: "get",
  path: "/{id}",
  operationId: "getScreenshot",
  summary: "Read a screenshot",
  description:
    "Returns the screenshot of a result. Use `screenshot_url` unchanged: it is signed, needs no key, and expires with the result.",
  tags: ["Extraction"],
  security: [],
  request: {
    params: z.object({ id: JobId }),
    query: z.object({
      expires: singleParameter.openapi({ type: "string", description: "The expiry time, as in `screenshot_url`." }),
      signature: singleParameter.openapi({ type: "string", description: "The signature, as in `screenshot_url`." }),
    }),
  },
  responses: {
    200: {
      description: "The screenshot.",
      headers: headersWithoutRate(),
      content: { "image/png": { schema: { type: "string", contentMediaType: "image/png" } } },
    },
    404: describeErrorResponse(404, ["not_found"], headersWithoutRate()),
    500: describeErrorResponse(500, ["internal_error"], headersWithoutRate()),
  },
});

screenshots.openapi(screenshotRoute, async (c) => {
  const { id } = c.req.valid("param");
  const { expires, signature = "" } = c.req.valid("query");
  if (!isId(id) || !(await isScreenshotLinkValid(c.env, { id, expires: Number(expires), signature, now: now() }))) {
    throw new AppError("not_found", "This screenshot link is invalid or has expired.");
  }
  c.set("jobId", id);
  const object = await getScreenshot(c.env.STORE, id);
  if (object === null) throw new AppError("not_found", "This screenshot is no longer stored.");
  return c.body(object.body, 200, {
    "content-type": "image/png",
    "content-length": String(object.size),
    "cache-control": "private, max-age=3600",
    etag: object.httpEtag,
    // Prevents a browser from interpreting the bytes as anything other than an image.
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
    // Any page may embed the image. Only someone with the signed link can request it.
    "cross-origin-resource-policy": "cross-origin",
  });
});
