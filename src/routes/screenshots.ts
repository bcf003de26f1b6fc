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

/** Signed links, opened by browsers: no key is asked for. */
export const screenshots = createRouter();

/** A link with a part twice is none that we made, as one without it. */
const once = z
  .unknown()
  .optional()
  .transform((part) => (typeof part === "string" ? part : undefined));

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
      expires: once.openapi({ type: "string", description: "When the link runs out, as the service wrote it." }),
      signature: once.openapi({ type: "string", description: "As the service wrote it." }),
    }),
  },
  responses: {
    200: {
      description: "The picture.",
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
    throw new AppError("not_found", "This link is not valid, or has run out.");
  }
  c.set("jobId", id);
  const object = await getScreenshot(c.env.STORE, id);
  if (object === null) throw new AppError("not_found", "This screenshot is not kept any more.");
  return c.body(object.body, 200, {
    "content-type": "image/png",
    "content-length": String(object.size),
    "cache-control": "private, max-age=3600",
    etag: object.httpEtag,
    // A picture of somebody else's page: never anything but a picture.
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
    // Shown in whatever page its link was given to: the signature is what keeps others out.
    "cross-origin-resource-policy": "cross-origin",
  });
});
