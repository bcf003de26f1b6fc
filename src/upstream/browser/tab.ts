import type { Protocol } from "devtools-protocol";
import { MAX_DOCUMENT_REQUESTS } from "../../limits";
import { type EgressPolicy, refusal } from "../egress";
import type { CDPSession } from "./connection";
import type { ProxiedExit } from "./exit";
import { RenderError, type Visit } from "./protocol";
import { UnderWay } from "./under-way";

/**
 * How small a page is painted that nobody will see. It can't tell (its own sizes, what comes into view and when frames come
 * are the same), and what is painted costs a tenth of a render.
 */
const UNSEEN_SCALE = 0.05;

/** What answered to a request for a main document. */
interface MainResponse {
  /** For the protocol. */
  requestId: string;
  status: number;
  contentType: string | null;
  /** By their names in lower case. */
  headers: Record<string, string>;
  url: string;
}

interface BeginOptions {
  withoutMedia: boolean;
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

  /** Null until a render begins: until then nothing may be asked. */
  policy: EgressPolicy | null = null;
  /** Null: what the policy allows goes straight to the world. */
  exit: ProxiedExit | null = null;
  /** That of the document that the main frame shows. */
  mainResponse: MainResponse | null = null;
  /** The last, whether it came to be shown or not, as a download doesn't. */
  lastResponse: MainResponse | null = null;
  /** Why the policy refused a main document last, or a redirect of it. */
  refused: string | null = null;
  /** Why a main document didn't come: its name isn't known, or it didn't get through the exit. */
  failure: RenderError | null = null;
  /** Where the page went on to without getting there: it shows the browser's own error page. */
  unreachable: string | null = null;
  crashed = false;
  domReady = false;
  loaded = false;
  /** Requests and navigations begun so far: two equal readings mean that nothing happened between. */
  activity = 0;
  documentRequests = 0;

  #maxDocumentBytes = 0;
  #documentBytes = 0;
  #documentRequestId = "";
  #isCutOff = false;
  #loaderId = "";
  #withoutMedia = false;
  /** Loaders of the main documents that came, and the responses of all, by their loaders. */
  readonly #loaders = new Set<string>();
  readonly #responses = new Map<string, MainResponse>();
  readonly #underWay = new UnderWay(() => this.#notify());
  readonly #watchers = new Set<() => void>();

  constructor(session: CDPSession, contextId: string, frameId: string) {
    this.session = session;
    this.contextId = contextId;
    this.frameId = frameId;
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

  /** Main documents that came so far. */
  get documents(): number {
    return this.#loaders.size;
  }

  /** Whether the document came that the browser names so: another may have taken its place. */
  hasShown(loaderId: string): boolean {
    return this.#loaders.has(loaderId);
  }

  /** Requests and frames under way. */
  get requestsInFlight(): number {
    return this.#underWay.size;
  }

  /** From here on the page may ask what the policy allows. Without media nothing is loaded that only the eye wants. */
  begin(policy: EgressPolicy, { withoutMedia, maxBytes, exit }: BeginOptions): void {
    this.policy = policy;
    this.exit = exit;
    this.#maxDocumentBytes = maxBytes;
    this.#withoutMedia = withoutMedia;
  }

  /** The page is laid out for this viewport, and painted in full for a picture alone. */
  async layOut(viewport: Visit["viewport"], { isMobile = false, isSeen = false } = {}): Promise<void> {
    await this.send("Emulation.setDeviceMetricsOverride", {
      ...viewport,
      deviceScaleFactor: 1,
      mobile: isMobile,
      scale: isSeen ? 1 : UNSEEN_SCALE,
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
    this.#underWay.startWorker(targetId);
    this.#watchRequests(session);
    return session.send("Network.enable");
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
    if (isMainDocument) this.documentRequests++;
    this.#notify();
    if (reason !== null) {
      if (isMainDocument) this.refused = reason;
      return { kind: "fail" };
    }
    if (this.#withoutMedia && !isMainDocument) {
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
    if (this.#isCutOff) return new RenderError("connection_failed", "The page broke off before its end.");
    if (this.#documentBytes > this.#maxDocumentBytes)
      return new RenderError("target_too_large", `The page is larger than ${this.#maxDocumentBytes} bytes.`);
    return null;
  }

  #notify(): void {
    for (const look of [...this.#watchers]) look();
  }

  #watchRequests(session: CDPSession): void {
    session.on("Network.requestWillBeSent", (event) => this.#onRequest(event));
    session.on("Network.responseReceived", (event) => this.#onResponse(event));
    session.on("Network.dataReceived", (event) => this.#onData(event));
    session.on("Network.loadingFinished", (event) => this.#underWay.end(event.requestId, this));
    session.on("Network.loadingFailed", (event) => {
      if (event.requestId === this.#documentRequestId && !event.canceled) this.#isCutOff = true;
      if (event.canceled) this.exit?.cancel(event.requestId);
      this.#underWay.end(event.requestId, this);
    });
  }

  #onRequest(event: Protocol.Network.RequestWillBeSentEvent): void {
    this.activity++;
    this.#underWay.begin(event);
  }

  #onData({ requestId, dataLength }: Protocol.Network.DataReceivedEvent): void {
    this.#underWay.hear(requestId);
    if (requestId !== this.#documentRequestId) return;
    this.#documentBytes += dataLength;
    this.#notify();
  }

  #onResponse(event: Protocol.Network.ResponseReceivedEvent): void {
    this.#underWay.answer(event);
    if (event.type !== "Document" || event.frameId !== this.frameId) return;
    this.#documentRequestId = event.requestId;
    this.#documentBytes = 0;
    const { status, mimeType, url } = event.response;
    const headers = Object.fromEntries(
      Object.entries(event.response.headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    const { requestId, loaderId } = event;
    this.lastResponse = { requestId, status, contentType: mimeType === "" ? null : mimeType, headers, url };
    this.#responses.set(loaderId, this.lastResponse);
    if (loaderId === this.#loaderId) this.mainResponse = this.lastResponse;
    this.#notify();
  }

  #onNavigated(frame: Protocol.Page.Frame): void {
    if (frame.id !== this.frameId) return;
    this.activity++;
    this.unreachable = frame.unreachableUrl ?? null;
    if (this.unreachable === null) this.failure = null;
    this.#loaderId = frame.loaderId;
    this.#loaders.add(frame.loaderId);
    // A document from memory has none: it belongs to the page that made it.
    this.mainResponse = this.#responses.get(frame.loaderId) ?? this.mainResponse;
    this.#underWay.clearFrames();
    this.domReady = false;
    this.loaded = false;
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
    // A document that was left half read, as by a link to another program, has no other event.
    this.loaded = this.domReady = true;
    this.#notify();
  }

  #onLifecycle(event: Protocol.Page.LifecycleEventEvent): void {
    if (event.frameId !== this.frameId || event.loaderId !== this.#loaderId) return;
    if (event.name === "DOMContentLoaded") this.domReady = true;
    if (event.name === "load") this.loaded = this.domReady = true;
    this.#notify();
  }
}
