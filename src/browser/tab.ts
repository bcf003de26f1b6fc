import type { Protocol } from "devtools-protocol";
import type { ProtocolMapping } from "devtools-protocol/types/protocol-mapping";
import { TIMEOUT_MAX_MS } from "../model/limits";
import { VIEWPORT } from "../model/page-limits";
import { type EgressPolicy, findRefusal } from "../net/egress";
import { BlockedUrls } from "./blocked-urls";
import type { CDPSession } from "./connection";
import { findBypass, MainDocument } from "./main-document";
import { NO_BODIES, type RequestDecision } from "./network";
import { ACTIVITY_LIMITS, type ActivityLimits, type NavigationCount, PageActivity } from "./page-activity";
import type { PageProxy } from "./page-proxy";
import { PendingRequests } from "./pending-requests";
import { type LoadOptions, type RedirectCheck, RenderError, type Visit } from "./protocol";
import type { SiteHeaders } from "./site-headers";

interface TabTraits {
  /** True if interception fulfills all requests of the tab. */
  isIsolated: boolean;
  /** True if images, media and fonts are skipped by their URLs, without interception. */
  skipsByUrl: boolean;
  /** True if the egress policy must check the remote IP addresses of documents. Always false behind a proxy. */
  checksAddress: boolean;
  /** The global name of the page function that waits until the page is quiet. */
  quietName: string;
}

interface BeginOptions {
  /** Ends the render when it is aborted. */
  signal: AbortSignal;
  /** True if the render includes a screenshot or a PDF. */
  hasScreenshot: boolean;
  /** The maximum size of the decoded main document. */
  maxBytes: number;
  /** Sends the page's requests through a proxy. Null if the browser sends them. */
  proxy: PageProxy | null;
  /** The event after which the page is read. Default: quiet. */
  waitUntil?: LoadOptions["waitUntil"] | undefined;
  /** Checks the URLs to which the page redirects. Default: all URLs that the policy allows. */
  checkRedirect?: RedirectCheck | undefined;
  /** The page's limits. Default: ACTIVITY_LIMITS. */
  limits?: ActivityLimits;
}

/** A stored response, which is used instead of a request to its URL. */
type DocumentReplay = Omit<Protocol.Fetch.FulfillRequestRequest, "requestId"> & { url: string };

/** The paint scale of renders without a screenshot. It reduces the time by a tenth, and pages can't detect it. */
const NO_SCREENSHOT_SCALE = 0.05;

interface LayoutOptions {
  isMobile: boolean;
  /** True if the page is painted at full scale. */
  isPainted: boolean;
  /** The number of image pixels per CSS pixel, in each direction. */
  deviceScaleFactor?: number;
}

/** One page in its own browser context, without shared cookies, cache or storage. It serves one render. */
export class Tab {
  readonly session: CDPSession;
  readonly contextId: string;
  /** The id of the main frame. The CDP target has the same id. */
  readonly frameId: string;
  readonly traits: TabTraits;

