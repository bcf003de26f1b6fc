/** The secrets that the service needs. A first `wrangler deploy` must work without them. /health/ready reports them. */
interface RequiredSecrets {
  /** Signs links to screenshots and PDFs, and dashboard sessions. */
  SIGNING_SECRET: string;
  /** Encrypts the webhook secrets in the accounts' objects. */
  ENCRYPTION_KEY: string;
}

interface OptionalSecrets {
  /** The previous value of SIGNING_SECRET during a rotation. Its signatures are still accepted. */
  SIGNING_SECRET_PREVIOUS?: string;
  /** The previous value of ENCRYPTION_KEY during a rotation. It still decrypts. */
  ENCRYPTION_KEY_PREVIOUS?: string;
  /** The jurisdiction of the stored data. `npm run deploy` sets it, and `wrangler deploy` keeps it. */
  DATA_JURISDICTION?: string;
  /** The bearer token of the admin API. Without it, the admin API responds with 404. */
  ADMIN_TOKEN?: string;
  /** The bearer token for MAIL_URL. */
  MAIL_KEY?: string;
  /** The secret key of the Turnstile widget TURNSTILE_SITE_KEY. */
  TURNSTILE_SECRET_KEY?: string;
  /** Signs the alerts that are posted to ALERT_WEBHOOK. */
  ALERT_WEBHOOK_SECRET?: string;
  /** The API token that reads Analytics Engine for the health page. It is used only if ANALYTICS_ACCOUNT_ID is set. */
  ANALYTICS_TOKEN?: string;
  /** The secret of the GitHub OAuth app GITHUB_CLIENT_ID. */
  GITHUB_CLIENT_SECRET?: string;
  /** Signs requests to targets: an Ed25519 seed in base64url. */
  BOT_PRIVATE_KEY?: string;
  /** A JSON object that maps country codes, or `*` for every country, to proxy URLs. */
  PROXIES?: string;
  /** Parse with live keys needs this key or ANTHROPIC_API_KEY. */
  OPENAI_API_KEY?: string;
  ANTHROPIC_API_KEY?: string;
  /** The API token for WORKERS_AI_BASE_URL. The binding of Workers AI needs no token. */
  WORKERS_AI_API_KEY?: string;
  /** The key of Yandex's Search API. It is used only if YANDEX_FOLDER_ID is set too. */
  YANDEX_API_KEY?: string;
  YANDEX_FOLDER_ID?: string;
  /** The API key of the search provider in SERP_PROVIDER. */
  SERP_PROVIDER_KEY?: string;
}

declare namespace Cloudflare {
  interface Env extends RequiredSecrets, OptionalSecrets {}
}

interface Env extends RequiredSecrets, OptionalSecrets {}
