import type { Protocol } from "devtools-protocol";
import { newNonce } from "../lib/crypto";
import { log, toLogged } from "../lib/log";
import { BROWSER_PING_TIMEOUT_MS, BROWSER_SILENCE_MS, VIEWPORT } from "../model/page-limits";
import { type CDPSession, type Connection, connectBrowser, disposeContext } from "./connection";
import { toExpression } from "./evaluate";
import { Interception } from "./interception";
import { type BrowserNetwork, DEAD_PROXY, InterceptedRequests, NO_BODIES } from "./network";
import type { BrowserFacts } from "./protocol";
import { Tab } from "./tab";
import { withServiceName } from "./user-agent";

const HOLD_NEW_TARGETS: Protocol.Target.SetAutoAttachRequest = {
  autoAttach: true,
  waitForDebuggerOnStart: true,
  flatten: true,
};
const DISARM = toExpression("disarm");

interface BrowserOptions {
  /** The user agent of the service. It is appended to the browser's own user agent. */
  userAgent: string;
  /** The URL of a DNS resolver with a JSON API. If it is empty, host names aren't resolved. */
  resolver: string;
  /** The URL of the filtering proxy for pages, or "" if there is none. */
  proxy: string;
  network: BrowserNetwork;
  /** Called once if the browser or its connection ends, or if the browser stops responding. */
  onLost: (reason: string) => void;
}

interface TabOptions {
  /** The URL of the filtering proxy for this tab. By default, the tab uses the browser's filtering proxy. */
  proxy?: string;
  /** True if interception fulfills every request. Other connections, such as preconnects, go to a dead proxy. */
  isolated?: boolean;
}

const TICK_MS = 500;

interface HeartbeatOptions {
  /** Sends a command to which a running browser responds immediately. */
  ping: () => void;
  /** Called once if the browser doesn't respond. */
  onSilent: () => void;
}

/**
 * A running browser and its only connection. Requests are intercepted at the browser. Every new target is paused until
 * `disarm` has run in it, and new windows are closed. Interception doesn't see the requests of speculation rules and
 * certificate checks. If the network may be private, every context therefore also has a filtering proxy
 * (`BROWSER_PROXY`).
 */
export class Browser {
  readonly #connection: Connection;
  readonly #heartbeat: Heartbeat;
  /** The user agent of each tab that has no user agent set. */
  readonly userAgent: string;
  readonly #interception: Interception;
  readonly #proxy: string;
  readonly #network: BrowserNetwork;
  readonly #hasResolver: boolean;
  /** The global name of the function that `installQuiet` adds to pages. It is random, so that no page uses it. */
  readonly quietName: string;
  /** Callbacks by context id. Each is called when the first page of the context opens. */
  readonly #openings = new Map<string, (opened: { session: CDPSession; targetId: string }) => void>();
  readonly facts: BrowserFacts;
  readonly #intercepted: InterceptedRequests;
  /** True if new targets are attached automatically. */
  #isArmed = false;

  private constructor(connection: Connection, heartbeat: Heartbeat, options: BrowserOptions & { product: string }) {
    const { userAgent, resolver, proxy, network } = options;
    this.facts = { product: options.product, interceptsWholeBrowser: true, pausesTargets: true };
    this.#connection = connection;
    this.#heartbeat = heartbeat;
    this.userAgent = userAgent;
    this.#interception = new Interception({ resolver, network });
    this.#hasResolver = resolver !== "";
    this.#proxy = proxy;
    this.#network = network;
    this.#intercepted = new InterceptedRequests(network);
    this.quietName = `q${newNonce()}`;
  }

  /** Connects to a browser and starts interception. */
  static async open(binding: BrowserRun, sessionId: string, options: BrowserOptions): Promise<Browser> {
    const { userAgent, onLost } = options;
    const heartbeat = new Heartbeat({
      ping: () => void connection.send("Browser.getVersion").catch(() => undefined),
      onSilent: () => {
        onLost("The browser stopped responding.");
        connection.dispose();
      },
    });
    const connection = await connectBrowser(binding, sessionId, {
      onMessage: () => heartbeat.onMessage(),
      onClosed: () => {
        heartbeat.stop();
        onLost("The browser exited, or the connection to it closed.");
      },
    });
    const { userAgent: native, product } = await connection.send("Browser.getVersion");
    const browser = new Browser(connection, heartbeat, {
      ...options,
      product,
      userAgent: withServiceName(native, userAgent),
    });
    await browser.#arm();
    return browser;
  }

  /** Watches whether the browser responds. Returns the function that stops watching. */
  watch(): () => void {
    return this.#heartbeat.watch();
  }

  /** Rejects if the browser doesn't respond within CDP_TIMEOUT_MS. */
  async ping(): Promise<void> {
    await this.#connection.send("Browser.getVersion");
  }

