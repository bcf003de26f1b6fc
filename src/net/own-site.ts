import { getDomain } from "tldts";

/**
 * Returns the registrable domain of a host name, by the Public Suffix List. For example, it is `example.co.uk` for
 * `www.example.co.uk`. Returns null for an IP address, a public suffix, and a name without a dot.
 */
export function registrableDomain(hostname: string): string | null {
  // The private part of the Public Suffix List is used, because customers of a hosting service have separate sites,
  // such as `a.github.io` and `b.github.io`.
  return getDomain(hostname, { allowPrivateDomains: true, extractHostname: false });
}

/**
 * Returns true if secrets for `target` may be sent to `url`. Both must have the same registrable domain. If the host
 * has none, such as an IP address, the host and the port must be the same. A secret for an https URL is never sent
 * without encryption.
 */
export function isOwnSite(url: URL, target: URL): boolean {
  if (isEncrypted(target) && !isEncrypted(url)) return false;
  const domain = registrableDomain(target.hostname);
  return domain === null ? url.host === target.host : registrableDomain(url.hostname) === domain;
}

function isEncrypted({ protocol }: URL): boolean {
  return protocol === "https:" || protocol === "wss:";
}
