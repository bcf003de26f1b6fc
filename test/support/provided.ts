import type { CrawlOrigins } from "./crawl-sites.ts";
import type { EngineOrigins } from "./engines/server.ts";
import type { MappedSites } from "./mapped-sites.ts";
import type { EdgeBindings } from "./platform/edge.ts";

/** The addresses of the stand-in servers. outside.ts provides them to the tests. */
declare module "vitest" {
  interface ProvidedContext {
    site: string;
    forbidden: string;
    /** The hostile website (hostile/server.ts). */
    hostile: string;
    /**
     * True if hostile pages may keep a CPU core busy until the service's own time limits. If false, tests use shorter
     * limits.
     */
    fullLimits: boolean;
    /** A website with an untrusted certificate (untrusted.ts). */
    untrusted: string;
    /** A shop whose pages need a session, a click, a phone or a country (shop.ts). */
    shop: string;
    /** The websites for maps, by name (mapped-sites.ts). */
    mappedSites: MappedSites;
    /** The sites that tests crawl (crawl-sites.ts). */
    crawlSites: CrawlOrigins;
    /** The webhook receiver, over HTTPS. */
    hook: string;
    /** host:port of the forward proxy. `secureProxy` expects TLS. */
    proxy: string;
    secureProxy: string;
    /** The stand-in for OpenAI (under /v1) and Anthropic. */
    models: string;
    /** The search engines and the search APIs. */
    engines: EngineOrigins;
    /** The URL to which emails are posted. */
    mail: string;
    /** The SQL API of Analytics Engine. */
    analytics: string;
    /** GitHub's OAuth sign-in and API. */
    github: string;
    /** Turnstile's siteverify. */
    turnstile: string;
    /** A gateway between a client and the service (gateway.ts). */
    gateway: string;
    /** The host:port of each website and of the receiver, in the format of ALLOWED_PRIVATE_HOSTS. */
    allowedHosts: string;
    /** The bindings of the stand-in for Cloudflare's `fetch`. */
    edge: EdgeBindings;
    /** The filtering proxy for pages. `searchBrowserProxy` is the one for search engines. */
    browserProxy: string;
    searchBrowserProxy: string;
  }
}