  async #arm(): Promise<void> {
    this.#connection.on("Target.attachedToTarget", (event) => this.#onAttached(event, null));
    this.#connection.on("Fetch.requestPaused", (event) => this.#interception.onRequest(event, this.#connection));
    try {
      await this.#intercept();
    } catch (error) {
      this.facts.interceptsWholeBrowser = false;
      log("warn", "browser_interception_unsupported", toLogged(error));
    }
    await this.#connection.send("Target.setAutoAttach", HOLD_NEW_TARGETS);
    this.#isArmed = true;
  }

  async #intercept(): Promise<void> {
    await this.#connection.send("Fetch.enable", this.#intercepted.toCommand());
  }

  /** Adds patterns of intercepted requests. Throws if the tab can't intercept requests that match them. */
  async interceptAlso(tab: Tab, patterns: Protocol.Fetch.RequestPattern[]): Promise<void> {
    this.#intercepted.more.set(tab, [...(this.#intercepted.more.get(tab) ?? []), ...patterns]);
    if (this.facts.interceptsWholeBrowser) await this.#intercept();
    else await tab.send("Fetch.enable", this.#intercepted.toCommand());
  }

  /** Lets the origin read the tab's location. Never throws. Without the permission, the page doesn't get a location. */
  async allowGeolocation({ contextId: browserContextId }: Tab, origin: string): Promise<void> {
    const permission = { origin, permissions: ["geolocation" as const], browserContextId };
    await this.#connection
      .send("Browser.grantPermissions", permission)
      .catch((error: unknown) => log("warn", "geolocation_not_allowed", toLogged(error)));
  }

  /** Opens a page in a new context, for one render. */
  async openTab({ proxy = this.#proxy, isolated = false }: TabOptions = {}): Promise<Tab> {
    if (isolated && ++this.#intercepted.isolatedTabs === 1 && this.facts.interceptsWholeBrowser)
      await this.#intercept();
    try {
      return await this.#open({ proxy, isolated });
    } catch (error) {
      if (isolated) await this.#endIsolated();
      throw error;
    }
  }

  async #endIsolated(): Promise<void> {
    if (--this.#intercepted.isolatedTabs === 0 && this.facts.interceptsWholeBrowser) await this.#intercept();
  }

  async #open({ proxy, isolated }: Required<TabOptions>): Promise<Tab> {
    const { browserContextId } = await this.#connection.send("Target.createBrowserContext", {
      disposeOnDetach: true,
      ...(isolated ? DEAD_PROXY : proxy === "" ? {} : { proxyServer: proxy, proxyBypassList: "<-loopback>" }),
    });
    try {
      const opened = new Promise<{ session: CDPSession; targetId: string }>((resolve) =>
        this.#openings.set(browserContextId, resolve),
      );
      const created = this.#connection.send("Target.createTarget", { url: "about:blank", browserContextId });
      const { session, targetId } = await Promise.race([opened, created.then(() => opened)]);
      const tab = new Tab(session, browserContextId, targetId, {
        isIsolated: isolated,
        quietName: this.quietName,
        skipsByUrl: this.#network === "public" && !isolated,
        // Behind a proxy, the remote address is the address of the proxy, so it isn't checked.
        checksAddress: !isolated && proxy === "" && this.#network === "checked" && this.#hasResolver,
      });
      this.#interception.addTab(tab);
      session.on("Page.frameAttached", (event) => this.#interception.addFrame(event.frameId, tab));
      session.on("Page.frameDetached", (event) => {
        // With the reason "swap", the frame moves to another process, but isn't removed.
        if (event.reason !== "swap") this.#interception.removeFrame(event.frameId);
      });
      session.on("Target.attachedToTarget", (event) => this.#onAttached(event, tab));
      await Promise.all([
        session.send("Page.enable"),
        session.send("Page.setLifecycleEventsEnabled", { enabled: true }),
        session.send("Network.enable", NO_BODIES),
        tab.layOut(VIEWPORT),
        this.#connection.send("Browser.setDownloadBehavior", { behavior: "deny", browserContextId }),
        ...this.#disarm(session, "page", { isBlank: true }),
        session.send("Page.addScriptToEvaluateOnNewDocument", { source: toExpression("installQuiet", this.quietName) }),
        session.send("Runtime.runIfWaitingForDebugger"),
        created,
      ]);
      return tab;
    } catch (error) {
      await disposeContext(this.#connection, browserContextId);
      throw error;
    } finally {
      this.#openings.delete(browserContextId);
    }
  }

  /** Disposes of the tab's context. Returns false if that failed. Never throws, even if the browser has ended. */
  async closeTab(tab: Tab): Promise<boolean> {
    this.#interception.removeTab(tab);
    const isClosed = await disposeContext(this.#connection, tab.contextId);
    if (tab.traits.isIsolated) await this.#endIsolated().catch(() => undefined);
    if (this.#intercepted.more.delete(tab) && this.facts.interceptsWholeBrowser) {
      await this.#intercept().catch(() => undefined);
    }
    return isClosed;
  }

  /** Closes the connection. The caller closes the browser by its session id. */
  drop(): void {
    this.#connection.dispose();
  }

  /**
   * Prepares a paused target. Returns the promises of the commands. A paused target responds late, so the caller must
   * resume the target before it awaits the promises. `isBlank` is true if the current document never runs a script.
   * `disarm` then runs only in later documents, which saves 12 ms of CPU time. `parent` is the tab of the target.
   */
  #disarm(
    session: CDPSession,
    type: string,
    { isBlank = false, parent = null }: { isBlank?: boolean; parent?: Tab | null } = {},
  ): Promise<unknown>[] {
    const inDocument = type === "page" || type === "iframe";
    return [
      session.send("Target.setAutoAttach", HOLD_NEW_TARGETS),
      session.send("Network.setUserAgentOverride", parent?.emulation.identity ?? { userAgent: this.userAgent }),
      ...(inDocument
        ? [
            session.send("Network.setBypassServiceWorker", { bypass: true }),
            session.send("Page.addScriptToEvaluateOnNewDocument", { source: DISARM, runImmediately: !isBlank }),
          ]
        : [session.send("Runtime.evaluate", { expression: DISARM })]),
      ...(!this.facts.interceptsWholeBrowser ? [this.#interceptAt(session)] : []),
    ];
  }

  #interceptAt(session: CDPSession): Promise<unknown> {
    session.on("Fetch.requestPaused", (event) => this.#interception.onRequest(event, session));
    return session.send("Fetch.enable", this.#intercepted.toCommand());
  }

  #onAttached(
    { sessionId, targetInfo, waitingForDebugger }: Protocol.Target.AttachedToTargetEvent,
    parent: Tab | null,
  ): void {
    const session = this.#connection.session(sessionId);
    if (session === null) return;
    if (!waitingForDebugger) {
      // Ignores the browser's initial page. It isn't paused, and renders don't use it.
      if (!this.#isArmed) return;
      // The browser service may not support pausing new targets. They are then prepared while they run.
      if (this.facts.pausesTargets) log("warn", "browser_targets_not_paused");
      this.facts.pausesTargets = false;
    }
    const { type, targetId, browserContextId = "" } = targetInfo;
    const opening = this.#openings.get(browserContextId);
    if (type === "page" && opening !== undefined) {
      this.#openings.delete(browserContextId);
      opening({ session, targetId });
      return;
    }
    // Any step may fail if the target or the browser has ended. Such errors are ignored.
    const steps = this.#disarm(session, type, { parent });
    if (parent !== null) steps.push(...parent.prepareTarget(session, targetInfo));
    steps.push(session.send("Runtime.runIfWaitingForDebugger"));
    if (type === "iframe" || type === "worker") {
      session.on("Target.attachedToTarget", (event) => this.#onAttached(event, parent));
      if (type === "iframe" && parent !== null) {
        this.#interception.addFrame(targetId, parent);
        session.on("Page.frameAttached", (event) => this.#interception.addFrame(event.frameId, parent));
        steps.push(session.send("Page.enable"));
      }
    } else {
      // Closes a window, or a worker that outlives its page. The target was resumed before, because a paused window
      // would freeze its opener.
      steps.push(this.#connection.send("Target.closeTarget", { targetId }));
    }
    void Promise.allSettled(steps);
  }
}

/**
 * Detects a browser that stopped responding while it has work. Any message shows that the browser is running. After
 * BROWSER_SILENCE_MS without a message, the browser is pinged. If it sends no message for another BROWSER_PING_TIMEOUT_MS, it
 * counts as dead.
 *
 * The connection doesn't report a dead browser: a message over 32 MiB ends the socket without a `close` event (workerd,
 * `web-socket.c++`).
 */
class Heartbeat {
  readonly #options: HeartbeatOptions;
  #timer: ReturnType<typeof setInterval> | null = null;
  #holders = 0;
  #hasMessage = false;
  #silentTicks = 0;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  /** Records that the browser has sent a message. */
  onMessage(): void {
    this.#hasMessage = true;
  }

  /** Starts watching. Returns a function that stops it. Watching ends when all returned functions have been called. */
  watch(): () => void {
    this.#holders++;
    this.#timer ??= this.#start();
    let released = false;
    return () => {
      if (released) return;
      released = true;
      if (--this.#holders === 0) this.stop();
    };
  }

  /** Stops watching immediately, regardless of the number of `watch` calls. */
  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  #start(): ReturnType<typeof setInterval> {
    this.#hasMessage = false;
    this.#silentTicks = 0;
    return setInterval(() => this.#tick(), TICK_MS);
  }

  /** Counts ticks without a message instead of time. A busy isolate reads no messages, but runs no ticks either. */
  #tick(): void {
    this.#silentTicks = this.#hasMessage ? 0 : this.#silentTicks + 1;
    this.#hasMessage = false;
    const silentMs = this.#silentTicks * TICK_MS;
    if (silentMs === BROWSER_SILENCE_MS) this.#options.ping();
    if (silentMs < BROWSER_SILENCE_MS + BROWSER_PING_TIMEOUT_MS) return;
    this.stop();
    this.#options.onSilent();
  }
}
