// A hostile website over HTTP and HTTPS on loopback, at `/{id}/{behavior}`. The id is unique to a test.
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { Certificate } from "../certificate.ts";
import { listen } from "../loopback.ts";
import { sendHtml } from "../responses.ts";
import { bodies } from "./bodies.ts";
import { characters } from "./characters.ts";
import { moves } from "./moves.ts";
import { hostilePages } from "./pages.ts";
import { types } from "./types.ts";
import type { Behaviors, Visit } from "./visit.ts";
import { wire, writeWire } from "./wire.ts";

export interface HostileSite {
  origin: string;
  /** host:port of both servers, for ALLOWED_PRIVATE_HOSTS. */
  hosts: string[];
  close: () => void;
}

const behaviors: Behaviors = { ...bodies, ...characters, ...moves, ...types, ...wire };

export async function startHostileSite(certificate: Certificate): Promise<HostileSite> {
  const counts = new Map<string, number>();
  /** The raw responses that the fuzz test stored with PUT, by path. */
  const storedResponses = new Map<string, Buffer>();

  const listener: RequestListener = (request, response) => {
    request.on("error", () => {});
    response.on("error", () => {});
    const url = new URL(request.url ?? "/", origins.http);
    const [, id = "", behavior = ""] = url.pathname.split("/");
    if (request.method === "PUT") return void storeResponse(url.pathname, request, response);
    const stored = storedResponses.get(url.pathname);
    if (stored !== undefined) return void writeWire(request.socket, stored);
    const count = (counts.get(url.pathname) ?? 0) + 1;
    counts.set(url.pathname, count);
    const to: Visit["to"] = (next, scheme = "http") => `${origins[scheme]}/${id}/${next}`;
    const visit = { url, request, response, to, count };
    const page = hostilePages[behavior];
    if (page !== undefined) return void sendHtml(response, page(visit));
    const respond = behaviors[behavior];
    if (respond === undefined) return void response.writeHead(404).end();
    respond(visit);
  };

  async function storeResponse(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    storedResponses.set(path, Buffer.concat(chunks));
    response.end();
  }

  // Turns keep-alive off. A server may close an idle connection at the moment when the next request arrives, and that
  // request would fail.
  const options = { keepAliveTimeout: 0 };
  const servers = [createServer(options, listener), createSecureServer({ ...certificate, ...options }, listener)];
  const listening = await Promise.all(
    servers.map((server) => listen(server.on("clientError", (_, socket) => socket.destroy()))),
  );
  const hosts = listening.map(({ port }) => `localhost:${port}`);
  const origins = { http: `http://${hosts[0]}`, https: `https://${hosts[1]}` };
  return {
    origin: origins.http,
    hosts,
    close: () => {
      for (const { close } of listening) close();
    },
  };
}
