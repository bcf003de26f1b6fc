import type { Protocol } from "devtools-protocol";
import { AppError } from "../model/errors";
import { Resolver } from "../net/resolver";
import type { CDPSession, Connection } from "./connection";
import type { ProxiedExit } from "./exit";
import { RenderError } from "./protocol";
import { withoutBackgroundRequests } from "./response-headers";
import type { Tab, Verdict } from "./tab";

// The smallest GIF: one transparent pixel.
const BLANK_GIF = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";

interface InterceptionOptions {
  /** DNS over JSON; empty: names aren't resolved. */
  resolver: string;
  /** A filtering proxy checks the address of every connection. */
  isProxied: boolean;
}

/** Decides about each intercepted request, by the tab that its frame belongs to. */
export class Interception {
  readonly #resolver: Resolver;
  readonly #isProxied: boolean;
  readonly #tabs = new Set<Tab>();
  readonly #tabByFrame = new Map<string, Tab>();

  constructor({ resolver, isProxied }: InterceptionOptions) {
    this.#resolver = new Resolver(resolver);
    this.#isProxied = isProxied;
  }

  /** From now on, requests of the tab's main frame are the tab's. */
  addTab(tab: Tab): void {
    this.#tabs.add(tab);
    this.addFrame(tab.frameId, tab);
  }

  removeTab(tab: Tab): void {
    this.#tabs.delete(tab);
    for (const [frameId, owner] of this.#tabByFrame) if (owner === tab) this.#tabByFrame.delete(frameId);
  }

  addFrame(frameId: string, tab: Tab): void {
    this.#tabByFrame.set(frameId, tab);
  }

  removeFrame(frameId: string): void {
    this.#tabByFrame.delete(frameId);
  }

  /** Answers an intercepted request. `at`: where it was intercepted. */
  onRequest(event: Protocol.Fetch.RequestPausedEvent, at: Connection | CDPSession): void {
    this.#answer(event, at).catch(() => undefined); // The request ended meanwhile, with its page.
  }

  async #answer(event: Protocol.Fetch.RequestPausedEvent, at: Connection | CDPSession): Promise<void> {
    const { requestId } = event;
    const send = at.send.bind(at) as Connection["send"];
    if (event.responseStatusCode !== undefined || event.responseErrorReason !== undefined) {
      await send("Fetch.continueResponse", { requestId, ...withoutBackgroundRequests(event) });
      return;
    }
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
    // The frame is unknown, so the request must not leave through another tab's proxy.
    if (exits.size > 1) await send("Fetch.failRequest", { requestId, errorReason: "BlockedByClient" });
    else if (exit === null) {
      // A document's response comes by here as well, for its headers. For every response, that would cost too much.
      await send("Fetch.continueRequest", { requestId, interceptResponse: event.resourceType === "Document" });
    } else await this.#bring(event, exit, tab, send);
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

  /**
   * A public name may lead to a private address. Where a filtering proxy checks that, only documents are looked up here, so that the
   * caller is told the reason.
   */
  async #checkName(event: Protocol.Fetch.RequestPausedEvent, verdict: Verdict): Promise<Verdict> {
    if (verdict.kind !== "continue" || (this.#isProxied && event.resourceType !== "Document")) return verdict;
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
