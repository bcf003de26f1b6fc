import type { Protocol } from "devtools-protocol";
import { MAX_DOCUMENT_REQUESTS, MAX_PAGE_REQUESTS, MAX_PAGE_WORKERS } from "../model/limits";
import { type EgressPolicy, findAddressRefusal, findRefusal, isExempt } from "../net/egress";
import type { CDPSession } from "./connection";
import { MainDocument } from "./main-document";
import type { PageProxy } from "./page-proxy";
import { PendingRequests } from "./pending-requests";
import { RenderError, type Visit } from "./protocol";

/** The scale at which a page without a screenshot is painted. It saves a tenth of the time. Pages can't notice it. */
const UNSEEN_SCALE = 0.05;

/**
 * Leaves request bodies out of events, because a large one would end the connection. 1 is the smallest limit: Chromium takes 0 for
 * no limit (tried with 153).
 */
export const NO_BODIES: Protocol.Network.EnableRequest = { maxPostDataSize: 1 };

interface TabTraits {
  /** All of its requests are fulfilled by interception. */
  isIsolated: boolean;
  /** The remote address of a document is the target's own, so it is checked. */
  checksAddress: boolean;
}

interface BeginOptions {
  /** The render includes a screenshot. */
  isSeen: boolean;
  /** The largest main document, decoded. */
  maxBytes: number;
  /** Null: the browser sends its requests itself. */
  proxy: PageProxy | null;
}

/** The decision about an intercepted request. */
export type Verdict = { kind: "continue" } | { kind: "fail" } | { kind: "blank-image" };

/**
 * One page in a browser context of its own, so that no cookie, cache or storage is shared. It is opened ahead of its use and serves
 * one render.
 */
export class Tab {
  readonly session: CDPSession;
  readonly contextId: string;
  /** The id of the main frame, which is the target's id too. */
  readonly frameId: string;
  readonly isIsolated: boolean;

  /** Null until a render begins. Until then no request is allowed. */
  policy: EgressPolicy | null = null;
  /** Null: the browser sends the allowed requests itself. */
  proxy: PageProxy | null = null;
  readonly main = new MainDocument();
  /** Why the policy refused the last main document or a redirect of it. */
  refused: string | null = null;
  /** Why the main document failed: its name doesn't resolve, or the proxy failed. */
  failure: RenderError | null = null;
  crashed = false;
  /** Counts requests and navigations. If it hasn't changed, nothing has happened in the meantime. */
  activity = 0;
  documentRequests = 0;
  requests = 0;
  workers = 0;

  /** Ids of the requests for a main document that went through the policy. */
  readonly #judged = new Set<string>();
  /** Why a document is shown that the policy didn't check or allow. */
  #bypass: string | null = null;
  readonly #checksAddress: boolean;
  #maxDocumentBytes = 0;
  #isSeen = false;
  readonly #pending = new PendingRequests(() => this.#notify());
  readonly #watchers = new Set<() => void>();

