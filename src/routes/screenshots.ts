import { Hono } from "hono";
import type { AppEnv } from "../env";
import { AppError } from "../errors";
import { now } from "../lib/clock";
import { isId } from "../lib/id";
import { isScreenshotLinkValid } from "../scrape/screenshot-url";
import { getJob } from "../store/jobs";
import { getScreenshot } from "../store/objects";

/** Signed links, opened by browsers: no key is asked for. */
export const screenshots = new Hono<AppEnv>();

screenshots.get("/:id", async (c) => {
  const id = c.req.param("id");
  const expires = Number(c.req.query("expires"));
  const signature = c.req.query("signature") ?? "";
  if (!isId(id) || !(await isScreenshotLinkValid(c.env, { id, expires, signature, now: now() }))) {
    throw new AppError("not_found", "This link is not valid, or has run out.");
  }
  c.set("jobId", id);
  const job = await getJob(c.env.DB, id);
  const object = job === null ? null : await getScreenshot(c.env.STORE, id, job.run);
  if (object === null) throw new AppError("not_found", "This screenshot is not kept any more.");
  return c.body(object.body, 200, {
    "content-type": "image/png",
    "content-length": String(object.size),
    "cache-control": "private, max-age=3600",
    etag: object.httpEtag,
    // A picture of somebody else's page: never anything but a picture.
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
  });
});
