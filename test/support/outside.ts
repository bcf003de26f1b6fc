// The world outside, in Node: a web site of many behaviours, two models, three search engines, a mail service, GitHub, hosts that nobody may reach, and the browsers' processes.
import { randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline, Readable, type Transform } from "node:stream";
import {
  constants,
  createBrotliCompress,
  createDeflate,
  createDeflateRaw,
  createGzip,
  createZstdCompress,
} from "node:zlib";
import type { TestProject } from "vitest/node";
import { endBrowsers } from "../../scripts/processes.ts";
import { readCertificate } from "./certificate.ts";
import { startEngines } from "./engines/server.ts";
import { startGateway } from "./gateway.ts";
import { startGitHub } from "./github.ts";
import { holesPage } from "./holes.ts";
import { startHostileSite } from "./hostile/server.ts";
import { startTable } from "./hostile/table.ts";
import { startMail } from "./mail.ts";
import { startModels } from "./models.ts";
import { pages } from "./pages.ts";
import { pdfs } from "./pdfs.ts";
import "./provided.ts";
import { startProxy } from "./proxy.ts";
import { startReceiver } from "./receiver.ts";

const isOurs = (commandLine: string) => commandLine.includes(`--user-data-dir=${process.env.TMPDIR}`);

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const hits: string[] = [];
  const held = new Map<string, ServerResponse[]>();
  const arrivals: string[] = [];

  const forbidden = createServer((request, response) => {
    arrivals.push(`${request.method} ${request.url}`);
    response.setHeader("access-control-allow-origin", "*");
    response.end("private");
  });
  forbidden.on("upgrade", (request, socket) => {
    arrivals.push(`UPGRADE ${request.url}`);
    socket.destroy();
  });
  forbidden.on("connection", () => arrivals.push("CONNECTION"));
  const forbiddenOrigin = await listen(forbidden);
  const udp = createSocket("udp4").on("message", () => arrivals.push("UDP"));
  await new Promise<void>((ready) => udp.bind(0, "127.0.0.1", ready));

  // A connection that is kept for the next request, and that we end just then, would fail what isn't meant to fail.
  const site = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const url = new URL(request.url ?? "/", "http://site");
    if (url.pathname.startsWith("/__")) return void control(url, response);
    hits.push(url.pathname);
    answer(url, request, response);
  });

  async function control(url: URL, response: ServerResponse): Promise<void> {
    const path = url.searchParams.get("path") ?? "";
    if (url.pathname === "/__hits") return void json(response, hits.filter((hit) => hit === path).length);
    if (url.pathname === "/__dns") return void json(response, resolveName(url.searchParams));
    if (url.pathname === "/__posts") return void json(response, receiver.posts(path));
    if (url.pathname === "/__gateway") return void json(response, gateway.asked(path));
    if (url.pathname === "/__proxied") return void json(response, proxy.log(path));
    if (url.pathname === "/__asked") return void json(response, models.asked(path));
    if (url.pathname === "/__searched") return void json(response, engines.searched(path));
    if (url.pathname === "/__letters") return void json(response, mail.letters(path));
    if (url.pathname === "/__arrivals") return void json(response, arrivals);
    if (url.pathname === "/__row") return void json(response, table.add(url.searchParams));
    if (url.pathname === "/__browsers") return void json(response, browsersOf(url).length);
    if (url.pathname === "/__kill-browsers") return void json(response, killBrowsers(browsersOf(url)));
    if (url.pathname === "/__release") {
      for (const waiting of held.get(path) ?? []) {
        if (waiting.headersSent) waiting.end("<p>The end.</p>");
        else html(waiting, pages.article ?? "");
      }
      held.delete(path);
      return void json(response, true);
    }
    response.writeHead(404).end();
  }

  function answer(url: URL, request: IncomingMessage, response: ServerResponse): void {
    // /{anything that tells tests apart}/{behaviour}
    const [, , behaviour = ""] = url.pathname.split("/");
    const query = url.searchParams;
    const page = pages[behaviour];
    if (page !== undefined) return void html(response, page);
    switch (behaviour) {
      case "status":
        response.writeHead(Number(query.get("code")), { "content-type": "text/html" });
        return void response.end(query.get("code") === "204" ? undefined : "<h1>Status page</h1>");
      case "wall":
        response.writeHead(Number(query.get("code") ?? 200), { "content-type": "text/html" });
        return void response.end(WALL);
      case "unfinished":
        response.writeHead(404, { "content-type": "text/html" });
        return void response.write("<h1>Not found, and the rest of it never comes");
      case "busy":
        // Once, unless it says otherwise.
        if (hits.filter((hit) => hit === url.pathname).length > Number(query.get("times") ?? 1))
          return void html(response, pages.article ?? "");
        response.writeHead(Number(query.get("code") ?? 503), {
          "content-type": "text/html",
          ...(query.has("after") && { "retry-after": query.get("after") ?? "" }),
        });
        return void response.end("<h1>Busy</h1>");
      case "redirect":
        response.writeHead(302, { location: query.get("to") ?? "/" });
        return void response.end();
      case "loop":
        response.writeHead(302, { location: url.pathname });
        return void response.end();
      case "type":
        response.writeHead(200, { "content-type": query.get("type") ?? "" });
        return void response.end(query.get("body") ?? "some bytes");
      case "latin1":
        response.writeHead(200, { "content-type": "text/html; charset=iso-8859-1" });
        return void response.end(
          Buffer.from(
            "<article><h1>Caf\u00e9</h1><p>Ouvert toute la journ\u00e9e, m\u00eame le dimanche.</p></article>",
            "latin1",
          ),
        );
      case "large":
        return void html(
          response,
          `<article><h1>Large</h1><p>${"word ".repeat(Number(query.get("words")))}</p></article>`,
        );
      case "many":
        return void html(response, `<body>${"<p>x</p>".repeat(Number(query.get("count")))}`);
      case "encoded":
        return void encoded(query, response);
      case "pdf":
        response.writeHead(200, { "content-type": query.get("type") ?? "application/pdf" });
        return void response.end(pdfs[query.get("kind") ?? "report"]);
      case "bytes":
        response.writeHead(200, { "content-type": "text/html" });
        return void response.end("x".repeat(Number(query.get("count"))));
      case "reset":
        return void request.socket.destroy();
      case "held":
        held.set(url.pathname, [...(held.get(url.pathname) ?? []), response]);
        return;
      case "begun":
        // So much of it, and the rest when it is released.
        response.writeHead(200, { "content-type": "text/html" });
        response.write(
          `<article><h1>Begun</h1>${`<p>${"Some words. ".repeat(15)}</p>`.repeat(Number(query.get("lines")))}`,
        );
        held.set(url.pathname, [...(held.get(url.pathname) ?? []), response]);
        return;
      case "never":
        return;
      case "visitor":
        response.setHeader("set-cookie", "visitor=seen-before; Path=/");
        return void html(
          response,
          `<article><h1>Visitor</h1><p>Cookie: ${request.headers.cookie ?? "none at all"}.</p><p id="store"></p>
           <script>document.querySelector("#store").textContent = "Storage: " + (localStorage.getItem("v") ?? "empty"); localStorage.setItem("v", "seen-before");</script></article>`,
        );
      case "flushed":
        // The body begins well after the headers.
        response.writeHead(200, { "content-type": "text/plain" }).flushHeaders();
        return void setTimeout(() => response.end("late"), 1_200);
      case "echo":
        return void echo(request, response);
      case "echo-worker.js":
        response.setHeader("content-type", "text/javascript");
        return void response.end(
          `fetch("echo").then((answer) => answer.json()).then(({ method }) => postMessage(method));`,
        );
      case "pixels":
        response.setHeader("content-type", "image/gif");
        // 3 by 2 pixels.
        return void response.end(Buffer.from("R0lGODlhAwACAIAAAAAAAP///yH5BAAAAAAALAAAAAADAAIAAAIChF8AOw==", "base64"));
      case "agent":
        return void html(response, `<article><h1>Agent</h1><p>${request.headers["user-agent"]}</p></article>`);
      case "holes":
        return void html(response, holesPage(forbiddenOrigin, udp.address().port, url.pathname.replace("/holes", "")));
      case "holes-worker.js":
        response.setHeader("content-type", "text/javascript");
        return void response.end(
          `fetch("${forbiddenOrigin}/own-worker").catch(() => {}); new WebSocket("${forbiddenOrigin.replace("http", "ws")}/own-worker-ws");`,
        );
      default:
        response.writeHead(404, { "content-type": "text/html" });
        response.end("<h1>Not here</h1>");
    }
  }

  // The runtime trusts this certificate: the configuration made it before the runtime was loaded.
  const certificate = readCertificate(process.env.TMPDIR ?? "");
  const receiver = await startReceiver(certificate);
  const proxy = await startProxy(certificate);
  const models = await startModels();
  const engines = await startEngines();
  const mail = await startMail();
  const github = await startGitHub();
  const gateway = await startGateway();

  const hostile = await startHostileSite(certificate);
  const table = startTable();
  const siteOrigin = await listen(site);
  project.provide("site", siteOrigin);
  project.provide("forbidden", forbiddenOrigin);
  project.provide("hostile", hostile.origin);
  project.provide("hook", receiver.origin);
  project.provide("proxy", proxy.host);
  project.provide("secureProxy", proxy.secureHost);
  project.provide("models", models.origin);
  project.provide("engines", engines.origins);
  project.provide("mail", mail.url);
  project.provide("github", github.origin);
  project.provide("gateway", gateway.origin);
  project.provide("allowedHosts", [new URL(siteOrigin).host, receiver.host, ...hostile.hosts].join());

  return async () => {
    await endBrowsers(isOurs);
    for (const server of [site, forbidden]) {
      server.closeAllConnections();
      server.close();
    }
    hostile.close();
    table.write();
    receiver.close();
    proxy.close();
    models.close();
    engines.close();
    mail.close();
    github.close();
    gateway.close();
    udp.close();
  };
}