  constructor(session: CDPSession, contextId: string, frameId: string, traits: TabTraits) {
    this.session = session;
    this.contextId = contextId;
    this.frameId = frameId;
    this.isIsolated = traits.isIsolated;
    this.#checksAddress = traits.checksAddress;
    this.#watchRequests(session);
    session.on("Page.frameStartedLoading", (event) => this.#onStarted(event.frameId));
    session.on("Page.frameStoppedLoading", (event) => this.#onStopped(event.frameId));
    session.on("Page.frameDetached", (event) => this.#pending.endFrame(event.frameId));
    session.on("Page.frameNavigated", (event) => this.#onNavigated(event.frame));
    session.on("Page.lifecycleEvent", (event) => this.#onLifecycle(event));
    session.on("Page.javascriptDialogOpening", (event) => {
      // A dialog stops the page's script until it is closed.
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

  /** The number of pending requests and loading frames. */
  get requestsInFlight(): number {
    return this.#pending.size;
  }

  /** Begins a render: from now on the page may request what the policy allows. Images and fonts only load for a screenshot. */
  begin(policy: EgressPolicy, { isSeen, maxBytes, proxy }: BeginOptions): void {
    this.policy = policy;
    this.proxy = proxy;
    this.#maxDocumentBytes = maxBytes;
    this.#isSeen = isSeen;
  }

  /** Sets the viewport. The page is painted at full scale only for a screenshot. */
  async layOut(viewport: Visit["viewport"], { isMobile = false } = {}): Promise<void> {
    await this.send("Emulation.setDeviceMetricsOverride", {
      ...viewport,
      deviceScaleFactor: 1,
      mobile: isMobile,
      scale: this.#isSeen ? 1 : UNSEEN_SCALE,
    });
  }

  /** Sets the visit's user agent, language, viewport and cookies. They apply from the next request on. */
  async impersonate({ userAgent, acceptLanguage, viewport, isMobile, cookies }: Visit, url: string): Promise<void> {
    await Promise.all([
      this.send("Network.setUserAgentOverride", { userAgent, acceptLanguage }),
      this.layOut(viewport, { isMobile }),
      ...(cookies.length > 0
        ? [this.send("Network.setCookies", { cookies: cookies.map((cookie) => ({ ...cookie, url })) })]
        : []),
    ]);
  }

  /** Counts a started worker and its requests as the page's. */
  addWorker(session: CDPSession, targetId: string): Promise<unknown> {
    this.workers++;
    this.#pending.startWorker(targetId);
    if (this.workers === MAX_PAGE_WORKERS + 1) this.#notify();
    this.#watchRequests(session);
    return session.send("Network.enable", NO_BODIES);
  }

  /** Records why the policy refused a request. The render ends with this reason if the request is for the main document. */
  refuse(event: Protocol.Fetch.RequestPausedEvent, reason: string): void {
    if (this.isMainDocument(event)) this.refused = reason;
  }

  /** Records the failure of a request. The render ends with it if the request is for the main document. */
  fail(event: Protocol.Fetch.RequestPausedEvent, failure: RenderError): void {
    if (this.isMainDocument(event)) this.failure = failure;
  }

  /** Returns true for a request of the main document. */
  isMainDocument(event: Protocol.Fetch.RequestPausedEvent): boolean {
    return event.resourceType === "Document" && event.frameId === this.frameId;
  }

  /** Decides whether a request is allowed. */
  judge(event: Protocol.Fetch.RequestPausedEvent): Verdict {
    if (this.policy === null) return { kind: "fail" };
    const reason = findRefusal(event.request.url, this.policy);
    const isMainDocument = this.isMainDocument(event);
    if (isMainDocument) {
      this.documentRequests++;
      if (event.networkId !== undefined) this.#judged.add(event.networkId);
    }
    this.#notify();
    if (reason !== null) {
      if (isMainDocument) this.refused = reason;
      return { kind: "fail" };
    }
    if (!this.#isSeen && !isMainDocument) {
      // Some pages replace or remove an image that fails, but not an empty one.
      if (event.resourceType === "Image") return { kind: "blank-image" };
      if (event.resourceType === "Media" || event.resourceType === "Font") return { kind: "fail" };
    }
    return { kind: "continue" };
  }

  /** Resolves once `condition` is true. It is checked at each event of the page. Rejects if the page fails, or on abort. */
  until(condition: () => boolean, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (end: () => void) => {
        this.#watchers.delete(look);
        signal.removeEventListener("abort", look);
        end();
      };
      const look = () => {
        const failure = signal.aborted ? signal.reason : this.#failure();
        if (failure !== null) settle(() => reject(failure));
        else if (condition()) settle(resolve);
      };
      this.#watchers.add(look);
      signal.addEventListener("abort", look);
      look();
    });
  }

  /** Returns the error that ends the render, whatever it waits for, or null. */
  #failure(): RenderError | null {
    if (this.crashed) return new RenderError("render_failed", "The page crashed its renderer.");
    if (this.documentRequests > MAX_DOCUMENT_REQUESTS) {
      return new RenderError(
        "too_many_redirects",
        `The page went on to another more than ${MAX_DOCUMENT_REQUESTS} times.`,
      );
    }
    if (this.requests > MAX_PAGE_REQUESTS)
      return new RenderError("target_too_large", `The page made more than ${MAX_PAGE_REQUESTS} requests.`);
    if (this.workers > MAX_PAGE_WORKERS)
      return new RenderError("target_too_large", `The page started more than ${MAX_PAGE_WORKERS} workers.`);
    if (this.#bypass !== null) return new RenderError("invalid_target", this.#bypass);
    return this.main.findFailure(this.#maxDocumentBytes);
  }

  #notify(): void {
    for (const look of [...this.#watchers]) look();
  }

  #watchRequests(session: CDPSession): void {
    session.on("Network.requestWillBeSent", (event) => this.#onRequest(event));
    session.on("Network.responseReceived", (event) => this.#onResponse(event));
    session.on("Network.dataReceived", (event) => this.#onData(event));
    session.on("Network.loadingFinished", ({ requestId }) => this.#pending.end(requestId, this.main));
    session.on("Network.loadingFailed", (event) => {
      this.main.onFailed(event);
      if (event.canceled) this.proxy?.cancel(event.requestId);
      this.#pending.end(event.requestId, this.main);
    });
  }

  #onRequest(event: Protocol.Network.RequestWillBeSentEvent): void {
    this.activity++;
    this.requests++;
    this.#pending.begin(event);
    if (this.requests === MAX_PAGE_REQUESTS + 1) this.#notify();
  }

  #onResponse(event: Protocol.Network.ResponseReceivedEvent): void {
    this.#pending.onHeaders(event);
    if (event.type !== "Document" || event.frameId !== this.frameId) return;
    this.#bypass ??= this.#findBypass(event);
    this.main.onResponse(event);
    this.#notify();
  }

  /** Returns why a document bypassed the policy, or null. A prefetched document is shown without a check of its request. */
  #findBypass({ requestId, response }: Protocol.Network.ResponseReceivedEvent): string | null {
    if (!/^https?:/.test(response.url)) return null;
    const host = URL.parse(response.url)?.host ?? response.url;
    if (response.fromPrefetchCache || !this.#judged.has(requestId))
      return `The page at ${host} was loaded ahead, past the check of its address.`;
    const { remoteIPAddress: address } = response;
    if (!this.#checksAddress || !address || this.policy === null || isExempt(new URL(response.url), this.policy))
      return null;
    const kind = findAddressRefusal(address.replace(/^\[|\]$/g, ""));
    return kind === null ? null : `${host} resolves to a forbidden address: ${kind}`;
  }

  #onData(event: Protocol.Network.DataReceivedEvent): void {
    this.#pending.onData(event.requestId);
    if (event.requestId !== this.main.lastResponse?.requestId) return;
    this.main.onData(event.dataLength);
    this.#notify();
  }

  #onNavigated(frame: Protocol.Page.Frame): void {
    if (frame.id !== this.frameId) return;
    this.activity++;
    this.main.onNavigated(frame);
    if (this.main.unreachable === null) this.failure = this.refused = null;
    this.#pending.clearFrames();
    this.#notify();
  }

  #onStarted(frameId: string): void {
    if (frameId === this.frameId) return;
    this.activity++;
    this.#pending.beginFrame(frameId);
  }

  #onStopped(frameId: string): void {
    if (frameId !== this.frameId) {
      this.#pending.endFrame(frameId);
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
