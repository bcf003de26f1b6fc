import { DurableObject } from "cloudflare:workers";
import { now } from "../lib/clock";
import { toPositiveNumber } from "../lib/env";
import { lazyModule } from "../lib/lazy";
import { log, toLogged } from "../lib/log";
import type { JobRef } from "../model/job";
import {
  ALONE_BROWSER_IDLE_MS,
  ALONE_WAITING,
  BROWSERS_DEFAULT,
  FETCH_TIMEOUT_MS,
  RENDERS_ALONE_MS,
  RENDERS_PER_BROWSER_DEFAULT,
  RUN_PLACE_WAIT_MS,
  RUNS_PER_RUNNER,
  SLOT_WAIT_MS,
  WAITING_PER_SLOT,
} from "../model/page-limits";
import { browserHost } from "../store/namespaces";
import { BrowserSource } from "./acquire";
import { BrowserLostError, CancelledError, ENDED_BROWSER, EvictedError, toReply, toTimeoutError } from "./host-errors";
import { IdleTime } from "./idle-time";
import { explainRenderError } from "./navigation-errors";
import { toBrowserNetwork } from "./network";
import { ACTIVITY_LIMITS } from "./page-activity";
import { PageProxy } from "./page-proxy";
import { type BrowserFacts, RenderError, type RenderReply, type RenderRequest } from "./protocol";
import { RenderDeadline } from "./render-deadline";
import { toRenderPolicy } from "./render-policy";
import { RenderSlots } from "./render-slots";
import { closeSession, RunningBrowser } from "./running-browser";
import type { Tab } from "./tab";

// Loaded on demand, because most isolates render no page.
const loadPreparing = lazyModule(() => import("./prepare-tab"));
const loadRendering = lazyModule(() => import("./render"));

const SESSION_KEY = "session";
/** The name of the object that gives places to asynchronous renders. Those with a suffix run the renders. */
export const RUNS_HOST = "runs";
/** The interval of an alarm. It keeps the object `runs` in memory, which otherwise ends some seconds after a call. */
const RUNS_ALARM_MS = 5_000;

/**
 * Holds one browser and the only connection to it. A few renders run at the same time. Accounts share the slots fairly,
 * and a limited number of renders wait for a slot. Replaces a browser that crashed or stopped responding. Closes a
 * browser that is idle.  There are several instances: `browser-N` for all renders, and `alone-N` for renders that run
 * alone. The instance `runs` has no browser. It gives places to asynchronous renders, and `runs-N` run them.
 */
