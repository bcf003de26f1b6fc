import { DurableObject } from "cloudflare:workers";
import { raceAbort, Semaphore, withTimeout } from "../lib/async";
import { now } from "../lib/clock";
import { toPositiveNumber } from "../lib/env";
import { log, toLogged } from "../lib/log";
import {
  ALONE_BROWSER_IDLE_MS,
  ALONE_WAITING,
  BROWSER_IDLE_MS,
  LAUNCH_TIMEOUT_MS,
  PLACE_WAIT_MS,
  RENDER_TIMEOUT_MS,
  RENDERS_ALONE_MS,
  RENDERS_PER_BROWSER_DEFAULT,
  VIEWPORT,
  WAITING_PER_PLACE,
} from "../model/limits";
import { egressPolicy } from "../net/egress";
import type { Browser } from "./browser";
import { ProxiedExit, ProxyLines } from "./exit";
import {
  BrowserLostError,
  CancelledError,
  ENDED_BROWSER,
  EvictedError,
  LaunchError,
  toLate,
  toReply,
} from "./failures";
import { Places } from "./places";
import { RenderError, type RenderReply, type RenderRequest } from "./protocol";
import { render } from "./render";
import type { Tab } from "./tab";

const SESSION_KEY = "session";

interface Running {
  browser: Browser;
  sessionId: string;
  lost: AbortController;
  /** The tab for the next render, made ahead. */
  spare: Promise<Tab> | null;
}

/**
 * Holds one browser and its one connection: places for a few renders at a time, shared fairly between accounts, a bounded wait in
 * front, a replacement for a browser that crashed or stopped answering, and an end after a minute without work. A few of these
 * objects exist, by name: `browser-N` for all renders, and `alone-N` for renders that run alone.
 */
