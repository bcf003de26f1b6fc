import ipaddr from "ipaddr.js";
import { AppError } from "../model/errors";
import type { Denied } from "./denied";

export interface EgressPolicy {
  /** The `host:port` exceptions from ALLOWED_PRIVATE_HOSTS in the URL parser's spelling, such as `[::1]:8080`. */
  allowed: ReadonlySet<string>;
  /** The service's own host names, without a trailing dot. Requests to them are refused on every port. */
  ownHosts: ReadonlySet<string>;
  /** The deny lists. Null if none apply. They also apply to exempt hosts. */
  denied: Denied | null;
}

const NOT_A_URL = "The URL is not valid. It must be absolute, like https://example.com/page.";
const MAX_HOST_CHARS = 253;

// Ports of other protocols, such as SMTP, SSH and IRC. Their servers could misread an HTTP request:
// https://fetch.spec.whatwg.org/#port-blocking.
const BAD_PORTS: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

const LOCAL_NAME = "a local network name";
const NON_DNS_NAME = "a name outside the public DNS";
// The top-level domains that are refused, from RFC 6761, 6762 (appendix G), 7686, 8375 and 9476, and ICANN's
// `.internal`. `.example` isn't listed, because RFC 6761 leaves it to the DNS.
const REFUSED_TLDS: ReadonlyMap<string, string> = new Map([
  ["localhost", "a loopback name"],
  ["localdomain", LOCAL_NAME],
  ["local", LOCAL_NAME],
  ["internal", LOCAL_NAME],
  ["intranet", LOCAL_NAME],
  ["private", LOCAL_NAME],
  ["corp", LOCAL_NAME],
  ["home", LOCAL_NAME],
  ["lan", LOCAL_NAME],
  ["arpa", "a name of the DNS's own infrastructure"],
  ["onion", NON_DNS_NAME],
  ["alt", NON_DNS_NAME],
  ["test", "a name reserved for tests"],
  ["invalid", "a reserved name that never exists"],
]);

const WRAPPED_IPV4 = "an IPv4 address wrapped in IPv6";
const PRIVATE = "a private address";
// Descriptions of ipaddr.js's address ranges. Ranges that aren't listed are reserved.
const RANGES: ReadonlyMap<string, string> = new Map([
  ["unspecified", "an unspecified address"],
  ["loopback", "a loopback address"],
  ["private", PRIVATE],
  ["uniqueLocal", PRIVATE],
  ["deprecatedSiteLocal", PRIVATE],
  ["carrierGradeNat", PRIVATE],
  ["linkLocal", "a link-local address"],
  ["multicast", "a multicast address"],
  ["broadcast", "the broadcast address"],
  ["ipv4Mapped", WRAPPED_IPV4],
  ["rfc6145", WRAPPED_IPV4],
  ["rfc6052", WRAPPED_IPV4],
  ["6to4", WRAPPED_IPV4],
  ["teredo", WRAPPED_IPV4],
]);

const RESERVED = "a reserved address";
// The metadata and DNS server of Azure. Its address is public, but only machines inside Azure can reach it.
const AZURE_HOST = "168.63.129.16";
const IPV4_COMPATIBLE = ipaddr.IPv6.parseCIDR("::/96");
/** Matches ISATAP addresses (RFC 5214) with any prefix, u and g bits, and IPv4 address. */
const ISATAP = /^(?:\w+:){4}(?:0|[123]00):5efe:/;
// The only range from which IANA has allocated IPv6 addresses.
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Parses the policy from ALLOWED_PRIVATE_HOSTS ("host:port, host:port") and the service's own origins. Throws an Error
 * that names the invalid entry. `denied` are the deny lists that apply.
 */
export function parseEgressPolicy(
  allowedPrivateHosts: string | undefined,
  ownOrigins: (string | undefined)[],
  denied: Denied | null = null,
): EgressPolicy {
  const entries = (allowedPrivateHosts ?? "").split(",").map((entry) => entry.trim());
  return {
    allowed: new Set(entries.filter(Boolean).map(parseHostPort)),
    ownHosts: new Set(ownOrigins.flatMap((origin) => (origin ? [parseOwnHost(origin)] : []))),
    denied,
  };
}

/** Returns true if `policy.allowed` exempts the URL's host and port from the rules for hosts, ports and addresses. */
export function isExempt(url: URL, policy: EgressPolicy): boolean {
  return policy.allowed.has(`${hostOf(url)}:${portOf(url)}`);
}

/**
 * Returns the reason why a URL must not be requested, as a sentence for the caller. Returns null if it is allowed.
 * Every request, redirect, subresource and webhook must pass this check. The check doesn't resolve names, so a public
 * name with a private address (`127.0.0.1.nip.io`, DNS rebinding) passes. `findAddressRefusal` checks the resolved
 * addresses.
 */
export function findRefusal(url: string | URL, policy: EgressPolicy): string | null {
  const target = URL.parse(url);
  if (target === null) return NOT_A_URL;
  if (target.protocol !== "http:" && target.protocol !== "https:")
    return "The URL must begin with http:// or https://.";
  if (target.username !== "" || target.password !== "") return "The URL must not contain a user name or password.";
  const host = hostOf(target);
  if (policy.denied !== null && isDenied(target, policy)) return describeDenied(host, policy.denied);
  if (isExempt(target, policy)) return null;
  if (BAD_PORTS.has(portOf(target)))
    return `Port ${portOf(target)} is not allowed, because it belongs to a protocol other than HTTP.`;
  return hostRefusal(host, policy);
}

