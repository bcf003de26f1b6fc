import type { ContentSignals } from "../model/crawl";
import { MAX_CRAWL_DELAY_S, MINUTE_MS, SECOND_MS } from "../model/limits";
import type { FetchedRobots } from "../site/fetch-resource";
import { ALLOW_ALL, crawlDelayOf, isAllowed, type Robots, rulesFor, toRule, toStepCounter } from "../site/robots";

/** The number of pages of a host that a crawl requests at a time. */
export const MAX_PER_HOST = 2;
/** The maximum number of retries of a page whose target is busy. */
const MAX_BUSY_TRIES = 4;
const FIRST_PENALTY_MS = 2 * SECOND_MS;
const MAX_PENALTY_MS = 5 * MINUTE_MS;
const MAX_ROBOTS_TRIES = 3;
const ROBOTS_RETRY_MS = 5 * SECOND_MS;
/** The maximum number of hosts whose robots.txt is kept although only a redirect leads to them. */
const MAX_REDIRECT_HOSTS = 100;
/** The errors of a host that doesn't respond. Its robots.txt counts as empty, and its pages fail the same way. */
const NO_RESPONSE: ReadonlySet<string> = new Set(["dns_failure", "connection_failed", "tls_failure", "invalid_target"]);

interface HostRow extends Record<string, SqlStorageValue> {
  robots: string | null;
  tries: number;
  penalty_ms: number;
}

/** The rules of a host, prepared for many URLs. */
interface HostRobots extends Robots {
  /** Returns the steps of about 50 ns for comparing a URL of this length with the rules. */
  countSteps: (urlChars: number) => number;
}

/** The maximum number of parsed rules in memory. They take about 20 MB. */
const MAX_KEPT_RULES = 100_000;

/** The hosts of a crawl, with their robots.txt and the earliest start of their next pages. */
export class Hosts {
  readonly #sql: SqlStorage;
  readonly #robots = new Map<string, HostRobots>();
  #keptRules = 0;
  /** The number of rules that this instance has parsed. */
  parsedRules = 0;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  read(host: string): HostRow | null {
    const [row] = this.#sql
      .exec<HostRow>("SELECT robots, tries, penalty_ms FROM hosts WHERE host = ?1", host)
      .toArray();
    return row ?? null;
  }

  /** Returns the rules of a host. Null if they haven't been read yet. */
  robotsOf(host: string): HostRobots | null {
    const known = this.#robots.get(host);
    if (known !== undefined) return known;
    const { robots = null } = this.read(host) ?? {};
    if (robots === null) return null;
    const parsed = fromStoredRobots(robots);
    const rules = rulesFor(parsed);
    this.parsedRules += rules.length;
    this.#keptRules += rules.length;
    if (this.#keptRules > MAX_KEPT_RULES) {
      this.#robots.clear();
      this.#keptRules = rules.length;
    }
    const prepared = { ...parsed, countSteps: toStepCounter(rules) };
    this.#robots.set(host, prepared);
    return prepared;
  }

  /**
   * Stores the rules of a host, or counts the failed attempt to read them. Returns a note for the crawl's caller if the
   * crawl takes long or omits the host's pages, or null.
   */
  applyRobots(host: string, fetched: FetchedRobots, now: number): string | null {
    const { error } = fetched;
    const tries = (this.read(host)?.tries ?? 0) + 1;
    if (!isFinal(fetched) && tries < MAX_ROBOTS_TRIES) {
      const nextAt = now + ROBOTS_RETRY_MS * tries;
      this.#run("UPDATE hosts SET tries = tries + 1, next_at = MAX(next_at, ?2) WHERE host = ?1", host, nextAt);
      return null;
    }
    const robots = rulesOf(fetched);
    const delay = crawlDelayOf(robots);
    const delayMs = delay === null ? null : delay * SECOND_MS;
    this.#robots.delete(host);
    this.#run("INSERT OR IGNORE INTO hosts (host) VALUES (?1)", host);
    this.#run("UPDATE hosts SET robots = ?2, delay_ms = ?3 WHERE host = ?1", host, toStoredRobots(robots), delayMs);
    if (error !== null && !isFinal(fetched))
      return `The robots.txt of ${host} couldn't be read: ${error.message} The pages of this host weren't visited.`;
    return delay !== null && delay > MAX_CRAWL_DELAY_S ? toDelayNote(host, delay) : null;
  }

