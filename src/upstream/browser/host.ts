import { DurableObject } from "cloudflare:workers";
import { now } from "../../lib/clock";
import { log, toLogged } from "../../lib/log";
import { toPositiveNumber } from "../../lib/variables";
import { within } from "../../lib/within";
import {
  BROWSER_IDLE_MS,
  LAUNCH_TIMEOUT_MS,
  PLACE_WAIT_MS,
  RENDER_TIMEOUT_MS,
  RENDERS_PER_BROWSER_DEFAULT,
  SECOND_MS,
  VIEWPORT,
  WAITING_PER_PLACE,
} from "../../limits";
import { egressPolicy } from "../egress";
import type { Browser } from "./browser";
import { ProxiedExit, ProxyLines } from "./exit";
import { isLaunchFailure } from "./launch-failure";
import { NoPlaceError, Places } from "./places";
import { RenderError, type RenderReply, type RenderRequest } from "./protocol";
import { render } from "./render";
import type { Tab } from "./tab";

/** The browser went away under a render: not the page's fault, unless it was alone. */
class BrowserLostError extends Error {
  override readonly name = "BrowserLostError";
}

/** No browser may start now, or none is there. */
class LaunchError extends Error {
  override readonly name = "LaunchError";
}

class CancelledError extends Error {
  override readonly name = "CancelledError";
}

const SESSION_KEY = "session";

interface Running {
  browser: Browser;
  lost: AbortController;
  /** The tab for the next render, made ahead. */
  spare: Promise<Tab> | null;
}

/**
 * Holds one browser and its one connection: places for a few renders at a time, a bounded wait in front, a relaunch
 * after a crash, an end after a minute without work. A few of these objects exist, by name.
 */
export class BrowserHost extends DurableObject<Env> {
  readonly #places: Places;
  readonly #lines = new ProxyLines();
  readonly #cancels = new Map<string, AbortController>();
  #running: Promise<Running> | null = null;
  /** Of the browser that runs now: aborted when it ends. */
  #lost: AbortController | null = null;
  #lastUsedAt = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const size = Math.floor(toPositiveNumber(env.RENDERS_PER_BROWSER, RENDERS_PER_BROWSER_DEFAULT));
    this.#places = new Places(size, size * WAITING_PER_PLACE);
    // This object ended without closing its browser: another could never be sure that it is the only connection.
    void ctx.blockConcurrencyWhile(async () => {
      const left = await ctx.storage.get<string>(SESSION_KEY);
      if (left === undefined) return;
      const { closeBrowserById } = await import("./connection");
      await closeBrowserById(env.BROWSER, left);
      await ctx.storage.delete(SESSION_KEY);
    });
  }

  /** Renders, or says why not; never throws. With `wait` it stands in line for a place, without it answers "full". */
  async render(request: RenderRequest, { wait }: { wait: boolean }): Promise<RenderReply> {
    if (!wait && this.#places.isFull) return { kind: "full", message: "Every place of this browser is taken." };
    const cancel = new AbortController();
    this.#cancels.set(request.id, cancel);
    try {
      try {
        return await this.#renderOnce(request, cancel.signal, false);
      } catch (error) {
        if (!(error instanceof BrowserLostError)) throw error;
        // Any of the renders may have killed it: each is tried again, alone.
        return await this.#renderOnce(request, cancel.signal, true);
      }
    } catch (error) {
      return this.#toReply(error, request);
    } finally {
      this.#cancels.delete(request.id);
    }
  }

  /** Nobody wants this render any more: its place is free for another. */
  cancel(id: string): void {
    this.#cancels.get(id)?.abort(new CancelledError("The render was cancelled."));
  }

  override async alarm(): Promise<void> {
    const idleMs = now() - this.#lastUsedAt;
    if (this.#places.taken > 0 || idleMs < BROWSER_IDLE_MS) {
      await this.#watchIdleness(this.#places.taken > 0 ? BROWSER_IDLE_MS : BROWSER_IDLE_MS - idleMs);
      return;
    }
    const running = this.#running;
    this.#running = null;
    if (running !== null) {
      const { browser } = await running;
      await browser.close();
    }
    await this.ctx.storage.delete(SESSION_KEY);
  }

  async #renderOnce(request: RenderRequest, cancelled: AbortSignal, alone: boolean): Promise<RenderReply> {
    const leave = await this.#places.take({ alone, waitMs: PLACE_WAIT_MS });
    const timeout = AbortSignal.timeout(RENDER_TIMEOUT_MS);
    const over = new AbortController();
    let running: Running | null = null;
    let tab: Tab | null = null;
    try {
      cancelled.throwIfAborted();
      running = await this.#ensureRunning();
      const { proxy, maxHtmlBytes: maxBytes } = request;
      tab = proxy === null ? await this.#takeTab(running) : await running.browser.openTab({ isolated: true });
      const signal = AbortSignal.any([timeout, cancelled, running.lost.signal]);
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
      return await render(tab, request, running.browser.quietName, signal);
    } catch (error) {
      // Whatever else it met: nobody wants it any more.
      if (cancelled.aborted) throw cancelled.reason;
      if (error instanceof RenderError) throw error;
      if (running?.lost.signal.aborted) {
        if (!alone) throw running.lost.signal.reason;
        throw new RenderError("render_failed", "The page ended the browser that rendered it.");
      }
      if (timeout.aborted) {
        throw new RenderError(
          "target_timeout",
          `The page was not rendered within ${RENDER_TIMEOUT_MS / SECOND_MS} seconds.`,
        );
      }
      throw error;
    } finally {
      over.abort();
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

  async #takeTab(running: Running): Promise<Tab> {
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
      const sessionId = await within(LAUNCH_TIMEOUT_MS, acquireBrowser(this.env.BROWSER));
      await this.ctx.storage.put(SESSION_KEY, sessionId);
      const onClosed = () => {
        lost.abort(new BrowserLostError("The browser ended."));
        if (this.#lost === lost) this.#running = null;
      };
      const { USER_AGENT: userAgent, DNS_RESOLVER: resolver } = this.env;
      const opening = Browser.open(this.env.BROWSER, sessionId, { userAgent, resolver, onClosed });
      const browser = await within(LAUNCH_TIMEOUT_MS, opening);
      this.#lastUsedAt = now();
      await this.#watchIdleness(BROWSER_IDLE_MS);
      return { browser, lost, spare: null };
    } catch (cause) {
      throw new LaunchError("No browser could be started.", { cause });
    }
  }

  async #watchIdleness(afterMs: number): Promise<void> {
    await this.ctx.storage.setAlarm(now() + afterMs);
  }

  #toReply(error: unknown, request: RenderRequest): RenderReply {
    if (error instanceof RenderError) {
      const { code, message, retryable } = error;
      return { kind: "failed", code, message, ...(retryable === undefined ? {} : { retryable }) };
    }
    // Nobody reads the answer to what was cancelled.
    if (error instanceof CancelledError) return { kind: "full", message: error.message };
    if (error instanceof LaunchError && isLaunchFailure(error.cause)) {
      return {
        kind: "failed",
        code: "render_failed",
        message:
          "No browser could be started here. Install Chrome or Chromium, or set CHROME_PATH, and start the service again.",
      };
    }
    if (error instanceof NoPlaceError || error instanceof LaunchError) {
      log("warn", "render_not_started", { render: request.id, ...toLogged(error) });
      return { kind: "full", message: error.message };
    }
    log("error", "render_error", { render: request.id, ...toLogged(error) });
    return { kind: "failed", code: "render_failed", message: "The page could not be rendered." };
  }
}
