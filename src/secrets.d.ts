/** Secrets that need not be set. */
interface OptionalSecrets {
  /** The bearer token of the admin API. Without it, that API answers 404. */
  ADMIN_TOKEN?: string;
  /** The bearer token for MAIL_URL. */
  MAIL_KEY?: string;
  /** Of GITHUB_CLIENT_ID. */
  GITHUB_CLIENT_SECRET?: string;
  /** JSON: country code or `*` to a proxy's URL. */
  PROXIES?: string;
  /** Without either of them there is no parse with live keys. */
  OPENAI_API_KEY?: string;
  ANTHROPIC_API_KEY?: string;
  /** Both: Yandex is asked by its Search API. */
  YANDEX_API_KEY?: string;
  YANDEX_FOLDER_ID?: string;
  /** The key at the provider that SERP_PROVIDER names. */
  SERP_PROVIDER_KEY?: string;
}

declare namespace Cloudflare {
  interface Env extends OptionalSecrets {}
}

interface Env extends OptionalSecrets {}
