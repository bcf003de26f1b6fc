import { Budget } from "../lib/budget";
import type { CrawlOptions, SkippedCounts, SkippedFilter, SkippedUrl, SkipReason } from "../model/crawl";
import { MAX_VISITS } from "./url-expression";
import { findSkipReason, isInScope, toUrlRules, toVisited } from "./url-rules";
import { filteredPathOf, MAX_PARAMETER_SETS, shapeOf } from "./url-shape";

/** A row of the table `frontier`. */
export interface UrlRow extends Record<string, SqlStorageValue> {
  id: number;
  url: string;
  host: string;
  depth: number;
  state: string;
  number: number | null;
  same_as: number | null;
  failed: number;
  tries: number;
  run: number | null;
  reply: string | null;
}

/** The maximum number of URLs that a crawl remembers. Other URLs are only counted. */
const MAX_URLS = 200_000;
/** The maximum number of hosts of a crawl. The URLs of other hosts are only counted. */
const MAX_HOSTS = 1_000;
/** The number of steps of about 50 ns in one transaction. Meanwhile, the crawl's object can't do other work. */
export const STEPS_PER_TURN = 200_000;
/** The steps for storing a URL. */
const STEPS_PER_URL = 2_000;
/** The maximum number of steps for comparing the URLs of one page, or of all sitemaps, with the caller's patterns. */
const MAX_PATTERN_STEPS = 40_000_000;
const COLUMNS = "id, url, host, depth, state, number, same_as, failed, tries, run, reply";

/** A host that has URLs in the queue. */
interface QueuedHost extends Record<string, SqlStorageValue> {
  host: string;
  delay_ms: number | null;
  penalty_ms: number;
  next_at: number;
  /** 1: the robots.txt of the host hasn't been read. */
  is_unknown: number;
  /** The number of pages that may be requested now. */
  running: number;
  /** The number of pages that wait for a retry. */
  waiting: number;
}

/** The URLs of a crawl. All methods must be called within a transaction if they write. */
export class Frontier {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  find(url: string): UrlRow | null {
    return this.#first<UrlRow>(`SELECT ${COLUMNS} FROM frontier WHERE url = ?1`, url);
  }

  findPage(number: number): UrlRow | null {
    return this.#first<UrlRow>(`SELECT ${COLUMNS} FROM frontier WHERE number = ?1`, number);
  }

  /** Adds URLs that the crawl must not visit, unless it has visited them. */
  exclude(urls: readonly string[], depth: number, reason: SkipReason): void {
    for (const url of urls) {
      const known = this.find(url);
      if (known === null) this.#insert(url, depth, reason);
      else if (known.state === "queued") this.skip(known.id, reason);
    }
  }

  /**
   * Adds the URLs that belong to the site. `finalUrl` is the URL of the first page after redirects, or null. Returns
   * the number of URLs that were omitted because the frontier is full, or because comparing them with the caller's
   * patterns takes too many steps. Yields where the transaction should end, so that other work can run.
   */
  *add(
    urls: readonly string[],
    depth: number,
    { options, finalUrl }: { options: CrawlOptions; finalUrl: string | null },
  ): Generator<void, number> {
    const rules = toUrlRules(options);
    const budget = new Budget(MAX_PATTERN_STEPS);
    let turn = new Budget(STEPS_PER_TURN);
    let omitted = 0;
    for (const found of urls) {
      const url = toVisited(found, options);
      if (turn.isUsedUp) {
        yield;
        turn = new Budget(STEPS_PER_TURN);
      }
      turn.spend(STEPS_PER_URL);
      if (!isInScope(url, options, finalUrl)) continue;
      const known = this.find(url);
      // Most links of a page are already known.
      if (known !== null && known.depth <= depth) continue;
      const steps = rules.countSteps(url.length);
      turn.spend(budget.isUsedUp ? 0 : steps);
      if (budget.isUsedUp || !budget.spend(steps)) {
        omitted++;
        continue;
      }
      const target = new URL(url);
      rules.count.visits = 0;
      const reason = findSkipReason(target, depth, rules);
      const { visits } = rules.count;
      turn.spend(visits);
      budget.spend(visits);
      if (visits > MAX_VISITS) {
        omitted++;
        continue;
      }
      if (known !== null) {
        this.#shorten(known, depth, reason);
        continue;
      }
      if (this.#isFull(target.host)) omitted++;
      else this.#insert(url, depth, reason ?? this.#countShape(target));
    }
    return omitted;
  }

  /** Adds the first page, to which the rules for paths and queries don't apply. */
  addFirst(options: CrawlOptions): void {
    const visited = toVisited(options.url, options);
    if (this.find(options.url) === null) this.#insert(options.url, 0, null);
    if (visited !== options.url && this.find(visited) === null) this.addAlias(visited, 1);
  }

  /** Adds a page that already has a number, after the crawl has lost its table. */
  restore(page: { url: string; number: number; depth: number; hasEnded: boolean; failed: boolean }): void {
    const { url, number, depth, hasEnded, failed } = page;
    this.#run(
      "INSERT OR IGNORE INTO frontier (url, host, depth, state, number, failed) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
      url,
      new URL(url).host,
      depth,
      hasEnded ? "done" : "started",
      number,
      failed ? 1 : 0,
    );
    this.#run("INSERT OR IGNORE INTO hosts (host) VALUES (?1)", new URL(url).host);
    this.#countShape(new URL(url));
  }

