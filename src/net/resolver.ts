import { now, sleep } from "../lib/clock";
import { AppError } from "../model/errors";
import { SECOND_MS } from "../model/limits";
import { addressRefusal, type EgressPolicy, isExempt, refusal } from "./egress";

const CACHED_MS = 10 * SECOND_MS;
const MAX_CACHED = 500;
const TIMEOUT_MS = 5 * SECOND_MS;
/** RFC 1035, 3.2.2, and RFC 3596. */
const TYPES = { A: 1, AAAA: 28 } as const;
const NO_ERROR = 0;

/**
 * The egress policy's whole question: the address as it is written, and, where a resolver is configured, every address that
 * its name has.
 *
 * On the platform no resolver is needed: a Worker's fetch takes the public way alone (`global_fetch_strictly_public`), and
 * its browsers run elsewhere. A name that changes between this look and the fetch passes: an instance of one's own that is
 * open to strangers needs a firewall as well.
 */
export class Resolver {
  readonly #endpoint: string;
  readonly #cache = new Map<string, { until: number; addresses: string[] }>();
  readonly #underWay = new Map<string, Promise<string[]>>();

  /** `endpoint` speaks DNS as JSON; empty: names aren't resolved. */
  constructor(endpoint: string) {
    this.#endpoint = endpoint;
  }

  /** Null when it may be asked, else the reason. Throws AppError `dns_failure` for a name without an address. */
  async refusal(url: string | URL, policy: EgressPolicy): Promise<string | null> {
    const reason = refusal(url, policy);
    if (reason !== null || this.#endpoint === "") return reason;
    const target = new URL(url);
    if (isExempt(target, policy) || isLiteral(target.hostname)) return null;
    const name = target.hostname.replace(/\.$/, "");
    for (const address of await this.#resolve(name)) {
      const kind = addressRefusal(address);
      if (kind !== null) return `${name} leads to a forbidden address: ${kind}`;
    }
    return null;
  }

  async #resolve(name: string): Promise<string[]> {
    const cached = this.#cache.get(name);
    if (cached !== undefined && cached.until > now()) return cached.addresses;
    const shared = await this.#share(name);
    if (shared !== null) return shared;
    const looking = look(name, this.#endpoint);
    this.#underWay.set(name, looking);
    try {
      const addresses = await looking;
      this.#keep(name, addresses);
      return addresses;
    } finally {
      if (this.#underWay.get(name) === looking) this.#underWay.delete(name);
    }
  }

  /**
   * What another look-up of this name brings; null when there is none. One that was begun for a request which has ended
   * meanwhile may never end itself: nobody waits for it longer than it may take.
   */
  async #share(name: string): Promise<string[] | null> {
    const looking = this.#underWay.get(name);
    if (looking === undefined) return null;
    const over = new AbortController();
    try {
      const late = sleep(TIMEOUT_MS, over.signal).then(() => null);
      late.catch(() => {});
      const addresses = await Promise.race([looking, late]);
      if (addresses === null && this.#underWay.get(name) === looking) this.#underWay.delete(name);
      return addresses;
    } finally {
      over.abort();
    }
  }

  #keep(name: string, addresses: string[]): void {
    // Old ones leave in the order in which they came.
    this.#cache.delete(name);
    for (const oldest of this.#cache.keys()) {
      if (this.#cache.size < MAX_CACHED) break;
      this.#cache.delete(oldest);
    }
    this.#cache.set(name, { until: now() + CACHED_MS, addresses });
  }
}

/** URL parsers write every IPv4 address in four parts, and no name ends in a number. */
function isLiteral(hostname: string): boolean {
  return hostname.startsWith("[") || /(?:^|\.)\d+$/.test(hostname);
}

async function look(name: string, resolver: string): Promise<string[]> {
  const answers = await Promise.all((["A", "AAAA"] as const).map((type) => ask(name, type, resolver)));
  const addresses = answers.flat();
  if (addresses.length === 0) throw new AppError("dns_failure", `The name ${name} could not be resolved.`);
  return addresses;
}

interface DnsAnswer {
  Status: number;
  Answer?: { type: number; data: string }[];
}

/** Asks in the JSON that public resolvers speak (`application/dns-json`, as Cloudflare's and Google's). */
async function ask(name: string, type: keyof typeof TYPES, resolver: string): Promise<string[]> {
  const url = new URL(resolver);
  url.searchParams.set("name", name);
  url.searchParams.set("type", type);
  try {
    const response = await fetch(url, {
      headers: { accept: "application/dns-json" },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`The resolver answered with status ${response.status}.`);
    const { Status, Answer = [] } = await response.json<DnsAnswer>();
    if (Status !== NO_ERROR) return [];
    return Answer.filter((answer) => answer.type === TYPES[type]).map((answer) => answer.data);
  } catch (cause) {
    throw new AppError("dns_failure", `The name ${name} could not be resolved.`, { cause });
  }
}
