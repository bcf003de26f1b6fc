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

/** Options that replace a Worker's `BROWSER` by the stand-in. They are merged into the Worker's own options. */
export const WITH_BROWSER_SERVICE = {
  // Renames the binding of wrangler.toml, because an option can't be removed.
  browserRendering: { binding: "LOCAL_BROWSER" },
  serviceBindings: { BROWSER: { name: BROWSER_SERVICE, entrypoint: "BrowserService" } },
} satisfies Partial<V4WorkerOptions>;
