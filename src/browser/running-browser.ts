import { raceAbort, withTimeout } from "../lib/async";
import { lazyModule } from "../lib/lazy";
import { log, toLogged } from "../lib/log";
import { LAUNCH_TIMEOUT_MS } from "../model/page-limits";
import type { BrowserSource } from "./acquire";
import type { Browser } from "./browser";
import { BrowserLostError, LaunchError } from "./host-errors";
import { toBrowserNetwork } from "./network";
import type { RenderRequest } from "./protocol";
import type { Tab } from "./tab";

/** Puppeteer is large, so the modules that use it are loaded on demand. */
const loadBrowser = lazyModule(() => import("./browser"));
const loadConnection = lazyModule(() => import("./connection"));

interface LaunchOptions {
  source: BrowserSource;
  /** Aborted by the caller when the browser ends or stops responding. */
  lost: AbortController;
  /** Stores the id of the browser's session. It is awaited before anything else is done with the browser. */
  onSession: (sessionId: string) => Promise<void>;
  /** Called once if the browser or its connection ends, or if the browser stops responding. */
  onLost: (sessionId: string, reason: string) => void;
}

/** Closes the browser of a session without its connection. Never throws. */
export async function closeSession(env: Env, sessionId: string): Promise<void> {
  const { closeBrowserById } = await loadConnection();
  await closeBrowserById(env.BROWSER, sessionId);
}

/** A running browser with a spare tab, so that the next render doesn't have to wait for a new tab. */
export class RunningBrowser {
  readonly browser: Browser;
  readonly sessionId: string;
  /** Aborted when the browser ends or stops responding. */
  readonly lost: AbortController;
  /** The URL of the filtering proxy for visits. If it is empty, visits use the browser's proxy. */
  readonly #visitProxy: string;
  #spare: Promise<Tab> | null = null;

  constructor(env: Env, { browser, sessionId, lost }: Pick<RunningBrowser, "browser" | "sessionId" | "lost">) {
    this.browser = browser;
    this.sessionId = sessionId;
    this.lost = lost;
    this.#visitProxy = env.SEARCH_BROWSER_PROXY ?? "";
  }

  /**
   * Starts a browser and connects to it. Throws LaunchError. A browser that started too late, or without a connection,
   * is closed, because it costs money until the browser service closes it.
   */
  static async launch(env: Env, { source, lost, onSession, onLost }: LaunchOptions): Promise<RunningBrowser> {
    const { Browser } = await loadBrowser();
    const acquiring = source.acquire(env.BROWSER, env.BROWSER_LOCATION);
    try {
      const sessionId = await withTimeout(LAUNCH_TIMEOUT_MS, acquiring);
      await onSession(sessionId);
      const { USER_AGENT: userAgent, DNS_RESOLVER: resolver, BROWSER_PROXY: proxy = "" } = env;
      const opening = Browser.open(env.BROWSER, sessionId, {
        userAgent,
        resolver,
        proxy,
        network: toBrowserNetwork(env),
        onLost: (reason) => onLost(sessionId, reason),
      });
      const browser = await withTimeout(LAUNCH_TIMEOUT_MS, opening);
      return new RunningBrowser(env, { browser, sessionId, lost });
    } catch (cause) {
      if (!lost.signal.aborted) {
        // The end of this browser must not replace the next one.
        lost.abort(new BrowserLostError("The browser could not be started."));
        // If no session was started, there is nothing to close.
        acquiring.then((sessionId) => closeSession(env, sessionId)).catch(() => undefined);
      }
      throw new LaunchError("No browser could be started.", { cause });
    }
  }

  /** Returns a tab for the render. Rejects with the signal's reason as soon as the signal is aborted. */
  async takeTab(request: RenderRequest, signal: AbortSignal): Promise<Tab> {
    const opening = this.#openTab(request);
    try {
      return await raceAbort(opening, signal);
    } catch (error) {
      // If the tab opens later, it is closed immediately.
      opening.then((tab) => this.browser.closeTab(tab)).catch(() => undefined);
      throw error;
    }
  }

  /** Closes a used tab. Returns false if the page may still run. Never throws. */
  async endTab(tab: Tab): Promise<boolean> {
    if (this.lost.signal.aborted) return true;
    // A render that failed early hasn't opened the spare tab.
    this.openSpare();
    return await this.browser.closeTab(tab);
  }

  #openTab(request: RenderRequest): Promise<Tab> {
    if (request.proxy !== null) return this.browser.openTab({ isolated: true });
    if (request.visit !== null && this.#visitProxy !== "") return this.browser.openTab({ proxy: this.#visitProxy });
    return this.#takeSpare();
  }

  async #takeSpare(): Promise<Tab> {
    const spare = this.#spare;
    this.#spare = null;
    if (spare !== null) {
      try {
        return await spare;
      } catch (error) {
        log("warn", "spare_tab_failed", toLogged(error));
      }
    }
    return await this.browser.openTab();
  }

  /**
   * Opens the spare tab for the next render, if there is none. Renders call this when their page has begun to load. The
   * browser's main process has little to do then, and the spare tab is ready when the next render starts.
   */
  openSpare(): void {
    if (this.#spare !== null || this.lost.signal.aborted) return;
    this.#spare = this.browser.openTab();
    // Prevents an unhandled rejection. The render that takes the tab handles the error.
    this.#spare.catch(() => undefined);
  }
}
