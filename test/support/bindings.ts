import { MAIL_KEY } from "./email-service.ts";
import type { EngineOrigins } from "./engines/server.ts";

// As many as there are tests in a file that need an admin of their own.
const ADMINS = Array.from({ length: 20 }, (_, i) => `Admin-${i}@extraction.example`);

/**
 * What the Worker is given in addition to wrangler.toml: where the world outside is (outside.ts), keys to it, and what tests
 * read, such as the statements of each version of the `schema`.
 */
export function toBindings(inject: <Value>(name: string) => Value, schema: string[][]) {
  const engines = inject<EngineOrigins>("engines");
  return {
    ALLOWED_PRIVATE_HOSTS: inject<string>("allowedHosts"),
    DNS_RESOLVER: `${inject<string>("site")}/__dns`,
    BROWSER_PROXY: inject<string>("browserProxy"),
    SEARCH_BROWSER_PROXY: inject<string>("searchBrowserProxy"),
    PROXIES: JSON.stringify({
      TR: `http://ok-{country}-{session}:secret@${inject<string>("proxy")}`,
      DE: `http://ok-{session}:wrong@${inject<string>("proxy")}`,
      FR: "http://user:secret@127.0.0.1:1",
    }),
    OPENAI_API_KEY: "an OpenAI key of the tests",
    OPENAI_BASE_URL: `${inject<string>("models")}/v1`,
    ANTHROPIC_API_KEY: "an Anthropic key of the tests",
    ANTHROPIC_BASE_URL: inject<string>("models"),
    SERP_GOOGLE_ORIGIN: engines.google,
    SERP_BING_ORIGIN: engines.bing,
    SERP_YANDEX_ORIGIN: engines.yandex,
    MAIL_URL: inject<string>("mail"),
    MAIL_KEY,
    MAIL_FROM: "Extraction <extraction@mail.example>",
    ADMIN_EMAILS: ADMINS.join(", "),
    SIGNING_SECRET: "a secret of the tests",
    ADMIN_TOKEN: "admin-token-of-the-tests",
    LOCAL_EVENTS: "on",
    ENCRYPTION_KEY: "another secret of the tests",
    FUZZ_SECONDS: process.env.FUZZ_SECONDS ?? "4",
    FUZZ_SEED: process.env.FUZZ_SEED ?? "7",
    FUZZ_REQUESTS: process.env.FUZZ_REQUESTS ?? "400",
    TEST_SCHEMA: schema,
  };
}
