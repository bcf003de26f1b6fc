import { DurableObject } from "cloudflare:workers";
import type { PageLine, PageLineFilter, PageLinesReply } from "../account/batches/batch-list";
import type { NewPage, StartPagesReply } from "../account/batches/batch-types";
import { callAccountOrGone } from "../account/client";
import type { Gone } from "../account/storage/types";
import { now, sleep } from "../lib/clock";
import { log, logAs, toLogged } from "../lib/log";
import type {
  CrawlProgress,
  CrawlRef,
  PageReport,
  RedirectAnswer,
  ReportReply,
  SkippedFilter,
  SkippedUrl,
} from "../model/crawl";
import { SECOND_MS } from "../model/limits";
import { migrate } from "../store/object-schema";
import { type Choice, choosePages, isFinal, needsRobots } from "./choose-pages";
import { Frontier } from "./frontier";
import { Hosts } from "./hosts";
import { MIGRATIONS } from "./migrations";
import { checkRedirect } from "./redirects";
import { readRobots, readSitemapUrls } from "./site-files";
import { type CrawlState, toErasedAt, toNewPage, toProgress, toState } from "./state";
import { isInScope } from "./url-rules";
import { applyReport, type Visit } from "./visit";

/** The storage key of the state. */
const STATE = "crawl";
/** The maximum time between two checks of an unfinished crawl's pages. Messages can be lost. */
const CHECK_MS = 20 * SECOND_MS;
const REPORTS_PER_STEP = 25;
/** The number of robots.txt files that are read at a time. */
const MAX_ROBOTS_READS = 4;

/**
 * The Durable Object of one crawl. It holds the URLs of the site, decides which page starts next, and collects the
 * links of the pages. The account's Durable Object holds the crawl's row and the jobs of its pages. Each step is one
 * transaction and one call that can be repeated. Therefore a crawl can continue after a restart at any time. A
 * transaction has a budget of steps, because the object does no other work meanwhile.
 */
export class Crawl extends DurableObject<Env> {
  #frontier: Frontier;
  #hosts: Hosts;
  #state: CrawlState | null;
  #advancing: Promise<void> | null = null;
  #isStale = false;
  #reports = 0;
  /** The time (Unix ms) at which the alarm fires, or null if this instance hasn't set it. */
  #alarmAt: number | null = null;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#frontier = new Frontier(ctx.storage.sql);
    this.#hosts = new Hosts(ctx.storage.sql);
    this.#state = ctx.storage.kv.get<CrawlState>(STATE) ?? null;
    if (this.#state !== null) migrate(ctx.storage, MIGRATIONS);
  }

