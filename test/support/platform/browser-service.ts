// A Worker that stands in for Cloudflare's browser service. It relays everything to the local browser binding, and adds
// what the platform adds: distance, limits, sessions that end, and DevTools methods that the service may refuse.
// The requests and errors are those of Cloudflare's documentation (Browser Run: limits, errors, browser close reasons).

import { DurableObject, WorkerEntrypoint } from "cloudflare:workers";
import { refuses, type Settings, toSettings } from "./browser-settings";

interface ServiceEnv {
  /** The browsers of the local runtime. */
  LOCAL: BrowserRun;
  SESSION: DurableObjectNamespace<BrowserConnection>;
  /** The settings that apply until a test changes them: a JSON object of `Settings`. */
  SETTINGS?: string;
}

/** The settings of all sessions. Tests change them with `PUT /settings`. */
let settings = toSettings({});
let isStarted = false;
/** The requested countries of all sessions. */
const locations: (string | null)[] = [];
/** The ids of the sessions that were acquired and may still run. */
const sessions = new Set<string>();

/** The service binding `BROWSER` of the product under test. */
export class BrowserService extends WorkerEntrypoint<ServiceEnv> {
  override async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const initial: Partial<Settings> = JSON.parse(this.env.SETTINGS ?? "{}");
    if (!isStarted) settings = toSettings(initial);
    isStarted = true;
    if (pathname === "/settings") {
      settings = toSettings({ ...initial, ...(await request.json<Partial<Settings>>()) });
      return new Response(null, { status: 204 });
    }
    if (pathname === "/locations") return Response.json(locations);
    if (pathname === "/evict") return await this.#evict();
    if (settings.rttMs > 0) await sleep(settings.rttMs);
    if (pathname === "/v1/limits" && settings.limits !== null) return Response.json(settings.limits);
    if (pathname === "/v1/devtools/browser" && request.method === "POST") return await this.#acquire(request);
    const [, sessionId = ""] = /^\/v1\/devtools\/browser\/([^/]+)$/.exec(pathname) ?? [];
    if (sessionId !== "" && request.headers.get("upgrade") === "websocket") {
      return await this.env.SESSION.getByName(sessionId).fetch(request);
    }
    if (sessionId !== "" && request.method === "DELETE") sessions.delete(sessionId);
    return await this.env.LOCAL.fetch(request);
  }

  async #acquire(request: Request): Promise<Response> {
    locations.push(new URL(request.url).searchParams.get("location"));
    const refusal = settings.refusedSessions.shift();
    if (refusal !== undefined) {
      const { status, message, retryAfterS } = refusal;
      return new Response(message, {
        status,
        headers: retryAfterS === undefined ? {} : { "retry-after": `${retryAfterS}` },
      });
    }
    const response = await this.env.LOCAL.fetch(request);
    if (!response.ok) return response;
    const session = await response.json<{ sessionId: string }>();
    sessions.add(session.sessionId);
    return Response.json(session);
  }

  /** Ends all connections, as the platform does when it recycles its sessions. Returns their number. */
  async #evict(): Promise<Response> {
    const evicted = await Promise.all([...sessions].map((id) => this.env.SESSION.getByName(id).evict()));
    return Response.json(evicted.filter(Boolean).length);
  }
}

/** The DevTools connection of one session. */
export class BrowserConnection extends DurableObject<ServiceEnv> {
  #sockets: [browser: WebSocket, client: WebSocket] | null = null;
  #isSilent = false;

  override async fetch(request: Request): Promise<Response> {
    const connected = await this.env.LOCAL.fetch(request);
    const browser = connected.webSocket;
    if (browser === null) return connected;
    const { 0: client, 1: server } = new WebSocketPair();
    browser.accept();
    server.accept();
    this.#sockets = [browser, server];
    const restart = toIdleTimer(settings.keepAliveMs, () => this.evict());
    const toBrowser = new DelayedLine((data) => browser.send(data));
    const toClient = new DelayedLine((data) => server.send(data));
    server.addEventListener("message", ({ data }) => {
      restart();
      if (this.#isSilent || typeof data !== "string") return;
      const command = JSON.parse(data) as Command;
      const error = refuses(settings, command);
      if (error !== null) toClient.push(JSON.stringify({ id: command.id, sessionId: command.sessionId, error }));
      else toBrowser.push(settings.holdsTargets ? data : withoutHolding(command, data));
    });
    browser.addEventListener("message", ({ data }) => {
      if (this.#isSilent || typeof data !== "string") return;
      if (data.length > settings.maxFrameChars) this.#breakConnection();
      else toClient.push(settings.hidesDnsErrors ? hideDnsErrors(data) : data);
    });
    server.addEventListener("close", () => close(browser));
    browser.addEventListener("close", () => close(server));
    return new Response(null, { status: 101, webSocket: client });
  }

  /** Ends the connection. Returns false if there is none. */
  evict(): boolean {
    const sockets = this.#sockets;
    this.#sockets = null;
    for (const socket of sockets ?? []) close(socket);
    return sockets !== null;
  }

  /**
   * Ends the connection as workerd does for a message over 32 MiB: with an `error` event, but without a `close` event.
   * The setting "silence" ends it without any event.
   */
  #breakConnection(): void {
    this.#isSilent = true;
    if (settings.largeFrames === "error") this.ctx.abort("The message is too large.");
  }
}

interface Command {
  id: number;
  method: string;
  sessionId?: string;
  params?: Record<string, unknown>;
}

/** Sends each message half a round trip later, in order. */
class DelayedLine {
  readonly #send: (data: string) => void;
  readonly #waiting: { at: number; data: string }[] = [];

  constructor(send: (data: string) => void) {
    this.#send = send;
  }

  push(data: string): void {
    const delayMs = settings.rttMs / 2;
    if (delayMs === 0 && this.#waiting.length === 0) this.#trySend(data);
    else {
      this.#waiting.push({ at: Date.now() + delayMs, data });
      if (this.#waiting.length === 1) setTimeout(() => this.#flush(), delayMs);
    }
  }

  #flush(): void {
    while (this.#waiting[0] !== undefined && this.#waiting[0].at <= Date.now()) {
      this.#trySend(this.#waiting[0].data);
      this.#waiting.shift();
    }
    const [next] = this.#waiting;
    if (next !== undefined) setTimeout(() => this.#flush(), Math.max(1, next.at - Date.now()));
  }

  #trySend(data: string): void {
    try {
      this.#send(data);
    } catch {
      // The other side has closed.
    }
  }
}

/** Returns a function that starts the idle time again. `onIdle` is called when it has passed. */
function toIdleTimer(idleMs: number | null, onIdle: () => void): () => void {
  if (idleMs === null) return () => {};
  let timer = setTimeout(onIdle, idleMs);
  return () => {
    clearTimeout(timer);
    timer = setTimeout(onIdle, idleMs);
  };
}

/** Returns the command for a service that doesn't pause new targets. */
function withoutHolding(command: Command, data: string): string {
  if (command.method !== "Target.setAutoAttach") return data;
  return JSON.stringify({ ...command, params: { ...command.params, waitForDebuggerOnStart: false } });
}

/** The platform's browsers are behind a proxy that resolves the names. */
function hideDnsErrors(data: string): string {
  return data.replaceAll("net::ERR_NAME_NOT_RESOLVED", "net::ERR_TUNNEL_CONNECTION_FAILED");
}

function close(socket: WebSocket): void {
  try {
    socket.close();
  } catch {
    // It has closed already.
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
