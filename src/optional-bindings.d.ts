/** Bindings that only `npm run deploy` adds, because they depend on the Cloudflare account. */
interface OptionalBindings {
  /** The service writes an event for each request and for each ended job. Bound if the account has Analytics Engine. */
  ANALYTICS?: AnalyticsEngineDataset;
  /** Workers AI. Bound if no other model provider has a key. */
  AI?: import("./models/provider").ModelBinding;
  /** Cloudflare's Email Service. Bound if deploy.toml has it. */
  EMAIL?: SendEmail;
}

/** Bindings that only `npm start` sets (scripts/start.ts). A deployed service doesn't have them. */
interface LocalBindings {
  /** The host:port entries that only webhooks can reach. Any list, even an empty one, allows http for exempt hosts. */
  LOCAL_RECEIVERS?: string[];
}

declare namespace Cloudflare {
  interface Env extends OptionalBindings, LocalBindings {}
}

interface Env extends OptionalBindings, LocalBindings {}
