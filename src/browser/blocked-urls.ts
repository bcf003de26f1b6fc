import { isWithin } from "../net/session";
import adHosts from "./ad-hosts.json";
import type { CDPSession } from "./connection";
import { NO_BODIES } from "./network";

/** Common hosts of advertising and tracking. An entry also applies to the host's subdomains. */
const AD_HOSTS: readonly string[] = adHosts.hosts;
/** Trackers on hosts that also serve content. */
const TRACKERS: readonly string[] = ["*://connect.facebook.net/*/fbevents.js*", "*://www.facebook.com/tr?*"];

/** The URLs that a page must not request. The browser has one list, so all reasons for blocking a URL are combined. */
export class BlockedUrls {
  readonly #session: CDPSession;
  /** The patterns of URLs that didn't respond (`load.ts`). */
  readonly dead: string[] = [];
  /** The patterns of URLs that the render doesn't need (`prepare-tab.ts`). */
  skipped: readonly string[] = [];
  /** The hosts of advertising and tracking. Empty if they aren't blocked. */
  #adHosts: ReadonlySet<string> = new Set();

  constructor(session: CDPSession) {
    this.#session = session;
  }

  /** Blocks hosts of advertising and tracking, except the target's own. Doesn't wait for the browser's reply. */
  blockAds(target: string): void {
    const { hostname } = new URL(target);
    this.#adHosts = new Set(AD_HOSTS.filter((host) => !isWithin(hostname, host)));
    // The errors are ignored, because they also end the navigation.
    this.apply().catch(() => undefined);
  }

  /** Returns true if the URL's host belongs to advertising. The browser's list doesn't apply to frames' documents. */
  isAd(url: string): boolean {
    if (this.#adHosts.size === 0) return false;
    const labels = URL.parse(url)?.hostname.split(".") ?? [];
    return labels.some((_, i) => this.#adHosts.has(labels.slice(i).join(".")));
  }

  /** Sets the whole list in the page. */
  async apply(): Promise<void> {
    await this.#session.send("Network.setBlockedURLs", { urls: [...this.skipped, ...this.#adPatterns, ...this.dead] });
  }

  /**
   * Blocks advertising in a frame with its own process, or in a worker. Returns the promises of the commands, or none
   * if advertising isn't blocked.
   */
  applyTo(session: CDPSession): Promise<unknown>[] {
    if (this.#adHosts.size === 0) return [];
    return [
      session.send("Network.enable", NO_BODIES),
      session.send("Network.setBlockedURLs", { urls: this.#adPatterns }),
    ];
  }

  get #adPatterns(): string[] {
    if (this.#adHosts.size === 0) return [];
    return [...[...this.#adHosts].flatMap((host) => [`*://${host}/*`, `*://*.${host}/*`]), ...TRACKERS];
  }
}
