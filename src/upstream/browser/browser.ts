import type { Protocol } from "devtools-protocol";
import { AppError } from "../../errors";
import { newNonce } from "../../lib/crypto";
import { log, toLogged } from "../../lib/log";
import { VIEWPORT } from "../../limits";
import { Resolver } from "../resolver";
import { type CDPSession, type Connection, closeBrowser, connectBrowser } from "./connection";
import type { ProxiedExit } from "./exit";
import { DISARM, quietScript } from "./in-page";
import { RenderError } from "./protocol";
import { Tab, type Verdict } from "./tab";

const ALL_REQUESTS: Protocol.Fetch.EnableRequest = { patterns: [{ urlPattern: "*" }] };
const HOLD_NEW_TARGETS: Protocol.Target.SetAutoAttachRequest = {
  autoAttach: true,
  waitForDebuggerOnStart: true,
  flatten: true,
};
// The discard port of the browser's own machine; loopback isn't exempt either.
const NO_WAY_OUT = { proxyServer: "http://127.0.0.1:9", proxyBypassList: "<-loopback>" };
// The smallest GIF: one transparent pixel.
const BLANK_GIF = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";

/**
 * A running browser behind its one connection. Every request of every target, seen by us or not, is intercepted at the
 * browser itself; every new target is held until it has been disarmed, and windows are closed.
 */
export class Browser {
  readonly #connection: Connection;
  readonly #userAgent: string;
  readonly #resolver: Resolver;
  /** Guessable by nobody: a page's own script can't meet it by chance. */
  readonly quietName: string;
  /** Waiting for the first page of a context that we made. */
  readonly #openings = new Map<string, (opened: { session: CDPSession; targetId: string }) => void>();
  readonly #tabs = new Set<Tab>();
  readonly #tabByFrame = new Map<string, Tab>();
  /** True when the service doesn't intercept at the browser: then each target does, before it is let go. */
  #interceptsEachTarget = false;

  private constructor(connection: Connection, { userAgent, resolver }: { userAgent: string; resolver: string }) {
    this.#connection = connection;
    this.#userAgent = userAgent;
    this.#resolver = new Resolver(resolver);
    this.quietName = `q${newNonce()}`;
  }

  static async open(
    binding: BrowserRun,
    sessionId: string,
    { userAgent, resolver, onClosed }: { userAgent: string; resolver: string; onClosed: () => void },
  ): Promise<Browser> {
    const connection = await connectBrowser(binding, sessionId, onClosed);
    const { userAgent: native } = await connection.send("Browser.getVersion");
    const browser = new Browser(connection, {
      userAgent: `${native.replace("Headless", "")} ${userAgent.replace(/^Mozilla\/\S+ /, "")}`,
      resolver,
    });
    await browser.#arm();
    return browser;
  }

