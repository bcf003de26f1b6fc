import { z } from "@hono/zod-openapi";
import {
  MAX_SELECTOR_CHARS,
  SECOND_MS,
  SYNC_WAIT_MS,
  TIMEOUT_MARGIN_MS,
  TIMEOUT_MAX_MS,
  TIMEOUT_MIN_MS,
  WAIT_MAX_MS,
} from "../model/limits";
import { FETCH_TIMEOUT_MS, RENDER_TIMEOUT_MS } from "../model/page-limits";
import { integer } from "./fields";

export const RenderMode = z.enum(["auto", "always", "never"]).openapi("RenderMode");
/**
 * Selects how a page is loaded. `never`: with a plain request. `always`: in a browser. `auto`: with a plain request,
 * and in a browser if the plain page has no content.
 */
export type RenderMode = z.infer<typeof RenderMode>;

/** The selector that a rendered page must match before it is read. */
export const WaitFor = z
  .string("must be a CSS selector, such as '#price'; use 'wait_ms' to wait for a number of milliseconds")
  .trim()
  .min(1, "must be a CSS selector")
  .regex(/^\D/, "must be a CSS selector, such as '#price'; use 'wait_ms' to wait for a number of milliseconds")
  .max(MAX_SELECTOR_CHARS, `must have at most ${MAX_SELECTOR_CHARS} characters`)
  .optional()
  .openapi({
    description:
      "A CSS selector. The page is rendered, and is read as soon as an element matches. The service waits for up to 30 seconds, or until `timeout_ms`.",
    example: "#price",
  });

export const WaitUntil = z.enum(["load", "domcontentloaded", "quiet"]);
export type WaitUntil = z.infer<typeof WaitUntil>;

/** The request fields that control how a page is loaded and how long that may take. */
export const LOAD_OPTIONS = {
  timeout_ms: integer(TIMEOUT_MIN_MS, TIMEOUT_MAX_MS, "milliseconds")
    .optional()
    .openapi({
      description: `The time limit for loading the page, in milliseconds. It includes every wait and action, but not the wait for a free browser. The default is ${FETCH_TIMEOUT_MS / SECOND_MS} seconds for a plain request, and ${RENDER_TIMEOUT_MS / SECOND_MS} seconds for a rendered page. With \`wait=true\`, the maximum is ${SYNC_WAIT_MS - TIMEOUT_MARGIN_MS}.`,
    }),
  wait_until: WaitUntil.optional().openapi({
    description:
      "The event after which a rendered page is read. `quiet` (the default): the page and the network are idle. `load`: the `load` event. `domcontentloaded`: the document has been parsed. This parameter renders the page, unless `render` is `auto`.",
  }),
  wait_ms: integer(0, WAIT_MAX_MS, "milliseconds").optional().openapi({
    description:
      "An additional wait before the page is read, in milliseconds. It starts after `wait_until` and `wait_for`. This parameter always renders the page.",
  }),
  block_ads: z.boolean().optional().openapi({
    description:
      "If true, a rendered page makes no requests to common hosts of advertising and tracking. A plain request never makes such requests. This parameter alone doesn't render the page.",
  }),
};
