import { raceAbort } from "../lib/async";
import { log, toLogged } from "../lib/log";
import type { Browser } from "./browser";
import type { RenderRequest } from "./protocol";
import type { Tab } from "./tab";

interface RunningBrowserOptions {
  browser: Browser;
  sessionId: string;
  lost: AbortController;
  /** The URL of the filtering proxy for visits. If it is empty, visits use the browser's proxy. */
  visitProxy: string;
}

/** A running browser with a spare tab, so that the next render doesn't have to wait for a new tab. */
export class RunningBrowser {
  readonly browser: Browser;
  readonly sessionId: string;
  /** Aborted when the browser ends or stops responding. */
  readonly lost: AbortController;
  readonly #visitProxy: string;
  #spare: Promise<Tab> | null = null;

  constructor({ browser, sessionId, lost, visitProxy }: RunningBrowserOptions) {
    this.browser = browser;
    this.sessionId = sessionId;
    this.lost = lost;
    this.#visitProxy = visitProxy;
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

  /** Closes a used tab. Opens the next spare tab first, so that a waiting render gets it sooner. */
  async endTab(tab: Tab): Promise<void> {
    if (this.lost.signal.aborted) return;
    this.#openSpare();
    await this.browser.closeTab(tab);
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

  #openSpare(): void {
    if (this.#spare !== null) return;
    this.#spare = this.browser.openTab();
    // Prevents an unhandled rejection. The render that takes the tab handles the error.
    this.#spare.catch(() => undefined);
  }
}