export class BrowserHost extends DurableObject<Env> {
  readonly #places: Places;
  readonly #alonePlaces: Places;
  /** Accounts whose renders must run alone, with the time at which that ends (Unix ms). */
  readonly #blamed = new Map<string, number>();
  readonly #lines = new ProxyLines();
  /** The strips of tall screenshots are large, so one at a time is on its way. */
  readonly #tallScreenshots = new Semaphore(1);
  readonly #cancels = new Map<string, AbortController>();
  #running: Promise<Running> | null = null;
  /** Of the browser that runs now: aborted when it ends. */
  #lost: AbortController | null = null;
  #lastUsedAt = 0;
  #idleMs = BROWSER_IDLE_MS;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const size = Math.floor(toPositiveNumber(env.RENDERS_PER_BROWSER, RENDERS_PER_BROWSER_DEFAULT));
    this.#places = new Places(size, size * WAITING_PER_PLACE, now);
    this.#alonePlaces = new Places(1, ALONE_WAITING, now);
    // This object ended without closing its browser: another could never be sure that it is the only connection.
    void ctx.blockConcurrencyWhile(async () => {
      const left = await ctx.storage.get<string>(SESSION_KEY);
      if (left === undefined) return;
      const { closeBrowserById } = await import("./connection");
      await closeBrowserById(env.BROWSER, left);
      await ctx.storage.delete(SESSION_KEY);
    });
  }

  /**
   * Renders, or says why not; never throws. With `wait` the render waits for a place, without it the reply is "full". The reply is
   * "lost" if the browser was lost: the caller repeats the render with `alone`, in a host for such renders.
   */
  async render(
    request: RenderRequest,
    { wait, alone = false }: { wait: boolean; alone?: boolean },
  ): Promise<RenderReply> {
    const { account, maxRenders: limit } = request;
    if (!alone && this.#rendersAlone(account)) return { kind: "lost" };
    if (!wait && this.#places.isFull({ account, limit }))
      return { kind: "full", message: "Every place of this browser is taken." };
    this.#idleMs = alone ? ALONE_BROWSER_IDLE_MS : BROWSER_IDLE_MS;
    const cancel = new AbortController();
    this.#cancels.set(request.id, cancel);
    try {
      return await this.#renderInTurn(request, alone ? this.#alonePlaces : this.#places, cancel.signal);
    } catch (error) {
      if (alone && error instanceof BrowserLostError) return ENDED_BROWSER;
      return toReply(error, request);
    } finally {
      this.#cancels.delete(request.id);
    }
  }

  /** From now on, renders of this account get the reply "lost" here for a while: one of its pages ended a browser. */
  blame(account: string): void {
    this.#blamed.set(account, now() + RENDERS_ALONE_MS);
  }

  #rendersAlone(account: string): boolean {
    for (const [blamed, until] of this.#blamed) if (until <= now()) this.#blamed.delete(blamed);
    return this.#blamed.has(account);
  }

  /** Starts again after an eviction. */
  async #renderInTurn(request: RenderRequest, places: Places, cancelled: AbortSignal): Promise<RenderReply> {
    for (;;) {
      try {
        return await this.#renderOnce(request, places, cancelled);
      } catch (error) {
        if (!(error instanceof EvictedError)) throw error;
      }
    }
  }

  /** Asks the browser whether it is alive, and replaces one that doesn't answer. "idle" means that no browser runs. */
  async check(): Promise<"idle" | "ok" | "dead"> {
    if (this.#running === null) return "idle";
    let running: Running | null = null;
    try {
      running = await this.#running;
      await running.browser.ping();
      return "ok";
    } catch (error) {
      if (running !== null) this.#replace(running, "The browser did not answer the readiness check.", error);
      return "dead";
    }
  }

  /** Stops a render that its caller has given up. */
  cancel(id: string): void {
    this.#cancels.get(id)?.abort(new CancelledError("The render was cancelled."));
  }

  override async alarm(): Promise<void> {
    const idleMs = now() - this.#lastUsedAt;
    const isUsed = this.#places.taken + this.#alonePlaces.taken > 0;
    if (isUsed || idleMs < this.#idleMs) {
      await this.#watchIdleness(isUsed ? this.#idleMs : this.#idleMs - idleMs);
      return;
    }
    const running = this.#running;
    this.#running = null;
    if (running !== null) {
      const { browser, lost } = await running;
      lost.abort(new BrowserLostError("The browser was idle."));
      await browser.close();
    }
    await this.ctx.storage.delete(SESSION_KEY);
  }

  async #renderOnce(request: RenderRequest, places: Places, cancelled: AbortSignal): Promise<RenderReply> {
    const evicted = new AbortController();
    const { account, maxRenders: limit } = request;
    const onEvicted = () => evicted.abort(new EvictedError("The place is needed for another account."));
    const leave = await places.take({ account, limit, onEvicted }, PLACE_WAIT_MS);
    const timeout = AbortSignal.timeout(RENDER_TIMEOUT_MS);
    const over = new AbortController();
    let running: Running | null = null;
    let tab: Tab | null = null;
    let unwatch = () => {};
    try {
      cancelled.throwIfAborted();
      running = await this.#ensureRunning();
      unwatch = running.browser.watch();
      const signal = AbortSignal.any([timeout, cancelled, evicted.signal, running.lost.signal]);
      const { proxy, maxHtmlBytes: maxBytes } = request;
      tab = await this.#takeTab(running, request, signal);
      tab.begin(egressPolicy(request.allowedPrivateHosts, request.ownOrigins), {
        isSeen: request.screenshot,
        maxBytes,
        exit:
          proxy === null
            ? null
            : new ProxiedExit(proxy, {
                lines: this.#lines,
                maxDocumentBytes: maxBytes,
                signal: AbortSignal.any([signal, over.signal]),
              }),
      });
      if (request.visit !== null) await tab.dress(request.visit, request.url);
      else if (request.screenshot) await tab.layOut(VIEWPORT);
      const { quietName } = running.browser;
      return await render(tab, request, { quietName, tallScreenshots: this.#tallScreenshots, signal });
    } catch (error) {
      // A cancelled or evicted render may fail in any way: only the cancellation or eviction counts.
      if (cancelled.aborted) throw cancelled.reason;
      if (evicted.signal.aborted) throw evicted.signal.reason;
      if (error instanceof RenderError) throw error;
      if (running?.lost.signal.aborted) throw running.lost.signal.reason;
      if (timeout.aborted) throw toLate({ hasTab: tab !== null });
      throw error;
    } finally {
      over.abort();
      unwatch();
      if (running !== null) {
        this.#lastUsedAt = now();
        if (tab !== null) this.ctx.waitUntil(this.#endTab(running, tab));
      }
      leave();
    }
  }

  /** The next tab is made before the used one is ended, so that a render that waits needn't. */
  async #endTab(running: Running, tab: Tab): Promise<void> {
    if (running.lost.signal.aborted) return;
    this.#prepareSpare(running);
    await running.browser.closeTab(tab);
  }

  /** A tab for this render. A browser that can't open one is replaced. Rejects with the signal's reason. */
  async #takeTab(running: Running, request: RenderRequest, signal: AbortSignal): Promise<Tab> {
    const { SEARCH_BROWSER_PROXY: proxy = "" } = this.env;
    const opening =
      request.proxy !== null
        ? running.browser.openTab({ isolated: true })
        : request.visit !== null && proxy !== ""
          ? running.browser.openTab({ proxy })
          : this.#takeSpare(running);
    try {
      return await raceAbort(opening, signal);
    } catch (error) {
      // A tab that opens later is closed at once.
      opening.then((tab) => running.browser.closeTab(tab)).catch(() => undefined);
      if (signal.aborted) throw error;
      this.#replace(running, "The browser could not open a tab.", error);
      running.browser.drop();
      throw running.lost.signal.reason;
    }
  }

  async #takeSpare(running: Running): Promise<Tab> {
    const spare = running.spare;
    running.spare = null;
    if (spare !== null) {
      try {
        return await spare;
      } catch (error) {
        log("warn", "spare_tab_failed", toLogged(error));
      }
    }
    return await running.browser.openTab();
  }

  #prepareSpare(running: Running): void {
    if (running.spare !== null) return;
    running.spare = running.browser.openTab();
    running.spare.catch(() => undefined); // Whoever takes it sees the failure.
  }

  /** Ends a browser that doesn't work any more. Its renders start again in a new one. */
  #replace({ sessionId, lost }: Pick<Running, "sessionId" | "lost">, reason: string, cause?: unknown): void {
    if (lost.signal.aborted) return;
    const details = cause === undefined ? {} : toLogged(cause);
    log("warn", "browser_replaced", {
      session: sessionId,
      reason,
      renders: this.#places.taken + this.#alonePlaces.taken,
      ...details,
    });
    lost.abort(new BrowserLostError(reason));
    if (this.#lost === lost) this.#running = null;
    this.ctx.waitUntil(this.#close(sessionId));
  }

  async #close(sessionId: string): Promise<void> {
    const { closeBrowserById } = await import("./connection");
    await closeBrowserById(this.env.BROWSER, sessionId);
  }

  async #ensureRunning(): Promise<Running> {
    this.#running ??= this.#launch();
    const launching = this.#running;
    try {
      return await launching;
    } catch (error) {
      if (this.#running === launching) this.#running = null;
      throw error;
    }
  }

  async #launch(): Promise<Running> {
    const lost = new AbortController();
    this.#lost = lost;
    try {
      // An isolate that renders nothing starts without puppeteer.
      const [{ Browser }, { acquireBrowser }] = await Promise.all([import("./browser"), import("./connection")]);
      const sessionId = await withTimeout(LAUNCH_TIMEOUT_MS, acquireBrowser(this.env.BROWSER));
      await this.ctx.storage.put(SESSION_KEY, sessionId);
      const { USER_AGENT: userAgent, DNS_RESOLVER: resolver, BROWSER_PROXY: proxy = "" } = this.env;
      const opening = Browser.open(this.env.BROWSER, sessionId, {
        userAgent,
        resolver,
        proxy,
        onLost: (reason) => this.#replace({ sessionId, lost }, reason),
      });
      const browser = await withTimeout(LAUNCH_TIMEOUT_MS, opening);
      this.#lastUsedAt = now();
      await this.#watchIdleness(this.#idleMs);
      return { browser, sessionId, lost, spare: null };
    } catch (cause) {
      throw new LaunchError("No browser could be started.", { cause });
    }
  }

  async #watchIdleness(afterMs: number): Promise<void> {
    await this.ctx.storage.setAlarm(now() + afterMs);
  }
}