/** As Cloudflare asks browsers to prove themselves. */
const WALL = `<!DOCTYPE html><html lang="en-US"><head><title>Just a moment...</title><meta name="robots" content="noindex,nofollow"></head>
<body><div class="main-wrapper" role="main"><div class="main-content"><noscript>Enable JavaScript and cookies to continue</noscript></div></div>
<script>window._cf_chl_opt={cvId:"3",cType:"managed",cRay:"8f0"};</script><script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1?ray=8f0"></script></body></html>`;

/** The names of this world, in DNS as JSON. */
const NAMES: Record<string, { A?: string[]; AAAA?: string[] }> = {
  "public.world.example": { A: ["93.184.216.34"] },
  "private.world.example": { A: ["10.1.2.3"] },
  "loopback.world.example": { A: ["127.0.0.1"] },
  "mixed.world.example": { A: ["93.184.216.34", "192.168.1.1"] },
  "six.world.example": { A: ["93.184.216.34"], AAAA: ["::ffff:127.0.0.1"] },
  "metadata.world.example": { AAAA: ["fd00:ec2::254"] },
};

function resolveName(query: URLSearchParams) {
  const [name = "", type = "A"] = [query.get("name") ?? "", query.get("type") ?? "A"];
  const addresses = NAMES[name];
  const number = { A: 1, AAAA: 28 }[type];
  const answers = addresses?.[type as "A" | "AAAA"] ?? [];
  return { Status: addresses ? 0 : 3, Answer: answers.map((data) => ({ name, type: number, data })) };
}

