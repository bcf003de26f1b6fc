// Stand-ins for the search engines and the search APIs. Each stand-in runs on its own port and logs all requests.
// search.ts describes how a search text selects a behavior.
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ENGINE_NAMES, type EngineName, type OriginVariable, toOriginVariable } from "../../../src/model/engine.ts";
import { serveApi } from "./apis.ts";
import { bing } from "./bing.ts";
import type { LoggedRequest, Reply } from "./exchange.ts";
import { followToken, google, readToken, CAPTCHA as SORRY, sorryFor } from "./google.ts";
import { behaviorOf, idOf, type StubSearch } from "./search.ts";
import { captchaFor, CAPTCHA as SHOWCAPTCHA, yandex } from "./yandex.ts";

const ENGINES = { google, bing, yandex } satisfies { [E in EngineName]: unknown };

/** The origins of the engines. All search APIs share the origin `apis`, because their paths differ. */
export type EngineOrigins = { [S in EngineName | "apis"]: string };

export interface EngineServers {
  origins: EngineOrigins;
  /** Returns the requests of searches with this id, including redirects and block pages, oldest first. */
  searches: (id: string) => LoggedRequest[];
  close: () => void;
}

/** Returns the variables that replace the origins of the engines with these origins. */
export function toOriginVariables(origins: EngineOrigins): { [Variable in OriginVariable]: string } {
  const entries = ENGINE_NAMES.map((name) => [toOriginVariable(name), origins[name]] as const);
  return Object.fromEntries(entries) as { [Variable in OriginVariable]: string };
}

/** Starts all servers. */
export async function startEngines(): Promise<EngineServers> {
  const requests = new Map<string, LoggedRequest[]>();
  const write = (id: string, logged: LoggedRequest): LoggedRequest[] => {
    const before = requests.get(id) ?? [];
    requests.set(id, [...before, logged]);
    return before;
  };
  const servers = Object.fromEntries(
    ENGINE_NAMES.map((engine) => [
      engine,
      createServer((request, response) => {
        const url = new URL(request.url ?? "/", "http://engine");
        const headers = request.headers as Record<string, string>;
        const logged: LoggedRequest = {
          server: engine,
          method: request.method ?? "",
          url: `${url.pathname}${url.search}`,
          headers,
        };
        const log = (text: string) => write(idOf(text), logged);
        if (ENGINES[engine].paths.includes(url.pathname)) serveSearch(engine, { url, request, response, log });
        else send(response, serveOther(url, logged, log));
      }),
    ]),
  );
  const apis = createServer((request, response) => void serveApi(request, response, write));
  const all: Record<string, Server> = { ...servers, apis };
  await Promise.all(Object.values(all).map((server) => once(server.listen(0, "127.0.0.1"), "listening")));
  return {
    origins: Object.fromEntries(
      Object.entries(all).map(([name, server]) => [name, `http://127.0.0.1:${(server.address() as AddressInfo).port}`]),
    ) as unknown as EngineOrigins,
    searches: (id) => requests.get(id) ?? [],
    close: () => {
      for (const server of Object.values(all)) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

/** Logs a request under the id of its search text. Returns the earlier requests with this id. */
type Log = (text: string) => LoggedRequest[];

function serveSearch(
  engine: EngineName,
  { url, request, response, log }: { url: URL; request: IncomingMessage; response: ServerResponse; log: Log },
): void {
  const { textOf, pageOf, serve } = ENGINES[engine];
  const [text, page] = [textOf(url), pageOf(url)];
  const headers = request.headers as Record<string, string>;
  const search: StubSearch = {
    text,
    page,
    behavior: behaviorOf(text, page, log(text).length),
    id: idOf(text),
    isMobile: /Mobile/.test(headers["user-agent"] ?? ""),
    // Browsers send this header with every navigation. A plain fetch doesn't.
    isBrowser: "upgrade-insecure-requests" in headers,
  };
  if (search.behavior === "hang") return;
  if (search.behavior === "reset") return void request.socket.destroy();
  const isDown = search.behavior === "down";
  send(response, isDown ? { status: 503, html: "<h1>Service unavailable</h1>" } : serve(search, url, headers));
}

/** Serves redirects and block pages. */
function serveOther(url: URL, { server, method }: LoggedRequest, log: Log): Reply {
  if (server === "google" && url.pathname === "/goto") {
    const token = readToken(url);
    if (token === null) return { status: 404 };
    const before = log(token.text).filter((other) => other.url === `${url.pathname}${url.search}`);
    return followToken(token, method, before.length);
  }
  if (server === "google" && url.pathname.startsWith("/sorry/")) {
    log(sorryFor(url));
    return { status: 429, html: SORRY };
  }
  if (server === "yandex" && url.pathname === "/showcaptcha") {
    log(captchaFor(url));
    return { html: SHOWCAPTCHA };
  }
  return { status: 404, html: "<h1>Not found</h1>" };
}

function send(response: ServerResponse, { status = 200, headers, html = "" }: Reply): void {
  response.writeHead(status, { "content-type": "text/html; charset=utf-8", ...headers });
  response.end(html);
}
