import ipaddr from "ipaddr.js";
import { contains, findCanonicalCidr, type IpRange, parseRange } from "../lib/ip-ranges";

/** Matches an entry for a host and its subdomains. */
const WITH_SUBDOMAINS = /^\*\./;
const HOST = /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Returns the canonical form of an entry: `example.com` for this host only, `*.example.com` for the host and its
 * subdomains, or a network such as `203.0.113.0/24`. A single address is converted to a network with one address.
 * Converts hosts as URLs do: to lower case and Punycode, without the final dot. Returns null for an invalid entry.
 */
export function toDeniedTarget(text: string): string | null {
  const entry = text.trim();
  const bare = entry.replace(/^\[(.*)\]$/, "$1");
  if (entry.includes("/") || ipaddr.IPv6.isValid(bare)) return findCanonicalCidr(bare);
  const isWide = WITH_SUBDOMAINS.test(entry);
  const name = isWide ? entry.slice(2) : entry;
  if (/[/?#@:\\\s%*]/.test(name)) return null;
  const host = URL.parse(`http://${name}`)?.hostname.replace(/\.$/, "") ?? "";
  // The URL parser has already converted numbers such as 0x7f.1 to addresses.
  if (ipaddr.IPv4.isValidFourPartDecimal(host)) return isWide ? null : findCanonicalCidr(host);
  if (!HOST.test(host)) return null;
  return isWide ? `*.${host}` : host;
}

/** The hosts and networks that must not be requested. */
export class DenyList {
  /** The entries in their canonical form. */
  readonly entries: readonly string[];
  readonly #hosts = new Set<string>();
  readonly #domains = new Set<string>();
  readonly #networks: IpRange[] = [];

  /** `entries` must have the form that `toDeniedTarget` returns. Other entries have no effect. */
  constructor(entries: readonly string[]) {
    this.entries = entries;
    for (const entry of entries) {
      const network = entry.includes("/") ? parseRange(entry) : null;
      if (network !== null) this.#networks.push(network);
      else if (WITH_SUBDOMAINS.test(entry)) this.#domains.add(entry.slice(2));
      else this.#hosts.add(entry);
    }
  }

  /** True if host names must be resolved, because the list has networks. */
  get hasNetworks(): boolean {
    return this.#networks.length > 0;
  }

  /** Returns true if the list contains the host. `host` must be the hostname of a URL without a final dot. */
  hasHost(host: string): boolean {
    const bare = host.replace(/^\[(.*)\]$/, "$1");
    if (ipaddr.IPv4.isValidFourPartDecimal(bare) || bare !== host) return this.hasAddress(bare);
    if (this.#hosts.has(host)) return true;
    for (let name = host; name !== ""; name = name.slice(name.indexOf(".") + 1)) {
      if (this.#domains.has(name)) return true;
      if (!name.includes(".")) return false;
    }
    return false;
  }

  /** Returns true if a network of the list contains the address. IPv6 addresses have no brackets. */
  hasAddress(address: string): boolean {
    if (this.#networks.length === 0 || !ipaddr.isValid(address)) return false;
    // Also checks the IPv4 address that is part of an address such as ::ffff:203.0.113.7.
    const candidates = [ipaddr.parse(address), ipaddr.process(address)];
    return this.#networks.some((network) => candidates.some((candidate) => contains(network, candidate)));
  }
}
