import type { AnswerCode } from "./answers.ts";

/** The domain of the names that only the stand-in for Cloudflare's `fetch` knows. */
export const DOMAIN = "platform.example";

/**
 * The target of a name: the origin of a test server, the URL that replaces all its URLs except their queries, or an
 * answer of Cloudflare that needs no test server.
 */
export type Name = { to: string } | { page: string } | { answer: AnswerCode };

interface TestServers {
  site: string;
  untrusted: string;
  /** A URL whose port refuses connections. */
  refused: string;
}

/**
 * Returns the first labels of the domain's names, and the resolver that the service uses by default. Cloudflare waits 19 seconds or longer before some of its answers, so the names
 * `silent`, `unreachable` and `slow` lead to these answers directly.
 */
export function toNames({ site, untrusted, refused }: TestServers): Record<string, Name> {
  return {
    site: { to: site },
    refused: { to: refused },
    silent: { answer: 522 },
    unreachable: { answer: 523 },
    slow: { answer: 524 },
    // The site doesn't use TLS.
    handshake: { to: site.replace("http:", "https:") },
    untrusted: { to: untrusted },
    restricted: { answer: 1002 },
    cloudflare: { answer: 1021 },
    "cloudflare-dns.com": { page: `${site}/__dns` },
  };
}
