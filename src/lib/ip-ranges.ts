import ipaddr from "ipaddr.js";

/** The IP address that the Workers of all Cloudflare customers share. Allowing it would allow any Worker. */
const SHARED_BY_WORKERS = "2a06:98c0:3600::103";

/** Returns the error message for an entry that is neither an IP address nor a CIDR range, or null. */
export function findCidrProblem(entry: string): string | null {
  const range = parseRange(entry);
  if (range === null) return "must be an address range in CIDR form, such as 203.0.113.0/24 or 2001:db8::/32";
  if (contains(range, ipaddr.parse(SHARED_BY_WORKERS))) {
    return `must not contain ${SHARED_BY_WORKERS}, because all Cloudflare Workers share this address`;
  }
  return null;
}

/** Returns the canonical form of a range, such as `203.0.113.0/24` for `203.0.113.7/24`. Null for an invalid entry. */
export function findCanonicalCidr(entry: string): string | null {
  const range = parseRange(entry);
  if (range === null) return null;
  const [address, bits] = range;
  const family = address.kind() === "ipv4" ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${family.networkAddressFromCIDR(`${address}/${bits}`)}/${bits}`;
}

/** Returns true if the list is empty or has the address. Any other list refuses an invalid or unknown address. */
export function isAllowedAddress(address: string | null, allowed: string[]): boolean {
  if (allowed.length === 0) return true;
  if (address === null || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return allowed.some((entry) => {
    const range = parseRange(entry);
    return range !== null && contains(range, parsed);
  });
}

/** Returns true if every range of `inner` is inside one range of `outer`. An empty list contains every address. */
export function isRangeSubset(inner: string[], outer: string[]): boolean {
  if (outer.length === 0) return true;
  if (inner.length === 0) return false;
  return inner.every((entry) => {
    const range = parseRange(entry);
    if (range === null) return false;
    return outer.some((candidate) => {
      const wide = parseRange(candidate);
      return wide !== null && wide[1] <= range[1] && contains(wide, range[0]);
    });
  });
}

/**
 * Returns the network for which failed authentications are counted. For an IPv4 address, this is the address. For an
 * IPv6 address, it is the /64 network, which belongs to one caller. Returns `unknown` for an invalid address.
 */
export function toCallerNetwork(address: string | null): string {
  if (address === null || !ipaddr.isValid(address)) return "unknown";
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()}/64`;
}

export type IpRange = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Parses an address or CIDR range, or returns null. A range of mapped IPv4 addresses becomes an IPv4 range. */
export function parseRange(entry: string): IpRange | null {
  const text = entry.includes("/") ? entry : `${entry}/${entry.includes(":") ? 128 : 32}`;
  // Rejects octal, hexadecimal and short forms. ipaddr.js accepts them, but with meanings that users may not expect.
  if (!/^(\d{1,3}(\.\d{1,3}){3}\/\d{1,2}|(?=[0-9a-f.]*:)[0-9a-f:.]+\/\d{1,3})$/i.test(text)) return null;
  if (!text.includes(":") && /(^|\.)0\d/.test(text)) return null;
  try {
    const [address, bits] = ipaddr.parseCIDR(text);
    if (address.kind() === "ipv6" && (address as ipaddr.IPv6).isIPv4MappedAddress()) {
      return bits < 96 ? null : [(address as ipaddr.IPv6).toIPv4Address(), bits - 96];
    }
    return [address, bits];
  } catch {
    return null;
  }
}

export function contains([network, bits]: IpRange, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return network.kind() === address.kind() && address.match([network, bits] as never);
}