  /** Ends the render when it is aborted. */
  signal: AbortSignal = new AbortController().signal;
  /** The egress policy of the render. Null until a render begins; no requests are allowed before. */
  policy: EgressPolicy | null = null;
  /** Sends the page's requests through a proxy. Null if the browser sends them. */
  proxy: PageProxy | null = null;
  /** The event after which the page is read. */
  waitUntil: LoadOptions["waitUntil"] = "quiet";
  readonly layout: TabLayout;
  /** Checks the URLs to which the page redirects. Null if all URLs that the policy allows are requested. */
  checkRedirect: RedirectCheck | null = null;
  /** The headers for the requests to the tab's own site, or null. */
  siteHeaders: SiteHeaders | null = null;
  readonly emulation = new Emulation();
  readonly main = new MainDocument();
  readonly pending = new PendingRequests(() => this.#notify());
  readonly blocked: BlockedUrls;
  reloads = 0;
  /** The time of the last look at the page's content during the wait for other sites. */
  lookedAt = 0;
  /** The response for the next request of the main document, or null. */
  replay: DocumentReplay | null = null;
  /** The reason why the policy refused the last main document or one of its redirects. Null if it was allowed. */
  refused: string | null = null;
  /** The error of the main document if its host name doesn't resolve or the proxy failed, otherwise null. */
  failure: RenderError | null = null;
  crashed = false;
  /** The action that is running, for messages. Null if none is running. */
  action: string | null = null;
  readonly activity = new PageActivity();
  /** The sessions of frames with their own process, by the id of the frame. */
  readonly frames = new Map<string, CDPSession>();

  /** The network ids of main-document requests that the policy has checked. */
  readonly #checked = new Set<string>();
  /** The reason why the current document is forbidden, if it bypassed the policy. Otherwise null. */
  #bypass: string | null = null;
  #maxDocumentBytes = 0;
  #hasScreenshot = false;
  readonly #watchers = new Set<() => void>();

  constructor(session: CDPSession, contextId: string, frameId: string, traits: TabTraits) {
    this.session = session;
    this.layout = new TabLayout(session);
    this.contextId = contextId;
    this.frameId = frameId;
    this.blocked = new BlockedUrls(session);
    this.traits = traits;
    this.#watchRequests(session);
    session.on("Page.frameStartedLoading", (event) => this.#onStarted(event.frameId));
    session.on("Page.frameStoppedLoading", (event) => this.#onStopped(event.frameId));
    session.on("Page.frameDetached", (event) => this.pending.endFrame(event.frameId));
    session.on("Page.frameNavigated", (event) => this.#onNavigated(event.frame));
    session.on("Page.lifecycleEvent", (event) => this.#onLifecycle(event));
    session.on("Page.frameRequestedNavigation", (event) => {
      if (event.frameId !== this.frameId) return;
      this.activity.navigations++;
      this.#notify();
    });
    session.on("Page.javascriptDialogOpening", (event) => {
      // Closes the dialog, because it blocks the page's script while it is open.
      this.send("Page.handleJavaScriptDialog", { accept: event.type === "beforeunload" }).catch(() => undefined);
    });
    session.on("Inspector.targetCrashed", () => {
      this.crashed = true;
      this.#notify();
    });
  }

  get send(): CDPSession["send"] {
    return this.session.send.bind(this.session);
  }

  /** Begins a render and allows requests. Images, media and fonts are only loaded for a screenshot. */
  begin(policy: EgressPolicy, options: BeginOptions): void {
    const { signal, hasScreenshot, maxBytes, proxy, waitUntil, checkRedirect, limits = ACTIVITY_LIMITS } = options;
    this.signal = signal;
    this.policy = policy;
    this.activity.limits = limits;
    this.checkRedirect = checkRedirect ?? null;
    this.proxy = proxy;
    this.waitUntil = waitUntil ?? "quiet";
    this.#maxDocumentBytes = maxBytes;
    this.#hasScreenshot = hasScreenshot;
  }

  /** Sets the viewport. The page is only painted at full scale if the render has a screenshot. */
  async layOut(viewport: Visit["viewport"], { isMobile = false } = {}): Promise<void> {
    await this.layout.set(viewport, { isMobile, isPainted: this.#hasScreenshot });
  }

  /** Prepares a worker, or a frame with its own process. Returns the promises of the commands. */
  prepareTarget(session: CDPSession, { type, targetId }: Protocol.Target.TargetInfo): Promise<unknown>[] {
    if (type === "iframe") this.frames.set(targetId, session);
    return [
      ...(type === "worker" ? [this.addWorker(session, targetId)] : this.emulation.applyTo(session)),
      ...this.blocked.applyTo(session),
    ];
  }

  /** Adds a worker that the page has started. Its requests count as the page's requests. */
  addWorker(session: CDPSession, targetId: string): Promise<unknown> {
    this.activity.workers++;
    this.pending.startWorker(targetId);
    if (this.activity.workers === this.activity.limits.workers + 1) this.#notify();
    this.#watchRequests(session);
    return session.send("Network.enable", NO_BODIES);
  }

  /** Records why the policy refused the request if it is for the main document. The render fails with this reason. */
  refuse(event: Protocol.Fetch.RequestPausedEvent, reason: string): void {
    if (this.isMainDocument(event)) this.refused = reason;
  }

  /** Records the error of the request if it is for the main document. The render fails with this error. */
  fail(event: Protocol.Fetch.RequestPausedEvent, failure: RenderError): void {
    if (this.isMainDocument(event)) this.failure = failure;
  }

  isMainDocument(event: Protocol.Fetch.RequestPausedEvent): boolean {
    return event.resourceType === "Document" && event.frameId === this.frameId;
  }

  /** Returns the number of the page's navigations, to compare it after an action. */
  get navigated(): NavigationCount {
    return { requested: this.activity.navigations, begun: this.activity.documents + this.main.count };
  }

  /** Applies the egress policy to an intercepted request. Skips images, media and fonts that aren't needed. */
  decide(event: Protocol.Fetch.RequestPausedEvent): RequestDecision {
    if (this.policy === null) return { kind: "fail" };
    const reason = findRefusal(event.request.url, this.policy);
    const isMainDocument = this.isMainDocument(event);
    if (isMainDocument) {
      this.activity.documents++;
      if (event.networkId !== undefined) this.#checked.add(event.networkId);
    }
    this.#notify();
    if (reason !== null) {
      if (isMainDocument) this.refused = reason;
      return { kind: "fail" };
    }
    if (!isMainDocument && this.blocked.isAd(event.request.url))
      return event.resourceType === "Document" ? { kind: "blank-document" } : { kind: "fail" };
    if (!this.#hasScreenshot && !isMainDocument) {
      // Returns a blank image, because some pages replace or remove an image that fails to load.
      if (event.resourceType === "Image") return { kind: "blank-image" };
      if (event.resourceType === "Media" || event.resourceType === "Font") return { kind: "fail" };
    }
    return { kind: "continue" };
  }

  /** Sends a command to which a hanging page may never respond. Rejects if the page fails or is aborted. */
  async sendToPage<T extends keyof ProtocolMapping.Commands>(
    method: T,
    parameters: ProtocolMapping.Commands[T]["paramsType"][0],
    signal = this.signal,
  ): Promise<ProtocolMapping.Commands[T]["returnType"]> {
    return await this.race(this.send(method, parameters, { timeout: TIMEOUT_MAX_MS }), signal);
  }

  /** Settles with the result of `work`. Rejects as soon as the page fails or the signal is aborted. */
  async race<T>(work: Promise<T>, signal = this.signal): Promise<T> {
    const ended = new AbortController();
    try {
      const failed = this.until(() => false, AbortSignal.any([signal, ended.signal])) as Promise<never>;
      return await Promise.race([work, failed]);
    } finally {
      ended.abort();
    }
  }

  /** Waits at most `ms` for the condition. Returns true if it is true in time. Rejects as `until` does. */
  async untilWithin(condition: () => boolean, ms: number): Promise<boolean> {
    const late = AbortSignal.timeout(ms);
    try {
      await this.until(condition, AbortSignal.any([this.signal, late]));
      return true;
    } catch (error) {
      if (this.signal.aborted || !late.aborted) throw error;
      return false;
    }
  }

  /** Resolves when `condition` is true at an event of the page. Rejects if the page fails or the signal is aborted. */
  until(condition: () => boolean, signal = this.signal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (end: () => void) => {
        this.#watchers.delete(check);
        signal.removeEventListener("abort", check);
        end();
      };
      const check = () => {
        const failure = signal.aborted ? signal.reason : this.#failure();
        if (failure !== null) settle(() => reject(failure));
        else if (condition()) settle(resolve);
      };
      this.#watchers.add(check);
      signal.addEventListener("abort", check);
      check();
    });
  }

  #failure(): RenderError | null {
    if (this.crashed) return new RenderError("render_failed", "The page crashed.");
    const exceeded = this.activity.findExceeded();
    if (exceeded !== null) return exceeded;
    if (this.#bypass !== null) return new RenderError("invalid_target", this.#bypass);
    return this.main.findFailure(this.#maxDocumentBytes);
  }

  #notify(): void {
    for (const check of [...this.#watchers]) check();
  }

  #watchRequests(session: CDPSession): void {
    session.on("Network.requestWillBeSent", (event) => this.#onRequest(event));
    session.on("Network.responseReceived", (event) => this.#onResponse(event));
    session.on("Network.dataReceived", (event) => this.#onData(event));
    session.on("Network.loadingFinished", ({ requestId }) => this.pending.end(requestId, this.main));
    session.on("Network.loadingFailed", (event) => {
      this.main.onFailed(event);
      if (event.canceled) this.proxy?.cancel(event.requestId);
      this.pending.end(event.requestId, this.main);
    });
  }

  #onRequest(event: Protocol.Network.RequestWillBeSentEvent): void {
    this.activity.count++;
    this.activity.requests++;
    this.pending.begin(event, this.main.response?.url);
    if (this.activity.requests === this.activity.limits.requests + 1) this.#notify();
  }

  #onResponse(event: Protocol.Network.ResponseReceivedEvent): void {
    this.pending.onHeaders(event);
    if (event.type !== "Document" || event.frameId !== this.frameId) return;
    this.#bypass ??= findBypass(event, {
      isChecked: this.#checked.has(event.requestId),
      addressPolicy: this.traits.checksAddress ? this.policy : null,
    });
    this.main.onResponse(event);
    this.#notify();
  }

  #onData(event: Protocol.Network.DataReceivedEvent): void {
    this.pending.onData(event.requestId);
    if (event.requestId !== this.main.lastResponse?.requestId) return;
    this.main.onData(event.dataLength);
    this.#notify();
  }

  #onNavigated(frame: Protocol.Page.Frame): void {
    if (frame.id !== this.frameId) return;
    this.activity.count++;
    this.main.onNavigated(frame);
    if (this.main.unreachable === null) this.failure = this.refused = null;
    this.pending.onNavigated(frame.loaderId);
    this.#notify();
  }

  #onStarted(frameId: string): void {
    if (frameId === this.frameId) return;
    this.activity.count++;
    this.pending.beginFrame(frameId);
  }

  #onStopped(frameId: string): void {
    if (frameId !== this.frameId) {
      this.pending.endFrame(frameId);
      return;
    }
    this.main.onStopped();
    this.#notify();
  }

  #onLifecycle(event: Protocol.Page.LifecycleEventEvent): void {
    if (event.frameId !== this.frameId) return;
    this.main.onLifecycle(event);
    this.#notify();
  }
}

