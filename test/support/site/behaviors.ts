import type { IncomingMessage, ServerResponse } from "node:http";
import { resolveName } from "../dns-names.ts";
import { documents } from "../documents.ts";
import { escapePage } from "../escape-page.ts";
import { moreDocuments } from "../more-documents.ts";
import { pages } from "../pages.ts";
import { pdfs } from "../pdfs.ts";
import { sendHtml, sendJson } from "../responses.ts";
import { toScan } from "../scans.ts";
import { device } from "./device.ts";
import { encoded } from "./encoded.ts";
import { sendPage, sendShell, sendSlowScript } from "./hanging.ts";
import { session } from "./session.ts";
import { speculation } from "./speculation.ts";
import type { Visit } from "./visit.ts";

export function respond(visit: Visit): void {
  const [, , behavior = ""] = visit.url.pathname.split("/");
  const page = pages[behavior];
  const behave = page === undefined ? (BEHAVIORS[behavior] ?? notFound) : () => sendHtml(visit.response, page);
  behave(visit);
}

function notFound({ response }: Visit): void {
  response.writeHead(404, { "content-type": "text/html" });
  response.end("<h1>Not here</h1>");
}

const BEHAVIORS: Record<string, (visit: Visit) => void> = {
  status: ({ query, response }) => {
    const price = query.get("price");
    response.writeHead(Number(query.get("code")), {
      "content-type": "text/html",
      ...(price && { "crawler-price": price }),
    });
    response.end(query.get("code") === "204" ? undefined : "<h1>Status page</h1>");
  },
  "block-page": ({ query, response }) => {
    response.writeHead(Number(query.get("code") ?? 200), { "content-type": "text/html" });
    response.end(BLOCK_PAGE);
  },
  unfinished: ({ response }) => {
    response.writeHead(404, { "content-type": "text/html" });
    response.write("<h1>Not found, in a body that never ends");
  },
  busy: ({ query, response, count }) => {
    // Fails the first `times` requests (default: 1).
    if (count() > Number(query.get("times") ?? 1)) return sendHtml(response, pages.article ?? "");
    response.writeHead(Number(query.get("code") ?? 503), {
      "content-type": "text/html",
      ...(query.has("after") && { "retry-after": query.get("after") ?? "" }),
    });
    response.end("<h1>Busy</h1>");
  },
  redirect: ({ query, response }) => {
    response.writeHead(302, { location: query.get("to") ?? "/" });
    response.end();
  },
  loop: ({ url, response }) => {
    response.writeHead(302, { location: url.pathname });
    response.end();
  },
  // A zone of Cloudflare with "Markdown for Agents". `markdown` is the Markdown, if there is any.
  zone: ({ query, request, response }) => {
    const [first = ""] = (request.headers.accept ?? "").split(",");
    const markdown = query.get("markdown");
    response.setHeader("vary", "accept");
    response.setHeader("content-signal", "ai-train=yes, search=yes, ai-input=yes");
    if (first !== "text/markdown" || markdown === null) return sendHtml(response, pages.article ?? "");
    response.writeHead(Number(query.get("status") ?? 200), {
      "content-type": "text/markdown; charset=utf-8",
      "x-markdown-tokens": String(Math.ceil(markdown.length / 4)),
    });
    response.end(markdown.repeat(Number(query.get("repeat") ?? 1)));
  },
  // A page with the given response header.
  "with-header": ({ query, response }) => {
    response.setHeader(query.get("name") ?? "", query.get("value") ?? "");
    sendHtml(response, `${query.get("head") ?? ""}${pages.article ?? ""}`);
  },
  type: ({ query, response }) => {
    response.writeHead(200, { "content-type": query.get("type") ?? "" });
    // With the encoding latin1, each character of the body is one byte.
    response.end(
      Buffer.from(query.get("body") ?? "some bytes", query.get("encoding") === "latin1" ? "latin1" : "utf8"),
    );
  },
  refreshes: ({ query, response, count }) => {
    // Redirects `times` times with a meta refresh.
    const next = `<meta http-equiv="refresh" content="0; url=?times=${query.get("times")}&visit=${count()}">`;
    sendHtml(response, count() > Number(query.get("times")) ? (pages.article ?? "") : `<head>${next}</head>Moving.`);
  },
  visit: ({ url, query, request, response }) => {
    // Sends the body and the header `Refresh`. Sets a cookie up to `cookies` times, and then sends another page.
    const seen = Number(/visits=(\d+)/.exec(request.headers.cookie ?? "")?.[1] ?? 0);
    const cookies = Number(query.get("cookies") ?? 0);
    if (cookies > 0 && seen >= cookies) return sendHtml(response, pages.described ?? "");
    if (cookies > 0) response.setHeader("set-cookie", `visits=${seen + 1}`);
    if (query.has("refresh")) response.setHeader("refresh", query.get("refresh") ?? "");
    sendHtml(response, query.get("body")?.replace("{URL}", url.pathname + url.search) ?? "");
  },
  latin1: ({ response }) => {
    response.writeHead(200, { "content-type": "text/html; charset=iso-8859-1" });
    response.end(
      Buffer.from(
        "<article><h1>Caf\u00e9</h1><p>Ouvert toute la journ\u00e9e, m\u00eame le dimanche.</p></article>",
        "latin1",
      ),
    );
  },
  large: ({ query, response }) =>
    sendHtml(response, `<article><h1>Large</h1><p>${"word ".repeat(Number(query.get("words")))}</p></article>`),
  many: ({ query, response }) => sendHtml(response, `<body>${"<p>x</p>".repeat(Number(query.get("count")))}`),
  encoded: ({ query, response }) => void encoded(query, response),
  pdf: ({ query, response }) => {
    response.writeHead(200, { "content-type": query.get("type") ?? "application/pdf" });
    response.end(pdfs[query.get("kind") ?? "report"]);
  },
  scan: ({ query, response }) => {
    response.writeHead(200, { "content-type": "application/pdf" });
    response.end(toScan(query.get("pages") ?? ""));
  },
  document: ({ query, response }) => {
    const name = query.get("name") ?? "report.docx";
    const type = query.get("type") ?? "application/octet-stream";
    response.writeHead(200, { "content-type": type, "content-disposition": `attachment; filename="${name}"` });
    response.end((documents[name] ?? moreDocuments[name])?.());
  },
  bytes: ({ query, response }) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end("x".repeat(Number(query.get("count"))));
  },
  reset: ({ request }) => void request.socket.destroy(),
  held: ({ hold }) => hold(),
  begun: ({ query, response, hold }) => {
    // Sends `lines` paragraphs. The response ends when a test calls `release` for the path.
    response.writeHead(200, { "content-type": "text/html" });
    response.write(
      `<article><h1>Begun</h1>${`<p>${"Some words. ".repeat(15)}</p>`.repeat(Number(query.get("lines")))}`,
    );
    hold();
  },
  never: () => {},
  "with-resources": sendPage,
  shell: sendShell,
  "slow-script": sendSlowScript,
  visitor: ({ request, response }) => {
    response.setHeader("set-cookie", "visitor=seen-before; Path=/");
    sendHtml(
      response,
      `<article><h1>Visitor</h1><p>Cookie: ${request.headers.cookie ?? "none at all"}.</p><p id="store"></p>
         <script>document.querySelector("#store").textContent = "Storage: " + (localStorage.getItem("v") ?? "empty"); localStorage.setItem("v", "seen-before");</script></article>`,
    );
  },
  flushed: ({ response }) => {
    // Sends the body 1.2 seconds after the headers.
    response.writeHead(200, { "content-type": "text/plain" }).flushHeaders();
    setTimeout(() => response.end("late"), 1_200);
  },
  echo: ({ request, response }) => void echo(request, response),
  "echo-worker.js": ({ response }) => {
    response.setHeader("content-type", "text/javascript");
    response.end(`fetch("echo").then((answer) => answer.json()).then(({ method }) => postMessage(method));`);
  },
  pixels: ({ response }) => {
    response.setHeader("content-type", "image/gif");
    // Sends a GIF of 3 by 2 pixels.
    response.end(Buffer.from("R0lGODlhAwACAIAAAAAAAP///yH5BAAAAAAALAAAAAADAAIAAAIChF8AOw==", "base64"));
  },
  dns: ({ query, response }) => sendJson(response, resolveName(query)),
  agent: ({ request, response }) =>
    sendHtml(response, `<article><h1>Agent</h1><p>${request.headers["user-agent"]}</p></article>`),
  holes: ({ url, response, forbidden }) =>
    sendHtml(response, escapePage(forbidden.origin, forbidden.udpPort, url.pathname.replace("/holes", ""))),
  ...session,
  ...device,
  ...speculation,
  "holes-worker.js": ({ response, forbidden }) => {
    response.setHeader("content-type", "text/javascript");
    response.end(
      `fetch("${forbidden.origin}/own-worker").catch(() => {}); new WebSocket("${forbidden.origin.replace("http", "ws")}/own-worker-ws");`,
    );
  },
};

/** Responds with the request as JSON, and sets two cookies. */
async function echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body: Buffer[] = [];
  for await (const chunk of request) body.push(chunk as Buffer);
  response.setHeader("set-cookie", ["plain=1; Path=/", "hidden=2; Path=/; HttpOnly"]);
  sendJson(response, { method: request.method, headers: request.headers, body: Buffer.concat(body).toString() });
}

/** Cloudflare's challenge page. */
export const BLOCK_PAGE = `<!DOCTYPE html><html lang="en-US"><head><title>Just a moment...</title><meta name="robots" content="noindex,nofollow"></head>
<body><div class="main-wrapper" role="main"><div class="main-content"><noscript>Enable JavaScript and cookies to continue</noscript></div></div>
<script>window._cf_chl_opt={cvId:"3",cType:"managed",cRay:"8f0"};</script><script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1?ray=8f0"></script></body></html>`;
