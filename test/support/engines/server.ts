// The three search engines and the three official APIs, in Node, each at a port of its own: see search.ts for how a search
// says what is to be played. What was asked is written down.
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { playApi } from "./apis.ts";
import { bing } from "./bing.ts";
import type { Reply, Searched } from "./exchange.ts";
import { followToken, google, readToken, CAPTCHA as SORRY, sorryFor } from "./google.ts";
import { behaviourOf, idOf, type Search } from "./search.ts";
import { captchaFor, CAPTCHA as SHOWCAPTCHA, yandex } from "./yandex.ts";

export interface Origins {
  google: string;
  bing: string;
  yandex: string;
  /** All three APIs: their paths differ. */
  apis: string;
}

export interface Engines {
  origins: Origins;
  /** What was asked for searches with this id, redirects and walls included, oldest first. */
  searched: (id: string) => Searched[];
  close: () => void;
}

const ENGINES = { google, bing, yandex };

export async function startEngines(): Promise<Engines> {
  const log = new Map<string, Searched[]>();
  const write = (id: string, searched: Searched): Searched[] => {
    const before = log.get(id) ?? [];
    log.set(id, [...before, searched]);
    return before;
  };
  const servers = Object.fromEntries(
    (["google", "bing", "yandex"] as const).map((who) => [
      who,
      createServer((request, response) => {
        const url = new URL(request.url ?? "/", "http://engine");
        const headers = request.headers as Record<string, string>;
        const searched: Searched = { who, method: request.method ?? "", url: `${url.pathname}${url.search}`, headers };
        const note = (text: string) => write(idOf(text), searched);
        if (ENGINES[who].paths.includes(url.pathname)) playSearch(who, url, request, response, note);
        else send(response, playOther(url, searched, note));
      }),
    ]),
  );
  const apis = createServer((request, response) => void playApi(request, response, write));
  const all: Record<string, Server> = { ...servers, apis };
  await Promise.all(Object.values(all).map((server) => once(server.listen(0, "127.0.0.1"), "listening")));
  return {
    origins: Object.fromEntries(
      Object.entries(all).map(([who, server]) => [who, `http://127.0.0.1:${(server.address() as AddressInfo).port}`]),
    ) as unknown as Origins,
    searched: (id) => log.get(id) ?? [],
    close: () => {
      for (const server of Object.values(all)) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

type Note = (text: string) => Searched[];

function playSearch(
  who: keyof typeof ENGINES,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
  note: Note,
): void {
  const { textOf, pageOf, answer } = ENGINES[who];
  const [text, page] = [textOf(url), pageOf(url)];
  const headers = request.headers as Record<string, string>;
  const search: Search = {
    text,
    page,
    behaviour: behaviourOf(text, page, note(text).length),
    id: idOf(text),
    isMobile: /Mobile/.test(headers["user-agent"] ?? ""),
    // Every navigation has it.
    isBrowser: "upgrade-insecure-requests" in headers,
  };
  if (search.behaviour === "hang") return;
  if (search.behaviour === "reset") return void request.socket.destroy();
  const isDown = search.behaviour === "down";
  send(response, isDown ? { status: 503, html: "<h1>Service unavailable</h1>" } : answer(search, url, headers));
}

/** Redirects and walls; anything else isn't here. */
function playOther(url: URL, { who, method }: Searched, note: Note): Reply {
  if (who === "google" && url.pathname === "/goto") {
    const token = readToken(url);
    if (token === null) return { status: 404 };
    const before = note(token.text).filter((other) => other.url === `${url.pathname}${url.search}`);
    return followToken(token, method, before.length);
  }
  if (who === "google" && url.pathname.startsWith("/sorry/")) {
    note(sorryFor(url));
    return { status: 429, html: SORRY };
  }
  if (who === "yandex" && url.pathname === "/showcaptcha") {
    note(captchaFor(url));
    return { html: SHOWCAPTCHA };
  }
  return { status: 404, html: "<h1>Not here</h1>" };
}

function send(response: ServerResponse, { status = 200, headers, html = "" }: Reply): void {
  response.writeHead(status, { "content-type": "text/html; charset=utf-8", ...headers });
  response.end(html);
}
