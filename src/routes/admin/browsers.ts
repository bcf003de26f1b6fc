import { Hono } from "hono";
import { z } from "zod";
import { toBrowserNetwork } from "../../browser/network";
import type { RenderReply } from "../../browser/protocol";
import { renderQuickly } from "../../browser/quick-actions";
import { inspectBrowsers, renderPage } from "../../browser/render-client";
import { now } from "../../lib/clock";
import { newNonce } from "../../lib/crypto";
import type { AppEnv } from "../../model/env";
import { AppError } from "../../model/errors";
import { MAX_PAGE_BYTES_DEFAULT } from "../../model/page-limits";
import { PLAN_LIMITS } from "../../model/plan";
import { RENDER_METHODS, type RenderMethod, toRenderMethod } from "../../model/render-method";
import { OPERATOR, readBody } from "./input";

export const browsers = new Hono<AppEnv>();

/**
 * Returns the browsers with their versions and capabilities, and the variables that depend on them.
 * `npm run deploy -- --verify` reads them.
 */
browsers.get("/browsers", async (c) => {
  const { env } = c;
  const found = await inspectBrowsers(env);
  const data = {
    network: toBrowserNetwork(env),
    shared: env.BROWSER_SHARED === "on",
    fetch_via: env.FETCH_VIA,
    render_method: toRenderMethod(env.RENDER_METHOD),
    browsers: found.map(({ name, facts }) => ({
      name,
      running: facts !== null,
      product: facts?.product ?? null,
      intercepts_whole_browser: facts?.interceptsWholeBrowser ?? null,
      pauses_targets: facts?.pausesTargets ?? null,
    })),
  };
  return c.json({ success: true, data });
});

const RenderBody = z.strictObject({ url: z.url(), method: z.enum(RENDER_METHODS), wait_for: z.string().min(1) });

/**
 * Renders a page with one of the render methods, regardless of RENDER_METHOD. `outcome` is `page`, an error code, or
 * `unsupported` if Quick Actions can't render this page. The verification compares the methods with it.
 */
browsers.post("/renders", async (c) => {
  const { url, method, wait_for: waitFor } = await readBody(c, RenderBody);
  const origins = [c.env.PUBLIC_URL, new URL(c.req.url).origin];
  const startedAt = now();
  const reply = await render(c.env, { url, waitFor, ownOrigins: origins }, method);
  const ms = now() - startedAt;
  if (reply === null) return c.json({ success: true, data: { outcome: "unsupported", ms, html: null } });
  if (reply.kind === "page") return c.json({ success: true, data: { outcome: "page", ms, html: reply.html } });
  const outcome = reply.kind === "failed" ? reply.code : "unavailable";
  return c.json({ success: true, data: { outcome, ms, html: null } });
});

async function render(
  env: Env,
  page: { url: string; waitFor: string; ownOrigins: string[] },
  method: RenderMethod,
): Promise<RenderReply | null> {
  const request = {
    ...page,
    id: newNonce(),
    account: OPERATOR,
    concurrentRenders: PLAN_LIMITS.free.concurrentRenders,
    screenshot: false,
    visibility: false,
    maxHtmlBytes: MAX_PAGE_BYTES_DEFAULT,
    allowedPrivateHosts: env.ALLOWED_PRIVATE_HOSTS,
    proxy: null,
    visit: null,
  };
  const { signal } = new AbortController();
  const withMethod = { ...env, RENDER_METHOD: method };
  if (method === "quick-actions") return await renderQuickly(withMethod, request, signal);
  try {
    return await renderPage(withMethod, request, signal);
  } catch (error) {
    if (error instanceof AppError) return { kind: "failed", code: error.code, message: error.message };
    return { kind: "full", message: "No browser was free." };
  }
}
