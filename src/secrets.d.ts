/** Secrets that need not be set. */
interface OptionalSecrets {
  /** JSON: country code or `*` to a proxy's URL. */
  PROXIES?: string;
}

declare namespace Cloudflare {
  interface Env extends OptionalSecrets {}
}

interface Env extends OptionalSecrets {}