/** Returns true if a deny list contains the URL's host. */
export function isDenied(url: URL, { denied }: EgressPolicy): boolean {
  return denied?.lists.some((list) => list.hasHost(hostOf(url))) === true;
}

/** Returns true if the host names of targets must be resolved, because a deny list has networks. */
export function deniesNetworks({ denied }: EgressPolicy): boolean {
  return denied?.lists.some((list) => list.hasNetworks) === true;
}

function describeDenied(host: string, { contact }: Denied): string {
  const reason = `${host} is on the deny list of this service's operator.`;
  return contact === null ? reason : `${reason} Contact the operator: ${contact}`;
}

/** Parses a URL, resolves it against `base`, and checks it. Throws AppError `invalid_target`. */
export function checkTarget(url: string, policy: EgressPolicy, base?: string | URL): URL {
  const target = URL.parse(url, base);
  if (target === null) throw new AppError("invalid_target", NOT_A_URL);
  const reason = findRefusal(target, policy);
  if (reason !== null) throw new AppError("invalid_target", reason);
  return target;
}

/** Returns why an address (IPv6 without brackets) must not be requested, or null. `host` is for the message. */
export function findResolvedRefusal(address: string, host: string, policy: EgressPolicy): string | null {
  const denied = findDeniedAddress(address, host, policy);
  if (denied !== null) return denied;
  const refusal = findAddressRefusal(address);
  return refusal === null ? null : `${host} resolves to a forbidden address: ${refusal}`;
}

/** Returns the reason why an address of a host must not be requested if a deny list contains it, or null. */
export function findDeniedAddress(address: string, host: string, { denied }: EgressPolicy): string | null {
  return denied?.lists.some((list) => list.hasAddress(address)) === true ? describeDenied(host, denied) : null;
}

/** Returns the reason why an IP address is refused, or null if it is public. IPv6 addresses have no brackets. */
export function findAddressRefusal(address: string): string | null {
  const kind = addressKind(address);
  return kind === null ? null : `${address} is ${kind}.`;
}

/** Returns a description of a forbidden address, such as "a private address". Returns null for a public address. */
function addressKind(address: string): string | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) {
    return address === AZURE_HOST ? RESERVED : rangeKind(ipaddr.IPv4.parse(address));
  }
  if (address.includes("%") || !ipaddr.IPv6.isValid(address)) return "not an IP address";
  const ip = ipaddr.IPv6.parse(address);
  const kind = rangeKind(ip);
  if (kind !== null) return kind;
  if (ip.match(IPV4_COMPATIBLE) || ISATAP.test(ip.toNormalizedString())) return WRAPPED_IPV4;
  return ip.match(GLOBAL_UNICAST) ? null : RESERVED;
}

function rangeKind(ip: ipaddr.IPv4 | ipaddr.IPv6): string | null {
  const range = ip.range();
  return range === "unicast" ? null : (RANGES.get(range) ?? RESERVED);
}

/** Returns the reason why a host is refused, or null. `host` must have the form that `hostOf` returns. */
function hostRefusal(host: string, policy: EgressPolicy): string | null {
  if (policy.ownHosts.has(host)) return `${host} is this service's own host.`;
  if (host.startsWith("[")) return findAddressRefusal(host.slice(1, -1));
  if (ipaddr.IPv4.isValidFourPartDecimal(host)) return findAddressRefusal(host);
  const labels = host.split(".");
  if (host.length > MAX_HOST_CHARS || labels.includes("")) return "The URL's host name is not valid.";
  const tld = REFUSED_TLDS.get(labels.at(-1) ?? "");
  if (tld !== undefined) return `${host} is ${tld}.`;
  return labels.length === 1 ? `${host} is not a public host name: it has no dot.` : null;
}

/** Returns the hostname without a trailing dot: IPv4 in four parts, IPv6 in brackets, or a name in lower case. */
function hostOf(url: URL): string {
  return url.hostname.replace(/\.$/, "");
}

function portOf(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "https:" ? 443 : 80;
}

function parseHostPort(entry: string): string {
  const [, host = "", port = ""] = /^([^\s:/?#@*\\]+|\[[0-9a-f:.]+\]):(\d{1,5})$/i.exec(entry) ?? [];
  const url = URL.parse(`http://${host}`);
  if (url === null || hostOf(url) === "" || Number(port) < 1 || Number(port) > 65_535) {
    throw new Error(
      `ALLOWED_PRIVATE_HOSTS: "${entry}" is not valid. Use host:port, like localhost:3000 or [::1]:3000.`,
    );
  }
  return `${hostOf(url)}:${Number(port)}`;
}

function parseOwnHost(origin: string): string {
  const url = URL.parse(origin);
  if (url === null || url.hostname === "")
    throw new Error(`"${origin}" is not a valid origin. Use a form like https://api.example.com.`);
  return hostOf(url);
}