export class BrowserHost extends DurableObject<Env> {
  readonly #slots: RenderSlots;
  readonly #aloneSlots: RenderSlots;
  readonly #runPlaces: RenderSlots;
  /** The number of renders that each object `runs-N` runs. */
  readonly #runners: number[];
  /** The ids of the jobs that wait for a place. Their messages are resent after two minutes. */
  readonly #waitingRuns = new Set<string>();
  /** The accounts whose renders must run alone, and the time (Unix ms) at which the restriction ends. */
  readonly #blamed = new Map<string, number>();
  readonly #cancels = new Map<string, AbortController>();
  #running: Promise<RunningBrowser> | null = null;
  /** The controller that is aborted when the current browser ends. Null before the first browser starts. */
  #lost: AbortController | null = null;
  readonly #source = new BrowserSource(this.ctx.storage);
  /** True if accounts use this browser one after another. */
  readonly #isExclusive: boolean;
  readonly #idleTime = new IdleTime({ isBilled: toBrowserNetwork(this.env) === "public" });
  #lastUsedAt = 0;
  /** The limits of each page. Tests set smaller limits, which a page reaches soon on a slow machine. */
  activityLimits = ACTIVITY_LIMITS;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const size = Math.floor(toPositiveNumber(env.RENDERS_PER_BROWSER, RENDERS_PER_BROWSER_DEFAULT));
    this.#isExclusive = toBrowserNetwork(env) === "public" && env.BROWSER_SHARED !== "on";
    this.#slots = new RenderSlots(size, size * WAITING_PER_SLOT, now, { isExclusive: this.#isExclusive });
    this.#aloneSlots = new RenderSlots(1, ALONE_WAITING, now);
    const places = Math.floor((toPositiveNumber(env.BROWSERS, BROWSERS_DEFAULT) * size) / 2);
    this.#runPlaces = new RenderSlots(Math.max(2, places), Number.POSITIVE_INFINITY, now);
    this.#runners = Array(Math.ceil(this.#runPlaces.size / RUNS_PER_RUNNER)).fill(0);
    // Closes the browser of a previous instance of this object. That browser can't be reused, because its old
    // connection may still exist.
    void ctx.blockConcurrencyWhile(async () => {
      const sessionId = await ctx.storage.get<string>(SESSION_KEY);
      if (sessionId === undefined) return;
      await closeSession(env, sessionId);
      await ctx.storage.delete(SESSION_KEY);
    });
  }

  /**
   * Renders a page. Never throws. If no slot is free, the render waits if `wait` is true; otherwise the reply is
   * "full". If the browser crashes, the reply is "lost". The caller then retries with `alone` at one of the `alone-N`
   * objects.
   */
  async render(
    request: RenderRequest,
    { wait, alone = false }: { wait: boolean; alone?: boolean },
  ): Promise<RenderReply> {
    const { account, maxRenders: limit } = request;
    if (!alone && this.#rendersAlone(account)) return { kind: "lost" };
    if (!wait && this.#slots.isFull({ account, limit }))
      return { kind: "full", message: "Every slot of this browser is in use." };
    if (alone) this.#idleTime.maxMs = ALONE_BROWSER_IDLE_MS;
    this.#idleTime.onRender(now());
    const cancel = new AbortController();
    this.#cancels.set(request.id, cancel);
    try {
      return await this.#renderUntilDone(request, alone ? this.#aloneSlots : this.#slots, cancel.signal);
    } catch (error) {
      if (alone && error instanceof BrowserLostError) return ENDED_BROWSER;
      return toReply(error, request);
    } finally {
      this.#cancels.delete(request.id);
    }
  }

  /** Returns false if `render` would reply "full" to this account. */
  hasFreeSlot({ account, limit }: { account: string; limit: number }): boolean {
    return this.#rendersAlone(account) || !this.#slots.isFull({ account, limit });
  }

  /** Makes `render` reply "lost" to this account for RENDERS_ALONE_MS, because one of its pages crashed a browser. */
  blame(account: string): void {
    this.#blamed.set(account, now() + RENDERS_ALONE_MS);
  }

  /**
   * Makes a Worker run an asynchronous render when its account gets one of its places, which are half of all. Its plan
   * limits how many wait. If this object ends, the account's alarm resends their messages.
   */
  async startRun(ref: JobRef): Promise<null> {
    if (!this.#waitingRuns.has(ref.job)) this.ctx.waitUntil(this.#run(ref));
    await this.ctx.storage.setAlarm(now() + RUNS_ALARM_MS);
    return null;
  }

  async #run(ref: JobRef): Promise<void> {
    const { account, job } = ref;
    this.#waitingRuns.add(job);
    const request = { account: account.id, limit: Math.floor(this.#runPlaces.size / 2), onEvicted: () => {} };
    let release = () => {};
    try {
      release = await this.#runPlaces.acquire(request, RUN_PLACE_WAIT_MS).finally(() => this.#waitingRuns.delete(job));
      await this.#runAtRunner(ref);
    } catch (error) {
      log("error", "render_run_failed", { job_id: job, account_id: account.id, ...toLogged(error) });
    } finally {
      release();
    }
  }

  /** Runs the job at the object `runs-N` that runs the fewest jobs. */
  async #runAtRunner(ref: JobRef): Promise<void> {
    const runner = this.#runners.indexOf(Math.min(...this.#runners));
    const add = (count: number) => {
      this.#runners[runner] = (this.#runners[runner] ?? 0) + count;
    };
    add(1);
    await browserHost(this.env, `${RUNS_HOST}-${runner}`)
      .runNow(ref)
      .finally(() => add(-1));
  }

  /** Runs the job in a Worker, which may share the memory of this object. */
  async runNow(ref: JobRef): Promise<void> {
    await this.ctx.exports.RenderRunner.run(ref);
  }

  #rendersAlone(account: string): boolean {
    for (const [blamed, until] of this.#blamed) if (until <= now()) this.#blamed.delete(blamed);
    return this.#blamed.has(account);
  }

  /** Renders a page. If the render is evicted, starts it again. */
  async #renderUntilDone(request: RenderRequest, slots: RenderSlots, cancelled: AbortSignal): Promise<RenderReply> {
    for (;;) {
      try {
        return await this.#renderOnce(request, slots, cancelled);
      } catch (error) {
        if (!(error instanceof EvictedError)) throw error;
      }
    }
  }

  /** Pings the browser, and replaces a "dead" one. "idle": there is no browser. "not_started": a start failed. */
  async check(): Promise<"idle" | "ok" | "dead" | "not_started"> {
    if (this.#running === null) return (await this.#source.hasJustFailed()) ? "not_started" : "idle";
    let running: RunningBrowser | null = null;
    try {
      running = await this.#running;
      await running.browser.ping();
      return "ok";
    } catch (error) {
      if (running !== null) this.#replace(running, "The browser did not respond to the readiness check.", error);
      return "dead";
    }
  }

  async inspect(): Promise<BrowserFacts | null> {
    return (await this.#running?.catch(() => null))?.browser.facts ?? null;
  }

  slots(): { inUse: number; size: number; waiting: number } {
    return { inUse: this.#slots.inUse, size: this.#slots.size, waiting: this.#slots.waiting };
  }

  /** Cancels a render whose caller has disconnected. */
  cancel(id: string): void {
    this.#cancels.get(id)?.abort(new CancelledError("The render was canceled."));
  }

  override async alarm(): Promise<void> {
    if (this.#runPlaces.inUse > 0) return await this.ctx.storage.setAlarm(now() + RUNS_ALARM_MS);
    const idleMs = now() - this.#lastUsedAt;
    const isUsed = this.#slots.inUse + this.#aloneSlots.inUse > 0;
    const maxMs = this.#idleTime.get();
    if (isUsed || idleMs < maxMs) {
      await this.ctx.storage.setAlarm(now() + (isUsed ? maxMs : maxMs - idleMs));
      return;
    }
    const running = this.#running;
    this.#running = null;
    if (running === null) {
      if (!(await this.#source.hasJustFailed())) await this.ctx.storage.deleteAll();
      return;
    }
    const { browser, lost, sessionId } = await running;
    lost.abort(new BrowserLostError("The browser was closed because it was idle."));
    browser.drop();
    await closeSession(this.env, sessionId);
    // Without data, the platform removes the object. Its name isn't used again after a deployment. A render may have
    // started another browser in the meantime.
    if ((await this.ctx.storage.get(SESSION_KEY)) === sessionId) await this.ctx.storage.deleteAll();
  }

  async #renderOnce(request: RenderRequest, slots: RenderSlots, cancelled: AbortSignal): Promise<RenderReply> {
    // Loaded first, so that loading doesn't count toward the time limit of the page.
    const [{ prepareTab }, { render }] = await Promise.all([loadPreparing(), loadRendering()]);
    const evicted = new AbortController();
    const { account, maxRenders: limit } = request;
    const onEvicted = () => evicted.abort(new EvictedError("The slot is needed for another account."));
    const release = await slots.acquire({ account, limit, onEvicted }, SLOT_WAIT_MS);
    const deadline = new RenderDeadline(request.load?.limit ?? null);
    const over = new AbortController();
    let running: RunningBrowser | null = null;
    let tab: Tab | null = null;
    let unwatch = () => {};
    try {
      cancelled.throwIfAborted();
      running = await this.#ensureRunning();
      unwatch = running.browser.watch();
      const ends = [cancelled, evicted.signal, running.lost.signal];
      tab = await this.#takeTab(running, request, AbortSignal.any([deadline.signal, ...ends]));
      const signal = AbortSignal.any([deadline.start(), ...ends]);
      // Actions need the complete layout, because an image can be the only content of a link.
      const showsImages = request.screenshot || request.outputs?.pdf !== undefined || request.actions !== undefined;
      tab.begin(toRenderPolicy(request), {
        signal,
        hasScreenshot: showsImages,
        maxBytes: request.maxHtmlBytes,
        proxy: this.#toPageProxy(request, AbortSignal.any([signal, over.signal])),
        waitUntil: request.load?.waitUntil,
        checkRedirect: request.checkRedirect,
        limits: this.activityLimits,
      });
      await prepareTab(running, tab, request, { isPainted: showsImages });
      return await render(tab, request, {
        deadline,
        onShown: () => running?.openSpare(),
      });
    } catch (error) {
      // A canceled or evicted render can fail with any error, so the cancellation or eviction is thrown instead.
      if (cancelled.aborted) throw cancelled.reason;
      if (evicted.signal.aborted) throw evicted.signal.reason;
      if (error instanceof RenderError) throw await explainRenderError(error, this.env.DNS_RESOLVER);
      if (running?.lost.signal.aborted) throw running.lost.signal.reason;
      if (deadline.signal.aborted) {
        throw toTimeoutError({ hasTab: tab !== null, ms: deadline.ms, action: tab?.action ?? null });
      }
      throw error;
    } finally {
      over.abort();
      unwatch();
      if (running !== null) this.#lastUsedAt = now();
      const ending = running !== null && tab !== null ? this.#endTab(running, tab) : null;
      if (ending !== null) this.ctx.waitUntil(ending);
      // The page may run until its tab is closed. The next slot may belong to another account.
      if (ending !== null && this.#isExclusive) void ending.finally(release);
      else release();
    }
  }

  /** Closes a used tab. Replaces the browser if the tab's page may still run while another account uses the browser. */
  async #endTab(running: RunningBrowser, tab: Tab): Promise<void> {
    const isClosed = await running.endTab(tab);
    if (!isClosed && this.#isExclusive) this.#replace(running, "The browser could not close a tab.");
  }

  #toPageProxy({ proxy, maxHtmlBytes, load }: RenderRequest, signal: AbortSignal): PageProxy | null {
    if (proxy === null) return null;
    const documentMs = load?.limit?.ms ?? FETCH_TIMEOUT_MS;
    return new PageProxy(proxy, { maxDocumentBytes: maxHtmlBytes, documentMs, signal });
  }

  /** Returns a tab for the render. Replaces the browser if it can't open a tab. */
  async #takeTab(running: RunningBrowser, request: RenderRequest, signal: AbortSignal): Promise<Tab> {
    try {
      return await running.takeTab(request, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      this.#replace(running, "The browser could not open a tab.", error);
      running.browser.drop();
      throw running.lost.signal.reason;
    }
  }

  /** Closes a broken browser. Its renders fail with BrowserLostError, and the next render starts a new browser. */
  #replace({ sessionId, lost }: Pick<RunningBrowser, "sessionId" | "lost">, reason: string, cause?: unknown): void {
    if (lost.signal.aborted) return;
    const details = cause === undefined ? {} : toLogged(cause);
    log("warn", "browser_replaced", {
      session: sessionId,
      reason,
      renders: this.#slots.inUse + this.#aloneSlots.inUse,
      ...details,
    });
    lost.abort(new BrowserLostError(reason));
    if (this.#lost === lost) this.#running = null;
    this.ctx.waitUntil(closeSession(this.env, sessionId));
  }

  async #ensureRunning(): Promise<RunningBrowser> {
    this.#running ??= this.#launch();
    const launching = this.#running;
    try {
      return await launching;
    } catch (error) {
      if (this.#running === launching) this.#running = null;
      throw error;
    }
  }

  async #launch(): Promise<RunningBrowser> {
    const lost = new AbortController();
    this.#lost = lost;
    const running = await RunningBrowser.launch(this.env, {
      source: this.#source,
      lost,
      onSession: (sessionId) => this.ctx.storage.put(SESSION_KEY, sessionId),
      onLost: (sessionId, reason) => this.#replace({ sessionId, lost }, reason),
    });
    this.#lastUsedAt = now();
    await this.ctx.storage.setAlarm(now() + this.#idleTime.get());
    return running;
  }
}
