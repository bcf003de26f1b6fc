import ipaddr from "ipaddr.js";

/** The address that the Workers of other customers share: a list with it on would let all of them in. */
const SHARED_BY_WORKERS = "2a06:98c0:3600::103";

/** What is wrong with an entry of an allow-list, or null. Takes CIDRs and single addresses, v4 and v6. */
export function cidrProblem(entry: string): string | null {
  const range = parseRange(entry);
  if (range === null) return "must be an address range in CIDR form, such as 203.0.113.0/24 or 2001:db8::/32";
  if (contains(range, ipaddr.parse(SHARED_BY_WORKERS))) {
    return `must not contain ${SHARED_BY_WORKERS}, the address that the Workers of other customers share`;
  }
  return null;
}

/** `203.0.113.7/24` as `203.0.113.0/24`: the same range, written one way. The entry must be valid. */
export function toCanonicalCidr(entry: string): string {
  const range = parseRange(entry);
  if (range === null) throw new Error(`Not a CIDR: ${entry}.`);
  const [address, bits] = range;
  const network =
    address.kind() === "ipv4"
      ? ipaddr.IPv4.networkAddressFromCIDR(`${address}/${bits}`)
      : ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`);
  return `${network.toString()}/${bits}`;
}

/** May this address ask? An empty list lets every address; an address that can't be read is in no list. */
export function isAllowedAddress(address: string | null, allowed: string[]): boolean {
  if (allowed.length === 0) return true;
  if (address === null || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return allowed.some((entry) => {
    const range = parseRange(entry);
    return range !== null && contains(range, parsed);
  });
}

/** True when every address of `inner` is in some range of `outer`; an empty list means every address. */
export function isWithin(inner: string[], outer: string[]): boolean {
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

/** What failed authentications are counted by: a v4 address, or the /64 of a v6 one, which is one caller's. */
export function toCallerNetwork(address: string | null): string {
  if (address === null || !ipaddr.isValid(address)) return "unknown";
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()}/64`;
}

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

function parseRange(entry: string): Range | null {
  const text = entry.includes("/") ? entry : `${entry}/${entry.includes(":") ? 128 : 32}`;
  // ipaddr.js also reads octal, hex and short forms, which people mean otherwise than it does.
  if (!/^(\d{1,3}(\.\d{1,3}){3}\/\d{1,2}|[0-9a-f:.]*:[0-9a-f:.]*\/\d{1,3})$/i.test(text)) return null;
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

function contains([network, bits]: Range, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return network.kind() === address.kind() && address.match([network, bits] as never);
}
