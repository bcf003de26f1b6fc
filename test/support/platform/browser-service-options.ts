import type { V4WorkerOptions } from "miniflare";
import type { Settings } from "./browser-settings.ts";

/** The name of the Worker that stands in for Cloudflare's browser service. */
const BROWSER_SERVICE = "browser-service";

/** Returns the Miniflare options of the stand-in. `script` is its bundled code. */
export function browserServiceOptions(script: string, settings: Partial<Settings>): V4WorkerOptions {
  return {
    name: BROWSER_SERVICE,
    modules: [{ type: "ESModule", path: "browser-service.mjs", contents: script }],
    compatibilityDate: "2026-10-01",
    compatibilityFlags: ["nodejs_compat"],
    bindings: { SETTINGS: JSON.stringify(settings) },
    durableObjects: { SESSION: { className: "BrowserConnection", useSQLite: true } },
    browserRendering: { binding: "LOCAL" },
  };
}

/** Returns the options of a Worker with the stand-in as its `BROWSER`. */
export function withBrowserService(options: Partial<V4WorkerOptions>): Partial<V4WorkerOptions> {
  const { browserRendering: _, ...others } = options;
  const BROWSER = { name: BROWSER_SERVICE, entrypoint: "BrowserService" };
  return { ...others, serviceBindings: { ...options.serviceBindings, BROWSER } };
}
