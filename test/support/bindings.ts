import { LOCAL_VARIABLES } from "../../scripts/local-state.ts";
import { MAIL_KEY } from "./email-service.ts";
import { type EngineOrigins, toOriginVariables } from "./engines/server.ts";

// The email addresses of admins. There are 20, because up to 20 tests of a file need their own admin.
const ADMINS = Array.from({ length: 20 }, (_, i) => `Admin-${i}@extraction.example`);

/**
 * Returns the Worker's bindings that wrangler.toml doesn't have: the URLs and keys of the stand-in servers
 * (outside.ts), and test values. `schema` has the SQL statements of each schema version.
 */
export function toBindings(inject: <Value>(name: string) => Value, schema: string[][]) {
  return {
    ...LOCAL_VARIABLES,
    ALLOWED_PRIVATE_HOSTS: inject<string>("allowedHosts"),
    DNS_RESOLVER: `${inject<string>("site")}/__dns`,
    BROWSER_PROXY: inject<string>("browserProxy"),
    SEARCH_BROWSER_PROXY: inject<string>("searchBrowserProxy"),
    PROXIES: JSON.stringify({
      TR: `http://ok-{country}-{session}:secret@${inject<string>("proxy")}`,
      DE: `http://ok-{session}:wrong@${inject<string>("proxy")}`,
      FR: "http://user:secret@127.0.0.1:1",
    }),
    OPENAI_API_KEY: "test OpenAI key",
    OPENAI_BASE_URL: `${inject<string>("models")}/v1`,
    ANTHROPIC_API_KEY: "test Anthropic key",
    ANTHROPIC_BASE_URL: inject<string>("models"),
    ...toOriginVariables(inject<EngineOrigins>("engines")),
    MAIL_URL: inject<string>("mail"),
    MAIL_KEY,
    MAIL_FROM: "Extraction <extraction@mail.example>",
    ADMIN_EMAILS: ADMINS.join(", "),
    SIGNING_SECRET: "test signing secret",
    ADMIN_TOKEN: "test-admin-token",
    ENCRYPTION_KEY: "test encryption secret",
    FUZZ_SECONDS: process.env.FUZZ_SECONDS ?? "4",
    FUZZ_SEED: process.env.FUZZ_SEED ?? "7",
    FUZZ_REQUESTS: process.env.FUZZ_REQUESTS ?? "1000",
    TEST_SCHEMA: schema,
  };
}
