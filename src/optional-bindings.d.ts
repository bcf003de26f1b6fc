/** Bindings that wrangler.toml has as comments. One that is taken in there is generated, and its line here goes. */
interface OptionalBindings {
  ANALYTICS?: AnalyticsEngineDataset;
}

declare namespace Cloudflare {
  interface Env extends OptionalBindings {}
}

interface Env extends OptionalBindings {}