  /** Keeps the rules of a host to which a page redirects. A file that couldn't be read is read again when it is needed. */
  keepRobots(host: string, fetched: FetchedRobots): void {
    const [row] = this.#sql.exec<{ hosts: number }>("SELECT COUNT(*) AS hosts FROM hosts").toArray();
    const isKept = this.read(host) !== null || (row?.hosts ?? 0) < MAX_REDIRECT_HOSTS;
    if (isKept && isFinal(fetched)) this.applyRobots(host, fetched, 0);
  }

  /** Sets the earliest time (Unix ms) at which the next page of the host may start. */
  delayNext(host: string, nextAt: number): void {
    this.#run("UPDATE hosts SET next_at = MAX(next_at, ?2) WHERE host = ?1", host, nextAt);
  }

  /** Ends the penalty of a host that responds again. */
  endPenalty(host: string): void {
    this.#run("UPDATE hosts SET penalty_ms = 0 WHERE host = ?1 AND penalty_ms > 0", host);
  }

  /**
   * Returns the delay before the retry of a page whose host responded with 429 or 503. Returns null after the last
   * retry. The first failure of a page also delays the next pages of the host. This delay grows until a page responds.
   * Later failures of the same page don't delay other pages, because a single URL can be unavailable permanently.
   */
  punish(host: string, { tries, retryAfterMs, now }: { tries: number; retryAfterMs: number | null; now: number }) {
    const leastMs = retryAfterMs ?? 0;
    if (tries === 0) {
      const penalty = this.read(host)?.penalty_ms ?? 0;
      const growing = penalty === 0 ? FIRST_PENALTY_MS : penalty * 2;
      const delayMs = Math.min(Math.max(leastMs, growing), MAX_PENALTY_MS);
      this.#run("UPDATE hosts SET penalty_ms = ?2 WHERE host = ?1", host, delayMs);
      this.delayNext(host, now + delayMs);
      return delayMs;
    }
    return tries >= MAX_BUSY_TRIES ? null : Math.min(Math.max(leastMs, FIRST_PENALTY_MS * 2 ** tries), MAX_PENALTY_MS);
  }

  #run(query: string, ...values: SqlStorageValue[]): void {
    this.#sql.exec(query, ...values).toArray();
  }
}

/** Returns the rules for a host's pages. A host that sends no response has no rules. */
export function rulesOf({ robots, error }: FetchedRobots): Robots {
  return error !== null && NO_RESPONSE.has(error.code) ? ALLOW_ALL : robots;
}

/** Returns false if another attempt may read the robots.txt. A robots.txt that redirects too often counts as missing. */
function isFinal({ error }: FetchedRobots): boolean {
  return error === null || error.code === "too_many_redirects" || NO_RESPONSE.has(error.code);
}

/** Returns the reason why a page must not redirect to this URL, or null if the rules of its host allow it. */
export function findRobotsRefusal(url: string, robots: Robots): string | null {
  if (isAllowed(robots, url)) return null;
  return `The page redirects to ${url}, but the robots.txt of this host doesn't allow the URL, or couldn't be read. Set 'robots' to 'ignore' if you may visit it anyway.`;
}

function toDelayNote(host: string, seconds: number): string {
  return `The robots.txt of ${host} requires a delay of ${seconds} seconds between two pages, so the crawl is slow. Set 'robots' to 'ignore' if you may crawl the site faster.`;
}

/** The stored form of a robots.txt. Each rule is `+` (allow) or `-` (disallow), followed by the pattern. */
interface StoredRobots {
  rules: string[];
  sitemaps: readonly string[];
  /** Missing in rows of older versions. */
  signals?: ContentSignals | undefined;
}

/** Returns the rules for this service as short JSON. A row can have 2 MB, and a robots.txt 64,000 rules. */
export function toStoredRobots(robots: Robots): string {
  const rules = rulesFor(robots).map(({ isAllowed, pattern }) => `${isAllowed ? "+" : "-"}${pattern}`);
  const { sitemaps, signals } = robots;
  return JSON.stringify({ rules: [...new Set(rules)], sitemaps, signals } satisfies StoredRobots);
}

/** Reads the stored form. */
export function fromStoredRobots(json: string): Robots {
  const stored = JSON.parse(json) as StoredRobots;
  const rules = stored.rules.map((rule) => toRule(rule.startsWith("+"), rule.slice(1)));
  const { sitemaps, signals } = stored;
  return { groups: [{ agents: ["*"], rules, crawlDelaySeconds: null }], sitemaps, signals };
}