/** The emulated device and location of a tab. They apply to its page, frames and workers. */
class Emulation {
  /** The user agent with its client hints and languages. Null: the browser's default. */
  identity: Protocol.Network.SetUserAgentOverrideRequest | null = null;
  hasTouch = false;
  /** The BCP 47 tag of the language, or null for the browser's default. */
  locale: string | null = null;
  /** The name of the IANA time zone, or null for the browser's default. */
  timezone: string | null = null;

  /** Applies everything except the identity to a page or a frame. Returns the promises of the commands. */
  applyTo(session: CDPSession): Promise<unknown>[] {
    const { hasTouch, locale, timezone } = this;
    return [
      ...(hasTouch ? [session.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 5 })] : []),
      ...(locale === null ? [] : [session.send("Emulation.setLocaleOverride", { locale })]),
      ...(timezone === null ? [] : [session.send("Emulation.setTimezoneOverride", { timezoneId: timezone })]),
    ];
  }
}

/** Returns the orientation of a phone with this viewport. By default, Chromium reports that each phone is turned. */
function toOrientation({ width, height }: Visit["viewport"]): Protocol.Emulation.ScreenOrientation {
  return width > height ? { type: "landscapePrimary", angle: 90 } : { type: "portraitPrimary", angle: 0 };
}

class TabLayout {
  viewport: Visit["viewport"] = VIEWPORT;
  readonly #session: CDPSession;
  #options: LayoutOptions = { isMobile: false, isPainted: true };

  constructor(session: CDPSession) {
    this.#session = session;
  }

  async set(viewport: Visit["viewport"], options: LayoutOptions): Promise<void> {
    this.viewport = viewport;
    this.#options = options;
    const { isMobile, isPainted, deviceScaleFactor = 1 } = options;
    await this.#session.send("Emulation.setDeviceMetricsOverride", {
      ...viewport,
      // By default, scripts see the screen of the headless browser, which is narrower than the viewport.
      screenWidth: viewport.width,
      screenHeight: viewport.height,
      ...(isMobile && { screenOrientation: toOrientation(viewport) }),
      deviceScaleFactor,
      mobile: isMobile,
      scale: isPainted ? 1 : NO_SCREENSHOT_SCALE,
    });
  }

  /** Sets the number of image pixels per CSS pixel. */
  async setScale(deviceScaleFactor: number): Promise<void> {
    await this.set(this.viewport, { ...this.#options, deviceScaleFactor });
  }
}
