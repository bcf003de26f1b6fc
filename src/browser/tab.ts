import type { Protocol } from "devtools-protocol";
import { MAX_DOCUMENT_REQUESTS, MAX_PAGE_REQUESTS, MAX_PAGE_WORKERS } from "../model/limits";
import { addressRefusal, type EgressPolicy, isExempt, refusal } from "../net/egress";
import type { CDPSession } from "./connection";
import type { ProxiedExit } from "./exit";
import { MainDocument } from "./main-document";
import { RenderError, type Visit } from "./protocol";
import { UnderWay } from "./under-way";

/**
 * How small a page is painted that nobody will see. It can't tell (its own sizes, what comes into view and when frames come
 * are the same), and what is painted costs a tenth of a render.
 */
const UNSEEN_SCALE = 0.05;

/**
 * Bodies of requests are left out of events: a large one would end the connection. 1 is the smallest limit, since Chromium takes 0 for
 * no limit (tried with 153).
 */
export const NO_BODIES: Protocol.Network.EnableRequest = { maxPostDataSize: 1 };

interface TabTraits {
  /** Its requests are all answered by interception. */
  isIsolated: boolean;
  /** The address that a document came from is the target's own, and is checked. */
  checksAddress: boolean;
}

interface BeginOptions {
  /** Its picture will be taken. */
  isSeen: boolean;
  /** The largest main document, decoded. */
  maxBytes: number;
  /** Null: straight to the world. */
  exit: ProxiedExit | null;
}

/** What an intercepted request gets. */
export type Verdict = { kind: "continue" } | { kind: "fail" } | { kind: "blank-image" };

/**
 * One page in a browser context of its own: no cookie, cache or storage is shared with another. It is made ahead of
 * its use, serves one render, and is thrown away.
 */
export class Tab {
  readonly session: CDPSession;
  readonly contextId: string;
  /** The target's id is that of its main frame. */
  readonly frameId: string;
  readonly isIsolated: boolean;

  /** Null until a render begins: until then nothing may be asked. */
  policy: EgressPolicy | null = null;
  /** Null: what the policy allows goes straight to the world. */
  exit: ProxiedExit | null = null;
  readonly main = new MainDocument();
  /** Why the policy refused a main document last, or a redirect of it. */
  refused: string | null = null;
  /** Why a main document didn't come: its name isn't known, or it didn't get through the exit. */
  failure: RenderError | null = null;
  crashed = false;
  /** Requests and navigations begun so far: two equal readings mean that nothing happened between. */
  activity = 0;
  documentRequests = 0;
  requests = 0;
  workers = 0;

