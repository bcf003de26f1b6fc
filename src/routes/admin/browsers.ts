import { Hono } from "hono";
import { toBrowserNetwork } from "../../browser/network";
import { inspectBrowsers } from "../../browser/render-client";
import type { AppEnv } from "../../model/env";

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
