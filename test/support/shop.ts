// A shop with pages that need a session, a click, a phone or a country. A second host receives its redirects and
// subresources. Both hosts record every request. The first part of each path is an id that is unique to a test.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { listen } from "./loopback.ts";
import { readBody } from "./read-body.ts";
import { sendHtml, sendJson } from "./responses.ts";
import { ACCOUNT, HOME, LOGIN, PRODUCT_LIST, productsOf, SLOW, toLayouts, toPage } from "./shop-pages.ts";

/** A request that the shop or the other host has received. */
export interface ShopRequest {
  /** True if the request went to the other host. */
  isOther: boolean;
  method: string;
  /** The path after the id, with the query. */
  path: string;
  /** The address of the caller. */
  address: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Shop {
  origin: string;
  /** The host:port of the shop and of the other host. */
  hosts: string[];
  /** Returns the requests whose path has this id. */
  requests: (id: string) => ShopRequest[];
  close: () => void;
}

/** Returns the secrets of a test's customer. */
export function customerOf(id: string) {
  return {
    email: `ada-${id}@shop.example`,
    password: `tide-${id}`,
    /** The cookie of a signed-in customer. */
    session: `session-${id}`,
    /** The header and the cookie of a partner. */
    key: `key-${id}`,
    contract: `contract-${id}`,
  };
}

/** The local address from which the stand-in proxy connects, by the country in its user name. */
export const ADDRESSES: Record<string, string> = { tr: "127.0.0.2" };

interface Visit {
  id: string;
  url: URL;
  /** The URL of the test's folder on the other host. */
  other: string;
  request: IncomingMessage;
  response: ServerResponse;
  body: string;
}

/**
 * Starts both hosts. The shop's host is an IP address and the other host is `localhost`, so they are two different
 * sites.
 */
export async function startShop(): Promise<Shop> {
  const records = new Map<string, ShopRequest[]>();
  const start = async (isOther: boolean, respond: (visit: Visit) => void) =>
    await listen(
      createServer({ keepAliveTimeout: 0 }, async (request, response) => {
        const body = (await readBody(request))?.toString() ?? "";
        const url = new URL(request.url ?? "/", "http://shop");
        if (url.pathname === "/__requests")
          return sendJson(response, records.get(url.searchParams.get("id") ?? "") ?? []);
        const [, id = "", ...rest] = url.pathname.split("/");
        const { method = "", headers, socket } = request;
        const path = `${rest.join("/")}${url.search}`;
        const record = { isOther, method, path, address: socket.remoteAddress ?? "", headers, body };
        records.set(id, [...(records.get(id) ?? []), record]);
        respond({ id, url, other: `http://localhost:${otherPort}/${id}`, request, response, body });
      }),
    );
  let otherPort = 0;
  const other = await start(true, respondAsOther);
  otherPort = other.port;
  const shop = await start(false, respondAsShop);
  return {
    origin: shop.origin,
    hosts: [`127.0.0.1:${shop.port}`, `localhost:${other.port}`],
    requests: (id) => records.get(id) ?? [],
    close: () => {
      shop.close();
      other.close();
    },
  };
}

function respondAsOther({ url, request, response }: Visit): void {
  response.setHeader("access-control-allow-origin", request.headers.origin ?? "*");
  response.setHeader("access-control-allow-credentials", "true");
  if (url.pathname.endsWith(".json")) return void sendJson(response, {});
  if (url.pathname.endsWith(".js") || url.pathname.endsWith(".gif")) return void response.end();
  sendHtml(
    response,
    `<title>Elsewhere</title><h1>Another site</h1><p>${"This page belongs to another site. ".repeat(5)}</p>`,
  );
}

function respondAsShop(visit: Visit): void {
  const page = PAGES[visit.url.pathname.split("/")[2] ?? ""];
  if (page === undefined) return void visit.response.writeHead(404).end();
  page(visit);
}

const PAGES: Record<string, (visit: Visit) => void> = {
  "": (visit) => send(visit, "Harbor shop", HOME),
  login: (visit) => {
    const { id, request, response, body } = visit;
    if (request.method !== "POST") return send(visit, "Sign in", LOGIN);
    const { email, password, session } = customerOf(id);
    const given = new URLSearchParams(body);
    if (given.get("email") !== email || given.get("password") !== password)
      return send(visit, "Sign in", `<p>The email address or the password is wrong.</p>${LOGIN}`);
    response
      .writeHead(303, { location: "account", "set-cookie": `shop_session=${session}; Path=/${id}; HttpOnly` })
      .end();
  },
  account: (visit) => {
    const { id, request, response } = visit;
    if (request.headers.cookie?.includes(`shop_session=${customerOf(id).session}`))
      send(visit, "Your account", ACCOUNT);
    else response.writeHead(303, { location: "login" }).end();
  },
  products: (visit) => send(visit, "All products", PRODUCT_LIST),
  "products.json": ({ url, response }) => sendJson(response, productsOf(Number(url.searchParams.get("page")))),
  layouts: (visit) => {
    const { "user-agent": agent = "", "sec-ch-ua-mobile": hint } = visit.request.headers;
    send(visit, "Layouts", toLayouts(/Mobile/.test(agent) && hint !== "?0" ? "phone" : "desktop"));
  },
  price: (visit) => {
    const isTurkey = visit.request.socket.remoteAddress === ADDRESSES.tr;
    send(visit, "Tide clock", `<p>Today's price is ${isTurkey ? "4,990 TRY" : "119 EUR"}.</p>`);
  },
  members: (visit) => {
    const { id, request, response } = visit;
    const { email, password } = customerOf(id);
    if (request.headers.authorization === `Basic ${btoa(`${email}:${password}`)}`)
      return send(visit, "Members", "<p>Members get a discount of 10 %.</p>");
    response.writeHead(401, { "www-authenticate": 'Basic realm="Members"' }).end("Members only.");
  },
  partners: (visit) => {
    const { id, request, response } = visit;
    const { key, contract } = customerOf(id);
    if (request.headers["x-partner-key"] === key && request.headers.cookie?.includes(`contract=${contract}`))
      return send(visit, "Partners", "<p>Partners buy ten tide clocks for 900 EUR.</p>");
    response.writeHead(404).end("There is no such page.");
  },
  away: ({ other, response }) => void response.writeHead(302, { location: `${other}/landing` }).end(),
  slow: (visit) => send(visit, "Slow", SLOW),
};

function send({ other, response }: Visit, title: string, content: string): void {
  sendHtml(response, toPage(title, content, other));
}
