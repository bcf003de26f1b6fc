/** What the world outside tells the tests: see outside.ts. */
declare module "vitest" {
  interface ProvidedContext {
    site: string;
    forbidden: string;
    /** host:port of the site, as ALLOWED_PRIVATE_HOSTS has it. */
    allowedHosts: string;
  }
}

export {};
