import type { EngineOrigins } from "./engines/server.ts";

/** What the world outside tells the tests: see outside.ts. */
declare module "vitest" {
  interface ProvidedContext {
    site: string;
    forbidden: string;
    /** The hostile site: see hostile/server.ts. */
    hostile: string;
    /** A site whose certificate nobody trusts: see untrusted.ts. */
    untrusted: string;
    /** The receiver of webhooks: https. */
    hook: string;
    /** host:port of the forward proxy, and of the one that wants TLS. */
    proxy: string;
    secureProxy: string;
    /** Both models' providers: OpenAI's protocol under /v1. */
    models: string;
    /** The search engines, and the official APIs to them. */
    engines: EngineOrigins;
    /** Where the mail service takes emails. */
    mail: string;
    /** GitHub's sign-in and its API. */
    github: string;
    /** What may stand between a client and the service: see gateway.ts. */
    gateway: string;
    /** host:port of the sites and the receiver, as ALLOWED_PRIVATE_HOSTS has it. */
    allowedHosts: string;
    /** The filtering proxies under the browser's pages, and under those of search engines. */
    browserProxy: string;
    searchBrowserProxy: string;
  }
}
