import { registrableDomain } from "../net/session";

/** Returns true if both URLs have the same host, apart from `www.` and the scheme, and the same or default port. */
function isSameHost(url: string | URL, other: string | URL): boolean {
  const [a, b] = [hostOf(url), hostOf(other)];
  return a !== null && a === b;
}

/**
 * Returns true if the URL belongs to the site of `site`. Without `includeSubdomains`, only the same host belongs to it.
 * With it, all hosts with the same registrable domain do, according to the Public Suffix List. A host without such a
 * domain, for example an IP address, always forms its own site.
 */
export function isSameSite(
  url: string | URL,
  site: string | URL,
  { includeSubdomains = false }: { includeSubdomains?: boolean } = {},
): boolean {
  if (isSameHost(url, site)) return true;
  const [a, b] = [URL.parse(url), URL.parse(site)];
  if (!includeSubdomains || a === null || b === null || a.port !== b.port) return false;
  const domain = registrableDomain(toName(a.hostname));
  return domain !== null && registrableDomain(toName(b.hostname)) === domain;
}

function hostOf(url: string | URL): string | null {
  const parsed = URL.parse(url);
  return parsed === null || parsed.hostname === "" ? null : `${toName(parsed.hostname)}:${parsed.port}`;
}

/** Returns the host name without `www.` and without a dot at its end. */
function toName(hostname: string): string {
  return hostname.replace(/\.$/, "").replace(/^www\.(?=[^.]+\.)/, "");
}