  /** Ids of the requests for a main document that went through the policy. */
  readonly #judged = new Set<string>();
  /** Why a document was shown that the policy didn't allow. */
  #smuggled: string | null = null;
  readonly #checksAddress: boolean;
  #maxDocumentBytes = 0;
  #isSeen = false;
  readonly #underWay = new UnderWay(() => this.#notify());
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
    session.on("Page.frameDetached", (event) => this.#underWay.endFrame(event.frameId));
    session.on("Page.frameNavigated", (event) => this.#onNavigated(event.frame));
    session.on("Page.lifecycleEvent", (event) => this.#onLifecycle(event));
    session.on("Page.javascriptDialogOpening", (event) => {
      // A dialog stops the page's script until somebody answers.
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

  /** Requests and frames under way. */
  get requestsInFlight(): number {
    return this.#underWay.size;
  }

  /** From here on the page may ask what the policy allows; what only the eye wants, if it will be seen. */
  begin(policy: EgressPolicy, { isSeen, maxBytes, exit }: BeginOptions): void {
    this.policy = policy;
    this.exit = exit;
    this.#maxDocumentBytes = maxBytes;
    this.#isSeen = isSeen;
  }

  /** The page is laid out for this viewport, and painted in full for a picture alone. */
  async layOut(viewport: Visit["viewport"], { isMobile = false } = {}): Promise<void> {
    await this.send("Emulation.setDeviceMetricsOverride", {
      ...viewport,
      deviceScaleFactor: 1,
      mobile: isMobile,
      scale: this.#isSeen ? 1 : UNSEEN_SCALE,
    });
  }

  /** Looks like the visit's browser, from the next request on. */
  async dress({ userAgent, acceptLanguage, viewport, isMobile, cookies }: Visit, url: string): Promise<void> {
    await Promise.all([
      this.send("Network.setUserAgentOverride", { userAgent, acceptLanguage }),
      this.layOut(viewport, { isMobile }),
      ...(cookies.length > 0
        ? [this.send("Network.setCookies", { cookies: cookies.map((cookie) => ({ ...cookie, url })) })]
        : []),
    ]);
  }

  /** A worker of the page has started: its script is there, and what it asks for is the page's. */
  addWorker(session: CDPSession, targetId: string): Promise<unknown> {
    this.workers++;
    this.#underWay.startWorker(targetId);
    if (this.workers === MAX_PAGE_WORKERS + 1) this.#notify();
    this.#watchRequests(session);
    return session.send("Network.enable", NO_BODIES);
  }

  /** The render ends with this reason when the request is its page itself. */
  refuse(event: Protocol.Fetch.RequestPausedEvent, reason: string): void {
    if (this.isMainDocument(event)) this.refused = reason;
  }

  fail(event: Protocol.Fetch.RequestPausedEvent, failure: RenderError): void {
    if (this.isMainDocument(event)) this.failure = failure;
  }

  isMainDocument(event: Protocol.Fetch.RequestPausedEvent): boolean {
    return event.resourceType === "Document" && event.frameId === this.frameId;
  }

  judge(event: Protocol.Fetch.RequestPausedEvent): Verdict {
    if (this.policy === null) return { kind: "fail" };
    const reason = refusal(event.request.url, this.policy);
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
      // A picture that fails makes some pages replace or drop it: an empty one doesn't.
      if (event.resourceType === "Image") return { kind: "blank-image" };
      if (event.resourceType === "Media" || event.resourceType === "Font") return { kind: "fail" };
    }
    return { kind: "continue" };
  }

  /** Resolves as soon as `condition` holds, checked at each event of the page; rejects when it crashed or on abort. */
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

  /** What ends the render whatever it waits for: a page that never comes to `load` is never asked otherwise. */
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
    if (this.#smuggled !== null) return new RenderError("invalid_target", this.#smuggled);
    return this.main.failure(this.#maxDocumentBytes);
  }

  #notify(): void {
    for (const look of [...this.#watchers]) look();
  }

  #watchRequests(session: CDPSession): void {
    session.on("Network.requestWillBeSent", (event) => this.#onRequest(event));
    session.on("Network.responseReceived", (event) => this.#onResponse(event));
    session.on("Network.dataReceived", (event) => this.#onData(event));
    session.on("Network.loadingFinished", (event) => this.#onEnd(event.requestId));
    session.on("Network.loadingFailed", (event) => {
      this.main.onFailed(event);
      if (event.canceled) this.exit?.cancel(event.requestId);
      this.#onEnd(event.requestId);
    });
  }

  #onRequest(event: Protocol.Network.RequestWillBeSentEvent): void {
    this.activity++;
    this.requests++;
    this.#underWay.begin(event);
    if (this.requests === MAX_PAGE_REQUESTS + 1) this.#notify();
  }

  #onResponse(event: Protocol.Network.ResponseReceivedEvent): void {
    this.#underWay.answer(event);
    if (event.type !== "Document" || event.frameId !== this.frameId) return;
    this.#smuggled ??= this.#smuggledReason(event);
    this.main.onResponse(event);
    this.#notify();
  }

  /** A prefetched document answers a navigation without having gone through the policy. Null for one that went through it. */
  #smuggledReason({ requestId, response }: Protocol.Network.ResponseReceivedEvent): string | null {
    if (!/^https?:/.test(response.url)) return null;
    const host = URL.parse(response.url)?.host ?? response.url;
    if (response.fromPrefetchCache || !this.#judged.has(requestId))
      return `The page at ${host} was loaded ahead, past the check of its address.`;
    const { remoteIPAddress: address } = response;
    if (!this.#checksAddress || !address || this.policy === null || isExempt(new URL(response.url), this.policy))
      return null;
    const kind = addressRefusal(address.replace(/^\[|\]$/g, ""));
    return kind === null ? null : `${host} leads to a forbidden address: ${kind}`;
  }

  #onData(event: Protocol.Network.DataReceivedEvent): void {
    this.#underWay.hear(event.requestId);
    if (event.requestId !== this.main.lastResponse?.requestId) return;
    this.main.onData(event.dataLength);
    this.#notify();
  }

  #onEnd(requestId: string): void {
    this.#underWay.end(requestId, { loaded: this.main.isLoaded });
  }

  #onNavigated(frame: Protocol.Page.Frame): void {
    if (frame.id !== this.frameId) return;
    this.activity++;
    this.main.onNavigated(frame);
    if (this.main.unreachable === null) this.failure = this.refused = null;
    this.#underWay.clearFrames();
    this.#notify();
  }

  #onStarted(frameId: string): void {
    if (frameId === this.frameId) return;
    this.activity++;
    this.#underWay.beginFrame(frameId);
  }

  #onStopped(frameId: string): void {
    if (frameId !== this.frameId) {
      this.#underWay.endFrame(frameId);
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
