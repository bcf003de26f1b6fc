import { TimeoutError, withTimeout } from "../lib/async";
import { now } from "../lib/clock";
import { log, toLogged } from "../lib/log";
import { AppError } from "../model/errors";
import { SECOND_MS } from "../model/limits";
import {
  deniesNetworks,
  type EgressPolicy,
  findDeniedAddress,
  findRefusal,
  findResolvedRefusal,
  isExempt,
} from "./egress";
import { outboundFetch } from "./outbound-fetch";

const CACHED_MS = 10 * SECOND_MS;
const MAX_CACHED = 500;
const TIMEOUT_MS = 5 * SECOND_MS;
/** The numbers of DNS record types (RFC 1035, section 3.2.2, and RFC 3596). */
const TYPES = { A: 1, AAAA: 28 } as const;
/** The numbers of response codes (RFC 1035, section 4.1.1). */
const NO_ERROR = 0;
const SERVER_FAILURE = 2;
const NAME_ERROR = 3;
/** The resolver on Cloudflare, where no resolver is configured. */
const PUBLIC_RESOLVER = "https://cloudflare-dns.com/dns-query";

/**
 * Checks a URL against the egress policy. If a resolver is configured, also checks every address of the URL's host
 * name.
 *
 * On Cloudflare no resolver is needed: a Worker's fetch only reaches public addresses (`global_fetch_strictly_public`),
 * and the browsers run outside of our network. A self-hosted instance with untrusted users also needs the filtering
 * proxy or a firewall, because a host name's address may change between this check and the fetch.
 */
export class Resolver {
  readonly #endpoint: string;
  readonly #cache = new Map<string, { until: number; addresses: string[] }>();
  readonly #pending = new Map<string, Promise<string[]>>();

  /** `endpoint`: the URL of a DNS resolver with a JSON API. If it is empty, host names aren't resolved. */
  constructor(endpoint: string) {
    this.#endpoint = endpoint;
  }

  /** Returns why the URL must not be requested, or null. Throws AppError `dns_failure` without an address. */
  async findRefusal(url: string | URL, policy: EgressPolicy): Promise<string | null> {
    return (await this.#check(url, policy)).reason;
  }

  /**
   * Checks a URL before a connection over a socket, which can reach private addresses outside Cloudflare. Returns a
   * checked address to connect to. Returns null if the connection uses the URL's host: for an IP address, for an exempt
   * host, and without a resolver, because sockets on Cloudflare can't reach private addresses. In this case, a public
   * resolver finds the errors of the name. Throws AppError `invalid_target` or `dns_failure`.
   */
  async findAddress(url: URL, policy: EgressPolicy): Promise<string | null> {
    const resolver = this.#endpoint === "" ? new Resolver(PUBLIC_RESOLVER) : this;
    const { reason, addresses } = await resolver.#check(url, policy);
    if (reason !== null) throw new AppError("invalid_target", reason);
    return resolver === this ? (addresses[0] ?? null) : null;
  }

  /**
   * Returns the reason why the URL must not be requested, and the checked addresses of its host name. There are no
   * addresses if the host name isn't resolved. A caller that connects to an address must use one of these. A second
   * lookup could return other addresses.
   */
  async #check(url: string | URL, policy: EgressPolicy): Promise<{ reason: string | null; addresses: string[] }> {
    const reason = findRefusal(url, policy);
    if (reason !== null) return { reason, addresses: [] };
    const target = new URL(url);
    if (isLiteral(target.hostname)) return { reason: null, addresses: [] };
    const name = target.hostname.replace(/\.$/, "");
    if (isExempt(target, policy)) return { reason: await this.#findExemptRefusal(name, policy), addresses: [] };
    const addresses = this.#endpoint === "" ? await findPublicAddresses(name, policy) : await this.#resolve(name);
    const refused = findFirst(addresses, (address) => findResolvedRefusal(address, name, policy));
    return refused === null ? { reason: null, addresses } : { reason: refused, addresses: [] };
  }

  /** Exempt hosts may have any address, except those of the deny lists. */
  async #findExemptRefusal(name: string, policy: EgressPolicy): Promise<string | null> {
    if (!deniesNetworks(policy)) return null;
    // An operator's own host can have a name that only the operator's network knows.
    const addresses =
      this.#endpoint === "" ? await findPublicAddresses(name, policy) : await this.#resolve(name).catch(() => []);
    return findFirst(addresses, (address) => findDeniedAddress(address, name, policy));
  }