  /** Marks a URL as visited by a page that was redirected to it. No other page has the content of the URL. */
  addAlias(url: string, number: number): void {
    this.#run(
      `INSERT INTO frontier (url, host, depth, state, same_as) VALUES (?1, ?2, 0, 'alias', ?3)
       ON CONFLICT (url) DO UPDATE SET same_as = ?3, reason = IIF(state = 'queued', 'redirect', reason),
         state = IIF(state = 'queued', 'skipped', state)`,
      url,
      new URL(url).host,
      number,
    );
  }

  /** Returns the next URLs of a host, breadth first. */
  listNext(host: string, limit: number): UrlRow[] {
    return this.#all<UrlRow>(
      `SELECT ${COLUMNS} FROM frontier INDEXED BY frontier_queued WHERE state = 'queued' AND host = ?1
       ORDER BY depth, id LIMIT ?2`,
      host,
      limit,
    );
  }

  /** Returns the hosts that have URLs in the queue. `now` is in Unix ms. */
  listQueuedHosts(now: number): QueuedHost[] {
    // Every host of a queued URL has a row. DISTINCT would read all queued URLs.
    return this.#all<QueuedHost>(
      `SELECT hosts.host, delay_ms, penalty_ms, next_at, robots IS NULL AS is_unknown,
         COUNT(number) FILTER (WHERE retry_at IS NULL OR retry_at <= ?1) AS running,
         COUNT(number) FILTER (WHERE retry_at > ?1) AS waiting
       FROM hosts LEFT JOIN frontier AS open INDEXED BY frontier_open
         ON open.state IN ('started', 'fetched') AND open.state = 'started' AND open.host = hosts.host
       WHERE EXISTS (
         SELECT 1 FROM frontier AS queued INDEXED BY frontier_queued WHERE state = 'queued' AND queued.host = hosts.host)
       GROUP BY hosts.host`,
      now,
    );
  }

  /** Returns the pages whose jobs haven't ended, in the order of their numbers. */
  listOpen(): UrlRow[] {
    return this.#all<UrlRow>(
      `SELECT ${COLUMNS} FROM frontier INDEXED BY frontier_open WHERE state IN ('started', 'fetched') ORDER BY number`,
    );
  }

  /** Returns the pages with higher numbers than this one, in the order of their numbers. */
  listAfter(number: number): UrlRow[] {
    return this.#all<UrlRow>(`SELECT ${COLUMNS} FROM frontier WHERE number > ?1 ORDER BY number`, number);
  }

  start(id: number, number: number): void {
    this.#run("UPDATE frontier SET state = 'started', number = ?2 WHERE id = ?1", id, number);
  }

  skip(id: number, reason: SkipReason): void {
    this.#run("UPDATE frontier SET state = 'skipped', reason = ?2 WHERE id = ?1", id, reason);
  }

  /** Stores the report of a run. `retryAt` (Unix ms) is the time of the next run, or null if the page isn't retried. */
  report(
    number: number,
    { run, reply, failed, retryAt }: { run: number; reply: string; failed: boolean; retryAt: number | null },
  ) {
    this.#run(
      `UPDATE frontier SET run = ?2, reply = ?3, failed = ?4, retry_at = ?5, tries = tries + (?5 IS NOT NULL),
         state = CASE WHEN ?5 IS NULL AND state = 'started' THEN 'fetched' ELSE state END WHERE number = ?1`,
      number,
      run,
      reply,
      failed ? 1 : 0,
      retryAt,
    );
  }

  /** Marks pages whose jobs have ended. A page that the crawl doesn't return becomes a skipped URL. */
  end(numbers: readonly number[]): void {
    for (const number of numbers) {
      this.#run(
        `UPDATE frontier SET failed = CASE WHEN state = 'started' THEN 1 ELSE failed END,
           state = IIF(reply ->> 'isRefused', 'skipped', 'done'), reason = IIF(reply ->> 'isRefused', 'content_signals', NULL)
         WHERE number = ?1 AND state IN ('started', 'fetched')`,
        number,
      );
    }
  }

  /** Returns the number of the first page with this content. If there is none, stores the content for this page. */
  recognize(hash: string, number: number): number {
    const row = this.#first<{ number: number }>("SELECT number FROM fingerprints WHERE hash = ?1", hash);
    if (row === null) this.#run("INSERT INTO fingerprints (hash, number) VALUES (?1, ?2)", hash, number);
    return row?.number ?? number;
  }

  /** Returns the number of known URLs of the site, and the number of skipped URLs by reason. */
  summarize(): { discovered: number; queued: number; skipped: SkippedCounts } {
    const rows = this.#all<{ state: string; reason: string | null; urls: number }>(
      "SELECT state, reason, COUNT(*) AS urls FROM frontier WHERE state <> 'alias' GROUP BY state, reason",
    );
    const skipped = rows.filter(({ state }) => state === "skipped").map(({ reason, urls }) => [reason, urls]);
    return {
      discovered: rows.reduce((sum, { urls }) => sum + urls, 0),
      queued: rows.find(({ state }) => state === "queued")?.urls ?? 0,
      skipped: Object.fromEntries(skipped),
    };
  }

  /** Returns the skipped URLs after the one with the id `after`, in the order in which they were found. */
  listSkipped({ reason, after, limit }: SkippedFilter): SkippedUrl[] {
    const condition = reason === null ? "" : "AND reason = ?3";
    return this.#all<SkippedUrl & Record<string, SqlStorageValue>>(
      `SELECT id, url, reason FROM frontier WHERE state = 'skipped' AND id > ?1 ${condition} ORDER BY id LIMIT ?2`,
      ...[after, limit, ...(reason === null ? [] : [reason])],
    );
  }

  #insert(url: string, depth: number, reason: SkipReason | null): void {
    const { host } = new URL(url);
    this.#run(
      "INSERT INTO frontier (url, host, depth, state, reason) VALUES (?1, ?2, ?3, ?4, ?5)",
      url,
      host,
      depth,
      reason === null ? "queued" : "skipped",
      reason,
    );
    if (reason === null) this.#run("INSERT OR IGNORE INTO hosts (host) VALUES (?1)", host);
  }

  #shorten({ id, url, state }: UrlRow, depth: number, reason: SkipReason | null): void {
    if (state === "queued") this.#run("UPDATE frontier SET depth = ?2 WHERE id = ?1", id, depth);
    if (state !== "skipped" || reason !== null) return;
    const changed = this.#first<{ id: number }>(
      `UPDATE frontier SET state = 'queued', reason = NULL, depth = ?2 WHERE id = ?1 AND reason = 'depth'
         AND same_as IS NULL RETURNING id`,
      id,
      depth,
    );
    if (changed !== null) this.#run("INSERT OR IGNORE INTO hosts (host) VALUES (?1)", new URL(url).host);
  }

  /** Returns true if the crawl has too many URLs, or too many hosts for a URL of another host. */
  #isFull(host: string): boolean {
    // The ids are consecutive, because no row is deleted.
    const row = this.#first<{ isFull: number }>(
      `SELECT IFNULL((SELECT MAX(id) FROM frontier), 0) >= ?2 OR (
         NOT EXISTS (SELECT 1 FROM hosts WHERE host = ?1) AND (SELECT COUNT(*) FROM hosts) >= ?3) AS isFull`,
      host,
      MAX_URLS,
      MAX_HOSTS,
    );
    return row?.isFull === 1;
  }

  /** Counts a URL by its shape. Returns `trap` if there are too many URLs of this shape. */
  #countShape(target: URL): SkipReason | null {
    const known = shapeOf(target);
    if (known === null) return null;
    const filtered = filteredPathOf(target);
    const sets = filtered === null ? null : `sets ${filtered.path}`;
    if (filtered !== null && sets !== null && this.#countUrls(sets) > MAX_PARAMETER_SETS) {
      return this.#take(`filtered ${filtered.path}`, filtered.max) ? null : "trap";
    }
    if (sets !== null && this.#countUrls(known.shape) === 0) this.#take(sets, Number.POSITIVE_INFINITY);
    return this.#take(known.shape, known.max) ? null : "trap";
  }

  #countUrls(shape: string): number {
    return this.#first<{ urls: number }>("SELECT urls FROM shapes WHERE shape = ?1", shape)?.urls ?? 0;
  }

  /** Counts a URL. Returns false if there are already `max` URLs of this shape. */
  #take(shape: string, max: number): boolean {
    if (this.#countUrls(shape) >= max) return false;
    this.#run(
      "INSERT INTO shapes (shape, urls) VALUES (?1, 1) ON CONFLICT (shape) DO UPDATE SET urls = urls + 1",
      shape,
    );
    return true;
  }

  #all<Row extends Record<string, SqlStorageValue>>(query: string, ...values: SqlStorageValue[]): Row[] {
    return this.#sql.exec<Row>(query, ...values).toArray();
  }

  #first<Row extends Record<string, SqlStorageValue>>(query: string, ...values: SqlStorageValue[]): Row | null {
    return this.#all<Row>(query, ...values)[0] ?? null;
  }

  #run(query: string, ...values: SqlStorageValue[]): void {
    this.#sql.exec(query, ...values).toArray();
  }
}
