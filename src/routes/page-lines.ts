import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { streamPages } from "../jobs/batch-stream";
import type { Batch } from "../model/batch";
import type { AppEnv } from "../model/env";

const NDJSON = "application/x-ndjson";

const PageLines = z.string().openapi({
  description:
    "One JSON object on each line: an ended page as in `pages`, with its complete result. To continue after an interruption, send the `number` of the last complete line as `cursor`. If the response can't contain all pages, its last line contains only `next_cursor`.",
});

/** Describes the response with one line per page, in addition to the JSON response. `pages` is the example. */
export function withPageLines<Content extends object>(
  response: { description: string; content: Content },
  pages: readonly object[],
) {
  const example = pages.map((page) => `${JSON.stringify(page)}\n`).join("");
  return { ...response, content: { ...response.content, [NDJSON]: { schema: PageLines, example } } };
}

/** Returns true if the request accepts only the format with one line per page. */
export function acceptsLines(c: Context<AppEnv>): boolean {
  return c.req.header("accept")?.toLowerCase().includes(NDJSON) === true;
}

/** Responds with the ended pages after `cursor`, one on each line. */
export function respondWithLines(c: Context<AppEnv>, batch: Batch, cursor = 0): Response {
  return c.body(streamPages(c.env, batch, { after: cursor }), 200, { "content-type": NDJSON });
}