  async #resolve(name: string): Promise<string[]> {
    const cached = this.#cache.get(name);
    if (cached !== undefined && cached.until > now()) return cached.addresses;
    const pending = this.#pending.get(name);
    const shared = pending === undefined ? null : await this.#share(name, pending);
    if (shared !== null) return shared;
    const lookup = lookUp(name, this.#endpoint);
    this.#pending.set(name, lookup);
    try {
      const addresses = await lookup;
      this.#keep(name, addresses);
      return addresses;
    } finally {
      if (this.#pending.get(name) === lookup) this.#pending.delete(name);
    }
  }

  /** Waits for the addresses of another request's lookup. Returns null after a timeout, because the lookup may never end. */
  async #share(name: string, lookup: Promise<string[]>): Promise<string[] | null> {
    try {
      return await withTimeout(TIMEOUT_MS, lookup);
    } catch (error) {
      if (!(error instanceof TimeoutError)) throw error;
      if (this.#pending.get(name) === lookup) this.#pending.delete(name);
      return null;
    }
  }

  #keep(name: string, addresses: string[]): void {
    // Removes the oldest entries to make room for the new one.
    this.#cache.delete(name);
    for (const oldest of this.#cache.keys()) {
      if (this.#cache.size < MAX_CACHED) break;
      this.#cache.delete(oldest);
    }
    this.#cache.set(name, { until: now() + CACHED_MS, addresses });
  }
}

function findFirst(addresses: string[], find: (address: string) => string | null): string | null {
  return addresses.map(find).find((reason) => reason !== null) ?? null;
}

/** Returns true for an IP address. The URL parser has normalized it, so only IPv4 addresses end in a number. */
function isLiteral(hostname: string): boolean {
  return hostname.startsWith("[") || /(?:^|\.)\d+$/.test(hostname);
}

/**
 * Returns the addresses that the public resolver has for a name, if a deny list has networks. Otherwise, or if the
 * lookup fails, returns an empty list. Without a configured resolver, the request itself fails if the name doesn't
 * exist.
 */
async function findPublicAddresses(name: string, policy: EgressPolicy): Promise<string[]> {
  if (!deniesNetworks(policy)) return [];
  try {
    return await lookUp(name, PUBLIC_RESOLVER);
  } catch (error) {
    log("warn", "name_not_checked", toLogged(error));
    return [];
  }
}

async function lookUp(name: string, resolver: string): Promise<string[]> {
  const addressLists = await Promise.all((["A", "AAAA"] as const).map((type) => query(name, type, resolver)));
  const addresses = addressLists.flat();
  if (addresses.length === 0) throw new AppError("dns_failure", `The name ${name} could not be resolved.`);
  return addresses;
}

interface DnsAnswer {
  Status: number;
  Answer?: { type: number; data: string }[];
}

/**
 * Returns true if one DNS query shows that the host name can't be resolved. Returns false for an IP address, for a name
 * without a dot, and if the query fails. `resolver` can be empty.
 */
export async function isUnknownName(hostname: string, resolver: string): Promise<boolean> {
  const name = hostname.replace(/\.$/, "");
  if (isLiteral(name) || !name.includes(".")) return false;
  try {
    const { Status } = await fetchAnswer(name, "A", resolver || PUBLIC_RESOLVER);
    return Status === NAME_ERROR || Status === SERVER_FAILURE;
  } catch (error) {
    log("warn", "name_not_checked", toLogged(error));
    return false;
  }
}

/**
 * Queries a resolver with the `application/dns-json` format of Cloudflare and Google. Returns the addresses of one
 * type.
 */
async function query(name: string, type: keyof typeof TYPES, resolver: string): Promise<string[]> {
  try {
    const { Status, Answer = [] } = await fetchAnswer(name, type, resolver);
    if (Status !== NO_ERROR) return [];
    return Answer.filter((answer) => answer.type === TYPES[type]).map((answer) => answer.data);
  } catch (cause) {
    throw new AppError("dns_failure", `The name ${name} could not be resolved.`, { cause });
  }
}

/** Sends one query. Throws if the resolver doesn't respond with a DNS answer. */
async function fetchAnswer(name: string, type: keyof typeof TYPES, resolver: string): Promise<DnsAnswer> {
  const url = new URL(resolver);
  url.searchParams.set("name", name);
  url.searchParams.set("type", type);
  const response = await outboundFetch(url, {
    headers: { accept: "application/dns-json" },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`The resolver responded with status ${response.status}.`);
  return await response.json<DnsAnswer>();
}
