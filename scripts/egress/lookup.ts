import { Resolver } from "node:dns/promises";
import { readFileSync, statSync } from "node:fs";
import { isIP } from "node:net";
import { join } from "node:path";

/** The timeout of the first query to a DNS server. The timeout of the second query is twice as long. */
const TRY_TIMEOUT_MS = 2000;
const TRIES = 2;
const LOOKUP_TIMEOUT_MS = 5000;

const LOOPBACK: Address[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

export interface Address {
  address: string;
  family: number;
}

/** Resolves a name to all of its addresses. Rejects if the name has no address, or after a timeout of 5 seconds. */
export type Lookup = (name: string) => Promise<Address[]>;

export interface LookupOptions {
  /** The path of the hosts file. Default: the system's hosts file. */
  hostsFile?: string;
  /** The DNS servers, as `address:port`. Default: the system's DNS servers. */
  servers?: string[];
}

/**
 * Creates a lookup that reads the hosts file and then queries DNS. It doesn't use getaddrinfo, because getaddrinfo
 * blocks one of Node's four threads for each name. A few slow name servers would then delay all other lookups.
 * Concurrent lookups of the same name share one query. Results aren't cached.
 */
export function makeLookup({ hostsFile = systemHostsFile(), servers }: LookupOptions = {}): Lookup {
  const hosts = new HostsFile(hostsFile);
  const pendingLookups = new Map<string, Promise<Address[]>>();
  return async (text) => {
    const name = text.toLowerCase().replace(/\.$/, "");
    const family = isIP(name);
    if (family !== 0) return [{ address: name, family }];
    const listed = hosts.find(name);
    if (listed !== null) return listed;
    // These names must not be sent to DNS (RFC 6761, section 6.3).
    if (name === "localhost" || name.endsWith(".localhost")) return LOOPBACK;
    const shared = pendingLookups.get(name);
    if (shared !== undefined) return await shared;
    const query = queryDns(name, servers).finally(() => pendingLookups.delete(name));
    pendingLookups.set(name, query);
    return await query;
  };
}

/** Queries both address families. Throws the error of the IPv4 query if neither family has an address. */
async function queryDns(name: string, servers: string[] | undefined): Promise<Address[]> {
  // Creates a resolver for each lookup, because `cancel` ends all queries of a resolver. A new resolver also reads the
  // system's current DNS servers.
  const resolver = new Resolver({ timeout: TRY_TIMEOUT_MS, tries: TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  const deadline = setTimeout(() => resolver.cancel(), LOOKUP_TIMEOUT_MS);
  try {
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = [
      ...(four.status === "fulfilled" ? four.value : []).map((address) => ({ address, family: 4 })),
      ...(six.status === "fulfilled" ? six.value : []).map((address) => ({ address, family: 6 })),
    ];
    // Addresses of one family are enough. Many names have addresses of only one family, and some name servers don't
    // respond to queries for the other family.
    if (addresses.length > 0) return addresses;
    throw four.status === "rejected" ? four.reason : new Error(`${name} has no address.`);
  } finally {
    clearTimeout(deadline);
  }
}

function systemHostsFile(): string {
  if (process.platform !== "win32") return "/etc/hosts";
  return join(process.env.SystemRoot ?? "C:\\Windows", "System32", "drivers", "etc", "hosts");
}

/** The entries of a hosts file (see hosts(5)). Reads the file again when it changes. */
class HostsFile {
  readonly #path: string;
  #changedAt: number | null = null;
  #addresses = new Map<string, Address[]>();

  constructor(path: string) {
    this.#path = path;
  }

  /** Returns the addresses of a lowercase name, or null if the file doesn't have it. */
  find(name: string): Address[] | null {
    try {
      const { mtimeMs } = statSync(this.#path);
      if (mtimeMs !== this.#changedAt) this.#addresses = parseHosts(readFileSync(this.#path, "utf8"));
      this.#changedAt = mtimeMs;
    } catch {
      // If the hosts file doesn't exist or isn't readable, lookups only use DNS.
      this.#addresses = new Map();
      this.#changedAt = null;
    }
    return this.#addresses.get(name) ?? null;
  }
}

function parseHosts(text: string): Map<string, Address[]> {
  const found = new Map<string, Address[]>();
  for (const line of text.split("\n")) {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().split(/\s+/);
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of names) {
      const key = name.toLowerCase().replace(/\.$/, "");
      found.set(key, [...(found.get(key) ?? []), { address, family }]);
    }
  }
  return found;
}

/**
 * The default lookup, which the whole process shares. It needs the class HostsFile, so it is at the end of the file.
 */
export const lookup: Lookup = makeLookup();
