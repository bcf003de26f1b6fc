/**
 * Bindings that are commented out in wrangler.toml. After you enable one there, delete its line here, because
 * `wrangler types` then generates it.
 */
interface OptionalBindings {
  ANALYTICS?: AnalyticsEngineDataset;
}

declare namespace Cloudflare {
  interface Env extends OptionalBindings {}
}

interface Env extends OptionalBindings {}