  /** Starts a new crawl, or continues an existing one. The account calls this when a page or the crawl has ended. */
  async wake(ref: CrawlRef): Promise<void> {
    if (this.#state === null) await this.#open(ref);
    await this.#advance();
  }

  /**
   * Processes the report of a page's run. Idempotent by page and run. Returns null if the crawl doesn't know the page.
   * `pages` are the next pages. The run passes them to the account when it ends its own page, which takes fewer calls
   * than `startPages`. If the run dies first, the alarm starts them.
   */
  async report(report: PageReport): Promise<{ reply: ReportReply; pages: NewPage[] } | null> {
    const result = await this.#execute((visit) => this.#applyReport(visit, report));
    const state = this.#state;
    if (result === null || state === null) return null;
    const { reply, choice } = result;
    const pages = choice === null ? [] : this.#listNew(state);
    const isDone = choice !== null && isFinal(choice) && pages.length > 0 && state.hasSitemaps;
    // Checks regularly which pages have ended.
    if (isDone && ++this.#reports < REPORTS_PER_STEP) this.ctx.waitUntil(this.#wakeAt(now() + CHECK_MS));
    else this.ctx.waitUntil(this.#advance());
    return { reply, pages };
  }

  *#applyReport(
    visit: Visit,
    report: PageReport,
  ): Generator<void, { reply: ReportReply; choice: Choice | null } | null> {
    const reply = yield* applyReport(visit, report);
    if (reply === null) return null;
    // The account has started this page. It starts pages in the order of their numbers, so it has accepted all pages up
    // to this one.
    visit.state.accepted = Math.max(visit.state.accepted, report.page);
    return { reply, choice: report.kind === "busy" ? null : this.#choose(visit.state) };
  }

  /**
   * Executes each step of some work in its own transaction, with a copy of the current state. Lets other work run
   * between two steps. Returns null if the crawl isn't stored.
   */
  async #execute<Result>(toSteps: (visit: Visit) => Generator<void, Result>): Promise<Result | null> {
    if (this.#state === null) return null;
    const visit = { frontier: this.#frontier, hosts: this.#hosts, state: this.#state, now: now() };
    const steps = toSteps(visit);
    while (this.#state !== null) {
      visit.state = { ...this.#state };
      const step = this.ctx.storage.transactionSync(() => {
        const next = steps.next();
        this.#write(visit.state);
        return next;
      });
      if (step.done) return step.value;
      await sleep(0);
    }
    return null;
  }

  async checkRedirect(url: string, page: number): Promise<RedirectAnswer> {
    const state = this.#state;
    if (state === null) return { visited: null, refusal: null };
    const tables = { env: this.env, frontier: this.#frontier, hosts: this.#hosts };
    return await checkRedirect({ ...tables, state, isStored: () => this.#state !== null }, url, page);
  }

  /** Returns the numbers of the crawl's URLs, or null if the crawl is no longer stored. */
  progress(): CrawlProgress | null {
    if (this.#state === null) return null;
    return toProgress(this.#state, this.#frontier.summarize());
  }

  /** Returns URLs that the crawl doesn't visit. Returns none if the crawl is no longer stored. */
  listSkipped(filter: SkippedFilter): SkippedUrl[] {
    return this.#state === null ? [] : this.#frontier.listSkipped(filter);
  }

  /** Deletes all data of the crawl. If the account still has its row, `wake` starts the crawl again. */
  async erase(): Promise<void> {
    this.#state = null;
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    this.#hosts = new Hosts(this.ctx.storage.sql);
  }

  override async alarm(): Promise<void> {
    this.#alarmAt = null;
    const state = this.#state;
    if (state === null) return;
    if (state.endedAt !== null && toErasedAt(this.env, state, state.endedAt) <= now()) return await this.erase();
    // Sets the next alarm before the work, in case this invocation dies.
    await this.#wakeAt(now() + CHECK_MS);
    try {
      await logAs({ crawl_id: state.id, account_id: state.account.id }, () => this.#readSiteFiles());
    } catch (error) {
      log("error", "crawl_alarm_failed", { crawl_id: state.id, ...toLogged(error) });
    }
  }

  async #open({ account, mode, id }: CrawlRef): Promise<void> {
    const reply = await callAccountOrGone(this.env, account, (stub) => stub.getBatch({ mode, id }));
    // Another call may have opened the crawl in the meantime.
    if (reply.kind !== "batch" || reply.batch.kind !== "crawl" || this.#state !== null) return;
    const { batch } = reply;
    if (batch.endedAt !== null || batch.request === null) return;
    // If the account already has pages of the crawl, the crawl has lost its record.
    const pages = batch.counts.total === 0 ? [] : await readStartedPages(this.env, { account, mode, id });
    if (this.#state !== null) return;
    migrate(this.ctx.storage, MIGRATIONS);
    const state = toState(this.env, batch, pages);
    this.ctx.storage.transactionSync(() => {
      restorePages(this.#frontier, state, pages);
      if (state.options.sitemap !== "only") this.#frontier.addFirst(state.options);
      this.ctx.storage.kv.put(STATE, state);
    });
    this.#state = state;
  }

  #write(state: CrawlState): void {
    this.ctx.storage.kv.put(STATE, state);
    this.#state = state;
  }

  /** Executes steps until nothing changes. A call during a running one only makes that one execute another step. */
  async #advance(): Promise<void> {
    this.#isStale = true;
    this.#advancing ??= this.#advanceAll().finally(() => {
      this.#advancing = null;
    });
    await this.#advancing;
  }

  async #advanceAll(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      if (this.#state === null) return;
      await this.#step(this.#state);
    }
  }

  /** Starts the next pages, marks the pages that have ended, and ends the crawl after its last page. */
  async #step(before: CrawlState): Promise<void> {
    const state = { ...before };
    const choice = this.ctx.storage.transactionSync(() => {
      const chosen = this.#choose(state);
      this.#write(state);
      return chosen;
    });
    this.#reports = 0;
    const open = this.#frontier.listOpen();
    const pages = this.#listNew(state);
    const { mode, id, account } = state;
    const reply = await callAccountOrGone(this.env, account, (stub) => stub.startPages({ mode, id }, pages));
    if (reply.kind !== "pages") {
      // The account was erased.
      log("info", "crawl_without_account", { crawl_id: id, account_id: account.id, reply: reply.kind });
      return;
    }
    const numbers = open.map(({ number }) => number ?? 0);
    this.#apply(reply, numbers);
    if (this.#state === null) return;
    const isEmpty = isFinal(choice) && this.#isEmpty(this.#state);
    if (!reply.hasEnded && isEmpty) await this.#end(this.#state);
    await this.#schedule(choice);
  }

  /** Gives numbers to the next pages. Must be called within a transaction. Changes `state`, which the caller stores. */
  #choose(state: CrawlState): Choice {
    if (state.endedAt !== null) return { unknownHosts: [], nextAt: null };
    return choosePages({ frontier: this.#frontier, hosts: this.#hosts, state }, now());
  }

  /** Returns the pages that the account may not have accepted yet. */
  #listNew(state: CrawlState): NewPage[] {
    return this.#frontier.listAfter(state.accepted).map((row) => toNewPage(row, state));
  }

  /** Stores the account's reply. `numbers` are the pages that hadn't ended before the call. */
  #apply(reply: Extract<StartPagesReply, { kind: "pages" }>, numbers: number[]): void {
    if (this.#state === null) return;
    const state = { ...this.#state };
    if (!reply.hasEnded) state.accepted = Math.max(state.accepted, ...numbers);
    const unfinished = new Set(reply.unfinished);
    const ended = numbers.filter((number) => number <= state.accepted && !unfinished.has(number));
    // A crawl that stopped because the account couldn't pay for a page can be resumed.
    state.isOver = reply.isOver === true;
    if (reply.hasEnded !== (state.endedAt !== null)) {
      state.endedAt = reply.hasEnded ? now() : null;
      this.#isStale ||= !reply.hasEnded;
    }
    // Hosts of ended pages may have free slots.
    if (ended.length > 0) this.#isStale = true;
    this.ctx.storage.transactionSync(() => {
      this.#frontier.end(ended);
      this.#write(state);
    });
  }

  /** Returns true if all pages have ended and no other page can start. */
  #isEmpty({ hasSitemaps, nextNumber, options }: CrawlState): boolean {
    if (this.#isStale || !hasSitemaps || this.#frontier.listOpen().length > 0) return false;
    return nextNumber > options.limit || this.#frontier.listQueuedHosts(now()).length === 0;
  }

  async #end({ mode, id, account, options }: CrawlState): Promise<void> {
    const reply = await callAccountOrGone(this.env, account, (stub) => stub.endCrawl({ mode, id }));
    if (reply.kind !== "batch" || reply.batch.endedAt === null || this.#state === null) return;
    const isEmpty = reply.batch.counts.total === 0 && options.sitemap === "only";
    const note = isEmpty ? "The site's sitemaps list no URL that the crawl may visit." : null;
    this.#write({ ...this.#state, endedAt: now(), isOver: true, note: this.#state.note ?? note });
  }

  async #schedule({ unknownHosts, nextAt }: Choice): Promise<void> {
    if (this.#state === null) return;
    const { endedAt, hasSitemaps } = this.#state;
    if (endedAt !== null) return await this.#wakeAt(toErasedAt(this.env, this.#state, endedAt), { isLater: true });
    const needsFiles = unknownHosts.length > 0 || !hasSitemaps;
    await this.#wakeAt(needsFiles ? now() : Math.min(nextAt ?? Number.POSITIVE_INFINITY, now() + CHECK_MS));
  }

  /** Sets the alarm to `at` (Unix ms), unless it is set to an earlier time. `isLater` also replaces an earlier one. */
  async #wakeAt(at: number, { isLater = false } = {}): Promise<void> {
    if (!isLater && this.#alarmAt !== null && this.#alarmAt <= at && this.#alarmAt > now()) return;
    this.#alarmAt = at;
    await this.ctx.storage.setAlarm(at);
  }

  /** Reads the robots.txt files that the next pages need, and the sitemaps of the site. Then starts pages. */
  async #readSiteFiles(): Promise<void> {
    const state = this.#state;
    if (state !== null && state.endedAt === null && needsRobots(state)) {
      const hosts = this.#frontier.listQueuedHosts(now());
      const unknown = hosts.filter((host) => host.is_unknown === 1 && host.next_at <= now());
      await Promise.all(unknown.slice(0, MAX_ROBOTS_READS).map(({ host }) => this.#readRobots(host, state)));
    }
    await this.#advance();
    if (this.#state === null || this.#state.hasSitemaps || this.#state.endedAt !== null) return;
    await this.#readSitemaps(this.#state);
    await this.#advance();
  }

  async #readRobots(host: string, { account, origin }: CrawlState): Promise<void> {
    const [next] = this.#frontier.listNext(host, 1);
    if (next === undefined) return;
    const fetched = await readRobots(this.env, next.url, { account, origin });
    if (this.#state === null) return;
    const note = this.#hosts.applyRobots(host, fetched, now());
    if (note !== null && this.#state.note === null) this.#write({ ...this.#state, note });
  }

  async #readSitemaps(state: CrawlState): Promise<void> {
    const { site, urls } = await readSitemapUrls(this.env, state, (host) => this.#hosts.robotsOf(host));
    const finalUrl = isInScope(site, state.options, state.finalUrl) ? state.finalUrl : site;
    await this.#execute(function* (visit) {
      const omitted = yield* visit.frontier.add(urls, 1, { options: state.options, finalUrl });
      // If the first page redirects to another site, the sitemaps of that site are read next.
      if (visit.state.finalUrl !== state.finalUrl) return;
      Object.assign(visit.state, { finalUrl, hasSitemaps: true, omitted: visit.state.omitted + omitted });
    });
  }
}

/** The number of pages that one call to the account returns. */
const PAGES_PER_CALL = 1_000;

/** Returns the pages that a crawl has started. If the crawl has lost its own record, they are read from the account. */
export async function readStartedPages(env: Env, { account, mode, id }: CrawlRef): Promise<PageLine[]> {
  const pages: PageLine[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const filter: PageLineFilter = { mode, id, after, limit: PAGES_PER_CALL };
    const reply: PageLinesReply | Gone = await callAccountOrGone(env, account, (stub) => stub.listPageLines(filter));
    if (reply.kind !== "pages") return pages;
    pages.push(...reply.pages);
    after = reply.next;
  }
  return pages;
}

/**
 * Adds the pages that a crawl has started before it lost its record, so that it doesn't visit them again. Must be
 * called within a transaction. The links of ended pages are no longer known.
 */
export function restorePages(frontier: Frontier, { options }: CrawlState, pages: readonly PageLine[]): void {
  for (const { number, url, status } of pages) {
    if (url === null) continue;
    const hasEnded = status === null || status === "completed" || status === "failed";
    // The page's number of links from the first page isn't known. If the crawl has a limit for it, the page gets the
    // maximum, so that its links aren't followed.
    const depth = number === 1 ? 0 : (options.maxDepth ?? 0);
    frontier.restore({ url, number, depth, hasEnded, failed: status === "failed" });
  }
}