  async #arm(): Promise<void> {
    this.#connection.on("Target.attachedToTarget", (event) => this.#onAttached(event, null));
    this.#connection.on("Fetch.requestPaused", (event) => this.#onRequest(event, this.#connection));
    try {
      await this.#connection.send("Fetch.enable", ALL_REQUESTS);
    } catch (error) {
      this.#interceptsEachTarget = true;
      log("warn", "browser_interception_unsupported", toLogged(error));
    }
    await this.#connection.send("Target.setAutoAttach", HOLD_NEW_TARGETS);
  }

  /**
   * A page in a fresh context, ready for one render. An isolated one reaches nobody by itself: what isn't answered by
   * interception (a connection made ahead, a last request of a page that ended) goes to a proxy that isn't there.
   */
  async openTab({ isolated = false } = {}): Promise<Tab> {
    const { browserContextId } = await this.#connection.send("Target.createBrowserContext", {
      disposeOnDetach: true,
      ...(isolated && NO_WAY_OUT),
    });
    try {
      const opened = new Promise<{ session: CDPSession; targetId: string }>((resolve) =>
        this.#openings.set(browserContextId, resolve),
      );
      const created = this.#connection.send("Target.createTarget", { url: "about:blank", browserContextId });
      const { session, targetId } = await Promise.race([opened, created.then(() => opened)]);
      const tab = new Tab(session, browserContextId, targetId);
      this.#tabs.add(tab);
      this.#tabByFrame.set(targetId, tab);
      session.on("Page.frameAttached", (event) => this.#tabByFrame.set(event.frameId, tab));
      session.on("Page.frameDetached", (event) => {
        // A frame that moves to another process is still there.
        if (event.reason !== "swap") this.#tabByFrame.delete(event.frameId);
      });
      session.on("Target.attachedToTarget", (event) => this.#onAttached(event, tab));
      await Promise.all([
        session.send("Page.enable"),
        session.send("Page.setLifecycleEventsEnabled", { enabled: true }),
        session.send("Network.enable"),
        tab.layOut(VIEWPORT),
        this.#connection.send("Browser.setDownloadBehavior", { behavior: "deny", browserContextId }),
        ...this.#disarm(session, "page"),
        session.send("Page.addScriptToEvaluateOnNewDocument", { source: quietScript(this.quietName) }),
        session.send("Runtime.runIfWaitingForDebugger"),
        created,
      ]);
      return tab;
    } catch (error) {
      await this.#dispose(browserContextId);
      throw error;
    } finally {
      this.#openings.delete(browserContextId);
    }
  }

  /** Ends the tab's context with everything in it. Never throws: the browser may be gone. */
  async closeTab(tab: Tab): Promise<void> {
    this.#tabs.delete(tab);
    for (const [frameId, owner] of this.#tabByFrame) if (owner === tab) this.#tabByFrame.delete(frameId);
    await this.#dispose(tab.contextId);
  }

  async close(): Promise<void> {
    await closeBrowser(this.#connection);
  }

  async #dispose(browserContextId: string): Promise<void> {
    try {
      await this.#connection.send("Target.disposeBrowserContext", { browserContextId }, { timeout: 10_000 });
    } catch (error) {
      // With the browser its contexts are gone too.
      if (!(error instanceof Error && /closed/i.test(error.message)))
        log("warn", "context_not_disposed", toLogged(error));
    }
  }

  /** What must be in place before a target may run; sent without waiting, since a held target answers late. */
  #disarm(session: CDPSession, type: string): Promise<unknown>[] {
    const inDocument = type === "page" || type === "iframe";
    return [
      session.send("Target.setAutoAttach", HOLD_NEW_TARGETS),
      session.send("Network.setUserAgentOverride", { userAgent: this.#userAgent }),
      ...(inDocument
        ? [
            session.send("Network.setBypassServiceWorker", { bypass: true }),
            session.send("Page.addScriptToEvaluateOnNewDocument", { source: DISARM, runImmediately: true }),
          ]
        : [session.send("Runtime.evaluate", { expression: DISARM })]),
      ...(this.#interceptsEachTarget ? [this.#interceptAt(session)] : []),
    ];
  }

  #interceptAt(session: CDPSession): Promise<unknown> {
    session.on("Fetch.requestPaused", (event) => this.#onRequest(event, session));
    return session.send("Fetch.enable", ALL_REQUESTS);
  }

  #onAttached(
    { sessionId, targetInfo, waitingForDebugger }: Protocol.Target.AttachedToTargetEvent,
    parent: Tab | null,
  ): void {
    const session = this.#connection.session(sessionId);
    // The page that every browser starts with isn't used.
    if (session === null || !waitingForDebugger) return;
    const { type, targetId, browserContextId = "" } = targetInfo;
    const opening = this.#openings.get(browserContextId);
    if (type === "page" && opening !== undefined) {
      this.#openings.delete(browserContextId);
      opening({ session, targetId });
      return;
    }
    // Each step may fail because the target, or the browser, ended meanwhile.
    const steps = this.#disarm(session, type);
    if (type === "worker" && parent !== null) steps.push(parent.addWorker(session, targetId));
    steps.push(session.send("Runtime.runIfWaitingForDebugger"));
    if (type === "iframe" || type === "worker") {
      session.on("Target.attachedToTarget", (event) => this.#onAttached(event, parent));
      if (type === "iframe" && parent !== null) {
        this.#tabByFrame.set(targetId, parent);
        session.on("Page.frameAttached", (event) => this.#tabByFrame.set(event.frameId, parent));
        steps.push(session.send("Page.enable"));
      }
    } else {
      // A window, or a worker that outlives its page. It is let go first: a held window would freeze its opener.
      steps.push(this.#connection.send("Target.closeTarget", { targetId }));
    }
    void Promise.allSettled(steps);
  }

  #onRequest(event: Protocol.Fetch.RequestPausedEvent, at: Connection | CDPSession): void {
    this.#answer(event, at).catch(() => undefined); // The request ended meanwhile, with its page.
  }

  async #answer(event: Protocol.Fetch.RequestPausedEvent, at: Connection | CDPSession): Promise<void> {
    const { requestId } = event;
    const send = at.send.bind(at) as Connection["send"];
    const verdict = await this.#checkName(event, this.#judge(event));
    if (verdict.kind === "continue") await this.#let(event, send);
    else if (verdict.kind === "fail") await send("Fetch.failRequest", { requestId, errorReason: "BlockedByClient" });
    else {
      await send("Fetch.fulfillRequest", {
        requestId,
        responseCode: 200,
        responseHeaders: [
          { name: "content-type", value: "image/gif" },
          { name: "access-control-allow-origin", value: "*" },
        ],
        body: BLANK_GIF,
      });
    }
  }

  async #let(event: Protocol.Fetch.RequestPausedEvent, send: Connection["send"]): Promise<void> {
    const { requestId } = event;
    const tab = this.#tabByFrame.get(event.frameId);
    const exits = new Set(tab === undefined ? this.#rendering().map(({ exit }) => exit) : [tab.exit]);
    const [exit = null] = exits;
    // Nobody knows whose it is: it must not leave by another's way.
    if (exits.size > 1) await send("Fetch.failRequest", { requestId, errorReason: "BlockedByClient" });
    else if (exit === null) await send("Fetch.continueRequest", { requestId });
    else await this.#bring(event, exit, tab, send);
  }

  /** Answers in place of the world. */
  async #bring(
    event: Protocol.Fetch.RequestPausedEvent,
    exit: ProxiedExit,
    tab: Tab | undefined,
    send: Connection["send"],
  ): Promise<void> {
    let answer: Protocol.Fetch.FulfillRequestRequest;
    try {
      answer = await (tab?.isMainDocument(event) ? exit.document(event) : exit.part(event));
    } catch (error) {
      if (error instanceof RenderError) tab?.fail(event, error);
      await send("Fetch.failRequest", { requestId: event.requestId, errorReason: "Failed" });
      return;
    }
    await send("Fetch.fulfillRequest", answer);
  }

  #rendering(): Tab[] {
    return [...this.#tabs].filter(({ policy }) => policy !== null);
  }

  /** What may be asked by its address may still lead elsewhere by its name. */
  async #checkName(event: Protocol.Fetch.RequestPausedEvent, verdict: Verdict): Promise<Verdict> {
    if (verdict.kind !== "continue") return verdict;
    const tab = this.#tabByFrame.get(event.frameId);
    for (const { policy, exit } of tab === undefined ? this.#rendering() : [tab]) {
      // A proxy resolves the names itself.
      if (policy === null || exit !== null) continue;
      try {
        const reason = await this.#resolver.refusal(event.request.url, policy);
        if (reason === null) continue;
        tab?.refuse(event, reason);
      } catch (error) {
        // What our resolver doesn't know, another may: the browser's own might lead to a private address.
        if (error instanceof AppError) tab?.fail(event, new RenderError(error.code, error.message, error.retryable));
      }
      return { kind: "fail" };
    }
    return verdict;
  }

  /** A request of a frame that isn't known (a worker's, a window's) must suit every render under way. */
  #judge(event: Protocol.Fetch.RequestPausedEvent): Verdict {
    const tab = this.#tabByFrame.get(event.frameId);
    if (tab !== undefined) return tab.judge(event);
    const verdicts = this.#rendering().map((candidate) => candidate.judge(event));
    return verdicts.length > 0 && verdicts.every((verdict) => verdict.kind !== "fail")
      ? { kind: "continue" }
      : { kind: "fail" };
  }
}