function listen(server: Server): Promise<string> {
  return new Promise((ready) =>
    server.listen(0, "127.0.0.1", () => ready(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)),
  );
}

const ENCODERS: Record<string, () => Transform> = {
  gzip: createGzip,
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  zlib: createDeflate,
  raw: createDeflateRaw,
  zstd: createZstdCompress,
};

/** A page of so many `words`, or without end, encoded as the list `as` says, declared as `declared` says; `cut` short. */
async function encoded(query: URLSearchParams, response: ServerResponse): Promise<void> {
  response.writeHead(Number(query.get("code") ?? 200), {
    "content-type": "text/html",
    "content-encoding": query.get("declared") ?? "",
  });
  const words = query.get("words") ?? "80";
  const page = Readable.from(words === "endless" ? endless() : [`${BEGINNING}${"word ".repeat(Number(words))}`]);
  const encoders = (query.get("as") ?? "").split(",").flatMap((name) => ENCODERS[name]?.() ?? []);
  const stream = encoders.reduce<Readable>((from, to) => from.pipe(to), page);
  if (words === "endless") return void pipeline(stream, response, () => {});
  const body = Buffer.concat(await stream.map((chunk) => Buffer.from(chunk)).toArray());
  response.end(body.subarray(0, body.length - Number(query.get("cut") ?? 0)));
}

const BEGINNING = "<article><h1>Encoded</h1><p>";

function* endless(): Generator<string> {
  yield BEGINNING;
  // Not so regular that an encoder keeps it all to itself.
  for (;;) yield `${randomBytes(1_000).toString("hex")} ${"word ".repeat(20_000)}`;
}

/** What was asked, and two cookies. */
async function echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body: Buffer[] = [];
  for await (const chunk of request) body.push(chunk as Buffer);
  response.setHeader("set-cookie", ["plain=1; Path=/", "hidden=2; Path=/; HttpOnly"]);
  json(response, { method: request.method, headers: request.headers, body: Buffer.concat(body).toString() });
}

function html(response: ServerResponse, body: string): void {
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
  response.end(body);
}

function json(response: ServerResponse, value: unknown): void {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(value));
}

/** The processes of the `sessions`, after which profiles are named; without their children, which name a `--type`. */
function browsersOf(url: URL): number[] {
  const sessions = url.searchParams.get("sessions")?.split(",").filter(Boolean) ?? [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const commandLine = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
        if (!isOurs(commandLine) || commandLine.includes(" --type=")) return false;
        return sessions.some((id) => commandLine.includes(`profile-${id}`));
      } catch {
        return false; // It ended between the listing and the reading.
      }
    })
    .map(Number);
}

function killBrowsers(pids: number[]): number {
  for (const pid of pids) process.kill(pid, "SIGKILL");
  return pids.length;
}
